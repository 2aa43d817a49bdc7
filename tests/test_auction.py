"""The auction of every preset, call by call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import presets

from ddz_solver import PRESETS, Auction, AuctionError, Outcome, SeatError
from ddz_solver.game.auction import format_call, parse_call


def after(rules: str, calls: list[int], first: int = 0) -> Auction:
    auction = Auction(rules, first)
    for bid in calls:
        auction.call(bid)
    return auction


@pytest.mark.parametrize(
    ("rules", "first", "calls", "landlord", "stake"),
    [
        ("classic", 0, [3], 0, 3),
        ("classic", 2, [3], 2, 3),
        ("classic", 0, [1, 0, 0], 0, 1),
        ("classic", 0, [0, 1, 0, 0], 1, 1),
        ("classic", 0, [0, 0, 1, 0, 0], 2, 1),
        ("classic", 1, [0, 1, 0, 2, 0, 0], 1, 2),  # whoever passed bids again and wins
        ("classic", 0, [1, 2, 0, 3], 0, 3),
        ("classic4", 0, [1, 0, 0, 0], 0, 1),
        ("classic4", 3, [0, 1, 2, 0, 0, 0], 1, 2),
        ("openspiel", 0, [0, 1, 0, 2, 0, 3], 2, 3),
        ("botzone", 0, [1, 0, 2], 2, 2),
        ("botzone", 0, [1, 0, 0], 0, 1),
        ("botzone", 0, [0, 0, 0], 0, 1),
        ("botzone", 0, [0, 3], 1, 3),
        ("classic,all_pass=forced", 2, [0, 0, 0], 2, 1),
        ("tencent", 1, [1, 2, 0], 2, 2),
        ("rlcard", 0, [], 0, 1),
        ("douzero", 0, [], 0, 1),
    ],
)
def test_who_becomes_landlord(rules: str, first: int, calls: list[int], landlord: int, stake: int) -> None:
    auction = Auction(rules, first)
    for bid in calls:
        assert auction.outcome is None
        assert auction.landlord is None
        auction.call(bid)
    assert (auction.outcome, auction.landlord, auction.stake) == (Outcome.LANDLORD, landlord, stake)
    assert auction.turn is None
    assert auction.legal_calls == ()


@pytest.mark.parametrize(
    ("rules", "calls", "outcome"),
    [
        ("classic", [0, 0, 0], Outcome.REDEAL),
        ("classic4", [0, 0, 0, 0], Outcome.REDEAL),
        ("tencent", [0, 0, 0], Outcome.REDEAL),
        ("openspiel", [0, 0, 0], Outcome.NO_SCORE),
        ("classic,all_pass=forced", [0, 0, 0], Outcome.LANDLORD),
    ],
)
def test_nobody_bids(rules: str, calls: list[int], outcome: Outcome) -> None:
    assert after(rules, calls).outcome is outcome


@pytest.mark.parametrize(
    ("rules", "calls"),
    [
        ("classic", [0, 0]),
        ("classic", [1, 0]),
        ("classic", [1, 0, 2, 0]),
        ("classic4", [1, 0, 0]),
        ("classic4", [0, 0, 0]),
        ("botzone", [1, 2]),
    ],
)
def test_not_over_yet(rules: str, calls: list[int]) -> None:
    auction = after(rules, calls)
    assert auction.outcome is None
    assert auction.turn == len(calls) % auction.rules.players


def test_legal_calls() -> None:
    auction = Auction("classic", 1)
    assert (auction.turn, auction.legal_calls) == (1, (0, 1, 2, 3))
    auction.call(1)
    assert (auction.turn, auction.legal_calls) == (2, (0, 2, 3))
    auction.call(2)
    assert (auction.turn, auction.legal_calls) == (0, (0, 3))
    assert auction.calls == ((1, 1), (2, 2))
    assert auction.can_call(3)
    assert auction.verify_call(3) == 3
    assert not auction.can_call(2)
    assert repr(auction) == "<Auction classic: 1:1 2:2, turn 0, landlord None>"
    assert repr(Auction("rlcard")) == "<Auction rlcard: no call yet, turn None, landlord 0>"


@pytest.mark.parametrize(
    ("calls", "bid", "message"),
    [
        ([], 4, "call 4 of seat 0: expected 0 or 1 or 2 or 3"),
        ([], -1, "call -1 of seat 0"),
        ([2], 2, "call 2 of seat 1: expected 0 or 3"),
        ([3], 0, "call 0 after the end of the auction"),
        ([1, 0, 0], 2, "after the end"),
    ],
)
def test_wrong_calls(calls: list[int], bid: int, message: str) -> None:
    auction = after("classic", calls)
    for act in (auction.call, auction.verify_call):
        with pytest.raises(AuctionError, match=message):
            act(bid)
    assert [made for _, made in auction.calls] == calls


@given(presets, st.integers(0, 2), st.data())
def test_undo_restores_everything(rules, first: int, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
    auction = Auction(rules, first)
    states = []
    while auction.outcome is None:
        states.append((auction.calls, auction.turn, auction.highest, auction.legal_calls))
        auction.call(data.draw(st.sampled_from(auction.legal_calls)))
    twin = auction.copy()
    for state in reversed(states):
        auction.undo()
        assert (auction.calls, auction.turn, auction.highest, auction.legal_calls) == state
        assert (auction.outcome, auction.landlord) == (None, None)
    with pytest.raises(AuctionError, match="no call to take back"):
        auction.undo()
    assert len(twin.calls) == len(states)


def test_every_auction_ends() -> None:
    """All auctions of every preset, call by call: each ends, with the highest bidder as landlord if there is one."""
    for rules in PRESETS.values():
        open_auctions, ended = [Auction(rules, 0)], 0
        while open_auctions:
            auction = open_auctions.pop()
            if auction.outcome is not None:
                ended += 1
                bids = [bid for _, bid in auction.calls if bid]
                assert bids == sorted(set(bids))
                if bids:
                    assert (auction.landlord, bids[-1]) in auction.calls
                continue
            for bid in auction.legal_calls:
                twin = auction.copy()
                twin.call(bid)
                open_auctions.append(twin)
        # With n seats, a bid of 3 has 1 continuation, 2 has 1 + (n-1), 1 has 1 + (n-1)(n+1); then 0 to n-1 passes
        # before the first bid, and the auction without one. One call each of 3 seats: counted by hand.
        n = rules.players
        rounds = 1 + n * (1 + (1 + (n - 1)) + (1 + (n - 1) * (n + 1)))
        assert ended == {"rounds": rounds, "once": 20, "none": 1}[rules.auction]


def test_calls_as_text() -> None:
    assert [parse_call(text) for text in ("pass", " 3 ", "-", "0", "不叫")] == [0, 3, 0, 0, 0]
    assert [format_call(bid) for bid in (0, 2)] == ["pass", "2"]
    for text in ("", "x", "-1", "12", "1.5", "²"):
        with pytest.raises(AuctionError, match="is no call"):
            parse_call(text)


def test_no_such_seat() -> None:
    with pytest.raises(SeatError, match="first_bidder=3: expected a seat, 0 to 2"):
        Auction("classic", 3)
