"""A played game, every decision compared with what the engine would have done, on what the seat could know.

>>> from ddz_solver.game.notation import parse_game
>>> decisions = review(parse_game('[Rules "classic,players=2"]\\n[Position "3/44"]\\n\\n1. 0:3\\n'))
>>> [(decision.seat, str(decision.choice), decision.points_lost) for decision in decisions]
[]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ddz_solver.ai.bidding import evaluate_bid
from ddz_solver.ai.hints import Hint, hint
from ddz_solver.ai.notes import Note
from ddz_solver.ai.objective import Objective
from ddz_solver.core.moves import Play
from ddz_solver.game.auction import format_call
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import format_play
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation, Phase


@dataclass(frozen=True)
class Decision:
    """One call or play where there was a choice."""

    number: int
    """Which decision of the game it is, calls and plays counted from 1."""
    seat: int
    role: int | None
    """Distance after the landlord; None in the auction."""
    hand: Hand
    to_beat: Play | None
    choice: str
    """What was done, as text."""
    best: str
    """What the engine would have done."""
    lost: float
    """What the choice costs in what the engine plays for, points or win chance; 0 where the engine agrees."""
    points_lost: float
    """Expected points of the best less those of what was done."""
    win_lost: float
    """The same in win chance; 0 for calls."""
    reasons: tuple[Note, ...]
    """What speaks for the engine's choice."""


def review(game: Game, *, seconds: float = 0.0, objective: Objective | None = None, seed: int = 0) -> list[Decision]:
    """Every decision of a game where there was a choice, in the order of the game.

    Each is judged on what its seat knew, not on the cards of the others, with `seconds` of thought for each play.
    `objective` is `score` where the rules play for points, else `win`; losses are those of the engine's ranking by it.
    """
    decisions = []
    for number, (observation, what) in enumerate(decisions_of(game), start=1):
        if observation.phase is Phase.AUCTION and isinstance(what, int):
            decisions.append(_review_call(number, observation, what))
        elif isinstance(what, Play) and len(observation.legal_plays) > 1:
            decisions.append(
                _review_play(
                    number, observation, hint(observation, seconds=seconds, objective=objective, seed=seed), what
                )
            )
    return decisions


def worst(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions that lost something, the most costly first."""
    return sorted(
        (decision for decision in decisions if decision.choice != decision.best),
        key=lambda decision: (-decision.lost, decision.number),
    )


def decisions_of(game: Game) -> Iterator[tuple[Observation, Play | int]]:
    """What the seat to act knew, and what it did, from the first call or play on."""
    steps: list[Play | int] = [*(bid for _, bid in game.calls), *(play for _, play in game.history)]
    replay = game.copy()
    for _ in steps:
        replay.pop()
    for step in steps:
        yield replay.observation(), step
        if isinstance(step, int):
            replay.call(step)
        else:
            replay.push(step)


def _review_call(number: int, observation: Observation, bid: int) -> Decision:
    advice = evaluate_bid(observation)
    made = next(choice for choice in advice if choice.call == bid)
    lost = advice.best.points - made.points
    return Decision(
        number=number,
        seat=observation.seat,
        role=None,
        hand=observation.hand,
        to_beat=None,
        choice=format_call(bid),
        best=format_call(advice.best.call),
        lost=lost,
        points_lost=lost,
        win_lost=0.0,
        reasons=(),
    )


def _review_play(number: int, observation: Observation, found: Hint, play: Play) -> Decision:
    made = next(choice for choice in found if choice.play == play)
    best = found.best

    def text(one: Play) -> str:
        return format_play(one, observation.rules) if one else "pass"

    return Decision(
        number=number,
        seat=observation.seat,
        role=found.situation.seat,
        hand=observation.hand,
        to_beat=observation.to_beat,
        choice=text(play),
        best=text(best.play),
        lost=best.score - made.score if found.objective == "score" else best.win - made.win,
        points_lost=best.score - made.score,
        win_lost=best.win - made.win,
        reasons=best.reasons,
    )
