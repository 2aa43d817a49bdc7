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
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol

from ddz_solver.core.hand import size
from ddz_solver.core.moves import Play
from ddz_solver.game.errors import DdzError
from ddz_solver.game.observation import Observation


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
    """Sheds as many cards as it can, the lowest first; saves bombs for the last play and spares its partners."""

    def play(self, observation: Observation) -> Play:
        """The play that leaves the fewest cards; the pass over a partner's play, unless it can go out."""
        own = size(observation.hand.bits)
        partner = observation.to_beat_by is not None and observation.same_side(observation.to_beat_by)

        def cost(play: Play) -> tuple[bool, bool, int, int]:
            rest = own - play.size
            return rest > 0 and partner and bool(play), rest > 0 and play.is_bomb, rest, play.rank

        return min(observation.legal_plays, key=cost)

    def bid(self, observation: Observation) -> int:
        """The highest call that the hand's high cards and bombs are worth."""
        return call_by_count(observation)


def call_by_count(observation: Observation) -> int:
    """The highest legal call that simple counting allows.

    A red joker counts 4, a black one 3, a two 2, a bomb 4, with one deck; half of that with two decks. From 7 points
    a hand is worth a bid of 1, from 9 of 2, from 11 of 3.
    """
    counts = observation.hand.counts
    points = 4 * counts[14] + 3 * counts[13] + 2 * counts[12] + 4 * sum(count >= 4 for count in counts[:12])
    worth = sum(points >= 7 * observation.rules.decks + 2 * step for step in range(3))
    return max((call for call in observation.legal_calls if call <= worth), default=0)


_LEVELS: Final[Mapping[str, Callable[[int], Agent]]] = MappingProxyType(
    {
        "random": RandomAgent,
        "greedy": lambda seed: GreedyAgent(),
    }
)

#: The levels by rising strength.
LEVELS: Final = tuple(_LEVELS)


def make_agent(level: str, *, seed: int = 0) -> Agent:
    """An agent of a level. AgentError: there is no such level. The same seed makes the same decisions."""
    if level not in _LEVELS:
        raise AgentError(f"unknown level {level!r}: expected one of {', '.join(LEVELS)}")
    return _LEVELS[level](seed)
