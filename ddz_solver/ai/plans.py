"""What goes into the planner and what comes out: its settings, and plans."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from ddz_solver.core.moves import Play


@dataclass(frozen=True)
class Settings:
    """How much the planner looks at, and what it takes for granted."""

    time: float = inf
    """Seconds a decision."""
    nodes: int | None = None
    """Plays made in rollouts and nodes of the solver, after which a decision is due; looked at after every world."""
    worlds: int = 128
    """Worlds that candidates are compared in."""
    drawn: int = 2
    """Worlds drawn for each of these, to be weighed."""
    candidates: int = 6
    """Plays compared."""
    margin: float = 0.3
    """How far behind the network's best play, in win chance, a candidate may be."""
    steps: int = 12
    """Exchanges of a card between two others that are tried in each of these, so that it explains the past better."""
    recall: int = 60
    """Turns of the others that worlds are weighed by; 0: all worlds count the same."""
    leads: int = 20
    """Cards a seat may have for its lead to be one of them: what a full hand may lead is much work and tells little."""
    keen: tuple[float, float] = (0.04, 0.02)
    """How players like the networks play: how far behind their best play, in win chance, plays may be and still be
    likely, and the share of plays that nothing explains."""
    loose: tuple[float, float, float] = (0.15, 0.5, 0.3)
    """Share of players that are vague about what is good, and the same two numbers for them; who they are is told by
    their plays."""
    simple: tuple[float, float] = (0.15, 0.1)
    """Share of players that follow with the lowest play of the kind and lead with the lowest cards, and of their plays
    that nothing explains."""
    decay: float = 0.93
    """What each value of the network on the way leaves for the end of a rollout; its root with two decks, whose games
    have twice as many choices."""
    depth: int = 1000
    """Choices after which a rollout ends."""
    trust: float = 0.08
    """Standard error of the network's differences between plays, in win chance."""
    bias: float = 0.01
    """Standard error of the rollouts' differences in endlessly many worlds."""
    threads: int = 1

    def rollouts(self) -> dict[str, Any]:
        """The keywords of `Rollouts` that are settings under the same name."""
        names = ("recall", "leads", "keen", "loose", "simple", "decay", "depth", "threads")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class RankedPlay:
    """A play and what it is worth to the seat's side."""

    play: Play
    win: float
    """Chance to win, 0 to 1."""
    score: float
    """Expected score in stakes, doublings included."""
    error: float
    """Standard error of the difference to the best play in what is played for; 0 for the best play itself."""
    worlds: int
    """Worlds it was tried in; 0: valued by the network alone."""
    proven: bool = False
    """Whether `win` or `score`, whichever is played for, is exact: known from the open-hand solver."""


@dataclass(frozen=True)
class Plan:
    """All legal plays, best first, and what the ranking rests on."""

    plays: tuple[RankedPlay, ...]
    worlds: int
    """Different worlds that were looked at."""
    complete: bool
    """Whether these are all worlds there are."""
    nodes: int
    """Plays made in rollouts."""

    @property
    def best(self) -> Play:
        """The play to make."""
        return self.plays[0].play
