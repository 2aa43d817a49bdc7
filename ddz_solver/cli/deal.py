"""deal cards from a seed

The same seed gives the same deal on every platform and in every version.

Examples:
  ddz deal --seed 7
  ddz deal --seed 7 --number 100 --json     a hundred deals, from seeds 7, 8, ...
  ddz deal --rules classic4
"""

from __future__ import annotations

import argparse
import secrets

from ddz_solver.cli.common import add_json, add_rules, check_seed, print_json, print_table
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DealError
from ddz_solver.game.rules import Rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz deal`."""
    parser.add_argument("--seed", type=int, help="0 or higher (default: drawn at random, and told)")
    parser.add_argument("--number", type=int, default=1, metavar="N", help="how many deals (1)")
    parser.add_argument("--line", action="store_true", help="one line a deal, as the other commands read it")
    add_rules(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz deal`."""
    rules = Rules.parse(args.rules)
    if args.number < 1:
        raise DealError(f"--number {args.number}: expected 1 or more")
    first = secrets.randbelow(1 << 32) if args.seed is None else check_seed(args.seed)
    check_seed(first + args.number - 1)
    deals = ((seed, Deal.random(rules, seed)) for seed in range(first, first + args.number))
    if args.json:
        print_json([_describe(deal, seed) for seed, deal in deals])
    elif args.line:
        for _, deal in deals:
            print(deal)
    else:
        for seed, deal in deals:
            notes = {deal.first_bidder: f"calls first{f', was dealt the open {deal.face_up}' if deal.face_up else ''}"}
            rows = [(f"seat {seat}", hand, notes.get(seat, "")) for seat, hand in enumerate(deal.hands)]
            print_table((f"seed {seed}", "cards", ""), [*rows, ("bottom", deal.bottom, "")])
    return 0


def _describe(deal: Deal, seed: int) -> dict[str, object]:
    return {
        "seed": seed,
        "hands": [str(hand) for hand in deal.hands],
        "bottom": str(deal.bottom),
        "dealer": deal.dealer,
        "face_up": deal.face_up,
        "first_bidder": deal.first_bidder,
        "line": str(deal),
    }
