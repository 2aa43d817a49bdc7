"""Deals: every seat's cards, the bottom cards and who calls first; reproducible from a seed; one line of text.

The deal of a seed, step by step, so that it can be repeated anywhere:

- Random bits are SplitMix64. The state starts at the seed; each number adds 0x9E3779B97F4A7C15 to the state and mixes:
  z = state; z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9; z = (z ^ z >> 27) * 0x94D049BB133111EB; z ^ z >> 31, all modulo
  2**64.
- `below(n)`: the upper 32 bits of the next number times n; while the lower 32 bits of that product are below 2**32
  mod n, draw again; the upper 32 bits of the product are the result (Lemire 2019).
- The pack in ascending order (3 3 3 3 4 ... 2 2 2 2 X D, all copies of a rank together) is shuffled: for `last` from
  the last index down to 1, swap the cards at `last` and `below(last + 1)`.
- Seat 0 gets the first cards, then seat 1 and so on; the last ones are the bottom cards.
- `below(cards dealt to seats)` is the place of the card turned face up, then `below(players)` the first dealer.

Rules with the same pack and seats deal the same cards from the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ddz_solver.core.rng import SplitMix64
from ddz_solver.game.cards import RANKS, Hand
from ddz_solver.game.errors import DealError
from ddz_solver.game.rules import Rules, RulesLike


@dataclass(frozen=True)
class Deal:
    """What is dealt before the auction.

    `hands` has one hand a seat, `bottom` the cards for the landlord. `face_up` is the card that was turned and seat
    `first_bidder` the one who got it; `face_up` is None where the rules turn no card. `dealer` is a seat.
    """

    hands: tuple[Hand, ...]
    bottom: Hand
    first_bidder: int = 0
    face_up: str | None = None
    dealer: int = 0

    @classmethod
    def random(cls, rules: RulesLike, seed: int, dealer: int | None = None) -> Deal:
        """The deal of a seed, taken modulo 2**64, the same on every platform.

        `dealer` is drawn where it is not given. RulesError for rules that have no deal, SeatError: a dealer of no seat.
        """
        rules = Rules.of(rules)
        size, players = rules.hand_size, rules.players
        rng = SplitMix64(seed)
        cards = list(_pack_in_order(rules.decks))
        rng.shuffle(cards)
        dealt = size * players
        turned = rng.below(dealt)
        drawn = rng.below(players)
        shown = rules.first_bidder == "face_up"
        return cls(
            hands=tuple(Hand(sum(cards[start : start + size])) for start in range(0, dealt, size)),
            bottom=Hand(sum(cards[dealt:])),
            first_bidder=turned // size if shown else 0,
            face_up=RANKS[cards[turned].bit_length() >> 2] if shown else None,
            dealer=drawn if dealer is None else rules.check_seat("dealer", dealer),
        )

    @classmethod
    def parse(cls, text: str) -> Deal:
        """A deal from its text: hands and bottom cards between slashes, then `first=`, `up=` and `dealer=`.

        DealError for text of another form, CardsError for text that is no cards. `check` compares with rules.
        """
        cards, *options = text.split() or [""]
        parts = cards.split("/")
        if len(parts) < 3:
            raise DealError(f"{cards!r} is no deal: expected hands and bottom cards, HAND/HAND/HAND/BOTTOM")
        values = {"first": "", "up": "", "dealer": ""}
        for option in options:
            key, _, value = option.partition("=")
            if key not in values or not value:
                raise DealError(f"unknown part {option!r} of a deal: expected first=SEAT, up=CARD or dealer=SEAT")
            if values[key]:
                raise DealError(f"{key} twice in a deal: expected once")
            values[key] = value
        return cls(
            hands=tuple(Hand.parse(part) for part in parts[:-1]),
            bottom=Hand.parse(parts[-1]),
            first_bidder=_seat(values["first"] or "0", "first"),
            face_up=str(Hand.parse(values["up"])) or None,
            dealer=_seat(values["dealer"] or "0", "dealer"),
        )

    def check(self, rules: RulesLike) -> None:
        """DealError if this is no deal under the rules: seats, hand sizes, cards that make up the pack."""
        rules = Rules.of(rules)
        if len(self.hands) != rules.players:
            raise DealError(f"{len(self.hands)} hands: expected {rules.players} under the rules {rules}")
        for seat, hand in enumerate(self.hands):
            if len(hand) != rules.hand_size:
                raise DealError(f"{len(hand)} cards of seat {seat}, {str(hand)!r}: expected {rules.hand_size}")
        if len(self.bottom) != rules.bottom_size:
            raise DealError(f"{len(self.bottom)} bottom cards, {str(self.bottom)!r}: expected {rules.bottom_size}")
        # With the right number of cards the packed sum can only be the pack's if no count has carried over.
        if sum([hand.bits for hand in self.hands]) + self.bottom.bits != rules.pack.bits:
            raise DealError(f"the hands are not dealt from one pack: {self._surplus(rules)}")
        for name, seat in (("first", self.first_bidder), ("dealer", self.dealer)):
            if not 0 <= seat < rules.players:
                raise DealError(f"{name}={seat}: expected a seat, 0 to {rules.players - 1}")
        if self.face_up is not None and (len(self.face_up) != 1 or self.face_up not in self.hands[self.first_bidder]):
            raise DealError(f"up={self.face_up}: expected a card of seat {self.first_bidder}, who calls first")

    def _surplus(self, rules: Rules) -> str:
        """A rank with more cards than the pack has: there is one if so many cards are not the pack."""
        totals = [sum(counts) for counts in zip(*(pile.counts for pile in (*self.hands, self.bottom)), strict=True)]
        rank = next(rank for rank, limit in enumerate(rules.pack.counts) if totals[rank] > limit)
        return f"{totals[rank]} cards of rank {RANKS[rank]}, expected {rules.pack.counts[rank]}"

    def __str__(self) -> str:
        up = f" up={self.face_up}" if self.face_up else ""
        hands = "/".join(map(str, (*self.hands, self.bottom)))
        return f"{hands} first={self.first_bidder}{up} dealer={self.dealer}"


@lru_cache
def _pack_in_order(decks: int) -> tuple[int, ...]:
    """Every card of the pack as a packed hand of one card, ascending."""
    return tuple(1 << 4 * rank for rank, count in enumerate(Hand.pack(decks).counts) for _ in range(count))


def _seat(text: str, name: str) -> int:
    if not text.isdecimal() or len(text) > 2:
        raise DealError(f"{name}={text}: expected a seat, 0 or higher")
    return int(text)
