"""Wins that no layout of the hidden cards can stop: unbeatable plays one after another, at most one weak one, last."""

from __future__ import annotations

from collections.abc import Iterable

from ddz_solver.ai.analysis import partition, unbeatable_in
from ddz_solver.ai.situation import Situation
from ddz_solver.core import moves
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand

_MOST_CARDS = 12


def sure_wins(of: Situation, plays: Iterable[Play]) -> dict[Play, int]:
    """The plays after which this seat goes out whatever the enemies hold, and the doublings that makes for sure.

    Hands of more than 12 cards are not looked at, unless they go out at once.
    """
    compiled = of.rules.compiled
    is_sure = unbeatable_in(of)
    found = {}
    size = len(of.hand)
    for play in plays:
        if not play or (play.size < size and (size > _MOST_CARDS or not is_sure(play))):
            continue
        rest = of.hand - Hand(play.cards)
        parts = partition(rest, compiled, is_sure)
        if sum(not is_sure(part) for part in parts) <= 1:
            found[play] = moves.factor_after(of.factor, (play, *parts), compiled)
    return found


def most_doublings(of: Situation) -> float:
    """What all doublings can come to at most where this seat's side wins; infinite with further bombs or a spring."""
    most = max(count for seat, count in enumerate(of.counts) if seat != of.seat)
    bombs = _bombs(of.hand, of) or any(bomb.size <= most for bomb in _bombs(of.hidden, of))
    landlord, *peasants = of.plays
    spring = of.rules.spring != "no" and (landlord < 2 if of.seat else not any(peasants))
    return float("inf") if bombs or spring else float(of.factor)


def _bombs(hand: Hand, of: Situation) -> list[Play]:
    """Every bomb in a hand: what beats the highest solo."""
    compiled = of.rules.compiled
    (highest,) = moves.readings(Hand.parse("D").bits, compiled)
    return moves.replies(hand.bits, highest, compiled)
