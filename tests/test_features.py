"""Observations and their columns: kept up or rebuilt, the same; and never a look at hidden cards."""

import itertools
import math
import random

import pytest

from ddz_solver.core.evaluate import Judge
from ddz_solver.core.features import column_count, encode
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.learner import Learner
from ddz_solver.core.moves import PASS_PLAY, Kind, leads, replies
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


#: Cards of each group of a play, by kind.
COPIES = (0, 1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 4, 4, 4, 4, 4)


def step_of(chance):
    """0 never, 9 surely, eight steps between."""
    inner = 1 + sum(chance >= bound for bound in (0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95))
    return 0 if chance == 0 else 9 if chance == 1 else inner


class Table:
    """What is known of the other seats, for the columns that layout 2 added, written down from their definitions."""

    def __init__(self, seen, hands, bottom, turns, memo):
        """`bottom`: bottom cards that the landlord, seat 0, still holds; `turns`: seats, plays and what was to beat."""
        self.seen, self.hands, self.others, self.turns, self.memo = seen, hands, len(hands) - 1, turns, memo
        self.shown = Hand() if seen.seat == 0 else bottom
        self.free = Hand(seen.unseen) - self.shown
        self.unseen = Hand(seen.unseen).counts

    def seat(self, other):
        return (self.seen.seat + other) % len(self.hands)

    def lacks(self, other, rank, copies):
        """Chance that a seat has fewer than so many cards of a rank: binomial."""
        known = self.shown if self.seat(other) == 0 else Hand()
        wanted, cards = max(copies - known.counts[rank], 0), self.free.counts[rank]
        if cards < wanted:
            return 1
        share = (len(self.hands[self.seat(other)]) - len(known)) / max(len(self.free), 1)
        return sum(math.comb(cards, k) * share**k * (1 - share) ** (cards - k) for k in range(wanted))

    def starts(self, play, copies):
        """Ranks at which the unseen cards have a higher group or run."""
        last = 11 if play.length > 1 else 14
        possible = range(play.rank + 1, last + 2 - play.length)
        return [rank for rank in possible if min(self.unseen[rank : rank + play.length]) >= copies]

    def safe(self, other, play):
        """Step of the chance that a seat cannot beat an ordinary play."""
        copies = COPIES[play.kind]
        if len(self.hands[self.seat(other)]) < (copies if play.kind <= 5 else play.size):
            return 9
        none = 1
        for start in self.starts(play, copies):
            run = range(start, start + play.length)
            none *= 1 - math.prod(1 - self.lacks(other, rank, copies) for rank in run)
        return step_of(none)

    def unarmed(self, other, decks):
        """Step of the chance that a seat has no bomb."""
        number, none = len(self.hands[self.seat(other)]), 1
        if number >= 4:
            none *= math.prod(self.lacks(other, rank, 4) for rank in range(13))
        if number >= 2 * decks:
            none *= 1 - (1 - self.lacks(other, 13, decks)) * (1 - self.lacks(other, 14, decks))
        return step_of(none)

    def columns(self, play, decks):
        """Names of the columns that are on: block, then place in it."""
        others, found = range(self.others), set()
        family = min(int(play.kind) - 1, 2) if play.kind <= 5 else 4 if play.power else 3
        if not play.is_pass and play.kind < Kind.JOKER_BOMB:
            copies = play.size if play.kind == Kind.BOMB else COPIES[play.kind]
            found.add(("above", family * 8 + min(len(self.starts(play, copies)), 7)))
        about, block = (self.seen.to_beat, "standing") if play.is_pass else (play, "safe")
        if not about.is_pass and not about.power:
            family = min(int(about.kind) - 1, 2) if about.kind <= 5 else 3
            for other in others:
                step = self.safe(other + 1, about)
                found.add((block, (other * 4 + family) * 10 + step))
                if len(self.hands[self.seat(other + 1)]) == about.size:
                    found.add(("out", other * 10 + step))
        after = (self.hands[self.seen.seat] - Hand(play.cards)).counts
        for copies in (1, 2):
            highest = max((rank for rank in range(15) if self.unseen[rank] >= copies), default=0)
            loose = [rank for rank in range(highest) if after[rank] == copies]
            found.add(("loose", (copies - 1) * 8 + min(len(loose), 7)))
            for other in others if loose else ():
                if (self.seat(other + 1) == 0) != (self.seen.seat == 0):
                    none = 1
                    if len(self.hands[self.seat(other + 1)]) >= copies:
                        none = math.prod(self.lacks(other + 1, rank, copies) for rank in range(loose[0] + 1, 15))
                    found.add(("worst", (other * 2 + copies - 1) * 10 + step_of(none)))
        found.add(("loose", 16 + min(sum(count >= 3 for count in after), 7)))
        for copies, shortest in ((1, 5), (2, 3), (3, 2)):
            held = "".join("x" if count >= copies else " " for count in after[:12])
            longest = max(map(len, held.split()), default=0)
            if longest >= shortest:
                found.add(("runs", (copies - 1) * 13 + longest))
        hand = self.hands[self.seen.seat]
        to_go = [self.memo(one.bits) for one in (hand, hand - Hand(play.cards))]
        found.add(("waste", min(max(to_go[1] - to_go[0] + 1, 0), 5)))
        if not play.power:
            fours = [count for count, rest in zip(hand.counts, after, strict=True) if count >= 4 > rest]
            found |= {("broken", int(play.kind >= Kind.QUAD_SOLOS))} if fours else set()
            jokers = hand.counts[13:] == (decks, decks) and after[13:] != (decks, decks)
            found |= {("broken", 2)} if jokers else set()
        highest = [
            max((rank for rank in range(15) if self.unseen[rank] >= copies), default=0) for copies in range(1, 4)
        ]
        sure = [count >= 4 or (count > 0 and rank >= highest[count - 1]) for rank, count in enumerate(after)]
        losers = Hand.from_counts([0 if win else count for win, count in zip(sure, after, strict=True)])
        found.add(("losers", self.memo(losers.bits)))
        for other in others:
            led = [one.kind for seat, one, to_beat in self.turns if seat == self.seat(other + 1) and to_beat.is_pass]
            found.add(("led", other * 19 + int(led[-1] if led else 0)))
        return found | {("unarmed", other * 10 + self.unarmed(other + 1, decks)) for other in others}


@pytest.mark.parametrize(("preset", "seed"), GAMES)
def test_columns_of_what_others_may_hold(preset, seed):
    rules = PRESETS[preset]
    others = rules.players - 1
    memo, first = HandsToGo(rules.compiled), column_count(rules.compiled, 1)
    sizes = {"above": 40, "safe": others * 40, "standing": others * 40, "out": others * 10}
    sizes |= {"loose": 24, "worst": others * 20, "runs": 39, "unarmed": others * 10, "led": others * 19}
    sizes |= {"waste": 6, "broken": 3, "losers": 16}
    starts = dict(zip(sizes, itertools.accumulate(sizes.values(), initial=first), strict=False))
    assert column_count(rules.compiled) == first + sum(sizes.values())
    turns, to_beat = [], PASS_PLAY
    for hands, bottom, history, plays, seat in random_game(preset, seed):
        seen = observe(rules, hands, bottom, history, seat)
        gone = sum((Hand(play.cards) for one, play in history if one == 0), Hand())
        held = Hand.from_counts([max(a - b, 0) for a, b in zip(bottom.counts, gone.counts, strict=True)])
        turns += [(*history[-1], to_beat)] if history else []
        to_beat = seen.to_beat
        table = Table(seen, hands, held, turns, memo)
        for play in plays[:20] + plays[-3:]:
            newer = {column for column in encode(seen, play, memo) if column >= first}
            names = {starts[block] + place: (block, place) for block, place in table.columns(play, rules.decks)}
            assert newer == set(names), (play, seen.seat, hands, [names[column] for column in set(names) - newer])


def test_bottom_cards_that_nobody_holds_change_nothing_else():
    """A contradiction is told where worlds are drawn; until then no number leaves its range."""
    rules = PRESETS["classic"].compiled
    hand, unseen = (Hand.parse(cards).bits for cards in ("6789J", "33456K99TQA"))
    seen = Observation(
        rules, seat=1, hand=hand, unseen=unseen, landlord=0, counts=(6, 5, 5), bottom=Hand.parse("XD2").bits
    )
    for play in leads(hand, rules):
        columns = encode(seen, play, HandsToGo(rules))
        assert 0 <= min(columns) <= max(columns) < column_count(rules)


def test_errors():
    rules = PRESETS["douzero"].compiled
    with pytest.raises(ValueError, match="feature layout 3"):
        column_count(rules, 3)
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
