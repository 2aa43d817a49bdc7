"""Agents: players that decide from an Observation alone, by level from random upwards.

    >>> from ddz_solver.game.game import Game
    >>> game, agent = Game("classic", seed=7), make_agent("greedy")
    >>> while not game.over:
    ...     seen = game.observation()
    ...     if seen.legal_calls:
    ...         game.call(agent.bid(seen))
    ...     else:
    ...         game.push(agent.play(seen))

An agent keeps nothing between decisions but its random generator, so one may play several seats.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp, inf
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

from ddz_solver.ai.objective import OBJECTIVES, Objective, natural_objective
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.moves import Play
from ddz_solver.game.errors import DdzError
from ddz_solver.game.observation import Observation

if TYPE_CHECKING:
    from ddz_solver.ai.evaluator import Evaluator
    from ddz_solver.ai.plans import Plan, Settings


class AgentError(DdzError):
    """An unknown level, or a level that cannot play by these rules."""


class Agent(Protocol):
    """What plays a seat."""

    def play(self, observation: Observation) -> Play:
        """One of the observation's legal plays."""

    def bid(self, observation: Observation) -> int:
        """One of the observation's legal calls, 0 for a pass."""


class RandomAgent:
    """Calls and plays uniformly at random."""

    def __init__(self, seed: int = 0) -> None:
        """An agent that draws from this seed."""
        self._random = random.Random(seed)

    def play(self, observation: Observation) -> Play:
        """A random legal play."""
        return self._random.choice(observation.legal_plays)

    def bid(self, observation: Observation) -> int:
        """A random legal call."""
        return self._random.choice(observation.legal_calls)


class GreedyAgent:
    """Plays so that the fewest plays are left, most cards and lowest ranks first; keeps bombs, spares its partners."""

    seeded: Final = False
    """Nothing is drawn by chance: one agent may play any number of hands."""

    def __init__(self) -> None:
        """An agent for any rules."""
        self._memos: dict[object, HandsToGo] = {}

    def play(self, observation: Observation) -> Play:
        """The play after which the hand takes the fewest plays; the pass over a partner's play, unless it goes out."""
        rules = observation.rules.compiled
        if rules not in self._memos:
            self._memos[rules] = HandsToGo(rules)
        to_go, hand = self._memos[rules], observation.hand.bits
        partner = observation.to_beat_by is not None and observation.same_side(observation.to_beat_by)

        def cost(play: Play) -> tuple[bool, float, int, int]:
            left = to_go(hand - play.cards)
            return left > 0 and partner and bool(play), left + play.is_bomb / 2, -play.size, play.rank

        return min(observation.legal_plays, key=cost)

    def bid(self, observation: Observation) -> int:
        """The highest call that the hand's high cards and bombs are worth."""
        return call_by_count(observation)


class NetAgent:
    """Plays what the network values most, or by chance near that."""

    def __init__(
        self, evaluator: Evaluator | None = None, *, objective: Objective | None = None, looseness: float = 0.0,
        seed: int = 0,
    ) -> None:  # fmt: skip
        """An agent on given networks, by default those that ship for the rules at hand.

        It plays for `objective`, by default for what the rules pay. A play that is worse by `looseness` (win chance) is
        e times less likely than the best one; 0 always makes the best.
        """
        self._evaluator, self._objective, self._looseness = evaluator, objective, looseness
        self._random = random.Random(seed)

    def play(self, observation: Observation) -> Play:
        """The best play, or a slightly worse one. WeightsError: no networks ship for these rules."""
        plays = observation.legal_plays
        if len(plays) == 1:
            return plays[0]
        evaluator = self._evaluator or shipped_evaluator(observation)
        objective = self._objective or natural_objective(observation.rules)
        if not self._looseness:
            return evaluator.best(observation, plays, objective)
        wins, _ = evaluator.evaluate(observation, plays, objective)
        best = max(wins)
        return self._random.choices(plays, [exp((win - best) / self._looseness) for win in wins])[0]

    def bid(self, observation: Observation) -> int:
        """The call with the most expected points."""
        return call_by_model(observation)


class PlannerAgent:
    """Plays what the planner finds best."""

    def __init__(
        self,
        settings: Settings,
        evaluator: Evaluator | None = None,
        *,
        objective: Objective | None = None,
        seed: int = 0,
    ) -> None:
        """An agent on given networks, by default those that ship for the rules at hand; it plays for `objective`."""
        self._settings, self._evaluator, self._objective, self._seed = settings, evaluator, objective, seed
        self._stopped = threading.Event()

    def play(self, observation: Observation) -> Play:
        """The planner's choice. WeightsError: no networks ship for these rules."""
        return self.plan(observation).best

    def plan(self, observation: Observation, report: Callable[[Plan], None] | None = None) -> Plan:
        """All legal plays, ranked; `report` gets what is known on the way. WeightsError as in `play`."""
        from ddz_solver.ai.planner import Planner

        planner = Planner(
            self._evaluator or shipped_evaluator(observation), self._settings,
            objective=self._objective or natural_objective(observation.rules), seed=self._seed, stopped=self._stopped,
        )  # fmt: skip
        try:
            return planner.plan(observation, report)
        finally:
            self._stopped.clear()

    def bid(self, observation: Observation) -> int:
        """The call with the most expected points."""
        return call_by_model(observation)

    def stop(self) -> None:
        """Make the running `play`, or the next one, answer at once with what it has; from any thread."""
        self._stopped.set()


def shipped_evaluator(observation: Observation) -> Evaluator:
    """The networks that ship for an observation's rules. WeightsError: there are none."""
    from ddz_solver.ai.evaluator import Evaluator

    return Evaluator.load(observation.rules)


def call_by_model(observation: Observation) -> int:
    """The call that the bid model expects most of, or that of simple counting where none ships for such rules."""
    from ddz_solver.ai.bid_model import has_model
    from ddz_solver.ai.bidding import evaluate_bid

    return evaluate_bid(observation).best.call if has_model(observation.rules) else call_by_count(observation)


def call_by_count(observation: Observation) -> int:
    """The highest legal call that simple counting allows.

    A red joker counts 4, a black one 3, a two 2, a bomb 4, with one deck; half of that with two decks. From 7 points
    a hand is worth a bid of 1, from 9 of 2, from 11 of 3.
    """
    counts = observation.hand.counts
    points = 4 * counts[14] + 3 * counts[13] + 2 * counts[12] + 4 * sum(count >= 4 for count in counts[:12])
    worth = sum(points >= 7 * observation.rules.decks + 2 * step for step in range(3))
    return max((call for call in observation.legal_calls if call <= worth), default=0)


#: The highest limits of an agent: seconds, worlds, nodes, choices ahead, threads.
MOST: Final[Mapping[str, int]] = MappingProxyType(
    {"time": 1_000_000, "worlds": 100_000, "nodes": 1 << 53, "depth": 1000, "threads": 64}
)


@dataclass(frozen=True)
class AgentOptions:
    """What may be set of an agent; None: the level's own. Levels that have no use for an option ignore it."""

    weights: str | Path | None = None
    """A weights file, in place of the networks that ship."""
    objective: Objective | None = None
    """`win` or `score`, in place of what the rules pay for."""
    time: float | None = None
    """Seconds a decision of a planner."""
    worlds: int | None = None
    """Worlds that a planner looks at."""
    nodes: int | None = None
    """Plays that a planner makes in rollouts."""
    depth: int | None = None
    """Choices after which a rollout of a planner ends."""
    threads: int | None = None
    """Threads of a planner."""

    @classmethod
    def read(cls, values: Mapping[str, object]) -> AgentOptions:
        """Options from values or their text. AgentError: an unknown name, or a value out of its range."""
        readers: dict[str, Callable[[str], object]] = {
            "weights": str, "objective": str, "time": float, "worlds": int, "nodes": int, "depth": int, "threads": int,
        }  # fmt: skip
        found: dict[str, Any] = {}
        for name, value in values.items():
            if value is None:
                continue
            try:
                found[name] = readers[name](str(value))
            except KeyError:
                raise AgentError(f"unknown option {name!r}: expected one of {', '.join(readers)}") from None
            except ValueError:
                whole = "whole " * (readers[name] is int)
                raise AgentError(f"{name}={value}: expected a {whole}number") from None
        options = cls(**found)
        if options.objective not in (None, *OBJECTIVES):
            raise AgentError(f"objective={options.objective}: expected win or score")
        for name, most in MOST.items():
            if (number := getattr(options, name)) is not None and not 0 < number <= most:
                raise AgentError(f"{name}={number}: expected a number above 0, at most {most}")
        return options

    def evaluator(self) -> Evaluator | None:
        """The networks to use; None: those that ship. WeightsError, AgentError: the file cannot be used."""
        if self.weights is None:
            return None
        from ddz_solver.ai.evaluator import Evaluator

        try:
            return Evaluator.load(Path(self.weights))
        except OSError as error:
            raise AgentError(f"weights={self.weights}: {error.strerror}: expected a weights file") from None


def _net(looseness: float) -> Callable[[int, AgentOptions], Agent]:
    return lambda seed, options: NetAgent(
        options.evaluator(), objective=options.objective, looseness=looseness, seed=seed
    )


def _planner(seconds: float) -> Callable[[int, AgentOptions], Agent]:
    def make(seed: int, options: AgentOptions) -> Agent:
        from ddz_solver.ai.plans import Settings

        limited, worlds = options.worlds or options.nodes or options.depth, options.worlds or 2000
        settings = Settings(
            time=options.time or (inf if limited else seconds), nodes=options.nodes,
            worlds=min(worlds, options.nodes or worlds), depth=options.depth or Settings.depth,
            threads=options.threads or 1,
        )  # fmt: skip
        return PlannerAgent(settings, options.evaluator(), objective=options.objective, seed=seed)

    return make


_LEVELS: Final[Mapping[str, Callable[[int, AgentOptions], Agent]]] = MappingProxyType(
    {
        "random": lambda seed, options: RandomAgent(seed),
        "beginner": _net(0.15),
        "greedy": lambda seed, options: GreedyAgent(),
        "casual": _net(0.05),
        "net": _net(0.0),
        "quick": _planner(0.1),
        "planner": _planner(1.0),
    }
)

#: The levels by rising strength: chance, a network that is often far off, simple counting, a network that is a little
#: off, the bare network (under a millisecond a play), the planner with a tenth of a second and with a second.
LEVELS: Final = tuple(_LEVELS)


def make_agent(level: str, *, seed: int = 0, **options: object) -> Agent:
    """An agent of a level. AgentError: there is no such level or option, or a value that it cannot have.

    Options are those of AgentOptions, as values or as text. The same seed makes the same decisions, but where time
    limits a planner. Levels with a network need weights for the rules they play by: their first decision raises
    WeightsError without.
    """
    if level not in _LEVELS:
        raise AgentError(f"unknown level {level!r}: expected one of {', '.join(LEVELS)}")
    return _LEVELS[level](seed, AgentOptions.read(options))
