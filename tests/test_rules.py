"""Rules as data: presets, switches, text."""

import pickle

import pytest
from hypothesis import given
from strategies import any_rules

from ddz_solver import PRESETS, Kind, Rules, RulesError, classify, leads
from ddz_solver.core.moves import beats, factor_after
from ddz_solver.game.rules import SWITCHES


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_its_name(name: str) -> None:
    assert str(PRESETS[name]) == name
    assert Rules.parse(name) is PRESETS[name]


def test_presets_differ() -> None:
    assert len(set(PRESETS.values())) == len(PRESETS) == 7
    assert len({rules.compiled for rules in PRESETS.values()}) == 7


@given(any_rules())
def test_text_round_trip(rules: Rules) -> None:
    text = str(rules)
    again = Rules.parse(text)
    assert again == rules
    assert hash(again) == hash(rules)
    assert str(again) == text
    assert again.compiled == rules.compiled
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_text_names_the_differences() -> None:
    assert str(Rules.parse("classic, equal_kickers=yes ,quad_solos=no")) == "classic,equal_kickers=yes,quad_solos=no"
    assert str(Rules.parse("openspiel,spring=no,all_pass=redeal")) == "openspiel,all_pass=redeal,spring=no"
    assert str(Rules.parse("classic,trio_solo=no,trio_solo=yes")) == "classic"


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_is_text(name: str) -> None:
    """Setting a switch to the value it has changes nothing, whichever switch it is."""
    for preset, rules in PRESETS.items():
        assert Rules.parse(f"{preset},{name}={rules.switches()[name]}") == rules
    assert SWITCHES[name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("clasic", r"unknown rules 'clasic' \(did you mean classic\?\)"),
        ("", "unknown rules ''"),
        ("classic,equal_kicker=yes", r"'equal_kicker=yes' \(did you mean equal_kickers\?\)"),
        ("classic,equal_kickers", "unknown switch 'equal_kickers'"),
        ("classic,equal_kickers=maybe", "equal_kickers=maybe: expected yes or no"),
        ("classic,kinds=3", "unknown switch 'kinds=3'"),
        ("classic,players=5", "players=5: expected 2, 3 or 4"),
        ("classic,players=three", "players=three"),
        ("classic,decks=0", "decks=0: expected 1 or 2"),
        ("classic,decks=1/2", "decks=1/2: expected one number"),
        ("classic,solo=no", "solo=no: expected yes"),
        ("classic,auction=twice", "auction=twice: expected rounds or once or none"),
        ("classic,bomb_factors=2/2", "bomb_factors=2/2: expected five numbers"),
        ("classic,bomb_factors=2/2/2/2/0", "expected five numbers, 1 to 9"),
        ("classic,rocket_factor=10", "rocket_factor=10: expected 1 to 9"),
        ("classic,joker_bombs=5/6", "joker_bombs=5/6: expected 0/0 with one deck"),
        ("classic4,joker_bombs=3/6", "joker_bombs=3/6: expected 0 or 4 to 8"),
        ("classic4,joker_factors=1", "joker_factors=1: expected two numbers"),
    ],
)
def test_errors_name_the_text(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.parse(text)


def test_joker_bombs_stand_between_the_others() -> None:
    rules = Rules.parse("classic4,joker_bombs=5/7,joker_factors=2/3")
    two = next(play for play in leads("XD", rules) if play.kind is Kind.JOKER_BOMB)
    three = next(play for play in leads("XXD", rules) if play.kind is Kind.JOKER_BOMB and play.size == 3)
    in_order = [classify("22222", rules), two, classify("333333", rules), classify("2222222", rules), three]
    in_order += [classify("33333333", rules), classify("XXDD", rules)]
    for index, low in enumerate(in_order):
        for high in in_order[index + 1 :]:
            assert beats(high, low)
            assert not beats(low, high)
    assert [factor_after(1, [play], rules.compiled) for play in (two, three)] == [2, 3]
    assert not [play for play in leads("XD", "classic4") if play.size > 1]


def test_deal_sizes() -> None:
    classic, four = PRESETS["classic"], PRESETS["classic4"]
    assert (classic.hand_size, classic.bottom_size, len(classic.pack)) == (17, 3, 54)
    assert (four.hand_size, four.bottom_size, len(four.pack)) == (25, 8, 108)
    with pytest.raises(RulesError, match=r"2 players with 1 deck\(s\) have no deal"):
        _ = Rules(players=2).hand_size


def test_any_collection_will_do() -> None:
    rules = Rules(kinds={Kind.SOLO, Kind.BOMB}, bomb_factors=[1, 2, 3, 4, 5])  # type: ignore[arg-type]
    assert rules == Rules(kinds=frozenset({Kind.BOMB, Kind.SOLO}), bomb_factors=(1, 2, 3, 4, 5))
    assert hash(rules) == hash(Rules.parse(str(rules)))


def test_kinds_of_play_only() -> None:
    with pytest.raises(RulesError, match="expected some of solo"):
        Rules(kinds=frozenset({Kind.SOLO, Kind.PASS}))
