"""Observations and their columns: kept up or rebuilt, the same; and never a look at hidden cards."""

import math
import random

import pytest

from ddz_solver.core.evaluate import Judge
from ddz_solver.core.features import column_count, encode
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.learner import Learner
from ddz_solver.core.moves import PASS_PLAY, leads, replies
from ddz_solver.core.observation import Observation
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import readings
from ddz_solver.game.rules import PRESETS, Rules

GAMES = [(preset, seed) for preset in ("classic", "douzero", "botzone", "classic4") for seed in range(4)]


def random_game(preset, seed):
    """Yields (hands, bottom, history, plays, seat) at each turn of a game of random plays; seat 0 is the landlord."""
    rules = PRESETS[preset]
    rng = random.Random(seed)
    pack = list(str(rules.pack))
    rng.shuffle(pack)
    each = rules.hand_size
    hands = [Hand.parse("".join(pack[seat * each : (seat + 1) * each])) for seat in range(rules.players)]
    bottom = Hand.parse("".join(pack[each * rules.players :]))
    hands[0] += bottom
    history, seat, owner, last = [], 0, 0, PASS_PLAY
    while all(hands):
        plays = replies(hands[seat].bits, last, rules.compiled)
        if not last.is_pass:
            plays.insert(0, PASS_PLAY)
        yield list(hands), bottom, list(history), plays, seat
        play = rng.choice(plays)
        history.append((seat, play))
        if not play.is_pass:
            hands[seat] -= Hand(play.cards)
            last, owner = play, seat
        seat = (seat + 1) % rules.players
        if seat == owner:
            last = PASS_PLAY


def observe(rules, hands, bottom, history, seat):
    return Observation(
        rules.compiled,
        seat=seat,
        hand=hands[seat].bits,
        landlord=0,
        counts=[len(hand) for hand in hands],
        bottom=bottom.bits,
        history=history,
    )


@pytest.mark.parametrize(("preset", "seed"), GAMES)
def test_kept_up_equals_rebuilt(preset, seed):
    rules = PRESETS[preset]
    memo = HandsToGo(rules.compiled)
    keepers = {}
    for hands, bottom, history, plays, seat in random_game(preset, seed):
        if not history:
            keepers = {one: observe(rules, hands, bottom, [], one) for one in range(rules.players)}
        else:
            for keeper in keepers.values():
                keeper.record(*history[-1])
        rebuilt = observe(rules, hands, bottom, history, seat)
        assert rebuilt.unseen == keepers[seat].unseen
        assert str(rebuilt.to_beat) == str(keepers[seat].to_beat)
        for play in plays[:10]:
            columns = encode(rebuilt, play, memo)
            assert sorted(columns) == sorted(encode(keepers[seat], play, memo))
            assert len(set(columns)) == len(columns)
            assert 0 <= min(columns) <= max(columns) < column_count(rules.compiled)


@pytest.mark.parametrize("preset", ["douzero", "classic4"])
def test_hidden_cards_change_nothing(preset):
    """The same public game with the hidden cards dealt anew gives the same columns."""
    rules = PRESETS[preset]
    memo = HandsToGo(rules.compiled)
    rng = random.Random(5)
    for hands, bottom, history, plays, seat in random_game(preset, 11):
        others = [card for one, hand in enumerate(hands) if one != seat for card in str(hand)]
        rng.shuffle(others)
        mixed, at = list(hands), 0
        for one, hand in enumerate(hands):
            if one != seat:
                mixed[one] = Hand.parse("".join(others[at : at + len(hand)]))
                at += len(hand)
        before, after = (observe(rules, deal, bottom, history, seat) for deal in (hands, mixed))
        assert [encode(before, play, memo) for play in plays] == [encode(after, play, memo) for play in plays]


def test_plays_have_columns_of_their_own():
    rules = PRESETS["douzero"]
    memo = HandsToGo(rules.compiled)
    for hands, bottom, history, plays, seat in random_game("douzero", 2):
        seen = observe(rules, hands, bottom, history, seat)
        columns = [frozenset(encode(seen, play, memo)) for play in plays]
        assert len(set(columns)) == len(plays)
        assert set(columns).isdisjoint(frozenset(encode(seen, play, memo, for_points=True)) for play in plays)


@pytest.mark.parametrize(
    ("rules", "cards"),
    [
        ("botzone", "".join(rank * 4 for rank in "3456789TJQKA")),
        ("classic4,quad_run_pairs=yes,quad_pair_kickers=yes", "".join(rank * 4 for rank in "3456789TJQKA2") + "XXDD"),
    ],
)
def test_the_longest_plays_have_room(rules, cards):
    """Runs of fours, 48 and 56 cards: their values are what the network says of their columns."""
    rules = Rules.parse(rules)
    hand = Hand.parse(cards)
    plays = [play for play in readings(hand, rules) if play.size == len(cards)]
    assert plays
    rest = len(rules.pack) - len(hand) - rules.players + 2
    counts = [len(hand), rest, *[1] * (rules.players - 2)]
    seen = Observation(rules.compiled, seat=0, hand=hand.bits, landlord=0, counts=counts)
    networks = Learner(rules.compiled, 64, 32, seed=4).networks
    chances, _ = Judge(rules.compiled, networks).evaluate(seen, plays)
    for play, chance in zip(plays, chances, strict=True):
        logit, _, _ = networks[0].forward(encode(seen, play, HandsToGo(rules.compiled)))
        assert chance == pytest.approx(1 / (1 + math.exp(-logit)), abs=1e-5)


def test_all_cards_are_somewhere():
    for hands, bottom, history, _, seat in random_game("classic4", 3):
        seen = observe(PRESETS["classic4"], hands, bottom, history, seat)
        assert Hand(seen.unseen) == sum((hand for one, hand in enumerate(hands) if one != seat), Hand())


def test_errors():
    rules = PRESETS["douzero"].compiled
    hand = Hand.parse("33344455566677789").bits
    good = {"seat": 1, "hand": hand, "landlord": 0, "counts": (20, 17, 17)}
    Observation(rules, **good)
    for change, message in (
        ({"seat": 3}, "expected 0..2"),
        ({"landlord": -1}, "expected 0..2"),
        ({"counts": (20, 17)}, "expected 3 numbers of cards"),
        ({"counts": (20, 16, 17)}, "seat 1 has 17 cards"),
        ({"counts": (20, 17, 16)}, "but 37 are unseen"),
        ({"hand": 0xF}, "must be packed hands"),
        ({"unseen": Hand.parse("3333").bits}, "more than the pack has"),
        ({"history": [(5, PASS_PLAY)]}, "seat 5 in the history"),
        ({"to_beat": leads(hand, rules)[0]}, "play to beat by seat None"),
        ({"factor": 0}, "factor 0"),
        ({"plays": (1, 2)}, "expected 3 numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            Observation(rules, **{**good, **change})
    seen = Observation(rules, **good)
    threes = leads(Hand.parse("3333").bits, rules)[-1]
    with pytest.raises(ValueError, match="cannot hold 3333"):
        seen.record(0, threes)
    with pytest.raises(ValueError, match="does not hold 3333"):
        encode(seen, threes, HandsToGo(rules))
