"""Whole hands: phases, legality, undo, and lockstep with the compiled position."""

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, games, random_step, seeds, small_hands

from ddz_solver import (
    PASS_PLAY,
    PRESETS,
    AuctionError,
    CardsError,
    DdzError,
    Deal,
    DealError,
    Game,
    Hand,
    IllegalPlay,
    LegalPlays,
    Phase,
    PlayError,
    RulesError,
    SeatError,
    TurnError,
    classify,
)
from ddz_solver.core.position import Position


def snapshot(game: Game) -> tuple[object, ...]:
    """Everything that a game shows."""
    return (
        game.phase,
        game.turn,
        game.landlord,
        game.hands,
        game.bid,
        game.factor,
        game.to_beat,
        game.to_beat_by,
        game.calls,
        game.history,
        game.winner,
        game.winners,
        list(game.legal_plays),
        game.legal_calls,
        [game.observation(seat) for seat in range(game.rules.players)],
    )


# --- one hand, step by step -------------------------------------------------------------------------------------------


def test_a_hand_from_deal_to_points() -> None:
    game = Game("classic", seed=7)
    assert game.deal == Deal.random("classic", 7)
    assert (game.phase, game.turn, game.landlord) == (Phase.AUCTION, game.deal.first_bidder, None)
    assert len(game.legal_plays) == 0
    first = game.turn
    game.call(2)
    game.call(0)
    assert game.bid == 2
    game.call(3)
    landlord = (first + 2) % 3
    assert (game.phase, game.turn, game.landlord, game.bid) == (Phase.PLAY, landlord, landlord, 3)
    assert game.hands[landlord] == game.deal.hands[landlord] + game.deal.bottom
    assert [len(hand) for hand in game.hands].count(17) == 2
    assert PASS_PLAY not in game.legal_plays
    rng = random.Random(1)
    while not game.over:
        random_step(game, rng)
    assert (game.phase, game.turn) == (Phase.OVER, None)
    assert len(game.legal_plays) == 0
    assert len(game.hands[game.winner]) == 0
    assert sum(game.payoffs) == 0
    assert set(game.winners) == ({landlord} if game.winner == landlord else {0, 1, 2} - {landlord})
    with pytest.raises(TurnError, match="expected nothing, the hand has ended"):
        game.push("pass")


@pytest.mark.parametrize(("name", "redeal"), [("classic", True), ("tencent", True), ("openspiel", False)])
def test_nobody_bids(name: str, redeal: bool) -> None:
    game = Game(name, seed=1)
    for _ in range(3):
        game.call(0)
    assert (game.phase, game.turn, game.landlord, game.redeal) == (Phase.OVER, None, None, redeal)
    assert game.payoffs == (0, 0, 0)
    assert game.winners == ()
    assert game.pop() == 0
    assert game.phase is Phase.AUCTION


def test_nobody_bids_and_the_first_caller_must_play() -> None:
    game = Game("botzone", seed=1)
    for _ in range(3):
        game.call(0)
    assert (game.phase, game.landlord, game.bid) == (Phase.PLAY, 0, 1)


@pytest.mark.parametrize("name", ["rlcard", "douzero"])
def test_no_auction(name: str) -> None:
    assert (Game(name, seed=1).phase, Game(name, seed=1).landlord) == (Phase.PLAY, 0)
    game = Game("classic", seed=1, landlord=2, bid=3)
    assert (game.landlord, game.turn, game.bid, game.has_auction) == (2, 2, 3, False)


def test_whoever_passed_may_play_again() -> None:
    game = Game.from_hands(["4569", "78TT", "JJQQ"])
    for play in ("4", "pass", "J"):
        game.push(play)
    assert game.turn == 0
    for play in ("pass", "pass"):
        game.push(play)
    assert (game.turn, game.to_beat) == (2, None)
    game.push("Q")
    game.push("pass")
    assert game.can_push("pass")
    assert not game.can_push("7")


@given(any_rules(), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_flow_like_reference(rules, seed: int, rng: random.Random) -> None:  # type: ignore[no-untyped-def]
    """Turn, play to beat and legal plays at every step of random endings."""
    hands = small_hands(seed, rules.players, 6, rules.decks, ranks=7)
    game = Game.from_hands(hands, rules)
    state = reference.State(tuple(hands), 0)
    while not game.over:
        assert game.turn == state.turn
        assert (reference.move_of(game.to_beat) if game.to_beat else None) == state.last
        legal = reference.legal_moves(state.hands[state.turn], state.last, rules)
        assert sorted(map(reference.move_of, game.legal_plays)) == sorted(legal)
        random_step(game, rng)
        state = reference.play(state, reference.move_of(game.history[-1][1]))
        assert tuple(map(str, game.hands)) == state.hands
    assert reference.result(state, rules) is not None


# --- lockstep and undo ------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(games())
def test_lockstep_with_the_compiled_position(game: Game) -> None:
    start = game.start
    if start is None:
        assert game.position is None
        return
    position = Position(
        game.rules.compiled, start.hands, turn=start.turn, landlord=start.landlord, last=start.last, factor=start.factor
    )
    for seat, play in game.history:
        assert position.turn == seat
        assert play in position.legal()
        position.play(play)
    now = game.position
    assert now is not None
    assert (position.key, position.hands, position.factor) == (now.key, now.hands, now.factor)
    assert list(game.legal_plays) == position.legal()
    assert (game.over, game.winner) == (position.over, position.winner)


@settings(max_examples=40)
@given(games(), seeds)
def test_undo_restores_everything(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    states = []
    while not game.over and len(states) < 40:
        states.append(snapshot(game))
        random_step(game, rng)
    twin = game.copy()
    for state in reversed(states):
        game.pop()
        assert snapshot(game) == state
    assert len(twin.history) + len(twin.calls) == len(game.history) + len(game.calls) + len(states)


@settings(max_examples=20)
@given(games())
def test_a_copy_is_independent(game: Game) -> None:
    before = snapshot(game)
    twin = game.copy()
    assert snapshot(twin) == before
    while twin.history or twin.calls:
        twin.pop()
    if not game.over:
        random_step(game.copy(), random.Random(1))
    assert snapshot(game) == before
    with pytest.raises(TurnError, match="nothing to take back"):
        twin.pop()


@settings(max_examples=20)
@given(games())
def test_the_ways_of_the_standard_library_copy_too(game: Game) -> None:
    before = snapshot(game)
    for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert snapshot(twin) == before
        if game.history or game.calls:
            assert twin.pop() is not None
        assert snapshot(game) == before
        if not twin.over:
            random_step(twin, random.Random(2))
        assert snapshot(game) == before


def test_same_seed_same_game() -> None:
    def play(name: str) -> tuple[object, ...]:
        game, rng = Game(name, seed=5), random.Random(3)
        while not game.over:
            random_step(game, rng)
        return game.history, game.payoffs

    for name in PRESETS:
        assert play(name) == play(name)


# --- legal plays ------------------------------------------------------------------------------------------------------


def test_legal_plays_are_a_lazy_sequence() -> None:
    game = Game.from_hands(["33345", "66", "77"])
    legal = game.legal_plays
    assert isinstance(legal, LegalPlays)
    assert list(map(str, legal)) == ["3", "4", "5", "33", "333", "3334", "3335"]
    assert (len(legal), str(legal[0]), str(legal[-1])) == (7, "3", "3335")
    assert list(map(str, legal[1:3])) == ["4", "5"]
    assert legal.index(classify("5", "classic")) == 2
    for index in (7, -8):
        with pytest.raises(IndexError):
            legal[index]
    assert "3334" in legal
    assert classify("33", "classic") in legal
    assert "44" not in legal
    assert "garbage" not in legal
    assert 3 not in legal
    assert repr(legal) == "<LegalPlays 7: 3, 4, 5, 33, 333, 3334, 3335>"
    for play in legal:  # the view is live, but iteration runs over what was legal when it began
        game.push(play)
        assert PASS_PLAY in legal
        game.pop()
    game.push("33")
    assert list(map(str, legal)) == ["pass", "66"]


# --- bad input --------------------------------------------------------------------------------------------------------


def test_illegal_plays_say_why_and_change_nothing() -> None:
    game = Game.from_hands(["333344569", "5556667", "JJQQXD"])
    wrong_leads = [
        ("pass", IllegalPlay, "a pass is not legal for the leader of a trick"),
        ("7", IllegalPlay, r"7 \(solo\) is not in the hand '333344569'"),
        ("333344", PlayError, "'333344' is no combination under the rules classic"),
        ("3z", CardsError, "unknown card"),
        ("33333", CardsError, "one pack has 4"),
        ("", CardsError, "no cards"),
    ]
    before = snapshot(game)
    for text, error, message in wrong_leads:
        with pytest.raises(error, match=message):
            game.push(text)
        with pytest.raises(error, match=message):
            game.verify_push(text)
        assert not game.can_push(text)
        assert snapshot(game) == before
    game.push("44")
    with pytest.raises(
        IllegalPlay, match=r"555 \(trio\) does not beat 44 \(pair\): expected a pass, a higher pair of 2"
    ):
        game.push("555")
    with pytest.raises(IllegalPlay, match="not in the hand"):
        game.push("33")
    game.push("55")
    assert (game.turn, str(game.to_beat), game.to_beat_by) == (2, "55", 1)


def test_plays_of_other_rules_are_refused() -> None:
    game = Game.from_hands(["33334456", "5", "6"])
    foreign = classify("333344", "rlcard")
    assert foreign not in game.legal_plays
    with pytest.raises(IllegalPlay, match=r"333344 \(quad with two solos\) does not exist under the rules classic"):
        game.push(foreign)
    game.push(classify("333356", "rlcard"))
    assert game.turn == 1


@pytest.mark.parametrize("number", [True, 3.0, 2.5, None])
def test_numbers_must_be_whole(number: Any) -> None:
    game = Game("classic", seed=7)
    assert not game.can_call(number)
    with pytest.raises(AuctionError, match=f"call {number}"):
        game.call(number)
    with pytest.raises(AuctionError, match=f"bid={number}"):
        Game.from_hands(["3", "4", "5"], bid=number)
    with pytest.raises(DealError, match=f"factor={number}"):
        Game.from_hands(["3", "4", "5"], factor=number)
    with pytest.raises(DealError, match="plays="):
        Game.from_hands(["3", "4", "5"], plays=[0, number, 0])
    game.call(np.int64(3))
    assert type(game.bid) is int and type(game.calls[0][1]) is int


def test_the_view_of_legal_plays_follows_the_game() -> None:
    game = Game("classic", seed=7)
    view = game.legal_plays
    assert len(view) == 0
    game.call(3)
    assert list(view) == list(game.legal_plays) and len(view) > 20
    for index in (1 << 40, -1 << 40, len(view), -len(view) - 1):
        with pytest.raises(IndexError, match="legal play"):
            view[index]
    assert view[-1] == view[len(view) - 1]
    game.pop()
    assert len(view) == 0


def test_wrong_phase() -> None:
    game = Game("classic", seed=1)
    with pytest.raises(TurnError, match=f"the play 3 in the phase auction: expected a call of seat {game.turn}"):
        game.push("3")
    for act in (game.call, game.verify_call):
        with pytest.raises(AuctionError, match="call 4"):
            act(4)
    assert game.verify_call(2) == 2
    assert game.calls == ()
    with pytest.raises(TurnError, match="payoffs in the phase auction"):
        _ = game.payoffs
    game.call(3)
    with pytest.raises(TurnError, match=f"the call 1 in the phase play: expected a play of seat {game.turn}"):
        game.call(1)
    with pytest.raises(TurnError, match="the call 1 in the phase play"):
        game.verify_call(1)
    assert not game.can_call(1)
    over = Game.from_hands(["3", "4", "5"])
    over.push("3")
    with pytest.raises(TurnError, match="expected a seat whose view to give"):
        over.observation()


@pytest.mark.parametrize(
    ("hands", "options", "error", "message"),
    [
        (["3", "4"], {}, DealError, "2 hands: expected 3 under the rules classic"),
        (["3", "", "5"], {}, DealError, "no cards in the hand of seat 1"),
        (["333", "33", "5"], {}, CardsError, "5 cards of rank 3"),
        (["3", "4", "5"], {"landlord": 3}, SeatError, "landlord=3: expected a seat, 0 to 2"),
        (["3", "4", "5"], {"turn": -1}, SeatError, "turn=-1"),
        (["3", "4", "5"], {"to_beat": "3", "to_beat_by": 0}, SeatError, "to_beat_by=0: expected another seat"),
        (["3", "4", "5"], {"to_beat": "34"}, PlayError, "'34' is no combination"),
        (["3333", "4", "5"], {"to_beat": "3"}, CardsError, "5 cards of rank 3"),
        (["3", "4", "5"], {"to_beat_by": 1}, SeatError, "to_beat_by=1 without a play to beat"),
        (["3", "4", "5"], {"bottom": "33333"}, CardsError, "5 cards of rank 3 in '33333': one pack has 4"),
        (["3", "4", "5"], {"bid": 4}, AuctionError, "bid=4: expected 1 to 3"),
        (["3", "4", "5"], {"factor": 0}, DealError, "factor=0: expected .*, 1 to 16777216"),
        (["3", "4", "5"], {"factor": 1 << 30}, DealError, "factor=1073741824"),
        (
            ["3", "4", "5"],
            {"to_beat": classify("777788", "rlcard")},
            PlayError,
            "777788 .* of other rules: expected a combination",
        ),
        (["3", "4", "5"], {"plays": [1, 2]}, DealError, r"plays=\(1, 2\): expected 3 numbers"),
        (["3", "4", "5"], {"rules": "nonsense"}, RulesError, "unknown rules 'nonsense'"),
    ],
)
def test_hands_that_make_no_game(
    hands: list[str], options: dict[str, object], error: type[DdzError], message: str
) -> None:
    with pytest.raises(error, match=message):
        Game.from_hands(hands, **options)  # type: ignore[arg-type]


def test_deals_that_make_no_game() -> None:
    with pytest.raises(DealError, match="3 hands: expected 4"):
        Game("classic4", Deal.random("classic", 1))
    with pytest.raises(AuctionError, match="bid=4: expected 1 to 3"):
        Game("classic", seed=1, landlord=0, bid=4)
    with pytest.raises(SeatError, match="landlord=5"):
        Game("classic", seed=1, landlord=5)
    with pytest.raises(RulesError, match="have no deal"):
        Game("classic,players=2", seed=1)


def test_two_hands() -> None:
    game = Game.from_hands(["33344456", "3456"], "rlcard,players=2")
    assert len(game.legal_plays) == 18
    game.push("33344456")
    assert game.winners == (0,)
    assert Hand() in game.hands
