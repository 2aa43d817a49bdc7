"""Hands and their text."""

import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import RANKS

from ddz_solver import CardsError, Hand

counts = st.lists(st.integers(0, 8), min_size=15, max_size=15)
hands = counts.map(Hand.from_counts)
SPELLINGS = {
    "T": ["T", "t", "10", "１０"],
    "X": ["X", "x", "B", "b", "BJ", "bj", "小王"],
    "D": ["D", "R", "RJ", "cj", "CJ", "大王"],
}


@st.composite
def spelled(draw: st.DrawFn) -> tuple[str, str]:
    """Cards in canonical form, and the same cards shuffled and spelled in some of the usual ways."""
    cards = draw(st.lists(st.sampled_from(RANKS), max_size=20))
    limits = {rank: 8 if rank not in "XD" else 2 for rank in RANKS}
    cards = [card for index, card in enumerate(cards) if cards[:index].count(card) < limits[card]]
    canonical = "".join(sorted(cards, key=RANKS.index))
    words = [draw(st.sampled_from(SPELLINGS.get(card, [card, card.lower()]))) for card in draw(st.permutations(cards))]
    gap = draw(st.sampled_from([" ", ",", ", ", "，", "、", "\t"]))  # joined without one, B and J may run together
    return canonical, gap.join(words)


@given(spelled())
def test_every_spelling(case: tuple[str, str]) -> None:
    canonical, text = case
    assert str(Hand.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("10", "T"),
        ("10107", "7TT"),
        ("101010", "TTT"),
        ("666777BR", "666777XD"),
        ("DX", "XD"),
        ("BJRJ", "XD"),
        ("CJ BJ", "XD"),
        ("小王大王", "XD"),
        ("XJ", "JX"),
        ("JBJ", "JX"),
        ("", ""),
        (" , ", ""),
        ("akqj10", "TJQKA"),
        ("2, 10, j", "TJ2"),
    ],
)
def test_spelling_by_example(text: str, cards: str) -> None:
    assert str(Hand.parse(text)) == cards


@pytest.mark.parametrize(
    ("text", "decks", "message"),
    [
        ("33z4", 1, r"unknown card 'Z' in '33z4': expected 3-9, 10 or T"),
        ("331", 1, "unknown card '1' in '331'"),
        ("3-4", 1, "unknown card '-' in '3-4'"),
        ("3 4 小 5", 1, "unknown card '小'"),
        ("C", 1, "unknown card 'C'"),
        ("0", 1, "unknown card '0'"),
        ("33333", 1, "5 cards of rank 3 in '33333': one pack has 4"),
        ("XX", 1, "2 cards of rank X in 'XX': one pack has 1"),
        ("DDD", 2, "3 cards of rank D in 'DDD': 2 packs have 2"),
        ("3" * 9, 2, "more than 8 cards of rank 3"),
        ("3\x00", 1, "unknown card"),
        ("♠3", 1, "unknown card '♠'"),
    ],
)
def test_errors_name_the_text(text: str, decks: int, message: str) -> None:
    with pytest.raises(CardsError, match=message):
        Hand.parse(text, decks)


@given(st.text())
def test_any_text_parses_or_is_named(text: str) -> None:
    message, hand = "", None
    try:
        hand = Hand.parse(text)
    except CardsError as error:
        message = str(error)
    assert repr(text) in message if hand is None else Hand.parse(str(hand)) == hand


@given(hands)
def test_a_hand_is_a_value(hand: Hand) -> None:
    same = Hand.from_counts(hand.counts)
    assert hand == same
    assert hash(hand) == hash(same)
    assert hand != hand.bits
    assert pickle.loads(pickle.dumps(hand)) == hand
    assert len(hand) == len(str(hand)) == sum(hand.counts)
    assert "".join(hand) == str(hand)
    assert bool(hand) == (len(hand) > 0)
    assert Hand(hand.bits) == hand == Hand.of(hand) == Hand.of(hand.bits)


@given(hands, hands)
def test_arithmetic_like_counters(one: Hand, other: Hand) -> None:
    both = Counter(str(one)) + Counter(str(other))
    if max(both.values(), default=0) > 8:
        with pytest.raises(CardsError, match="at most"):
            one + other
    else:
        assert Counter(str(one + other)) == both
        assert (one + other) - other == one
        assert one in one + other
    assert (other in one) == (Counter(str(other)) <= Counter(str(one)))
    if other not in one:
        with pytest.raises(CardsError, match="is not in"):
            one - other


def test_membership() -> None:
    hand = Hand.parse("3345")
    assert "3" in hand
    assert "33" in hand
    assert Hand.parse("34") in hand
    assert "333" not in hand
    assert 3 not in hand  # type: ignore[comparison-overlap]
    with pytest.raises(CardsError, match="unknown card 'Z' in 'z'"):
        _ = "z" in hand


def test_packs() -> None:
    assert str(Hand.pack()) == "".join(rank * 4 for rank in RANKS[:13]) + "XD"
    assert len(Hand.pack(2)) == 108
    for decks in (0, 3):
        with pytest.raises(CardsError, match=f"{decks} packs: expected 1 or 2"):
            Hand.parse("3", decks)


@pytest.mark.parametrize("bits", [-1, 1 << 60, 9, 0xF0])
def test_packed_numbers_are_checked(bits: int) -> None:
    with pytest.raises(CardsError, match="no packed hand"):
        Hand(bits)


@pytest.mark.parametrize("numbers", [[9], [-1], [0] * 16])
def test_counts_are_checked(numbers: list[int]) -> None:
    with pytest.raises(CardsError, match="no card counts"):
        Hand.from_counts(numbers)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64])
def test_counts_of_any_type(kind: type) -> None:
    assert Hand.from_counts(np.ones(15, kind)) == Hand.parse("3456789TJQKA2XD")
    with pytest.raises(CardsError, match="no card counts"):
        Hand.from_counts([1.5])  # type: ignore[list-item]


def test_notebook_text() -> None:
    hand = Hand.parse("3XD")
    assert repr(hand) == "Hand.parse('3XD')"
    assert hand._repr_html_().count("<span") == 4
