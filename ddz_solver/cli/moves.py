"""list the legal plays of a hand

Examples:
  ddz moves 34567899TTJJQQKKA22X            what the hand can lead, by kind
  ddz moves 34567899TTJJQQKKA22X --last 88  what it can play over a pair of eights
  ddz moves 3334445556667778 --rules tencent --count
"""

from __future__ import annotations

import argparse
from itertools import groupby

from ddz_solver.cli.common import add_json, add_rules, print_json, print_table
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import format_play, kind_name, legal_plays, parse_play
from ddz_solver.game.rules import Rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz moves`."""
    parser.add_argument("hand", nargs="+", metavar="HAND", help="the cards, such as 33445566TJQKA2X")
    parser.add_argument("--last", metavar="PLAY", help="the play to beat (default: none, the hand leads)")
    parser.add_argument("--count", action="store_true", help="print only how many there are")
    add_rules(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz moves`."""
    rules = Rules.parse(args.rules)
    hand = Hand.parse(" ".join(args.hand), rules.decks)
    last = parse_play(args.last, rules) if args.last else None
    plays = legal_plays(hand, last, rules)
    if args.json:
        described = [] if args.count else [_describe(play, rules) for play in plays]
        print_json({"hand": str(hand), "rules": str(rules), "count": len(plays), "plays": described})
    elif args.count:
        print(len(plays))
    else:
        grouped = [(kind, list(group)) for kind, group in groupby(plays, key=lambda play: play.kind)]
        rows = [
            (kind_name(kind), len(group), " ".join(format_play(play, rules) for play in group))
            for kind, group in grouped
        ]
        print_table(("kind", "plays", f"{len(plays)} plays of {hand}"), rows, right=(1,))
    return 0


def _describe(play: Play, rules: Rules) -> dict[str, object]:
    return {
        "play": format_play(play, rules),
        "cards": str(Hand(play.cards)),
        "kind": play.kind.name.lower(),
        "rank": play.rank,
        "length": play.length,
    }
