"""Every count of the rules: plays of a whole pack by kind for every preset, and leads of notorious hands."""

from collections import Counter

import pytest

from ddz_solver import PRESETS, Kind, Play, Rules, leads

K = Kind
COMMON = {
    K.SOLO: 15,
    K.PAIR: 13,
    K.TRIO: 13,
    K.TRIO_SOLO: 182,
    K.TRIO_PAIR: 156,
    K.STRAIGHT: 36,
    K.PAIR_STRAIGHT: 52,
    K.PLANE: 45,
    K.BOMB: 13,
    K.ROCKET: 1,
}
STRICT_PAIRS = (605, 1200, 1134)
# plane with solos of length 2.., plane with pairs of length 2.., quad with solos, quad with pairs, plays, card sets
THREE_PLAYERS = {
    "classic": ((847, 2100, 2646, 1568), STRICT_PAIRS, 1170, 858, 12_654, 12_654),
    "rlcard": ((968, 3282, 7184, 10_388), STRICT_PAIRS, 1326, 858, 27_471, 27_471),
    "openspiel": ((968, 3300, 7344, 10_976), STRICT_PAIRS, 0, 0, 26_053, 25_661),
    "douzero": ((979, 3400, 7830, 12_512), STRICT_PAIRS, 1339, 858, 30_383, 29_984),
    "tencent": ((979, 3400, 7830, 12_512), (726, 2100, 3726), 1339, 1014, 34_152, 33_675),
}
# hand: preset: (readings, card sets)
HANDS = {
    "33344455566677789TQ2": {
        "classic": (371, 371),
        "rlcard": (441, 441),
        "openspiel": (455, 446),
        "tencent": (455, 446),
    },
    "33344455566677788899": {"classic": (260, 260), "rlcard": (361, 361), "tencent": (377, 366)},
    "33334444555566667777": {
        "classic": (161, 161),
        "rlcard": (201, 201),
        "openspiel": (125, 121),
        "douzero": (207, 203),
        "tencent": (245, 231),
    },
    "333444555666777888XD": {
        "classic": (253, 253),
        "rlcard": (348, 348),
        "openspiel": (366, 354),
        "tencent": (394, 381),
    },
    "34567899TTJJQQKKA22X": {"classic": (62, 62), "rlcard": (62, 62), "openspiel": (62, 62), "tencent": (62, 62)},
    "345556667778889TJQKA": {"classic": (497, 497)},
    "3456789TJJJQQQKKKAAA": {"tencent": (521, 519)},  # JQKA as trios has three readings
}


def plays_of_pack(name: str, most: int) -> list[Play]:
    """All plays that a hand of `most` cards out of the whole pack can make."""
    rules = PRESETS[name]
    return [play for play in leads(rules.pack, rules) if play.size <= most]


def by_length(plays: list[Play], kind: Kind) -> tuple[int, ...]:
    """Number of plays of a kind for each length, shortest first."""
    lengths = Counter(play.length for play in plays if play.kind is kind)
    return tuple(lengths[length] for length in sorted(lengths))


def card_sets(plays: list[Play]) -> int:
    return len({play.cards for play in plays})


@pytest.mark.parametrize("name", THREE_PLAYERS)
def test_plays_of_the_pack(name: str) -> None:
    solos, pairs, quad_solos, quad_pairs, all_plays, all_sets = THREE_PLAYERS[name]
    plays = plays_of_pack(name, 20)
    kinds = Counter(play.kind for play in plays)
    assert {kind: kinds[kind] for kind in COMMON} == COMMON
    assert by_length(plays, K.PLANE_SOLOS) == solos
    assert by_length(plays, K.PLANE_PAIRS) == pairs
    assert (kinds[K.QUAD_SOLOS], kinds[K.QUAD_PAIRS]) == (quad_solos, quad_pairs)
    assert (len(plays), card_sets(plays)) == (all_plays, all_sets)
    assert len(set(plays)) == len(plays)


def test_plays_of_the_pack_botzone() -> None:
    plays = plays_of_pack("botzone", 20)
    kinds = Counter(play.kind for play in plays)
    assert {kind: kinds[kind] for kind in COMMON} == COMMON
    assert by_length(plays, K.PLANE_SOLOS) == (858, 2200, 2970, 2016)
    assert by_length(plays, K.PLANE_PAIRS) == STRICT_PAIRS
    assert (kinds[K.QUAD_SOLOS], kinds[K.QUAD_PAIRS]) == (1183, 858)
    assert kinds[K.QUAD_RUN] == 38
    assert by_length(plays, K.QUAD_RUN_SOLOS) == (7865, 9240)
    assert by_length(plays, K.QUAD_RUN_PAIRS) == (3630,)


def test_plays_of_two_packs() -> None:
    plays = plays_of_pack("classic4", 33)
    kinds = Counter(play.kind for play in plays)
    expected = {K.SOLO: 15, K.PAIR: 15, K.TRIO: 13, K.TRIO_PAIR: 182, K.STRAIGHT: 36, K.PAIR_STRAIGHT: 55, K.PLANE: 65}
    expected |= {K.PLANE_PAIRS: 858 + 2200 + 2970 + 2016 + 588, K.BOMB: 65, K.ROCKET: 1}
    assert kinds == expected
    assert by_length(plays, K.PLANE_PAIRS) == (858, 2200, 2970, 2016, 588)
    assert len(plays) == len(set(plays)) == 9_079


@pytest.mark.parametrize(("hand", "name"), [(hand, name) for hand, counts in HANDS.items() for name in counts])
def test_leads_of_a_hand(hand: str, name: str) -> None:
    plays = leads(hand, name)
    assert (len(plays), card_sets(plays)) == HANDS[hand][name]


@pytest.mark.parametrize("kind", [K.TRIO_SOLO, K.TRIO_PAIR, K.QUAD_SOLOS])
def test_a_kind_switched_off(kind: Kind) -> None:
    whole = plays_of_pack("classic", 20)
    rules = Rules.parse(f"classic,{kind.name.lower()}=no")
    without = [play for play in leads(rules.pack, rules) if play.size <= 20]
    assert without == [play for play in whole if play.kind is not kind]
    assert len(without) < len(whole)
