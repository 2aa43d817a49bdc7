"""The strength of the shipped networks as a Markdown table, from the records of `python -m bench.strength`.

python -m bench.strength_table [--records FILE] [--readme README.md]

Matches of the same players for the same aim over different deals (`--seed`) are one row. With `--readme` the table
replaces what stands between `<!-- strength -->` and `<!-- /strength -->`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bench.readme import put

RECORDS: Final = Path(__file__).parent / "results" / "strength.jsonl"
NAMES: Final = {"douzero": "DouZero ADP", "rlcard": "RLCard rule agent", "random": "random"}
AIMS: Final = {"win": "the win", "score": "points"}


def together(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One record of all deals of some matches that differ in their seeds alone: means, and their standard errors."""
    shares = [record["deals"] / sum(record["deals"] for record in records) for record in records]
    found = {**records[-1], "deals": sum(record["deals"] for record in records)}
    for name in ("wp", "adp", "wp_landlord", "wp_farmers"):
        found[name] = sum(share * record[name] for share, record in zip(shares, records, strict=True))
    for name in ("wp_se", "adp_se"):
        found[name] = math.hypot(*(share * record[name] for share, record in zip(shares, records, strict=True)))
    found["seeds"] = ", ".join(str(record["seed"]) for record in records)
    times = (share / record["decisions_per_second"] for share, record in zip(shares, records, strict=True))
    found["decisions_per_second"] = 1 / sum(times)
    return found


def rows(records: list[dict[str, Any]]) -> list[str]:
    """The table's lines; 95 % intervals over deals, which are played in both seatings."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault(tuple(record[name] for name in ("player", "objective", "against", "net")), []).append(record)
    heads = (
        "player", "plays for", "against", "deals x 2", "seeds", "win rate", "as landlord", "as peasants",
        "points a deal", "decisions/s", "networks, date",
    )  # fmt: skip
    found = [_line(heads), "|---" * len(heads) + "|"]
    for record in map(together, groups.values()):
        cells = (
            record["player"],
            AIMS[record["objective"]],
            NAMES.get(record["against"], record["against"]),
            record["deals"],
            record["seeds"],
            f"**{record['wp']:.3f}** ± {1.96 * record['wp_se']:.3f}",
            f"{record['wp_landlord']:.3f}",
            f"{record['wp_farmers']:.3f}",
            f"**{record['adp']:+.2f}** ± {1.96 * record['adp_se']:.2f}",
            f"{record['decisions_per_second']:,.0f}",
            f"{record['net'][:8]}, {record['date']}",
        )
        found.append(_line(cells))
    return found


def _line(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Prints the table, or puts it into a file."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength_table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=Path, default=RECORDS)
    parser.add_argument("--readme", type=Path)
    options = parser.parse_args()
    records = [json.loads(line) for line in options.records.read_text(encoding="utf-8").splitlines()]
    table = rows(records)
    if options.readme is None:
        print("\n".join(table))
    else:
        text = options.readme.read_text(encoding="utf-8")
        options.readme.write_text(put(text, "strength", "\n".join(["", *table, "", ""])), encoding="utf-8")


if __name__ == "__main__":
    main()
