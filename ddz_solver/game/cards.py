"""Cards and hands: an immutable multiset of ranks, and its text in every usual spelling.

Suits never matter in this game, so a hand is fifteen counts, lowest rank first:
`3 4 5 6 7 8 9 T J Q K A 2 X D`, where X is the black (small) joker 小王 and D the red (big) joker 大王.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from ddz_solver.core import hand as packed
from ddz_solver.game.errors import CardsError
from ddz_solver.game.whole import whole

RANKS: Final = packed.RANK_CHARS
MAX_COPIES: Final = 8

_SPELLINGS: Final = {rank: index for index, rank in enumerate(RANKS)} | {
    "10": 7, "B": 13, "BJ": 13, "小王": 13, "R": 14, "RJ": 14, "CJ": 14, "大王": 14,
}  # fmt: skip
_TOKEN: Final = re.compile("10|[BRC]J|[3-9TJQKA2XDBR]|小王|大王")
_SEPARATORS: Final = re.compile(r"[\s,、]*")
_EXPECTED: Final = "3-9, 10 or T, J, Q, K, A, 2, X (also B, BJ, 小王) or D (also R, RJ, CJ, 大王)"
_ONES: Final = 0x111111111111111


class Hand:
    """A multiset of cards: immutable, hashable, compared by its cards.

    `Hand.parse("10 10 j 小王")` reads text; `Hand(bits)` wraps the number that the compiled core works on, 4 bits a
    rank, lowest rank lowest. `len`, iteration (one character a card, ascending), `in` for a card or for a whole hand,
    `+` and `-` do what they say. `str` gives the one canonical text, ascending, "" for no cards.
    """

    __slots__ = ("_bits",)

    def __init__(self, bits: int = 0) -> None:
        """Wrap a packed hand. CardsError: the number is not 15 counts of 0 to 8."""
        if not 0 <= bits < 1 << 4 * len(RANKS) or (bits >> 3) & (bits >> 2 | bits >> 1 | bits) & _ONES:
            raise CardsError(f"{bits:#x} is no packed hand: expected {len(RANKS)} counts of 4 bits, 0 to {MAX_COPIES}")
        self._bits = bits

    @classmethod
    def parse(cls, text: str, decks: int = 2) -> Hand:
        """The cards that a text names, in any order and any usual spelling.

        `10` for T, lower case, `BJ`/`RJ`/`CJ`, `B`/`R`, `小王`/`大王`; blanks and commas may stand between cards.
        `BJ` is always the black joker: a black joker and a jack are `XJ`. CardsError: a text that is no card, or more
        cards of a rank than `decks` packs hold.
        """
        spelled = unicodedata.normalize("NFKC", text).upper()
        bits, at = 0, 0
        while (at := _skip(spelled, at)) < len(spelled):
            token = _TOKEN.match(spelled, at)
            if token is None:
                raise CardsError(f"unknown card {spelled[at]!r} in {text!r}: expected {_EXPECTED}")
            rank = _SPELLINGS[token[0]]
            if bits >> 4 * rank & 15 == MAX_COPIES:
                raise CardsError(f"more than {MAX_COPIES} cards of rank {RANKS[rank]} in {text!r}")
            bits += 1 << 4 * rank
            at = token.end()
        hand = cls(bits)
        hand.check(decks, text)
        return hand

    @classmethod
    def of(cls, cards: HandLike) -> Hand:
        """A hand from a hand, a packed number, or text. CardsError, as the constructor and `parse` raise it."""
        if isinstance(cards, Hand):
            return cards
        if isinstance(cards, int):
            return cls(cards)
        return cls.parse(cards)

    @classmethod
    def from_counts(cls, counts: Iterable[int]) -> Hand:
        """A hand from up to 15 counts, lowest rank first. CardsError: a count outside 0 to 8, or too many counts."""
        given = list(counts)
        values = [number for count in given if (number := whole(count)) is not None and 0 <= number <= MAX_COPIES]
        if len(values) != len(given) or len(values) > len(RANKS):
            raise CardsError(f"{given} are no card counts: expected up to {len(RANKS)} numbers, 0 to {MAX_COPIES}")
        return cls(sum(count << 4 * rank for rank, count in enumerate(values)))

    @classmethod
    def pack(cls, decks: int = 1) -> Hand:
        """All cards of one pack (54) or two (108). CardsError: another number of packs."""
        if decks not in _PACKS:
            raise CardsError(f"{decks} packs: expected 1 or 2")
        return _PACKS[decks]

    @property
    def bits(self) -> int:
        """The packed number: 4 bits a rank, lowest rank lowest."""
        return self._bits

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards of each of the 15 ranks, lowest rank first."""
        return packed.unpack(self._bits)

    def check(self, decks: int, text: str | None = None) -> None:
        """CardsError if more cards of a rank than `decks` packs hold; `text` is what the message quotes."""
        whole = Hand.pack(decks)
        if packed.contains(whole._bits, self._bits):
            return
        for rank, count, limit in zip(RANKS, self.counts, whole.counts, strict=True):
            if count > limit:
                packs = "one pack has" if decks == 1 else f"{decks} packs have"
                raise CardsError(
                    f"{count} cards of rank {rank} in {str(self) if text is None else text!r}: {packs} {limit}"
                )

    def __len__(self) -> int:
        return packed.size(self._bits)

    def __iter__(self) -> Iterator[str]:
        return iter(str(self))

    def __contains__(self, cards: object) -> bool:
        """Whether the hand holds these cards: text of one or more, or a hand. CardsError: text that is no cards."""
        if not isinstance(cards, (str, Hand)):
            return False
        return packed.contains(self._bits, Hand.of(cards)._bits)

    def __add__(self, other: Hand) -> Hand:
        """Both hands together. CardsError: more than 8 cards of a rank."""
        if not isinstance(other, Hand):
            return NotImplemented
        counts = [mine + yours for mine, yours in zip(self.counts, other.counts, strict=True)]
        if max(counts) > MAX_COPIES:
            rank = RANKS[counts.index(max(counts))]
            raise CardsError(f"{max(counts)} cards of rank {rank} in {self} and {other}: expected {MAX_COPIES} at most")
        return Hand(self._bits + other._bits)

    def __sub__(self, other: Hand) -> Hand:
        """What is left without the other hand's cards. CardsError: not all of them are held."""
        if not isinstance(other, Hand):
            return NotImplemented
        if other not in self:
            raise CardsError(f"{str(other)!r} is not in {str(self)!r}")
        return Hand(self._bits - other._bits)

    def __eq__(self, other: object) -> bool:
        return self._bits == other._bits if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._bits)

    def __str__(self) -> str:
        return packed.text(self._bits)

    def __repr__(self) -> str:
        return f"Hand.parse({str(self)!r})"

    def _repr_html_(self) -> str:
        """The hand for a notebook, one box a card."""
        style = "border:1px solid #999;border-radius:3px;padding:0 .3em;margin:0 1px;font-family:monospace"
        boxes = (f'<span style="{style}">{card}</span>' for card in self)
        return f'<span title="{self}">{"".join(boxes)}</span>'


_PACKS: Final = {decks: Hand.from_counts([4 * decks] * 13 + [decks] * 2) for decks in (1, 2)}

HandLike: TypeAlias = Hand | str | int


def _skip(text: str, at: int) -> int:
    """Where the next card starts."""
    gap = _SEPARATORS.match(text, at)
    return gap.end() if gap else at
