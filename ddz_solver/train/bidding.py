"""Train the bid model: play deals with the networks, then fit. One command redoes it when the networks are better.

python -m ddz_solver.train.bidding --rules classic --deals 60000 --out ddz_solver/data/bid3.npz
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ddz_solver.ai.bid_model import BidModel
from ddz_solver.ai.evaluator import Evaluator
from ddz_solver.ai.weights import load_weights
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import PRESETS, Rules
from ddz_solver.train.bid_fit import fit
from ddz_solver.train.bid_outcomes import Outcomes, kept_outcomes, play_outcomes

TRAINING_SEED = 1 << 40
"""Seed of the first training deal; deals held out for measurements come from small seeds."""


def variants(rules: Rules) -> list[Rules]:
    """The same rules with the auction of every preset for as many players."""
    found = {
        (preset.auction, preset.all_pass): replace(rules, auction=preset.auction, all_pass=preset.all_pass)
        for preset in PRESETS.values()
        if preset.auction != "none" and preset.players == rules.players
    }
    return [rules, *(variant for variant in found.values() if variant != rules)]


def train(
    rules: Rules, deals: int, rounds: int, seed: int, weights: Path | None = None, outcomes: Path | None = None
) -> BidModel:
    """A bid model for tables of the size of `rules`.

    Outcomes are read from the file `outcomes` if it is there, and written to it if it is not. DdzError, OSError: a file
    that cannot be used, deals of other rules or networks, or rules without networks or without a deal.
    """
    start = time.perf_counter()
    networks = load_weights(weights) if weights else Evaluator.load(rules).weights

    def play() -> Outcomes:
        return play_outcomes(rules, networks, deals, TRAINING_SEED + seed, _report(f"of {deals} deals", start))

    data = kept_outcomes(outcomes, rules, networks.sha256, play)
    model = fit(
        data, variants(rules), rounds, seed, lambda number, loss: _report(f"rounds, loss {loss:.4f}", start)(number)
    )
    info = {"rules": str(rules), "deals": len(data), "rounds": rounds, "seed": seed, "weights": data.weights}
    return replace(model, info=info)


def _report(what: str, start: float) -> Callable[[int], None]:
    def report(number: int) -> None:
        print(f"\r{number} {what}, {time.perf_counter() - start:.0f} s", end="", file=sys.stderr, flush=True)

    return report


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m ddz_solver.train.bidding",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rules", default="classic", help="rules of the deals (classic)")
    parser.add_argument("--deals", type=int, default=60_000, help="deals to play, each once a seat (60000)")
    parser.add_argument("--rounds", type=int, default=60, help="auctions on every deal (60)")
    parser.add_argument("--seed", type=int, default=0, help="seed of deals and fitting (0)")
    parser.add_argument("--weights", type=Path, help="networks that play the deals (the shipped ones)")
    parser.add_argument("--outcomes", type=Path, metavar="FILE", help="keep the outcomes here, or use them")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the model")
    args = parser.parse_args()
    if min(args.deals, args.rounds) < 1 or args.seed < 0:
        parser.error("--deals and --rounds: expected 1 or more; --seed: 0 or more")
    try:
        model = train(Rules.parse(args.rules), args.deals, args.rounds, args.seed, args.weights, args.outcomes)
        model.save(args.out)
    except (DdzError, OSError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    print(f"\n{args.out}: {args.out.stat().st_size} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
