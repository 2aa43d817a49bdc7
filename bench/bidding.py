"""Are the bid model's win chances true, and does its policy win points? On deals it was not fitted to.

  python -m bench.bidding --rules classic --deals 20000

Writes bench/results/bidding-RULES.json and the reliability plot bench/results/bidding-RULES.svg. Every deal is played
by the shipped networks once with each seat as the landlord; a chance is checked against these ends, a policy by
auctions on the same deals.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.plot import reliability_svg
from ddz_solver.ai.bid_model import BidModel, Floats, Output, auction_inputs, shipped
from ddz_solver.ai.evaluator import Evaluator
from ddz_solver.game.rules import Rules
from ddz_solver.train.bid_fit import Auctions, Policy, model_policy
from ddz_solver.train.bid_outcomes import Outcomes, kept_outcomes, play_outcomes

RESULTS = pathlib.Path(__file__).parent / "results"
BINS = 20
RANDOM_CALLS = 0.3
"""Share of random calls in the auctions that chances are checked in, so that all sorts of auctions occur."""


def count_policy(rules: Rules, needed: int) -> Policy:
    """Counts red joker 4, black joker 3, twos 2, bombs 4, and bids 1, 2, 3 from `needed`, +2, +4 points on."""
    quads = [4 * rules.decks * rank + 3 for rank in range(12)]
    twos, jokers = 48 * rules.decks, 52 * rules.decks

    def choose(inputs: Floats, highest: NDArray[np.int8]) -> NDArray[np.int8]:
        points = 4 * inputs[:, quads].sum(axis=1) + 2 * inputs[:, twos:jokers].sum(axis=1)
        points += 3 * inputs[:, jokers : jokers + rules.decks].sum(axis=1)
        points += 4 * inputs[:, jokers + rules.decks : jokers + 2 * rules.decks].sum(axis=1)
        worth = np.clip((points - needed) // 2 + 1, 0, 3)
        calls: NDArray[np.int8] = np.where(worth > highest, worth, 0).astype(np.int8)
        return calls

    return choose


def rocket_policy(rules: Rules) -> Policy:
    """Passes unless it holds the rocket or two bombs; then bids 3."""
    quads = [4 * rules.decks * rank + 3 for rank in range(12)]
    jokers = 52 * rules.decks

    def choose(inputs: Floats, highest: NDArray[np.int8]) -> NDArray[np.int8]:
        strong = (inputs[:, jokers : jokers + 2 * rules.decks].sum(axis=1) == 2 * rules.decks) | (
            inputs[:, quads].sum(axis=1) >= 2 * rules.decks
        )
        calls: NDArray[np.int8] = np.where(strong, 3, 0).astype(np.int8)
        return calls

    return choose


def random_policy(rng: np.random.Generator) -> Policy:
    """Any allowed call, all equally likely."""

    def choose(inputs: Floats, highest: NDArray[np.int8]) -> NDArray[np.int8]:
        steps = (rng.random(len(highest)) * (4 - highest)).astype(np.int8)
        calls: NDArray[np.int8] = np.where(steps > 0, highest + steps, 0).astype(np.int8)
        return calls

    return choose


def calibration(chances: NDArray[np.floating[Any]], won: NDArray[np.bool_]) -> dict[str, Any]:
    """Brier score, that of the constant mean chance, and a reliability curve."""
    which = np.minimum((chances * BINS).astype(int), BINS - 1)
    curve = [
        {"chance": float(chances[which == bin_].mean()), "won": float(won[which == bin_].mean()), "n": int(n)}
        for bin_ in range(BINS)
        if (n := (which == bin_).sum())
    ]
    error = sum(abs(point["chance"] - point["won"]) * point["n"] for point in curve) / len(won)
    return {
        "n": len(won),
        "brier": float(((chances - won) ** 2).mean()),
        "brier_of_constant": float(won.mean() * (1 - won.mean())),
        "expected_calibration_error": float(error),
        "curve": curve,
    }


def duel(auctions: Auctions, ours: Policy, theirs: Policy, rng: np.random.Generator) -> dict[str, float]:
    """Points a deal of one seat that bids by `ours` among seats that bid by `theirs`, all seats in turn."""
    players = auctions.rules.players
    total = np.zeros(len(auctions.scores), np.float64)
    for seat in range(players):
        policies = [ours if other == seat else theirs for other in range(players)]
        _, points = auctions.play(policies, rng)
        total += points[:, seat]
    mean = total / players
    return {"points": float(mean.mean()), "interval": float(1.96 * mean.std() / np.sqrt(len(mean)))}


def measure(rules: Rules, model: BidModel, outcomes: Outcomes) -> dict[str, Any]:
    """Everything that is reported, from held-out outcomes."""
    rng = np.random.default_rng(1)
    auctions = Auctions(outcomes, rules)
    policy = model_policy(model)
    lessons, _ = auctions.play([model_policy(model, rng, explore=RANDOM_CALLS)] * rules.players, rng)
    outputs = model(lessons.inputs.astype(np.float32))
    chances = 1 / (1 + np.exp(-outputs[:, [Output.LANDLORD_WIN, Output.PEASANT_WIN]]))
    known = lessons.as_peasant != 0
    hands = len(auctions.cards)
    nothing = auction_inputs(
        rules, np.full((hands, rules.players), -1, np.int8), np.zeros(hands, np.int8), np.zeros(hands, np.int8)
    )
    first = model(np.concatenate([auctions.cards, nothing], axis=1).astype(np.float32))[:, Output.LANDLORD_WIN]
    opponents: dict[str, Callable[[], Policy]] = {
        "random": lambda: random_policy(np.random.default_rng(2)),
        "counting": lambda: count_policy(rules, 7 * rules.decks),
        "passes unless rocket or two bombs": lambda: rocket_policy(rules),
    }
    landlord = calibration(chances[:, 0], lessons.as_landlord > 0)
    landlord["score_rmse"] = float(np.sqrt(((outputs[:, Output.LANDLORD_SCORE] - lessons.as_landlord) ** 2).mean()))
    landlord["score_bias"] = float((outputs[:, Output.LANDLORD_SCORE] - lessons.as_landlord).mean())
    return {
        "landlord_before_any_call": calibration(1 / (1 + np.exp(-first)), auctions.scores.ravel() > 0),
        "landlord": landlord,
        "peasant": calibration(chances[known, 1], lessons.as_peasant[known] > 0),
        "points_of_one_seat_against": {
            name: duel(auctions, policy, make(), np.random.default_rng(3)) for name, make in opponents.items()
        },
    }


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.bidding", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--deals", type=int, default=20_000, help="held-out deals (20000)")
    parser.add_argument("--outcomes", type=pathlib.Path, metavar="FILE", help="keep the outcomes here, or use them")
    args = parser.parse_args()
    rules = Rules.parse(args.rules)
    start = time.perf_counter()
    networks = Evaluator.load(rules).weights
    outcomes = kept_outcomes(
        args.outcomes,
        rules,
        networks.sha256,
        lambda: play_outcomes(
            rules,
            networks,
            args.deals,
            0,
            lambda done: print(f"\r{done} deals", end="", file=sys.stderr, flush=True),
        ),
    )
    model = shipped(rules.players, rules.decks)
    found = measure(rules, model, outcomes)
    report = {
        "date": time.strftime("%Y-%m-%d"),
        "rules": str(rules),
        "deals": len(outcomes),
        "weights": outcomes.weights,
        "model": model.info,
        "landlord_wins": float((outcomes.scores > 0).mean()),
        **found,
        "seconds": round(time.perf_counter() - start),
    }
    RESULTS.mkdir(exist_ok=True)
    name = f"bidding-{str(rules).replace(',', '-')}"
    (RESULTS / f"{name}.json").write_text(json.dumps(report, indent=1) + "\n")
    curves = {
        "as the landlord, before any call": found["landlord_before_any_call"]["curve"],
        "as the landlord, during the auction": found["landlord"]["curve"],
        "as a peasant": found["peasant"]["curve"],
    }
    (RESULTS / f"{name}.svg").write_text(reliability_svg(f"Win chance of the bid model, {rules}", curves))
    sides = ("landlord_before_any_call", "landlord", "peasant")
    print(json.dumps({key: value for key, value in report.items() if key not in sides}, indent=1))
    for side in sides:
        print(side, {key: value for key, value in found[side].items() if key != "curve"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
