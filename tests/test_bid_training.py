"""Fitting the bid model: auctions settle as the game's own do, and a model fitted to clear deals bids by them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ddz_solver.ai.bid_model import BidModel, Floats, Output
from ddz_solver.ai.evaluator import Evaluator
from ddz_solver.game.auction import Auction, Outcome
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import Rules
from ddz_solver.train import bidding
from ddz_solver.train.bid_fit import Auctions, fit, model_policy
from ddz_solver.train.bid_outcomes import Outcomes, kept_outcomes, play_outcomes

CLASSIC = Rules.parse("classic")


def clear_outcomes(deals: int, rules: Rules = CLASSIC) -> Outcomes:
    """Random deals that a landlord wins for 2 with the red joker in the hand, and loses for 1 without."""
    hands = np.array(
        [[hand.bits for hand in Deal.random(rules, seed).hands] for seed in range(deals)],
        np.uint64,
    )
    strong = hands >> np.uint64(4 * 14) > 0
    return Outcomes(rules, hands, np.where(strong, 2, -1).astype(np.int8))


@pytest.mark.parametrize("rules", ["classic", "openspiel", "botzone", "tencent", "classic4"])
def test_auctions_go_as_in_the_game(rules: str) -> None:
    """Random calls, auction by auction: the same turns, the same end, the landlord's points by bid and deal."""
    of = Rules.parse(rules)
    outcomes = clear_outcomes(60, of)
    rng = np.random.default_rng(1)

    def policy(inputs: Floats, highest: NDArray[np.int8]) -> NDArray[np.int8]:
        made = rng.integers(0, 4, len(highest)).astype(np.int8)
        return np.where(made > highest, made, 0).astype(np.int8)

    lessons, points = Auctions(outcomes, of).play([policy] * of.players, rng)
    assert not points.sum(axis=1).any()
    ends = set()
    for deal, paid in enumerate(points.tolist()):
        mine = lessons.rows // of.players == deal
        seats, calls = (lessons.rows[mine] % of.players).tolist(), lessons.calls[mine].tolist()
        auction = Auction(of, seats[0])
        for seat, call in zip(seats, calls, strict=True):
            assert auction.turn == seat
            auction.call(call)
        assert auction.turn is None
        ends.add(auction.outcome)
        landlord = auction.landlord
        if landlord is None:
            assert paid == [0] * of.players
        else:
            assert paid[landlord] == outcomes.scores[deal, landlord] * auction.stake * (of.players - 1)
        assert lessons.points[mine].tolist() == [paid[seat] for seat in seats]
    assert Outcome.LANDLORD in ends


def test_a_fitted_model_bids_on_the_hands_that_win() -> None:
    losses: list[float] = []
    model = fit(clear_outcomes(1500), [CLASSIC], 120, seed=1, progress=lambda number, loss: losses.append(loss))
    assert losses[-1] < losses[0] / 2
    held_out = clear_outcomes(400)
    lessons, points = Auctions(held_out).play([model_policy(model)] * 3, np.random.default_rng(2))
    strong = held_out.scores.max(axis=1) > 0
    assert points[strong].max(axis=1).mean() > 11, "three is bid and won, for 12 points, where a seat has the joker"
    chances = model(lessons.inputs.astype(np.float32))[:, Output.LANDLORD_WIN]
    assert chances[lessons.as_landlord > 0].mean() > chances[lessons.as_landlord < 0].mean() + 5


def test_same_seed_same_model() -> None:
    one, two, other = (fit(clear_outcomes(600), [CLASSIC], 3, seed) for seed in (1, 1, 2))
    weights = [np.concatenate([array.ravel() for array, _ in model.layers]) for model in (one, two, other)]
    assert weights[0].tobytes() == weights[1].tobytes() != weights[2].tobytes()


def test_outcomes_are_those_of_the_networks_and_keep(tmp_path: Path) -> None:
    weights = Evaluator.load(CLASSIC).weights
    done: list[int] = []
    outcomes = play_outcomes(CLASSIC, weights, 6, 11, done.append)
    assert done == [6]
    assert len(outcomes) == 6
    assert {int(score) for score in np.abs(outcomes.scores).ravel()} <= {1, 2, 4, 8, 16}
    assert Hand(int(outcomes.hands[2, 1])) == Deal.random(CLASSIC, 13).hands[1]
    outcomes.save(tmp_path / "kept")
    kept = Outcomes.load(tmp_path / "kept")
    assert kept.rules == CLASSIC
    assert kept.weights == weights.sha256
    assert np.array_equal(kept.scores, outcomes.scores)
    assert np.array_equal(play_outcomes(CLASSIC, weights, 6, 11).scores, outcomes.scores)


def test_the_command_writes_a_model_and_uses_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, made = tmp_path / "kept.npz", tmp_path / "bid.npz"
    words = ["bidding", "--deals", "5", "--rounds", "2", "--outcomes", str(kept), "--out", str(made)]
    monkeypatch.setattr("sys.argv", words)
    assert bidding.main() == 0
    first = made.read_bytes()
    before = kept.stat().st_mtime_ns
    assert bidding.main() == 0
    assert kept.stat().st_mtime_ns == before
    assert BidModel.load(made.read_bytes()).info == {
        "rules": "classic",
        "deals": 5,
        "rounds": 2,
        "seed": 0,
        "weights": Evaluator.load(CLASSIC).weights.sha256,
    }
    assert len(first) == made.stat().st_size
    assert f"{made}: {len(first)} bytes" in capsys.readouterr().err


def test_outcomes_are_kept_for_their_rules_and_networks_alone(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    made = [kept_outcomes(file, CLASSIC, "", lambda: clear_outcomes(3)) for _ in range(2)]
    assert np.array_equal(made[0].hands, made[1].hands)
    other = Rules.parse("classic,spring=each")
    with pytest.raises(DdzError, match="holds outcomes under the rules classic: expected classic,spring=each"):
        kept_outcomes(file, other, "", lambda: clear_outcomes(3, other))
    replace(made[0], weights="0123456789abcdef").save(file)
    with pytest.raises(DdzError, match="holds outcomes of the networks 0123456789ab: expected fedcba987654"):
        kept_outcomes(file, CLASSIC, "fedcba9876543210", lambda: clear_outcomes(3))
    assert kept_outcomes(None, other, "", lambda: clear_outcomes(4, other)).rules == other


def test_damaged_outcomes(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    good = clear_outcomes(3)
    for odd in (
        Outcomes(Rules.parse("classic4"), good.hands, good.scores),
        Outcomes(CLASSIC, good.hands[:2], good.scores),
        Outcomes(CLASSIC, good.hands.astype(np.int64), good.scores),  # type: ignore[arg-type]
        Outcomes(CLASSIC, good.hands[0], good.scores[0]),
    ):
        odd.save(file)
        with pytest.raises(DdzError, match="holds no outcomes of deals"):
            Outcomes.load(file)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rules", "chess"], "unknown rules 'chess'"),
        (["--rules", "classic,players=2"], "no weights ship for 2 players"),
        (["--weights", "nowhere.ddz"], "nowhere.ddz"),
        (["--deals", "0"], "expected 1 or more"),
        (["--rounds", "0"], "expected 1 or more"),
        (["--seed", "-1"], "0 or more"),
    ],
)
def test_the_command_says_what_is_wrong(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["bidding", "--deals", "2", "--rounds", "1", "--out", str(tmp_path / "x"), *words])
    try:
        code = bidding.main()
    except SystemExit as stopped:
        code = stopped.code  # type: ignore[assignment]
    assert code == 2
    assert message in capsys.readouterr().err
