"""The strength of the shipped networks as a Markdown table, from the records of `python -m bench.strength`.

python -m bench.strength_table [--records FILE] [--readme README.md]

With `--readme` the table replaces what stands between `<!-- strength -->` and `<!-- /strength -->`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bench.readme import put

RECORDS: Final = Path(__file__).parent / "results" / "strength.jsonl"
NAMES: Final = {"douzero": "DouZero ADP", "rlcard": "RLCard rule agent", "random": "random"}
AIMS: Final = {"win": "the win", "score": "points"}


def rows(records: list[dict[str, Any]]) -> list[str]:
    """The table's lines; 95 % intervals over deals, which are played in both seatings."""
    heads = (
        "player", "plays for", "against", "deals x 2", "win rate", "as landlord", "as peasants", "points a deal",
        "decisions/s", "networks, date",
    )  # fmt: skip
    found = [_line(heads), "|---" * len(heads) + "|"]
    for record in records:
        cells = (
            record["player"],
            AIMS[record["objective"]],
            NAMES.get(record["against"], record["against"]),
            record["deals"],
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
