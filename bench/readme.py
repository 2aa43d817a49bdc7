"""Writes the table of speeds in README.md from what `python -m bench` measured.

python -m bench && python -m bench.readme bench/results/release.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

PROGRAMS = ("DouZero", "RLCard", "OpenSpiel", "doudizhu-resolver")
README = Path(__file__).parent.parent / "README.md"


def quantity(value: float, unit: str) -> str:
    """A rate with three digits at least."""
    return f"{value:,.{max(0, 2 - len(str(int(value))) + 1)}f} {unit}"


def speed_table(report: dict[str, Any]) -> str:
    """The comparisons with other programs in a report as a table in Markdown, with the versions that were compared."""
    lines = ["| what | here | peer | there | ratio |", "|---|---:|---|---:|---:|"]
    for row in report["rows"]:
        peers = row["peers"]
        if not row["peer"].startswith(PROGRAMS) or not peers:
            continue
        cells = [
            row["question"],
            quantity(row["ours"], row["unit"]),
            row["peer"],
            quantity(peers, row["unit"]),
            f"{row['ours'] / peers:,.1f} x",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items() if version)
    return "\n".join([*lines, "", f"Measured on {report['date']}: {versions}."]) + "\n"


def put(page: str, name: str, content: str) -> str:
    """The page with what stands between `<!-- name -->` and `<!-- /name -->` replaced."""
    before, opening, rest = page.partition(f"<!-- {name} -->\n")
    _, closing, after = rest.partition(f"<!-- /{name} -->")
    if not opening or not closing:
        raise SystemExit(f"no section between <!-- {name} --> and <!-- /{name} -->")
    return before + opening + content + closing + after


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.readme", description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="the JSON of `python -m bench --json`")
    report = json.loads(parser.parse_args().report.read_text(encoding="utf-8"))
    README.write_text(put(README.read_text(encoding="utf-8"), "speed", speed_table(report)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
