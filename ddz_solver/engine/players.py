"""Who sits at a table of a match: built-in levels and adapters in this process, programs at the end of pipes.

A player is opened for one seat and plays any number of hands there. Whatever goes wrong is an EngineFault.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shlex
import shutil
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol, cast

from ddz_solver.ai.agents import Agent, make_agent
from ddz_solver.core.moves import Play
from ddz_solver.engine.client import EngineClient, Timing
from ddz_solver.engine.connection import Address, Connection
from ddz_solver.engine.faults import EngineFault, Termination
from ddz_solver.engine.limits import Limits
from ddz_solver.engine.lines import Line
from ddz_solver.engine.positions import position_line
from ddz_solver.engine.specs import EngineSpec, SpecError
from ddz_solver.game.combos import parse_play
from ddz_solver.game.errors import CardsError, DdzError, PlayError
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.game.rules import Rules


class Player(Protocol):
    """What the referee asks for decisions."""

    def new_hand(self, rules: Rules, seat: int, seed: int) -> None:
        """A hand begins."""

    def decide(self, observation: Observation) -> Play | int:
        """A play in the play, a call in the auction; not yet checked against the rules."""

    def end_hand(self, scores: tuple[int, ...], termination: Termination) -> None:
        """A hand is over."""

    def close(self) -> None:
        """Leave the table; raises nothing."""


def open_player(spec: EngineSpec, timing: Timing) -> Player:
    """The player that a specification describes, ready to play. EngineFault where it cannot be started."""
    if spec.kind in ("cmd", "tcp"):
        return ProgramPlayer(spec, timing)
    return AgentPlayer(_factory(spec), spec.limits, timing)


def check_spec(spec: EngineSpec) -> None:
    """SpecError, DdzError: no such program, nobody listens, options that cannot be told, no such agent."""
    if spec.kind in ("cmd", "tcp"):
        for name, value in spec.options.items():
            if not (value.isascii() and value.isprintable()):
                raise SpecError(f"option.{name}={value!r}: expected printable ASCII, all that the protocol can tell")
    if spec.kind == "cmd":
        try:
            program = shlex.split(spec.value, posix=os.name == "posix")[0]
        except (ValueError, IndexError) as error:
            raise SpecError(f"cmd={spec.value}: {error}: expected a command") from None
        if shutil.which(program) is None:
            raise SpecError(f"cmd={spec.value}: no program {program!r}: expected a command")
        return
    if spec.kind == "tcp":
        try:
            Connection(Address.parse(spec.value)).kill()
        except OSError as error:
            raise SpecError(f"tcp={spec.value}: {error}: expected HOST:PORT where an engine listens") from None
        except ValueError as error:
            raise SpecError(f"tcp={error}") from None
        return
    try:
        AgentPlayer(_factory(spec), spec.limits, Timing()).try_out()
    except DdzError:
        raise
    except Exception as error:  # whatever the agent's own code does
        raise SpecError(f"engine {spec.name}: {type(error).__name__}: {error}") from None


def _factory(spec: EngineSpec) -> Callable[..., Agent]:
    """What makes the agent of a hand, from `seed` and the options. SpecError, DdzError: there is no such thing."""
    if spec.kind == "level":
        if wrong := sorted({"seed", *spec.limits.of_agent()} & set(spec.options)):
            raise SpecError(
                f"engine {spec.name}: option.{wrong[0]}: expected limits as time=..., nodes=..., worlds=... or "
                "depth=...; seeds follow from the match's"
            )
        return partial(cast("Callable[..., Agent]", make_agent), spec.value, **spec.limits.of_agent(), **spec.options)
    if spec.kind != "python":
        from ddz_solver.adapters.foreign import foreign_agent

        return partial(cast("Callable[..., Agent]", foreign_agent), spec.kind, spec.value, **spec.options)
    module, _, name = spec.value.partition(":")
    try:
        make: Callable[..., Agent] = getattr(importlib.import_module(module), name)
    except Exception as error:  # whatever the module does
        raise SpecError(f"python={spec.value}: {error}: expected MODULE:FUNCTION") from None
    return partial(make, **spec.options)


class AgentPlayer:
    """An agent in this process. It cannot be interrupted: a limit that it overruns is noticed afterwards."""

    def __init__(self, make: Callable[..., Agent], limits: Limits, timing: Timing) -> None:
        """A player whose agent is made anew for each hand, from a seed."""
        self._make = make
        self._agent: Agent | None = None
        self._limit = None if limits.time is None else limits.time / 1000 + timing.margin

    def try_out(self) -> None:
        """Make an agent and close it. Raises whatever its maker raises."""
        self._agent = self._make(seed=0)
        self.close()

    def new_hand(self, rules: Rules, seat: int, seed: int) -> None:
        """A hand begins. EngineFault `crash`: the agent cannot be made."""
        if not getattr(self._agent, "seeded", True):
            return
        self.close()
        try:
            self._agent = self._make(seed=seed)
        except Exception as error:  # whatever an agent does, the match goes on
            raise _crash(error) from None

    def decide(self, observation: Observation) -> Play | int:
        """What the agent does. EngineFault: `crash` for an exception, `time`."""
        agent = self._agent
        assert agent is not None
        start = time.perf_counter()
        try:
            if observation.phase is Phase.AUCTION:
                decision: Play | int = agent.bid(observation)
            else:
                decision = agent.play(observation)
        except EngineFault:
            raise
        except Exception as error:  # whatever an agent does, the match goes on
            raise _crash(error) from None
        if self._limit is not None and time.perf_counter() - start > self._limit:
            raise EngineFault(Termination.TIME, f"{(time.perf_counter() - start) * 1000:.0f} ms")
        return decision

    def end_hand(self, scores: tuple[int, ...], termination: Termination) -> None:
        """A hand is over."""

    def close(self) -> None:
        """Close the agent, if it can be closed."""
        close = getattr(self._agent, "close", None)
        self._agent = None
        if close is not None:
            with contextlib.suppress(Exception):  # whatever an agent does, the match goes on
                close()


class ProgramPlayer:
    """A program that speaks the protocol, started here or listening somewhere."""

    def __init__(self, spec: EngineSpec, timing: Timing) -> None:
        """Start the program or connect to it. EngineFault where it does not come up."""
        self._limits = spec.limits
        where = Address.parse(spec.value) if spec.kind == "tcp" else spec.value
        self._client = EngineClient(where, spec.options, timing)

    def new_hand(self, rules: Rules, seat: int, seed: int) -> None:
        """Announce a hand; the seed is not told."""
        self._client.new_game(str(rules), seat)

    def decide(self, observation: Observation) -> Play | int:
        """What the program answers. EngineFault for everything else that it may do."""
        position = position_line(observation, legal=self._client.info.wants_legal)
        line, _ = self._client.ask(position, self._limits)
        return read_decision(line, observation)

    def end_hand(self, scores: tuple[int, ...], termination: Termination) -> None:
        """Tell the result."""
        fields = {"scores": ",".join(map(str, scores)), "termination": str(termination)}
        self._client.command(Line("result", fields))

    def close(self) -> None:
        """Let the program end."""
        self._client.quit()


def read_decision(line: Line, observation: Observation) -> Play | int:
    """The play or the call of a `bestmove` line.

    EngineFault: `protocol` for a line without one, `illegal` for what is neither a call nor a play of the rules.
    """
    fields: Mapping[str, str] = line.fields
    name = "call" if observation.phase is Phase.AUCTION else "play"
    text = fields.get(name)
    if not text:
        raise EngineFault(Termination.PROTOCOL, f"`{str(line)[:80]}`: expected {name}=...")
    if name == "call":
        if not (text.isascii() and text.isdecimal() and len(text) < 3):
            raise EngineFault(Termination.PROTOCOL, f"`{str(line)[:80]}`: expected call=NUMBER")
        return int(text)
    try:
        return parse_play(text, observation.rules, observation.to_beat)
    except CardsError as error:
        raise EngineFault(Termination.PROTOCOL, str(error)) from None
    except PlayError as error:
        raise EngineFault(Termination.ILLEGAL, str(error)) from None


def _crash(error: Exception) -> EngineFault:
    return EngineFault(Termination.CRASH, f"{type(error).__name__}: {error}")
