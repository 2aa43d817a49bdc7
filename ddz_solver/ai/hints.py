"""Hints: the plays of one decision, ranked, with win chance, expected score and the reasons for them.

>>> best = hint("3344556678TJQKA22XD").best
>>> isinstance(best.win, float)
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, overload

from ddz_solver.ai.notes import Note
from ddz_solver.ai.playouts import evaluate_by_playouts
from ddz_solver.ai.reasons import reasons
from ddz_solver.ai.situation import Situation, of_observation, situation
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import HandLike
from ddz_solver.game.combos import legal_plays
from ddz_solver.game.errors import DdzError
from ddz_solver.game.observation import Observation

Objective: TypeAlias = Literal["win", "score"]

_VIEWS = 8


@dataclass(frozen=True)
class Choice:
    """One play and what it is worth to the seat that is to play."""

    play: Play
    win: float
    """Chance that this seat's side wins, 0..1."""
    score: float
    """Expected points of this seat, bid and doublings included."""
    of: Situation = field(repr=False, compare=False)

    @cached_property
    def reasons(self) -> tuple[Note, ...]:
        """What speaks for or against the play, as far as it was computed; the weightiest first."""
        return reasons(self.of, self.play)


class Hint(Sequence[Choice]):
    """All legal plays of a decision, best first by `objective`: `win` or `score`."""

    def __init__(self, of: Situation, choices: Sequence[Choice], objective: Objective) -> None:
        self.situation = of
        self.objective = objective
        self._choices = sorted(
            choices, key=lambda choice: (choice.win, choice.score) if objective == "win" else (choice.score, choice.win)
        )[::-1]

    @property
    def best(self) -> Choice:
        """The first choice."""
        return self._choices[0]

    def __len__(self) -> int:
        return len(self._choices)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> list[Choice]: ...
    def __getitem__(self, index: int | slice) -> Choice | list[Choice]:
        return self._choices[index]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self._choices)

    def __repr__(self) -> str:
        rows = (f"{choice.play or 'pass'} win {choice.win:.0%} score {choice.score:+.2f}" for choice in self[:3])
        return f"<Hint {len(self)} plays: {'; '.join(rows)}>"


def hint(
    hand: HandLike | Observation | Situation, *, objective: Objective | None = None, seed: int = 0, **facts: Any
) -> Hint:
    """The legal plays of a decision, best first.

    `hand` is a hand, with whatever else is known as the keywords of `situation.situation` (`role`, `to_beat`,
    `to_beat_by`, `counts`, `played`, `history`, `bottom`, `rules`, `bid`, `factor`); or an `Observation`, which tells
    everything. `objective` is `score` where the rules play for points, else `win`. The same seed gives the same hint.
    DdzError for facts that cannot be.
    """
    of = _situation(hand, facts)
    if objective is None:
        objective = "score" if of.rules.payoff == "points" else "win"
    if objective not in ("win", "score"):
        raise DdzError(f"objective {objective!r}: expected win or score")
    plays = legal_plays(of.hand, of.to_beat, of.rules)
    views = of.observations(_VIEWS, seed)
    results = [evaluate_by_playouts(view, plays, seed) for view in views]
    wins = [sum(values) / len(views) for values in zip(*(win for win, _ in results), strict=True)]
    scores = [sum(values) / len(views) for values in zip(*(score for _, score in results), strict=True)]
    choices = [
        Choice(play, win, points(of, win, score), of) for play, win, score in zip(plays, wins, scores, strict=True)
    ]
    return Hint(of, choices, objective)


def points(of: Situation, win: float, stakes: float) -> float:
    """Points of the seat from its side's win chance and stakes: what one peasant wins or loses, doublings included."""
    if of.rules.payoff == "win":
        return win
    return stakes * of.bid * (of.rules.players - 1 if of.seat == 0 else 1)


def _situation(hand: HandLike | Observation | Situation, facts: dict[str, Any]) -> Situation:
    if not isinstance(hand, (Observation, Situation)):
        return situation(hand, **facts)
    if facts:
        raise DdzError(f"{', '.join(facts)} beside an observation: expected the observation alone, it tells everything")
    return of_observation(hand) if isinstance(hand, Observation) else hand
