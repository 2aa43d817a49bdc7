"""Hands as they are told and dealt: read from whatever a caller gives, and card by card."""

from __future__ import annotations

from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.rules import Rules


def read_cards(cards: HandLike, rules: Rules) -> Hand:
    """The hand that is meant. CardsError: text that is no cards, or more of a rank than the game has."""
    hand = Hand.parse(cards, rules.decks) if isinstance(cards, str) else Hand.of(cards)
    hand.check(rules.decks)
    return hand


def single_cards(hand: Hand) -> list[int]:
    """The cards one by one, ascending, each as a packed hand."""
    return [1 << 4 * rank for rank, number in enumerate(hand.counts) for _ in range(number)]
