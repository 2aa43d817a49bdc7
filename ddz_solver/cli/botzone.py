"""play as a bot on Botzone

Reads the judge's lines of JSON and answers them, for FightTheLandlord and FightTheLandlord2 alike. After each answer it
asks to be kept running; with --once it answers one line and ends.

Examples:
  ddz botzone                          what to start as a bot
  ddz botzone --level greedy --once < request.json
"""

from __future__ import annotations

import argparse
import sys

from ddz_solver.ai.agents import LEVELS
from ddz_solver.cli.common import check_seed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz botzone`."""
    parser.add_argument("--level", default=LEVELS[-1], choices=LEVELS, help=f"how to play (default {LEVELS[-1]})")
    parser.add_argument(
        "--time", type=float, default=0.7, metavar="S", help="seconds a decision, for levels that search (0.7)"
    )
    parser.add_argument("--seed", type=int, default=0, help="for the level's random choices (default 0)")
    parser.add_argument("--once", action="store_true", help="answer one line and end")


def run(args: argparse.Namespace) -> int:
    """Runs `ddz botzone`."""
    from ddz_solver.adapters.botzone import serve
    from ddz_solver.ai.agents import make_agent

    def write(line: str) -> None:
        print(line, flush=True)

    serve(
        make_agent(args.level, seed=check_seed(args.seed), time=args.time), sys.stdin, write, keep_running=not args.once
    )
    return 0
