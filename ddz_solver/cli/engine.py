"""speak the text protocol on standard input and output, or over TCP

Type `ddz` to see what it knows; PROTOCOL.md describes every command. Over TCP a match holds one connection for each
seat and each hand that is played at the same time. A connection that says nothing in its first minute is closed; any
other stays until the host ends it.

Examples:
  ddz engine
  ddz engine --tcp 7000 --option level=greedy     serve many connections on 127.0.0.1:7000
"""

from __future__ import annotations

import argparse

from ddz_solver.cli.common import add_options, read_options
from ddz_solver.engine.engine import Engine
from ddz_solver.engine.memory import keep_small
from ddz_solver.engine.server import MAX_CONNECTIONS, serve_stdio, serve_tcp
from ddz_solver.game.errors import DdzError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz engine`."""
    parser.add_argument("--tcp", type=int, metavar="PORT", help="serve 127.0.0.1:PORT instead; 0 takes a free port")
    parser.add_argument(
        "--connections",
        type=int,
        default=MAX_CONNECTIONS,
        metavar="N",
        help=f"with --tcp: how many connections there may be at a time ({MAX_CONNECTIONS})",
    )
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz engine`."""
    options = read_options(args.option)
    Engine(options)  # what is wrong with them is told now, and not to the first host
    keep_small()
    if args.tcp is None:
        serve_stdio(lambda: Engine(options))
        return 0
    if not 0 <= args.tcp < 1 << 16:
        raise DdzError(f"--tcp {args.tcp}: expected a port, 0 to 65535")
    if args.connections < 1:
        raise DdzError(f"--connections {args.connections}: expected 1 or more")
    try:
        serve_tcp(args.tcp, args.connections, options, lambda address: print(f"listening on {address}", flush=True))
    except OSError as error:
        raise DdzError(f"--tcp {args.tcp}: {error.strerror}") from None
    return 0
