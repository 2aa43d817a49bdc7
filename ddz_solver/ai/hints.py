"""Hints: the plays of one decision, ranked, with win chance, expected score and the reasons for them.

>>> found = hint("33445566789TJQKA22XD")
>>> 0 <= found.best.win <= 1
True
>>> [str(note) for note in hint("3D", counts=[2, 3]).best.reasons]
['cannot be beaten', 'one play left then', 'landlord_down has two cards']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, overload

from ddz_solver.ai.continuation import continuation
from ddz_solver.ai.notes import Note
from ddz_solver.ai.playouts import evaluate_by_playouts
from ddz_solver.ai.reasons import reasons
from ddz_solver.ai.situation import Situation, of_observation, situation
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.combos import legal_plays
from ddz_solver.game.errors import DdzError
from ddz_solver.game.observation import Observation

Objective: TypeAlias = Literal["win", "score"]
Source: TypeAlias = Literal["playouts", "network"]
Values: TypeAlias = tuple[list[float], list[float]]

_VIEWS = 4
_LINE = 8


@dataclass(frozen=True)
class Choice:
    """One play and what it is worth to the seat that is to play."""

    play: Play
    win: float
    """Chance that this seat's side wins, 0..1."""
    score: float
    """Expected points of this seat, bid and doublings included."""
    of: Situation = field(repr=False, compare=False)
    objective: Objective = field(default="win", repr=False, compare=False)

    @cached_property
    def reasons(self) -> tuple[Note, ...]:
        """What speaks for or against the play, as far as it follows from the cards; the weightiest first."""
        return reasons(self.of, self.play)

    @cached_property
    def line(self) -> tuple[tuple[int, Play], ...]:
        """How it may go on, this play first: (seat, play), each seat playing well in one likely layout of the cards.

        Seats are counted from the landlord, 0. Empty where no network was trained for such rules.
        """
        return continuation(self.of.observations(1)[0], self.play, self.objective, _LINE)


class Hint(Sequence[Choice]):
    """All legal plays of a decision, best first by `objective`: `win` or `score`."""

    def __init__(self, of: Situation, choices: Iterable[Choice], objective: Objective, source: Source) -> None:
        self.situation = of
        self.objective = objective
        self.source = source
        """What the values rest on."""
        self._choices = sorted(
            choices,
            key=lambda choice: (choice.win, choice.score) if objective == "win" else (choice.score, choice.win),
            reverse=True,
        )

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

    def _repr_html_(self) -> str:
        """The five best plays for a notebook."""
        rows = (
            f"<tr><td>{Hand(choice.play.cards)._repr_html_() if choice.play else 'pass'}</td><td>{choice.win:.1%}</td>"
            f"<td>{choice.score:+.2f}</td><td style='text-align:left'>{', '.join(map(str, choice.reasons))}</td></tr>"
            for choice in self[:5]
        )
        return f"<table><tr><th>play</th><th>win</th><th>points</th><th>why</th></tr>{''.join(rows)}</table>"


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
    evaluate, source = _evaluator(of, objective, seed)
    views = [evaluate(view, plays) for view in of.observations(_VIEWS, seed)]
    choices = [
        Choice(play, win, points(of, win, score), of, objective)
        for play, win, score in zip(
            plays, _mean([win for win, _ in views]), _mean([score for _, score in views]), strict=True
        )
    ]
    return Hint(of, choices, objective, source)


def best_move(observation: Observation, *, objective: Objective | None = None) -> Play:
    """The play to make for the seat that observes. TurnError: it is not that seat's turn to play."""
    return hint(observation, objective=objective).best.play


def points(of: Situation, win: float, stakes: float) -> float:
    """Points of the seat from its side's win chance and stakes: what one peasant wins or loses, doublings included."""
    if of.rules.payoff == "win":
        return win
    return stakes * of.bid * (of.rules.players - 1 if of.seat == 0 else 1)


def _evaluator(
    of: Situation, objective: Objective, seed: int
) -> tuple[Callable[[Observation, Sequence[Play]], Values], Source]:
    """What values plays at once: the network for such rules, or random games where none was trained."""
    from ddz_solver.ai.evaluator import Evaluator, has_weights

    if not has_weights(of.rules):
        return lambda view, plays: evaluate_by_playouts(view, plays, seed), "playouts"
    evaluator = Evaluator.load(of.rules)
    return lambda view, plays: evaluator.evaluate(view, plays, objective), "network"


def _mean(rows: list[list[float]]) -> list[float]:
    return rows[0] if len(rows) == 1 else [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def _situation(hand: HandLike | Observation | Situation, facts: dict[str, Any]) -> Situation:
    if not isinstance(hand, (Observation, Situation)):
        return situation(hand, **facts)
    if facts:
        raise DdzError(f"{', '.join(facts)} beside an observation: expected the observation alone, it tells everything")
    return of_observation(hand) if isinstance(hand, Observation) else hand
