"""show recorded hands and judge them again

Reads what `ddz match --record` and `ddz play` write, text or JSON lines. Every call and play is made again under the
rules of the record; whatever does not follow is told.

Examples:
  ddz replay match.ddz                 judge every hand
  ddz replay match.ddz --hand 3        show one hand, trick by trick
  ddz replay match.ddz --to jsonl      print the same records as JSON lines; --to text the other way
Exit codes: 0 all hands follow their rules, 1 some do not, 2 bad input.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ddz_solver.cli.common import add_json, print_json, print_table, read_text
from ddz_solver.engine.records import Record, RecordError, read_records
from ddz_solver.engine.replay import rejudge
from ddz_solver.game.auction import format_call
from ddz_solver.game.combos import format_play
from ddz_solver.game.game import Game
from ddz_solver.game.notation import parse_game, tricks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz replay`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="records, text or JSON lines")
    parser.add_argument("--hand", type=int, metavar="N", help="show this hand only, counted from 1")
    parser.add_argument("--to", choices=("text", "jsonl"), help="print the records in this form")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz replay`."""
    records = read_records(args.file)
    if not records:
        if args.to is not None or args.hand not in (None, 1):
            raise RecordError(f"{args.file}: a game, expected records of a match for --to and --hand")
        return _replay_game(read_text(args.file), args.json)
    if args.hand is not None:
        if not 1 <= args.hand <= len(records):
            raise RecordError(f"--hand {args.hand}: expected 1 to {len(records)}")
        records = records[args.hand - 1 : args.hand]
    if args.to is not None:
        for record in records:
            print(record.to_text() if args.to == "text" else json.dumps(record.to_json()))
        return 0
    first = args.hand or 1
    wrong = []
    for number, record in enumerate(records, first):
        try:
            game = rejudge(record)
        except RecordError as error:
            wrong.append({"hand": number, "error": str(error)})
            if not args.json:
                print(f"hand {number}: {error}")
        else:
            if args.hand is not None and not args.json:
                _show(record, game)
    if args.json:
        print_json({"hands": len(records), "wrong": wrong})
    else:
        print(f"{len(records)} hand{'s' * (len(records) != 1)}, {len(wrong)} wrong")
    return int(bool(wrong))


def _replay_game(text: str, as_json: bool) -> int:
    """Judge the text of a single game."""
    game = parse_game(text)
    if as_json:
        print_json({"hands": 1, "wrong": []})
    else:
        _show_game(game)
        print("1 hand, 0 wrong")
    return 0


def _show(record: Record, game: Game) -> None:
    names = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(record.players))
    print(f"{record.rules}: {names}")
    for fault in record.faults:
        print(f"fault of {record.players[fault.seat]} at decision {fault.ply}: {fault.termination}, {fault.detail}")
    _show_game(game)
    print(f"{record.termination}: {' '.join(f'{score:+}' for score in record.scores)}")


def _show_game(game: Game) -> None:
    """The hands, the auction and the tricks as tables."""
    seats = range(game.rules.players)
    if game.deal is not None:
        landlord = game.landlord
        rows = [(f"seat {seat}{' landlord' * (seat == landlord)}", game.deal.hands[seat]) for seat in seats]
        print_table(("dealt", "cards"), [*rows, ("bottom", game.deal.bottom)])
    if game.calls:
        print("auction: " + "  ".join(f"{seat}:{format_call(bid)}" for seat, bid in game.calls))
    rows_of_tricks = []
    for number, trick in enumerate(tricks(game), 1):
        made: list[list[str]] = [[] for _ in seats]
        for seat, play in trick:
            made[seat].append(format_play(play, game.rules))
        rows_of_tricks.append((number, *("  ".join(plays) for plays in made)))
    print_table(("trick", *(f"seat {seat}" for seat in seats)), rows_of_tricks)
