"""Runs benchmarks, prints one table of ratios against peers, and writes JSON.

python -m bench                     all of them, short, into bench/results/release.json as well
python -m bench moves games         some
python -m bench --seconds 10 --json bench/results/today.json
"""

from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import platform
import sys
import time
from importlib import metadata

from bench.report import as_json, show
from ddz_solver import __version__

BENCHMARKS = ("moves", "worst_hands", "games", "match", "hints", "selfplay", "decisions", "solver", "web")
RELEASE = pathlib.Path(__file__).parent / "results" / "release.json"
PEERS = ("douzero", "rlcard", "open_spiel", "doudizhu-resolver", "numpy")


def versions() -> dict[str, str]:
    """Versions of all that is compared."""
    found = {"ddz-solver": __version__, "python": platform.python_version(), "machine": platform.processor()}
    for peer in PEERS:
        try:
            found[peer] = metadata.version(peer)
        except metadata.PackageNotFoundError:
            found[peer] = "not installed"
    return found


def main() -> int:
    """Runs the benchmarks named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help=f"which ones (all): {', '.join(BENCHMARKS)}")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each measurement (2)")
    parser.add_argument("--json", type=pathlib.Path, help="also write the rows to this file")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHMARKS):
        parser.error(f"no benchmark called {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    rows = []
    for name in options.names or BENCHMARKS:
        rows += importlib.import_module(f"bench.{name}").rows(options.seconds)
    show(rows)
    path = options.json or (None if options.names else RELEASE)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        report = {"date": time.strftime("%Y-%m-%d"), "versions": versions(), "rows": as_json(rows)}
        path.write_text(json.dumps(report, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
