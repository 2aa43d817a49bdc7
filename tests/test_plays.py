"""Plays as text: readings, notation of one reading, names, errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_rules, card_texts

from ddz_solver import (
    PASS_PLAY,
    AmbiguousPlay,
    CardsError,
    DdzError,
    Hand,
    Kind,
    PlayError,
    Rules,
    classify,
    format_play,
    leads,
    parse_play,
    readings,
    replies,
)
from ddz_solver.game.combos import extras_of, kind_name, legal_plays


@pytest.mark.parametrize("text", ["pass", " Pass ", "-", "p", "过", "不出", "要不起"])
def test_the_pass(text: str) -> None:
    assert parse_play(text, "classic") == PASS_PLAY


def test_bare_cards_mean_the_longest_run() -> None:
    play = parse_play("333444555666", "tencent")
    assert (play.kind, play.length) == (Kind.PLANE, 4)
    assert classify("333444555666", "tencent") == play
    assert format_play(play, "tencent") == "333444555666"


@pytest.mark.parametrize(
    ("text", "rules", "kind", "rank", "length", "extras"),
    [
        ("333444555+666", "tencent", Kind.PLANE_SOLOS, 0, 3, "666"),
        ("444555666+333", "tencent", Kind.PLANE_SOLOS, 1, 3, "333"),
        ("333444555666=plane", "tencent", Kind.PLANE, 0, 4, ""),
        ("3333+4444", "tencent", Kind.QUAD_PAIRS, 0, 1, "4444"),
        ("4444 + 3333", "tencent", Kind.QUAD_PAIRS, 1, 1, "3333"),
        ("10 10 10 + 2", "classic", Kind.TRIO_SOLO, 7, 1, "2"),
        ("333+44", "classic", Kind.TRIO_PAIR, 0, 1, "44"),
        ("XX=pair", "classic4,joker_bombs=6/7", Kind.PAIR, 13, 1, ""),
        ("XX=joker_bomb", "classic4,joker_bombs=6/7", Kind.JOKER_BOMB, 1, 1, ""),
    ],
)
def test_named_readings(text: str, rules: str, kind: Kind, rank: int, length: int, extras: str) -> None:
    play = parse_play(text, rules)
    assert (play.kind, play.rank, play.length, str(extras_of(play))) == (kind, rank, length, extras)
    assert parse_play(format_play(play, rules), rules) == play


@pytest.mark.parametrize(
    ("text", "rules", "alternatives"),
    [
        ("33334444", "tencent", ["3333+4444 (quad with two pairs)", "4444+3333 (quad with two pairs)"]),
        ("3334445556667778", "douzero", ["333444555666+7778", "444555666777+3338"]),
        ("XX", "classic4,joker_bombs=6/7", ["XX=pair (pair)", "XX=joker_bomb (joker bomb)"]),
    ],
)
def test_ambiguous_cards_are_refused(text: str, rules: str, alternatives: list[str]) -> None:
    for act in (parse_play, classify):
        with pytest.raises(AmbiguousPlay, match="has several readings: write") as caught:
            act(text, rules)
        assert all(alternative in str(caught.value) for alternative in alternatives)


def test_the_play_to_beat_chooses_the_reading() -> None:
    rules = Rules.parse("tencent")
    to_beat = parse_play("444555666+89T", rules)
    assert parse_play("444555666777", rules, to_beat) == parse_play("555666777+444", rules)
    with pytest.raises(AmbiguousPlay):
        parse_play("444555666777", rules, parse_play("333444555+789", rules))  # two readings beat it
    assert parse_play("444555666777", rules, parse_play("333444555666", rules)).kind is Kind.PLANE
    higher = parse_play("3333+5566", rules)
    assert parse_play("33334444", rules, higher) == parse_play("4444+3333", rules)
    # nothing beats: the default reading, for whoever wants to say why it is not legal
    assert parse_play("333444555666", rules, parse_play("2222", rules)).kind is Kind.PLANE


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", CardsError, "no cards in ''"),
        ("  ", CardsError, "no cards"),
        ("+", CardsError, "no cards"),
        ("3z", CardsError, "unknown card 'Z' in '3z'"),
        ("33335", PlayError, "'33335' is no combination under the rules classic"),
        ("JQKA2", PlayError, "'JQKA2' is no combination"),
        ("333+5+6", CardsError, r"unknown card '\+'"),
        ("3333+3", CardsError, "5 cards of rank 3 in '3333"),
        ("34+567", PlayError, "'34.567' is no reading of these cards: expected 34567=straight"),
        ("333+", PlayError, r"'333\+' is no reading of these cards"),
        ("333=pair", PlayError, "expected 333=trio"),
        ("333444555666=plane_solos", PlayError, "expected 333444555666=plane"),
        ("333=", PlayError, "expected 333=trio"),
    ],
)
def test_errors_name_the_text(text: str, error: type[DdzError], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_play(text, "classic")


@given(st.data())
def test_text_of_every_lead_reads_back(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    for play in leads(data.draw(card_texts(rules.decks, 9)), rules):
        text = format_play(play, rules)
        assert parse_play(text, rules) == play
        if classified := readings(play.cards, rules):
            assert play in classified


@given(st.text(max_size=12) | st.text(alphabet="34567XDJ+=-,pairsolo", max_size=14))
def test_any_text_is_a_play_or_an_error(text: str) -> None:
    for rules in ("classic", "classic4"):
        try:
            play = parse_play(text, rules)
        except DdzError:
            continue
        assert parse_play(format_play(play, rules), rules) == play


def test_legal_plays() -> None:
    last = parse_play("44", "classic")
    assert legal_plays("3355KK", last, "classic") == [PASS_PLAY, *replies("3355KK", last, "classic")]
    assert list(map(str, legal_plays("3355KK", last, "classic"))) == ["pass", "55", "KK"]
    assert legal_plays("3355KK", None, "classic") == leads(Hand.parse("3355KK"), "classic")
    assert legal_plays("3355KK", PASS_PLAY, "classic") == leads("3355KK", "classic")


def test_replies_to_text() -> None:
    assert list(map(str, replies("3355KK", "44", "classic"))) == ["55", "KK"]
    assert replies("3355KK", "pass", "classic") == leads("3355KK", "classic")
    with pytest.raises(PlayError, match="'34' is no combination"):
        replies("3355KK", "34", "classic")


def test_every_kind_has_names() -> None:
    english = {kind_name(kind) for kind in Kind}
    chinese = {kind_name(kind, chinese=True) for kind in Kind}
    assert len(english) == len(chinese) == len(Kind)
    assert kind_name(Kind.STRAIGHT) == "straight"
    assert kind_name(Kind.STRAIGHT, chinese=True) == "顺子"
