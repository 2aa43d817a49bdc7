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
from ddz_solver.web.bids import describe_bid


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
        print_json(describe_bid(advice))
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
