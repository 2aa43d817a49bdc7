"""Sessions of many hands."""

import copy
import pickle
import random

import pytest
from strategies import random_step

from ddz_solver import Session, TurnError


def play_hand(session: Session, rng: random.Random) -> tuple[int, ...]:
    game = session.game
    while not game.over:
        random_step(game, rng)
    return game.payoffs


@pytest.mark.parametrize("rules", ["classic", "classic4", "openspiel", "douzero"])
def test_a_session(rules: str) -> None:
    session, rng = Session(rules, seed=11), random.Random(2)
    players = session.rules.players
    account, dealers, booked = [0] * players, [session.game.deal.dealer], 0
    for _ in range(12):
        points = play_hand(session, rng)
        redeal = session.game.redeal
        session.next_hand()
        account = [old + new for old, new in zip(account, points, strict=True)]
        booked += not redeal
        dealers.append(session.game.deal.dealer)
        assert dealers[-1] == (dealers[-2] + (not redeal)) % players
        assert session.account == tuple(account)
        assert len(session.results) == booked
    assert sum(session.account) == 0
    assert session.leaders == tuple(seat for seat in range(players) if account[seat] == max(account))


def test_nobody_bids_and_the_same_dealer_deals_again() -> None:
    session = Session("classic", seed=1)
    deal = session.game.deal
    for _ in range(3):
        session.game.call(0)
    again = session.next_hand().deal
    assert session.results == []
    assert again.hands != deal.hands
    assert again.dealer == deal.dealer


def test_a_hand_must_be_over() -> None:
    session = Session("classic", seed=1)
    with pytest.raises(TurnError, match="in the phase auction: expected its end"):
        session.next_hand()
    assert session.account == (0, 0, 0)
    assert repr(session) == "<Session classic: 0 hands, account 0 0 0>"
    assert session.winner is None
    assert session.leaders == (0, 1, 2)


def test_a_winner() -> None:
    session, rng = Session("douzero", seed=3), random.Random(3)
    while session.winner is None:
        play_hand(session, rng)
        session.next_hand()
    assert session.account[session.winner] == max(session.account)


def test_same_seed_same_deals() -> None:
    deals = []
    for _ in range(2):
        session, rng = Session("classic", seed=8), random.Random(1)
        for _ in range(3):
            play_hand(session, rng)
            session.next_hand()
        deals.append(session.game.deal)
    assert deals[0] == deals[1]
    assert Session("classic", seed=9).game.deal != Session("classic", seed=8).game.deal


def test_copies_deal_the_same_hands() -> None:
    session = Session("classic", seed=4)
    play_hand(session, random.Random(1))
    session.next_hand()
    for twin in (copy.deepcopy(session), pickle.loads(pickle.dumps(session))):
        assert (twin.account, twin.game.deal) == (session.account, session.game.deal)
        for one in (session.game, twin.game):
            while not one.over:
                random_step(one, random.Random(len(one.history)))
        assert twin.next_hand().deal == copy.deepcopy(session).next_hand().deal != session.game.deal
