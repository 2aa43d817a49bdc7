"""The `ddz` command.

Each subcommand is a module of this package with `add_arguments(parser)` and `run(args) -> exit code`. Only the module
of the command that was asked for is imported, so that the first answer comes fast.

Exit codes: 0 done, 1 the answer is no (a check failed), 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from ddz_solver import __version__
from ddz_solver.cli.common import printable, steady_streams
from ddz_solver.game.errors import DdzError

#: Subcommands in the order in which the help lists them, and what each does.
COMMANDS = {
    "hint": "rank the plays of a hand, with win chances and reasons",
    "bid": "say what each call of the auction is worth",
    "analyse": "take a hand apart: least plays, a good split, sure winners",
    "play": "play against the engine, auction included",
    "review": "compare every decision of a played game with the engine, worst first",
    "solve": "solve open hands exactly: who wins, with which plays, for how much",
    "moves": "list the legal plays of a hand",
    "botzone": "play as a bot on Botzone",
    "deal": "deal cards from a seed",
    "show": "show a record as text, or as a page that needs no server",
    "serve": "open the board in a browser, and the JSON API",
    "match": "play engines against each other",
    "engine": "speak the text protocol on standard input and output, or over TCP",
    "check-engine": "check a program that speaks the protocol, point by point",
    "train": "train networks by self-play",
    "replay": "show recorded hands and judge them again",
    "perft": "count lines of play, to test and time the move generator",
}


def _parser(command: str | None) -> argparse.ArgumentParser:
    """The parser; only the subcommand that is asked for gets its arguments."""
    parser = argparse.ArgumentParser(
        prog="ddz",
        description="Dou Dizhu (斗地主): hints, exact endings, matches. Cards are 3456789TJQKA2, X and D (jokers); "
        "10, BJ, RJ, 小王, 大王 and lower case are understood.",
        epilog="ddz COMMAND --help tells about one command.",
    )
    parser.add_argument("--version", action="version", version=f"ddz_solver {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        module = importlib.import_module(f"ddz_solver.cli.{name.replace('-', '_')}") if name == command else None
        sub = commands.add_parser(
            name,
            help=summary,
            description=module.__doc__ if module else summary,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if module:
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line (sys.argv by default) and returns its exit code."""
    steady_streams()
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    command = next((word for word in words if word in COMMANDS), None)
    try:
        options = _parser(command).parse_args(words)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except DdzError as error:
        print(f"ddz: {printable(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("ddz: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader has gone, as in `ddz moves ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a full disk, say, where nothing more can be said
        print(f"ddz: {f'{error.filename}: ' if error.filename else ''}{error.strerror or error}", file=sys.stderr)
        return 2
