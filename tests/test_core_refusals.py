"""What the compiled core refuses: one ValueError that names the value and what was expected, never a crash."""

import re
from collections.abc import Callable

import pytest

from ddz_solver.ai.plans import Settings
from ddz_solver.core.arena import Arena
from ddz_solver.core.evaluate import Judge
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.learner import Learner
from ddz_solver.core.moves import (
    PASS_PLAY,
    CompiledRules,
    Play,
    count_leads,
    count_replies,
    leads,
    repeat_leads,
    replies,
)
from ddz_solver.core.observation import Observation
from ddz_solver.core.outcomes import play_deals
from ddz_solver.core.plan import Rollouts
from ddz_solver.core.position import Position
from ddz_solver.core.rng import SplitMix64
from ddz_solver.core.selfplay import Worker
from ddz_solver.core.solver import Solver
from ddz_solver.core.table import Table
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.rules import Rules

RULES = Rules.parse("classic")
TWO, CROWD = Rules.parse("classic,players=2"), Rules.parse("classic,players=4")
FIVE, SIX = Hand.parse("345").bits, Hand.parse("66").bits
JUDGE = Judge(RULES.compiled, Learner(RULES.compiled, hidden1=64, hidden2=32).networks)


def switches(**changed: object) -> Callable[[], CompiledRules]:
    values: dict[str, object] = {
        "kinds": 2,
        "players": 3,
        "decks": 1,
        "kicker_copies": 0,
        "kicker_beside": False,
        "kicker_jokers": False,
        "kicker_quad": False,
        "bomb_factor": [1] * 9,
        "rocket_factor": 1,
        "joker_power": [0] * 4,
        "joker_factor": [1] * 4,
        "spring": 0,
    }
    return lambda: CompiledRules(**{**values, **changed})  # type: ignore[arg-type]


def position(**changed: object) -> Callable[[], Position]:
    return lambda: Position(TWO.compiled, **{"hands": [FIVE, SIX], **changed})  # type: ignore[arg-type]


def observation(**changed: object) -> Observation:
    values = {"seat": 0, "hand": FIVE, "landlord": 0, "counts": [3, 2, 2], "unseen": 2 * SIX}
    return Observation(RULES.compiled, **{**values, **changed})  # type: ignore[arg-type]


def rollouts(**changed: object) -> Rollouts:
    seen = observation()
    values = {"history": [], "plays": leads(FIVE, RULES.compiled), "worlds": 4, **Settings().rollouts()}
    return Rollouts(JUDGE, seen, **{**values, **changed})  # type: ignore[arg-type]


def made_of(text: str) -> Play:
    return leads(Hand.parse(text).bits, TWO.compiled)[-1]


REFUSALS: list[tuple[Callable[[], object], str]] = [
    (switches(players=5), "5 players, expected 2..4"),
    (switches(decks=3), "3 decks, expected 1 or 2"),
    (switches(bomb_factor=[1]), "expected 9 bomb factors"),
    (switches(spring=3), "spring 3, expected 0, 1 or 2"),
    (lambda: leads(9, RULES.compiled), "0x9 is no packed hand"),
    (lambda: count_leads(1 << 63, RULES.compiled), "is no packed hand"),
    (position(hands=[FIVE]), "1 hands and 2 counts of plays, expected 2 of each"),
    (position(turn=2), "turn 2 and landlord 0, expected seats 0..1"),
    (position(factor=0), "factor 0, expected 1 to 16777216"),
    (position(plays=[0, 900]), "900 plays made by seat 1"),
    (position(hands=[FIVE, 9]), "0x9 is no packed hand"),
    (position(hands=[FIVE, 0]), "a hand without cards"),
    (position(last=made_of("66")), "needs the seat that made it"),
    (lambda: position()().view(2), "seat 2, expected 0..1"),
    (lambda: position()().perft(-1), "depth -1, expected 0 or more"),
    (lambda: position()().playouts(-1, 1), "-1 playouts, expected 0 or more"),
    (lambda: observation(history=[(3, PASS_PLAY)]), "seat 3 in the history, expected 0..2"),
    (
        lambda: observation(history=[(1, made_of("66")), (2, made_of("66")), (1, made_of("66"))]),
        "the history plays more cards than the pack has: 66",
    ),
    (
        lambda: observation(unseen=None, history=[(1, made_of("33")), (2, made_of("33"))]),
        "own cards and cards played are more than the pack has",
    ),
    (lambda: observation().record(3, PASS_PLAY), "seat 3, expected 0..2"),
    (lambda: observation().record(0, made_of("66")), "seat 0 cannot hold 66"),
    (lambda: observation(counts=[3, 1, 3]).record(1, made_of("66")), "seat 1 has 1 cards, too few for 66"),
    (lambda: HandsToGo(RULES.compiled, 3), "3 bits, expected 4..28"),
    (lambda: SplitMix64(1).below(0), "0 as the number of outcomes"),
    (lambda: Arena(RULES.compiled).match("random", "clever", 1), "player 'clever', expected a Judge"),
    (lambda: Arena(RULES.compiled).match("random", "greedy", 0), "0 deals, expected at least 1"),
    (lambda: Arena(TWO.compiled).match(JUDGE, "random", 1), "made for other numbers of seats"),
    (lambda: Arena(TWO.compiled).match("random", "greedy", 1), "2 players with 1 deck(s) have no deal"),
    (lambda: Arena(CROWD.compiled).match("random", "greedy", 1), "4 players with 1 deck(s) have no deal"),
    (
        lambda: Worker(Learner(CROWD.compiled, 64, 32), [(CROWD.compiled, 1.0)], [HandsToGo(CROWD.compiled)], seed=1),
        "4 players with 1 deck(s) have no deal",
    ),
    (lambda: Table(63), "table of 63 bytes, expected 64 to 2**48"),
    (lambda: Table(1 << 63), f"table of {1 << 63} bytes"),
    (lambda: play_deals(JUDGE, RULES.compiled, [[FIVE] * 3], []), "0 bottoms of 1 deals"),
    (lambda: play_deals(JUDGE, RULES.compiled, [[FIVE] * 2], [0]), "2 hands in deal 0, expected 3"),
    (lambda: play_deals(JUDGE, RULES.compiled, [[FIVE, 0, FIVE]], [0]), "0x0 in deal 0"),
    (lambda: play_deals(JUDGE, RULES.compiled, [[4, 1, FIVE]], [0]), "deal 0 has more cards than the pack"),
    (lambda: play_deals(JUDGE, RULES.compiled, [[FIVE, 1, 2]], [SIX]), f"{SIX:#x} as the bottom of deal 0"),
    (lambda: play_deals(JUDGE, RULES.compiled, [[FIVE, 1, 2]], [9]), "0x9 as the bottom of deal 0"),
    (lambda: play_deals(JUDGE, TWO.compiled, [[FIVE, SIX]], [0]), "do not fit the networks"),
    (lambda: rollouts(worlds=0), "0 worlds"),
    (lambda: rollouts(plays=[made_of("66")]), "seat 0 does not hold 66"),
    (lambda: rollouts().world(99), "world 99"),
    (lambda: rollouts().roll(0, 99, 0), "candidate 99, expected 0..2"),
    (lambda: rollouts().roll(1, 0, 0), "worker 1"),
    (lambda: rollouts(worlds=2).walk(1, 0, 1), "worker 1"),
    (lambda: rollouts(worlds=2).copy_world(0, 9), "world 9"),
    (lambda: rollouts(keen=(0, 0.1)), "keen=(0, 0.1), loose="),
    (lambda: rollouts(simple=(0.9, 0.1), loose=(0.2, 0.5, 0.3)), "expected shares of 0..1 in all"),
    (lambda: rollouts(loose=(0.2, 0.5, 0)), "noise above 0 up to 1"),
    (
        lambda: Solver(RULES.compiled, table_size=1 << 16).begin(position()(), node_limit=1, seconds=1),
        "other rules than the solver",
    ),
]


@pytest.mark.parametrize(("make", "message"), REFUSALS, ids=[message for _, message in REFUSALS])
def test_refusals(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_positions_by_number_end_where_the_plays_end() -> None:
    place = position()()
    assert place.legal_count == 3
    for wrong in (-1, 3):
        with pytest.raises(IndexError, match=f"legal play {wrong} of 3"):
            place.nth(wrong)
        with pytest.raises(IndexError, match=f"legal play {wrong} of 3"):
            place.play_nth(wrong)
    with pytest.raises(IndexError, match="no play to take back"):
        place.undo()
    place.play_nth(0)
    place.play(PASS_PLAY)
    assert [str(play) for play in place.made()] == ["3", "pass"]


def test_numbers_of_plays_are_those_of_the_lists() -> None:
    hand = Deal.random(RULES, 5).hands[0].bits
    plays = leads(hand, RULES.compiled)
    assert count_leads(hand, RULES.compiled) == len(plays)
    for last in plays[::7]:
        assert count_replies(hand, last, RULES.compiled) == len(replies(hand, last, RULES.compiled))
    assert repeat_leads([hand, FIVE], RULES.compiled, 3) == 3 * (len(plays) + 3)


def test_plays_are_ordered_values() -> None:
    low, high = leads(FIVE, RULES.compiled)[:2]
    assert low < high <= high
    assert high > low <= low
    assert low >= low != high
    assert low != "3"
    assert (len(low), str(low), repr(low)) == (1, "3", "<Play 3 solo>")
    assert repr(PASS_PLAY) == "<Play pass>"
    with pytest.raises(TypeError):
        _ = low < "3"  # type: ignore[operator]


def test_an_observation_tells_what_it_was_given() -> None:
    seen = observation(to_beat=made_of("66"), to_beat_by=1)
    assert (seen.seat, seen.hand, seen.unseen, str(seen.to_beat)) == (0, FIVE, 2 * SIX, "66")
    assert seen.compiled_rules == RULES.compiled
    seen.record(0, leads(FIVE, RULES.compiled)[0])
    assert seen.hand == Hand.parse("45").bits


def test_nets_choose_by_points_when_asked() -> None:
    """The same deals, another choice: the networks that play for points make other decisions than those for wins."""
    learner = Learner(RULES.compiled, hidden1=64, hidden2=32, seed=3)
    worker = Worker(learner, [(RULES.compiled, 1.0)], [HandsToGo(RULES.compiled)], seed=1)
    worker.run(300, rate=1e-3, epsilon=0.1, decay=0.8)
    judge = Judge(RULES.compiled, learner.networks)
    by_wins, by_points = (Arena(RULES.compiled, seed=4).match(judge, "greedy", 20, points=p) for p in (False, True))
    assert by_wins["choices"] != by_points["choices"]
