"""check a program that speaks the protocol, point by point

Starts the program several times: handshake, options, whole hands under every preset that it says it plays, time limit,
stop, ping while thinking, restart in the middle of a hand, garbage. PROTOCOL.md is what it is measured by.

Examples:
  ddz check-engine 'python3 my_engine.py'
  ddz check-engine ./my-engine --option threads=2 --json
  ddz check-engine tcp=127.0.0.1:7000                     an engine that listens
Exit codes: 0 it keeps to the protocol, 1 it does not, 2 bad input.
"""

from __future__ import annotations

import argparse

from ddz_solver.cli.common import add_json, add_options, print_json, printable, read_options
from ddz_solver.engine.compliance import Checker
from ddz_solver.engine.connection import Address
from ddz_solver.game.errors import DdzError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz check-engine`."""
    parser.add_argument(
        "program", metavar="COMMAND", help="the command that starts it, as one argument; or tcp=HOST:PORT"
    )
    add_options(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz check-engine`."""
    options = read_options(args.option)
    try:
        engine = Address.parse(args.program[4:]) if args.program.startswith("tcp=") else args.program
    except ValueError as error:
        raise DdzError(str(error)) from None
    checks = []
    for check in Checker(engine, options).run():
        checks.append(check)
        if not args.json:
            detail = f": {printable(check.detail)}" if check.detail else ""
            print(f"{'ok  ' if check.passed else 'FAIL'}  {check.name}{detail}", flush=True)
    wrong = sum(not check.passed for check in checks)
    if args.json:
        print_json({"command": args.program, "passed": not wrong, "checks": [check._asdict() for check in checks]})
    else:
        print(f"{len(checks) - wrong} of {len(checks)} points kept")
    return int(wrong > 0)
