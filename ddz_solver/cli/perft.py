"""count lines of play, to test and time the move generator

Each further depth is counted until the time is up. The hands are dealt from the seed, the landlord leads.

Examples:
  ddz perft --depth 6
  ddz perft --seed 3 --rules classic4 --seconds 10
  ddz perft --hands 3345/44/6
"""

from __future__ import annotations

import argparse
import time

from ddz_solver.cli.common import add_json, add_rules, check_seed, print_json, print_table
from ddz_solver.core.position import Position
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DealError
from ddz_solver.game.rules import Rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz perft`."""
    parser.add_argument("--depth", type=int, default=100, help="deepest depth to count")
    parser.add_argument("--seconds", type=float, default=2.0, help="start no further depth after this time (2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deal (1)")
    parser.add_argument("--hands", metavar="HAND/HAND/...", help="these hands instead, the first one to lead")
    add_rules(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz perft`."""
    rules = Rules.parse(args.rules)
    hands = _hands(args, rules)
    position = Position(rules.compiled, [hand.bits for hand in hands])
    rows = []
    begin = time.perf_counter()
    for depth in range(1, args.depth + 1):
        start = time.perf_counter()
        lines = position.perft(depth)
        rows.append((depth, lines, time.perf_counter() - start))
        if time.perf_counter() - begin > args.seconds:
            break
        # who leads has a choice, so where nobody has had one for a whole round every line has come to its end
        if len(rows) > rules.players and all(lines == row[1] for row in rows[-1 - rules.players :]):
            break
    if args.json:
        found = [{"depth": depth, "lines": lines, "seconds": seconds} for depth, lines, seconds in rows]
        print_json({"hands": [str(hand) for hand in hands], "rules": str(rules), "perft": found})
    else:
        print("/".join(map(str, hands)))
        print_table(
            ("depth", "lines", "seconds", "lines/s"),
            [(depth, f"{n:,}", f"{t:.3f}", f"{n / t:,.0f}" if t else "") for depth, n, t in rows],
            right=(0, 1, 2, 3),
        )
    return 0


def _hands(args: argparse.Namespace, rules: Rules) -> list[Hand]:
    if args.depth < 1:
        raise DealError(f"--depth {args.depth}: expected 1 or more")
    if args.hands is None:
        deal = Deal.random(rules, check_seed(args.seed))
        return [deal.hands[0] + deal.bottom, *deal.hands[1:]]
    hands = [Hand.parse(part, rules.decks) for part in args.hands.split("/")]
    if len(hands) != rules.players or not all(hands):
        raise DealError(f"--hands {args.hands}: expected {rules.players} hands, none of them empty")
    sum(hands, Hand()).check(rules.decks)
    return hands
