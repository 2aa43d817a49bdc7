"""How large a position is solved? Random cards of one deck for three hands, the landlord to lead.

python -m bench.reach --cards 8 10 12 14 17 --positions 50 --seconds 60 --results bench/results

17 is the full deal, 20/17/17. The clock is CPU time. Writes solver_reach.json and solver_reach.svg, prints the table.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import process_time, strftime
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.moves import DECK, packed
from ddz_solver.ai.solver import Limits, solve
from ddz_solver.core.position import Position
from ddz_solver.game.rules import Rules

FULL_DEAL = 17
MARKS = (1, 10, 60)
COLOURS = ("#1f6feb", "#1a7f37", "#d1242f")


class OutOfTime(Exception):
    """The CPU time of a position is used up."""


def deal(cards: int, seed: int) -> Position:
    """The random position of a seed."""
    deck = random.Random(seed).sample(DECK, len(DECK))
    first = 20 if cards == FULL_DEAL else cards
    cuts = [0, first, first + cards, first + 2 * cards]
    hands = [packed("".join(deck[low:high])) for low, high in pairwise(cuts)]
    return Position(Rules.parse("classic").compiled, hands)


def cost(position: Position, seconds: float, table: int) -> tuple[float | None, int, int | None]:
    """CPU seconds (None: not solved), nodes, and who wins."""
    start = process_time()
    seen = 0

    def check(nodes: int, _: float) -> None:
        nonlocal seen
        seen = nodes
        if process_time() - start > seconds:
            raise OutOfTime

    try:
        solution = solve(position, limits=Limits(table=table), all_plays=False, line=False, progress=check)
    except OutOfTime:
        return None, seen, None
    return process_time() - start, solution.nodes, solution.value


def measured(cards: int, positions: int, seconds: float, table: int) -> dict[str, Any]:
    """One row of the table."""
    costs = [cost(deal(cards, seed), seconds, table) for seed in range(positions)]
    times = [time for time, _, _ in costs if time is not None]
    row: dict[str, Any] = {"cards": cards, "positions": positions, "seconds": seconds, "solved": len(times) / positions}
    row |= {f"within_{mark}": sum(time <= mark for time in times) / positions for mark in MARKS if mark <= seconds}
    row["median_nodes"] = int(median(nodes for _, nodes, _ in costs))
    row["median_is_bound"] = 2 * len(times) <= positions
    row["landlord_wins"] = sum(value == 1 for _, _, value in costs)
    return row


def show(rows: Sequence[Mapping[str, Any]]) -> None:
    """Prints the table."""
    table = Table("cards each", "positions", *(f"{mark} s" for mark in MARKS), "median nodes", "landlord wins")
    for row in rows:
        shares = [f"{row[key]:.0%}" if (key := f"within_{mark}") in row else "" for mark in MARKS]
        nodes = f"{'>' if row['median_is_bound'] else ''}{row['median_nodes']:,}"
        cards = "20/17/17" if row["cards"] == FULL_DEAL else str(row["cards"])
        table.add_row(cards, str(row["positions"]), *shares, nodes, str(row["landlord_wins"]))
    Console(width=100).print(table)


def svg(rows: Sequence[Mapping[str, Any]]) -> str:
    """Bars: the share of positions solved within each time."""
    left, top, height, group = 60, 50, 240, 110
    width = left + group * len(rows) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + height + 60}" font-family="sans-serif" '
        f'font-size="13"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="24" font-size="16">Random positions of three open hands, solved</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = top + height * (1 - share)
        parts.append(f'<line x1="{left}" y1="{y}" x2="{width - 20}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{share:.0%}</text>')
    for place, row in enumerate(rows):
        x = left + group * place + 12
        for index, mark in enumerate(MARKS):
            solved = row.get(f"within_{mark}")
            if solved is not None:
                bar = height * solved
                parts.append(
                    f'<rect x="{x + 28 * index}" y="{top + height - bar:.1f}" width="26" height="{bar:.1f}" '
                    f'fill="{COLOURS[index]}"/>'
                )
        name = "20/17/17" if row["cards"] == FULL_DEAL else f"{row['cards']} each"
        parts.append(f'<text x="{x + 41}" y="{top + height + 18}" text-anchor="middle">{name}</text>')
    for index, mark in enumerate(MARKS):
        parts.append(
            f'<text x="{left + 90 * index}" y="{top + height + 44}" fill="{COLOURS[index]}">within {mark} s</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    """Measures what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.reach", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=int, nargs="+", default=[8, 10, 12, 14, FULL_DEAL], help="cards of each hand")
    parser.add_argument("--positions", type=int, default=50, help="positions of each size (50)")
    parser.add_argument("--seconds", type=float, default=60, help="CPU time for each position (60)")
    parser.add_argument("--table", type=int, default=1024, help="size of the table in MiB (1024)")
    parser.add_argument("--results", type=Path, help="folder for the table and the plot")
    options = parser.parse_args()
    rows = []
    for cards in options.cards:
        rows.append(measured(cards, options.positions, options.seconds, options.table << 20))
        show(rows[-1:])
    show(rows)
    if options.results:
        options.results.mkdir(parents=True, exist_ok=True)
        report = {"date": strftime("%Y-%m-%d"), "table_mib": options.table, "rows": rows}
        (options.results / "solver_reach.json").write_text(json.dumps(report, indent=1) + "\n")
        (options.results / "solver_reach.svg").write_text(svg(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
