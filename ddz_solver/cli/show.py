"""show a record: its tricks as text, or as a page that needs no server

RECORD is a file: a game as `ddz play` and the board write it, or the records of a match (text, or JSON lines).

Examples:
  ddz show game.txt
  ddz show games.jsonl --number 3
  ddz show game.txt --html game.html      one page with the table, a graph and the costliest decisions
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ddz_solver.cli.common import read_text
from ddz_solver.engine.replay import read_hand
from ddz_solver.game.auction import format_call
from ddz_solver.game.combos import format_play
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import tricks
from ddz_solver.web.page import game_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz show`."""
    parser.add_argument("record", metavar="RECORD", help="the file, - for standard input")
    parser.add_argument("--number", type=int, default=1, metavar="N", help="which record of a match (1)")
    parser.add_argument("--html", metavar="FILE", help="write a page instead")
    parser.add_argument("--no-analysis", action="store_true", help="a page without the engine's opinion")
    parser.add_argument("--seed", type=int, default=0, help="seed of everything that is drawn at random (0)")


def run(args: argparse.Namespace) -> int:
    """Runs `ddz show`."""
    game, names = read_hand(read_text(args.record), args.number)
    if args.html is None:
        _print_game(game, names)
        return 0
    page = game_page(game, names, analyse=not args.no_analysis, seed=args.seed)
    try:
        Path(args.html).write_text(page, encoding="utf-8")
    except OSError as error:
        raise DdzError(f"cannot write {args.html}: {error.strerror}") from None
    return 0


def _print_game(game: Game, names: Sequence[str]) -> None:
    """Prints the deal, the auction and the tricks."""
    labels = [names[seat] or f"seat {seat}" for seat in range(game.rules.players)]
    if len(set(labels)) < len(labels):
        labels = [f"{seat}:{label}" for seat, label in enumerate(labels)]
    width = max(map(len, labels))
    start = game.copy()
    while start.history:
        start.pop()
    print(f"{game.rules}, bid {game.bid}, doublings {game.factor}")
    for seat, hand in enumerate(start.hands):
        print(f"  {labels[seat]:{width}}  {hand}{'  (landlord)' if seat == game.landlord else ''}")
    if game.bottom is not None:
        print(f"  {'bottom':{width}}  {game.bottom}")
    if game.calls:
        print("auction: " + ", ".join(f"{labels[seat]} {format_call(bid)}" for seat, bid in game.calls))
    for number, trick in enumerate(tricks(game), 1):
        plays = ", ".join(f"{labels[seat]} {format_play(play, game.rules) if play else 'pass'}" for seat, play in trick)
        print(f"{number:3}. {plays}")
    if game.over:
        print(
            "points: " + ", ".join(f"{label} {points:+d}" for label, points in zip(labels, game.payoffs, strict=True))
        )
