"""compare every decision of a played game with the engine, worst first

FILE holds records of matches, or a game that `ddz play` saved. Every decision is judged on what its seat could know.
Points are those expected for the seat, bid and doublings included.

Examples:
  ddz review game.txt
  ddz review match.jsonl --number 3 --seat 1 --top 20
"""

from __future__ import annotations

import argparse

from ddz_solver.ai.review import Decision, review, worst
from ddz_solver.ai.roles import role_name
from ddz_solver.cli.common import add_json, print_json, print_table, read_text
from ddz_solver.cli.words import Words, add_language
from ddz_solver.engine.replay import read_hand
from ddz_solver.game.errors import DdzError, SeatError
from ddz_solver.game.game import Game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz review`."""
    parser.add_argument("file", metavar="FILE", help="records of hands, or a saved game")
    parser.add_argument("--number", type=int, default=1, metavar="N", help="which hand of the file, from 1 (1)")
    parser.add_argument("--seat", type=int, help="only this seat's decisions")
    parser.add_argument("--top", type=int, default=10, metavar="N", help="how many mistakes to show (10)")
    parser.add_argument("--seconds", type=float, default=0, metavar="S", help="think for so long about each play (0)")
    parser.add_argument(
        "--objective", metavar="win|score", help="what the engine plays for (by the payoff of the rules)"
    )
    add_language(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz review`."""
    if args.top < 1:
        raise DdzError(f"--top {args.top}: expected 1 or more")
    game, _ = read_hand(read_text(args.file), args.number)
    if args.seat is not None and not 0 <= args.seat < game.rules.players:
        raise SeatError(f"--seat {args.seat}: expected 0 to {game.rules.players - 1}")
    decisions = review(game, seconds=args.seconds, objective=args.objective)
    if args.seat is not None:
        decisions = [decision for decision in decisions if decision.seat == args.seat]
    if args.json:
        print_json([_describe(decision) for decision in decisions])
    else:
        print_review(game, decisions, args.top, Words(args.lang))
    return 0


def print_review(game: Game, decisions: list[Decision], top: int, words: Words) -> None:
    """Prints the worst decisions, and what every seat lost in all."""
    players = game.rules.players

    def name(seat: int, role: int | None) -> str:
        seat_name = words("seat", seat=seat)
        return seat_name if role is None else f"{seat_name} ({role_name(role, players, words.lang == 'zh')})"

    def choice(text: str, decision: Decision) -> str:
        return text if text != "pass" else words("no_bid" if decision.role is None else "pass")

    mistakes = worst(decisions)
    rows = [
        (
            decision.number,
            name(decision.seat, decision.role),
            decision.hand,
            words.play(decision.to_beat, game.rules) if decision.to_beat else "",
            choice(decision.choice, decision),
            choice(decision.best, decision),
            f"{decision.points_lost:.2f}",
            f"{decision.win_lost:.1%}",
            words("and").join(note.text(words.lang) for note in decision.reasons),
        )
        for decision in mistakes[:top]
    ]
    columns = ("number", "player", "hand", "over", "done", "better", "lost", "win_lost", "why_better")
    print_table([words(key) for key in columns], rows, right=(0, 6, 7))
    totals = []
    for seat in range(players):
        mine = [decision for decision in decisions if decision.seat == seat]
        if mine:
            lost = sum(decision.points_lost for decision in mine)
            agreed = sum(decision.choice == decision.best for decision in mine)
            role = None if game.landlord is None else (seat - game.landlord) % players
            totals.append((name(seat, role), len(mine), f"{agreed / len(mine):.0%}", f"{lost:.2f}"))
    print_table([words(key) for key in ("player", "decisions", "agreed", "lost")], totals, right=(1, 2, 3))


def _describe(decision: Decision) -> dict[str, object]:
    """A decision as JSON values."""
    return {
        "number": decision.number,
        "seat": decision.seat,
        "role": decision.role,
        "hand": str(decision.hand),
        "to_beat": str(decision.to_beat) if decision.to_beat else None,
        "choice": decision.choice,
        "best": decision.best,
        "lost": round(decision.lost, 4),
        "points_lost": round(decision.points_lost, 4),
        "win_lost": round(decision.win_lost, 4),
        "reasons": [note.key for note in decision.reasons],
    }
