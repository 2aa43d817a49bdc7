"""What a seat knows survives the way through a `View`, and a view refuses what cannot have happened."""

import random

import pytest

from ddz_solver.adapters.views import View
from ddz_solver.game.cards import Hand
from ddz_solver.game.errors import DdzError, DealError, IllegalPlay
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Phase
from ddz_solver.game.rules import PRESETS, Rules

BLIND = "tencent,bottom_shown=no,first_bidder=face_up"


@pytest.mark.parametrize("rules", [*PRESETS, BLIND])
def test_an_observation_comes_back(rules: str) -> None:
    rng = random.Random(rules)
    compared = 0
    for seed in range(8):
        game = Game(rules, seed=seed)
        while not game.over:
            if rng.random() < 0.2:
                for seat in range(game.rules.players):
                    seen = game.observation(seat)
                    view = View.of(seen)
                    assert view.observation() == seen
                    shuffled = view.game(view.deal(seed))
                    assert shuffled.observation(seat) == seen
                    compared += 1
            if game.phase is Phase.AUCTION:
                game.call(rng.choice(game.legal_calls))
            else:
                game.push(rng.choice(game.legal_plays))
    assert compared > 50


def test_a_seed_moves_only_what_is_hidden() -> None:
    game = Game("classic", seed=4, landlord=1)
    view = View.of(game.observation(0))
    deals = {str(view.deal(seed)) for seed in range(10)}
    assert len(deals) == 10
    assert all(text.startswith(str(view.dealt)) for text in deals)
    assert view.bottom is not None
    assert all(f"/{view.bottom} " in text for text in deals)


def test_what_cannot_have_happened_is_refused() -> None:
    rules = Rules.parse("rlcard")
    dealt = Hand.parse("33334444555566667")
    bottom = Hand.parse("789")
    with pytest.raises(DealError, match="expected 17"):
        View(rules, 1, Hand.parse("3334"), bottom, 0).observation()
    with pytest.raises(DealError, match="3"):
        View(rules, 1, dealt, Hand.parse("378"), 0).observation()
    with pytest.raises(DealError, match="3"):
        View(rules, 1, dealt, bottom, 0, plays=(Hand.parse("3"),)).observation()
    with pytest.raises(IllegalPlay, match="leader"):
        View(rules, 1, dealt, bottom, 0, plays=(Hand(),)).observation()
    plays = tuple(Hand.parse(cards) for cards in ("8888", "", "", "99TTJJQQKKAA", "", "", "7772"))
    with pytest.raises(DealError, match="seat 0 cannot have held"):
        View(rules, 1, dealt, Hand.parse("XD2"), 0, plays=plays).observation()
    with pytest.raises(DdzError):
        View(rules, 1, dealt, bottom, 0, plays=(Hand.parse("8"), Hand.parse("7"))).observation()
