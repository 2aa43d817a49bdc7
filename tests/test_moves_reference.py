"""The compiled enumeration against brute force over all choices of cards, under every preset and mixed switches."""

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, card_texts

from ddz_solver import PRESETS, Hand, Rules, format_play, leads, parse_play, readings
from ddz_solver.core import moves
from ddz_solver.game.combos import extras_of

KICKER_HEAVY = [
    "333444555666",
    "3334445555",
    "33334444",
    "33344455",
    "333444XD",
    "444455556677",
    "3333555577",
    "QQQKKKAAA222",
]
TWO_PACKS = ["33333333", "333333444", "XXDD", "333XX", "33344455XXDD", "XXD", "4444455555"]


def assert_like_reference(cards: str, rules: Rules) -> None:
    plays = leads(cards, rules)
    expected = reference.leads(cards, rules)
    assert len(plays) == len(set(plays)), "a play twice"
    assert sorted(map(reference.move_of, plays)) == sorted(expected)
    for play in plays:
        assert play in readings(play.cards, rules)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("cards", KICKER_HEAVY)
def test_notorious_hands(cards: str, name: str) -> None:
    assert_like_reference(cards, PRESETS[name])


@pytest.mark.parametrize("cards", TWO_PACKS)
@pytest.mark.parametrize(
    "text", ["classic4", "classic4,joker_bombs=5/7", "classic4,quad_pair_kickers=yes,quad_pairs=yes"]
)
def test_notorious_hands_of_two_packs(cards: str, text: str) -> None:
    assert_like_reference(cards, Rules.parse(text))


@settings(max_examples=200)
@given(st.data())
def test_leads(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    assert_like_reference(data.draw(card_texts(rules.decks, 10)), rules)


@pytest.mark.slow
@settings(max_examples=2000)
@given(st.data())
def test_leads_of_larger_hands(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    assert_like_reference(data.draw(card_texts(rules.decks, 14, min_size=8)), rules)


@settings(max_examples=200)
@given(st.data())
def test_replies_and_beats(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    last = data.draw(st.sampled_from(leads(data.draw(card_texts(rules.decks, 10)), rules)))
    cards = data.draw(card_texts(rules.decks, 10))
    expected = [move for move in reference.legal_moves(cards, reference.move_of(last), rules) if move != reference.PASS]
    replies = moves.replies(Hand.parse(cards).bits, last, rules.compiled)
    assert sorted(map(reference.move_of, replies)) == sorted(expected)
    assert moves.count_replies(Hand.parse(cards).bits, last, rules.compiled) == len(replies)
    for play in leads(cards, rules):
        assert moves.beats(play, last) == (play in replies)


@settings(max_examples=200)
@given(st.data())
def test_readings_factor_and_text(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    cards = data.draw(card_texts(rules.decks, 20))
    found = readings(cards, rules)
    assert sorted(map(reference.move_of, found)) == sorted(reference.readings(cards, rules))
    assert [play.length for play in found] == sorted((play.length for play in found), reverse=True)
    for play in found:
        assert moves.factor_after(1, [play], rules.compiled) == reference.factor(reference.move_of(play), rules)
        assert parse_play(format_play(play, rules), rules) == play
        assert extras_of(play) in Hand(play.cards)
