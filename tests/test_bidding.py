"""Bids: legal calls, errors, that better hands are worth more, batches, and the model file."""

import json

import numpy as np
import pytest

from ddz_solver.ai.bid_model import BidModel, Output, column_count, has_model, shipped
from ddz_solver.ai.bidding import evaluate_bid, evaluate_bids, play_as_landlord, wilson
from ddz_solver.ai.evaluator import has_weights
from ddz_solver.cli import main
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.rules import Rules

STRONG = "3456789TJQKA222XD"
WEAK = "33455678899TJJQK4"
SIZES = ["classic", "classic4"]


def needs_model(rules: str) -> None:
    of = Rules.parse(rules)
    if not has_model(of):
        pytest.skip(f"no bid model ships for {rules}")


def test_choices_are_the_legal_calls() -> None:
    assert [choice.call for choice in evaluate_bid(STRONG)] == [0, 1, 2, 3]
    assert [choice.call for choice in evaluate_bid(STRONG, "pass 1")] == [0, 2, 3]
    assert [choice.call for choice in evaluate_bid(STRONG, [1, 0, 2])] == [0, 3]
    assert evaluate_bid(STRONG, "pass, pass").bids == (0, 0)


def test_where_only_winning_counts_values_are_win_chances() -> None:
    advice = evaluate_bid(STRONG, rules="classic,payoff=win")
    assert all(choice.points == choice.win == choice.points_if for choice in advice)
    assert advice.best.call > 0


def test_strong_hands_bid_and_weak_ones_pass() -> None:
    strong, weak = evaluate_bid(STRONG), evaluate_bid(WEAK)
    assert strong.best.call == 3
    assert weak.best.call == 0
    assert strong.choices[3].win > 0.8 > 0.5 > weak.choices[3].win
    assert strong.landlord_score > 0 > weak.landlord_score
    assert strong.choices[3].points_if == pytest.approx(6 * strong.landlord_score)


@pytest.mark.parametrize("rules", SIZES)
def test_observation_and_batch_agree_with_single_hands(rules: str) -> None:
    needs_model(rules)
    game = Game(rules, seed=3)
    game.call(0)
    seen = game.observation()
    assert evaluate_bid(seen) == evaluate_bid(seen.hand, [0], rules)
    hands = [Deal.random(rules, seed).hands[0] for seed in range(20)]
    for one, many in zip(hands, evaluate_bids(hands, "1", rules), strict=True):
        single = evaluate_bid(one, "1", rules)
        assert [choice.points for choice in single] == pytest.approx([choice.points for choice in many], abs=1e-4)


@pytest.mark.parametrize("rules", ["classic", "tencent", "botzone", "openspiel", "classic4"])
def test_every_auction_has_values(rules: str) -> None:
    needs_model(rules)
    hand = Deal.random(rules, 1).hands[0]
    assert all(np.isfinite(choice.points) for choice in evaluate_bid(hand, rules=rules))


@pytest.mark.skipif(not has_weights(Rules.parse("classic")), reason="no networks ship")
def test_playing_out_sharpens_the_win_chance() -> None:
    advice = evaluate_bid(STRONG, worlds=60, seed=1)
    assert advice.sampled is not None
    assert advice.sampled.win > 0.8
    assert advice.sampled == play_as_landlord(advice.hand, "classic", 60, 1)
    low, high = wilson(0.5, 100)
    assert 0.40 < low < 0.5 < high < 0.60


@pytest.mark.parametrize(
    ("hand", "bids", "rules", "parts"),
    [
        ("345", "", "classic", "3 cards .* expected 17, as dealt"),
        (STRONG, "", "classic4", "17 cards .* expected 25"),
        (STRONG, "4", "classic", "call 4 .* expected 0 or 1 or 2 or 3"),
        (STRONG, "2 1", "classic", "call 1 of seat 1: expected 0 or 3"),
        (STRONG, "3", "classic", "has ended with the calls 3"),
        (STRONG, "pass pass pass", "classic", "has ended with the calls pass pass pass"),
        (STRONG, "maybe", "classic", "'maybe' is no call"),
        (STRONG, "", "rlcard", "rlcard have no auction"),
        (STRONG[:-1] + "X", "", "classic", "2 cards of rank X"),
    ],
)
def test_misuse(hand: str, bids: str, rules: str, parts: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DdzError, match=parts):
        evaluate_bid(hand, bids, rules)
    assert main(["bid", hand, "--calls", bids, "--rules", rules]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_misuse_of_observations_and_worlds() -> None:
    with pytest.raises(DdzError, match="expected the seat that is to call"):
        evaluate_bid(Game(seed=1, landlord=0).observation())
    with pytest.raises(DdzError, match="worlds=-1"):
        evaluate_bid(STRONG, worlds=-1)
    with pytest.raises(DdzError, match="no bid model"):
        shipped(2, 1)
    with pytest.raises(DdzError, match="no bid model"):
        BidModel.load(b"nonsense")


@pytest.mark.parametrize("rules", SIZES)
def test_models_fit_their_tables(rules: str) -> None:
    needs_model(rules)
    of = Rules.parse(rules)
    model = shipped(of.players, of.decks)
    assert model.layers[0][0].shape[0] == column_count(of.players, of.decks)
    assert model(np.zeros((3, column_count(of.players, of.decks)), np.float32)).shape == (3, Output.COUNT)
    assert model.info["rules"] == rules


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bid", STRONG, "--calls", "pass 1", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["best"] == 3
    assert [choice["call"] for choice in shown["choices"]] == [0, 2, 3]
    assert main(["bid", STRONG, "--lang", "zh"]) == 0
    assert "最佳" in capsys.readouterr().out
    if has_weights(Rules.parse("classic")):
        assert main(["bid", STRONG, "--lang", "zh", "--worlds", "10"]) == 0
        assert "当地主打10局" in capsys.readouterr().out
