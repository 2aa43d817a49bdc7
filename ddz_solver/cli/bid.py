"""say what each call of the auction is worth

HAND is a hand as dealt: 17 cards, 25 with two decks. The calls so far begin with the first bidder.

Examples:
  ddz bid 3445567899TQKA2XD
  ddz bid 3345578899TJQQKA2 --calls "pass 1"
  ddz bid 3445567899TQKA2XD --worlds 500          also play it out as the landlord
  ddz bid 3445567899TQKA2XD --lang zh --json
"""

from __future__ import annotations

import argparse

from ddz_solver.ai.bidding import BidAdvice, evaluate_bid
from ddz_solver.cli.common import add_json, add_rules, print_json, print_table
from ddz_solver.cli.words import Words, add_language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz bid`."""
    parser.add_argument("hand", nargs="+", metavar="HAND", help="your cards as dealt")
    parser.add_argument("--calls", default="", metavar="CALLS", help='calls so far, such as "pass 1" (none)')
    parser.add_argument("--worlds", type=int, default=0, metavar="N", help="also play N random deals as the landlord")
    parser.add_argument("--seed", type=int, default=0, help="seed of those deals (0)")
    add_rules(parser)
    add_language(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz bid`."""
    advice = evaluate_bid(" ".join(args.hand), args.calls, args.rules, worlds=args.worlds, seed=args.seed)
    if args.json:
        print_json(_describe(advice))
    else:
        print_advice(advice, Words(args.lang))
    return 0


def print_advice(advice: BidAdvice, words: Words) -> None:
    """Prints what every call is worth, the best one marked."""
    rows = [
        (
            words("best") if choice is advice.best else "",
            words("bid", bid=choice.call) if choice.call else words("no_bid"),
            f"{choice.points:+.2f}",
            f"{choice.win:.1%}",
            f"{choice.points_if:+.2f}",
            words("if_landlord" if choice.call else "if_peasant"),
        )
        for choice in advice
    ]
    print(advice.hand)
    print_table(["", *(words(key) for key in ("call", "score", "win", "points_if", "if"))], rows, right=(2, 3, 4))
    if advice.sampled:
        played = advice.sampled
        low, high = (f"{bound:.1%}" for bound in played.interval)
        print(words("sampled", hands=played.hands, win=f"{played.win:.1%}", low=low, high=high, score=played.score))


def _describe(advice: BidAdvice) -> dict[str, object]:
    """The advice as JSON values."""
    played = advice.sampled
    return {
        "hand": str(advice.hand),
        "rules": str(advice.rules),
        "calls": list(advice.bids),
        "best": advice.best.call,
        "choices": [
            {
                "call": choice.call,
                "points": round(choice.points, 4),
                "win": round(choice.win, 4),
                "points_if": round(choice.points_if, 4),
            }
            for choice in advice
        ],
        "landlord_score": round(advice.landlord_score, 4),
        "peasant_score": round(advice.peasant_score, 4),
        "sampled": played
        and {
            "hands": played.hands,
            "win": round(played.win, 4),
            "interval": [round(bound, 4) for bound in played.interval],
            "score": round(played.score, 4),
        },
    }
