"""Hands to go against the true least number of plays."""

import random
from dataclasses import replace
from functools import cache

import pytest

from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.moves import Kind, leads
from ddz_solver.game.cards import Hand
from ddz_solver.game.rules import PRESETS

KNOWN = {
    "": 0, "3": 1, "33": 1, "34": 2, "34567": 1, "3344556": 2, "334455": 1, "3334": 1, "33345": 2, "33344": 1,
    "333444": 1, "33344456": 1, "3333": 1, "333345": 1, "XD": 1, "3XD": 2, "34567789TJQ": 2, "3456789TJQKA": 1,
    "345678999": 2, "22": 1,
}  # fmt: skip


@pytest.mark.parametrize(("cards", "plays"), KNOWN.items())
def test_known_hands(cards, plays):
    assert HandsToGo(PRESETS["douzero"].compiled)(Hand.parse(cards).bits) == plays


@pytest.mark.parametrize("preset", ["classic", "douzero", "openspiel", "classic4"])
def test_near_the_true_least_number(preset):
    rules = PRESETS[preset]

    @cache
    def least(hand):
        return 1 + min(least(hand - play.cards) for play in leads(hand, rules.compiled)) if hand else 0

    memo = HandsToGo(rules.compiled)
    pack = list(str(rules.pack))
    rng = random.Random(7)
    wrong = 0
    for _ in range(300):
        low = rng.randrange(len(pack) - 20)  # cards of near ranks make runs and groups
        hand = Hand.parse("".join(rng.sample(pack[low : low + 20], rng.randint(3, 8)))).bits
        wrong += memo(hand) != least(hand)
        assert abs(memo(hand) - least(hand)) <= 2
    assert wrong <= 15


@pytest.mark.parametrize("preset", ["douzero", "classic", "openspiel", "classic4"])
def test_no_run_is_overlooked(preset):
    """The number is that of the groups, as under rules without runs, or one more than after the best run, if less."""
    rules = PRESETS[preset]
    runs = {Kind.STRAIGHT, Kind.PAIR_STRAIGHT}
    memo = HandsToGo(rules.compiled)
    groups = HandsToGo(replace(rules, kinds=rules.kinds - runs).compiled)
    pack = list(str(rules.pack))
    rng = random.Random(5)
    better = 0
    for size in range(5, 34 if rules.decks == 2 else 21):
        for _ in range(8):
            hand = Hand.parse("".join(rng.sample(pack, size))).bits
            after = [1 + memo(hand - play.cards) for play in leads(hand, rules.compiled) if play.kind in runs]
            assert memo(hand) == min([groups(hand), *after])
            better += memo(hand) < groups(hand)
    assert better > 10


def test_small_memo_forgets_but_does_not_err():
    rules = PRESETS["douzero"].compiled
    small, large = HandsToGo(rules, 4), HandsToGo(rules, 16)
    rng = random.Random(3)
    pack = list(str(PRESETS["douzero"].pack))
    hands = [Hand.parse("".join(rng.sample(pack, 12))).bits for _ in range(100)]
    for hand in hands + hands:
        assert small(hand) == large(hand)


def test_hands_beyond_any_deal_are_counted_at_once():
    """A search of all runs of 96 cards, eight of a rank, would take days."""
    for preset, copies, plays in (("classic4", 8, 12), ("classic", 4, 12), ("classic4", 3, 1)):
        memo = HandsToGo(PRESETS[preset].compiled)
        assert 1 <= memo(Hand.from_counts([copies] * 12).bits) <= plays


def test_errors():
    rules = PRESETS["douzero"].compiled
    with pytest.raises(ValueError, match="is no packed hand"):
        HandsToGo(rules)(0xF)
    with pytest.raises(ValueError, match=r"expected 4..28"):
        HandsToGo(rules, 40)
