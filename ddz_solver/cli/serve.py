"""open the board in a browser: hints, play, review, puzzles, and the JSON API

Only this machine reaches it, unless --host says otherwise. Needs the extra `web`: pip install 'ddz-solver[web]'.

Examples:
  ddz serve
  ddz serve --port 8080 --no-browser
  ddz serve --host 0.0.0.0 --name mybox.lan      for the local network
"""

from __future__ import annotations

import argparse

from ddz_solver.engine.memory import keep_small
from ddz_solver.game.errors import DdzError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz serve`."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1: this machine alone)")
    parser.add_argument("--port", type=int, default=8010, help="the port to listen on, 0 for any (8010)")
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a name by which browsers reach --host; repeatable"
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser")


def run(args: argparse.Namespace) -> int:
    """Runs `ddz serve`."""
    if not 0 <= args.port < 1 << 16:
        raise DdzError(f"--port {args.port}: expected 0 to 65535")
    try:
        from ddz_solver.web.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("ddz_solver"):
            raise
        raise DdzError(f"ddz serve needs {error.name}: expected pip install 'ddz-solver[web]'") from None
    keep_small()
    serve(args.host, args.port, names=args.name, browse=not args.no_browser)
    return 0
