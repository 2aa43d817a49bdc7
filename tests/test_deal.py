"""Deals: documented, reproducible, checked."""

from collections import Counter

import pytest
from hypothesis import given
from strategies import RANKS, presets, seeds

from ddz_solver import CardsError, Deal, DealError, Hand, Rules, RulesError, SeatError
from ddz_solver.core.rng import SplitMix64

MASK = (1 << 64) - 1
PINNED = "336677899QQKKA2XD/33446889TTJJJK222/445556789TJQQKAAA/57T first=1 up=4 dealer=1"


class DocumentedGenerator:
    """The generator in plain Python, from its description in `ddz_solver.game.deal`."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next_u64(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        while True:
            product = (self.next_u64() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32


def test_published_numbers() -> None:
    """The first outputs of SplitMix64 for seed 1234567, as in the reference implementation's test vectors."""
    rng = SplitMix64(1234567)
    assert [rng.next_u64() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(seeds, presets)
def test_deal_as_documented(seed: int, rules: Rules) -> None:
    rng = DocumentedGenerator(seed)
    pack = [rank for rank in RANKS for _ in range(rules.decks * (1 if rank in "XD" else 4))]
    for last in range(len(pack) - 1, 0, -1):
        other = rng.below(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    size, dealt = rules.hand_size, rules.hand_size * rules.players
    turned, dealer = rng.below(dealt), rng.below(rules.players)
    deal = Deal.random(rules, seed)
    assert deal.hands == tuple(Hand.parse("".join(pack[start : start + size])) for start in range(0, dealt, size))
    assert deal.bottom == Hand.parse("".join(pack[dealt:]))
    assert deal.dealer == dealer
    if rules.first_bidder == "face_up":
        assert (deal.face_up, deal.first_bidder) == (pack[turned], turned // size)
    else:
        assert (deal.face_up, deal.first_bidder) == (None, 0)
    deal.check(rules)
    assert Deal.parse(str(deal)) == deal


def test_same_seed_same_cards() -> None:
    assert Deal.random("classic", 1) == Deal.random("classic", 1)
    assert Deal.random("classic", 1) != Deal.random("classic", 2)
    assert Deal.random("classic", 1).hands == Deal.random("botzone", 1).hands
    assert Deal.random("classic", 1, dealer=2).dealer == 2


def test_a_pinned_deal() -> None:
    """The line must never change: published deals and records depend on it."""
    assert str(Deal.random("classic", 20240229)) == PINNED


def test_every_card_goes_everywhere() -> None:
    """A rough check of uniformity: over many deals each seat gets a joker as often as its share of the pack."""
    deals = [Deal.random("classic", seed) for seed in range(2000)]
    holders = Counter(seat for deal in deals for seat, hand in enumerate(deal.hands) if "X" in hand)
    for seat in range(3):
        assert abs(holders[seat] - 2000 * 17 / 54) < 100  # four and a half standard deviations
    bidders = Counter(deal.first_bidder for deal in deals)
    assert all(abs(bidders[seat] - 2000 / 3) < 100 for seat in range(3))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("/", " ", "is no deal|unknown part"),
        ("first=", "frist=", "unknown part 'frist="),
        ("dealer=", "dealer=x", "dealer=x"),
        ("first=", "first= ", "unknown part 'first='"),
        ("up=", "up=Z", "unknown card 'Z'"),
        ("up=", "first=0 up=", "first twice"),
        ("up=", "dealer=0 up=", "dealer twice"),
    ],
)
def test_broken_text(old: str, new: str, message: str) -> None:
    with pytest.raises((DealError, CardsError), match=message):
        Deal.parse(str(Deal.random("classic", 3)).replace(old, new))


def test_a_deal_is_checked_against_rules() -> None:
    deal = Deal.random("classic", 3)
    first, second, third = deal.hands
    with pytest.raises(DealError, match="3 hands: expected 4"):
        deal.check("classic4")
    with pytest.raises(DealError, match="16 cards of seat 1"):
        Deal((first, second - Hand.parse(str(second)[0]), third), deal.bottom).check("classic")
    with pytest.raises(DealError, match="2 bottom cards"):
        Deal(deal.hands, Hand.parse(str(deal.bottom)[:2])).check("classic")
    with pytest.raises(DealError, match=r"not dealt from one pack: [5-8] cards of rank ., expected 4"):
        Deal((first, first, third), deal.bottom).check("classic")
    with pytest.raises(DealError, match="first=3: expected a seat"):
        Deal(deal.hands, deal.bottom, first_bidder=3).check("classic")
    missing = next(card for card in RANKS if card not in first)
    with pytest.raises(DealError, match=f"up={missing}: expected a card of seat 0"):
        Deal(deal.hands, deal.bottom, face_up=missing).check("classic")
    with pytest.raises(DealError, match="expected a card of seat 0"):
        Deal(deal.hands, deal.bottom, face_up=str(first)[:2]).check("classic")
    with pytest.raises(RulesError, match="have no deal"):
        Deal.random("classic,players=2", 1)
    with pytest.raises(SeatError, match="dealer=3: expected a seat, 0 to 2"):
        Deal.random("classic", 1, dealer=3)


def test_generator_bounds() -> None:
    rng = SplitMix64(5)
    assert {rng.below(3) for _ in range(100)} == {0, 1, 2}
    for wrong in (0, -1, 2**32):
        with pytest.raises(ValueError, match="number of outcomes"):
            rng.below(wrong)
