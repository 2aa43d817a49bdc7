"""Checks that a program keeps to the protocol, point by point. Each point starts the program anew where it must."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from ddz_solver.ai.agents import make_agent
from ddz_solver.engine.client import FINAL_VERBS, EngineClient, Timing
from ddz_solver.engine.connection import Address
from ddz_solver.engine.faults import EngineFault, Termination
from ddz_solver.engine.limits import Limits
from ddz_solver.engine.lines import ERROR_CODES, Line
from ddz_solver.engine.players import read_decision
from ddz_solver.engine.positions import position_line
from ddz_solver.engine.referee import make
from ddz_solver.game.game import Game
from ddz_solver.game.rules import PRESETS

_TIME_LIMIT: Final = 300
_STOP_SECONDS: Final = 0.5
_GARBAGE: Final = (
    "no-such-command",
    "Position",
    "go id=x id=y",
    'setoption name="no end',
    "position",
    "position rules=bridge seat=0 hand=3 counts=1,1,1",
    "position rules={rules} seat=99 hand=34 counts=2,1,1",
    "position rules={rules} seat=0 hand=34ZZ counts=4,1,1",
    "\x7f\x01\x02",
    "= = =",
)


class Check(NamedTuple):
    """One point of the protocol and whether the program keeps to it; `detail` names the fault."""

    name: str
    passed: bool
    detail: str = ""


@dataclass
class Checker:
    """Checks one engine. `run` gives the points one after the other."""

    engine: str | Address
    """The command that starts it, or where it listens."""
    options: dict[str, str] = field(default_factory=dict)
    timing: Timing = field(default_factory=lambda: Timing(stall=10.0, reply=2.0))

    def __post_init__(self) -> None:
        self._rules: tuple[str, ...] = ()

    def run(self) -> Iterator[Check]:
        """All points. A program that does not even come up gets no further ones."""
        handshake = self._check("handshake", self._handshake)
        yield handshake
        if not handshake.passed:
            return
        points: list[tuple[str, Callable[[], None]]] = [
            ("ping and ids", self._ping),
            ("options", self._options),
            ("rules that do not exist", self._unknown_rules),
            *((f"whole hands under {rules}", partial(self._hands, rules)) for rules in self._rules),
            ("unknown fields", self._unknown_fields),
            ("time limit", self._time_limit),
            ("ping while thinking, stop", self._stop),
            ("restart in the middle of a hand", self._restart),
            ("garbage", self._garbage),
            ("a long line", self._long_line),
            ("quit", self._quit),
            ("end of input", self._end_of_input),
        ]
        for name, point in points:
            yield self._check(name, point)

    def _check(self, name: str, point: Callable[[], None]) -> Check:
        try:
            point()
        except EngineFault as fault:
            return Check(name, False, f"{fault.termination}: {fault}")
        return Check(name, True)

    # --- points -----------------------------------------------------------------------------------------------------

    def _handshake(self) -> None:
        with self._engine() as engine:
            info = engine.info
            _demand(bool(info.rules), "no rules line: expected rules with the presets that it plays")
            self._rules = tuple(rules for rules in info.rules if rules in PRESETS)
            _demand(bool(self._rules), f"rules {', '.join(info.rules)}: expected some of {', '.join(PRESETS)}")
            _demand(info.name != "?", "no name: expected an id line with name=...")

    def _ping(self) -> None:
        with self._engine() as engine:
            for ident in ("a", "A-very.long_id-0123456789-abcdef"):
                answer = engine.command(Line("ping", {"id": ident}), "pong")[-1]
                _demand(answer.id == ident, f"`{answer}`: expected id={ident}")
            answer = engine.command(Line("ping"), "pong")[-1]
            _demand(answer.id is None, f"`{answer}`: expected no id")
            engine.command(Line("stop"))
            engine.command(Line("isready"), "readyok", self.timing.start)

    def _options(self) -> None:
        with self._engine() as engine:
            for name, option in engine.info.options.items():
                _demand("type" in option and "default" in option, f"option {name}: expected type and default")
                engine.command(Line("setoption", {name: option["default"]}))
            _expect_error(engine, "setoption no_such_option=1", ("bad-option",))

    def _unknown_rules(self) -> None:
        with self._engine() as engine:
            if not engine.info.wants_legal:
                _expect_error(engine, "newgame rules=no-such-rules seat=0", ("unsupported-rules",))

    def _hands(self, rules: str) -> None:
        """One hand in every seat, against simple play."""
        with self._engine() as engine:
            for seat in range(PRESETS[rules].players):
                engine.new_game(rules, seat)
                game = Game(rules, seed=seat)
                agent = make_agent("greedy")
                while not game.over:
                    if game.turn == seat:
                        self._decide(engine, game, Limits(time=1000))
                    else:
                        seen = game.observation()
                        make(game, agent.bid(seen) if seen.legal_calls else agent.play(seen))
                scores = ",".join(map(str, game.payoffs))
                engine.command(Line("result", {"scores": scores, "termination": "normal"}))

    def _unknown_fields(self) -> None:
        with self._engine() as engine:
            game = self._game()
            line = self._position(engine, game)
            engine.command(Line("newgame", {"rules": str(game.rules), "seat": "0", "weather": "fine"}))
            engine.send(f"{line} weather=fine flag\n")
            answer = engine.receive(self.timing.reply)
            _demand(answer.verb == "ok", f"`{answer}` to a position with an unknown field: expected ok")
            engine.command(Line("go", {"id": "1", "time": "100", "mood": "good"}), "bestmove", self.timing.stall)

    def _time_limit(self) -> None:
        with self._engine() as engine:
            for _ in range(3):
                self._decide(engine, self._game(), Limits(time=_TIME_LIMIT))

    def _stop(self) -> None:
        """A search without limit: ping is answered, then stop, and there is exactly one answer to go."""
        with self._engine() as engine:
            engine.send(f"{self._position(engine, self._game())}\n")
            answer = engine.receive(self.timing.reply)
            _demand(answer.verb == "ok", f"`{answer}` to a position: expected ok")
            engine.send("go id=7 infinite\nping id=8\n")
            wanted = {"7": "bestmove", "8": "pong", "9": "ok"}
            found = self._collect(engine, wanted, until="8")
            start = time.monotonic()
            engine.send("stop id=9\n")
            found += self._collect(engine, {key: verb for key, verb in wanted.items() if key not in found})
            _demand(time.monotonic() - start < _STOP_SECONDS, "stop: no bestmove within half a second")
            engine.command(Line("ping", {"id": "10"}), "pong")

    def _restart(self) -> None:
        game = self._game()
        agent = make_agent("greedy")
        while not game.over and len(game.history) < 12:
            seen = game.observation()
            make(game, agent.bid(seen) if seen.legal_calls else agent.play(seen))
        while not game.over and len(game.legal_plays) < 2:
            game.push(game.legal_plays[0])
        if game.over:
            return
        with self._engine() as engine:
            self._decide(engine, game, Limits(time=1000))

    def _garbage(self) -> None:
        with self._engine() as engine:
            for text in _GARBAGE:
                _expect_error(engine, text.format(rules=self._rules[0]), ERROR_CODES)
            engine.send("   \n# a comment\n\t\r\n")
            engine.command(Line("ping", {"id": "after"}), "pong")

    def _long_line(self) -> None:
        with self._engine() as engine:
            engine.send(f"ping id=1 text={'x' * 60_000}\n")
            answer = engine.receive(self.timing.reply)
            _demand(answer.verb == "pong", f"`{str(answer)[:80]}` to a line of 60 000 bytes: expected pong")

    def _quit(self) -> None:
        with self._engine() as engine:
            engine.command(Line("quit"), "bye")
            _demand(engine.ended(self.timing.quit), "quit: the program goes on running")

    def _end_of_input(self) -> None:
        with self._engine() as engine:
            engine.close_input()
            _demand(engine.ended(self.timing.quit), "end of input: the program goes on running")

    # --- tools ------------------------------------------------------------------------------------------------------

    @contextmanager
    def _engine(self) -> Iterator[EngineClient]:
        engine = EngineClient(self.engine, self.options, self.timing)
        try:
            yield engine
        finally:
            engine.kill()

    def _game(self) -> Game:
        return Game(self._rules[0], seed=11)

    def _position(self, engine: EngineClient, game: Game) -> str:
        return position_line(game.observation(), legal=engine.info.wants_legal)

    def _decide(self, engine: EngineClient, game: Game, limits: Limits) -> None:
        """Ask for a decision and make it. EngineFault whatever is wrong with it."""
        line, _ = engine.ask(self._position(engine, game), limits)
        make(game, read_decision(line, game.observation()))

    def _collect(self, engine: EngineClient, wanted: dict[str, str], until: str | None = None) -> list[str]:
        """The ids of the final lines that come, each the verb that is wanted, up to one id or all of them."""
        found: list[str] = []
        while until not in found and len(found) < len(wanted):
            line = engine.receive(self.timing.reply)
            if line.verb in FINAL_VERBS:
                known = line.id in wanted and line.id not in found and line.verb == wanted[line.id]
                _demand(known, f"`{line}`: expected {' and '.join(f'{verb} id={key}' for key, verb in wanted.items())}")
                assert line.id is not None
                found.append(line.id)
        return found


def _demand(kept: bool, detail: str) -> None:
    if not kept:
        raise EngineFault(Termination.PROTOCOL, detail)


def _expect_error(engine: EngineClient, text: str, codes: tuple[str, ...]) -> None:
    engine.send(f"{text}\n")
    while True:
        answer = engine.receive(engine.timing.reply)
        if answer.verb in FINAL_VERBS:
            break
    code = answer.fields.get("code")
    _demand(answer.verb == "error", f"`{str(answer)[:80]}` to {text!r}: expected an error")
    _demand(code in codes, f"code {code} to {text!r}: expected {' or '.join(codes)}")
