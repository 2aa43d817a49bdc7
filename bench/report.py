"""Rows of a benchmark: what was asked, what the project did, what a peer did in the same run, and the ratio."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Row:
    """One measured comparison; rates are in `unit`, larger is better. A peer that is not installed has rate None."""

    question: str
    ours: float
    unit: str
    peer: str = ""
    peers: float | None = None
    required: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the peer's rate ours is."""
        return self.ours / self.peers if self.peers else None


def rate(work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Units of work a second: calls `work`, which returns how many units it did, for about `seconds`.

    `time.process_time` as the clock takes what other programs do meanwhile out of the figures of a single thread.
    """
    return rates([work], seconds, clock)[0]


def rates(
    works: Sequence[Callable[[], int]], seconds: float, clock: Callable[[], float] = time.perf_counter, turns: int = 20
) -> list[float]:
    """Units a second of several works, about `seconds` each, in turns, so that a busy machine slows them all alike."""
    done, spent = [0] * len(works), [0.0] * len(works)
    for work in works:
        work()
    for turn in range(1, turns + 1):
        for number, work in enumerate(works):
            while spent[number] < seconds * turn / turns:
                start = clock()
                done[number] += work()
                spent[number] += clock() - start
    return [units / total for units, total in zip(done, spent, strict=True)]


def put_record(record: dict[str, Any], path: Path | None) -> None:
    """Prints a result as one JSON line, and appends it to the file if there is one."""
    line = json.dumps(record)
    print(line)
    if path is not None:
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")


def as_json(rows: list[Row]) -> list[dict[str, Any]]:
    """The rows as JSON values."""
    return [asdict(row) | {"ratio": row.ratio} for row in rows]


def show(rows: list[Row]) -> None:
    """Prints the rows as a table."""
    table = Table("question", "ours", "peer", "peer's", "ratio", "required")
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        peers = f"{row.peers:,.0f} {row.unit}" if row.peers else "not installed" if row.peer else ""
        required = f"{row.required:g}x" if row.required else ""
        ratio = f"{row.ratio:,.1f}x" if row.ratio else ""
        table.add_row(row.question, f"{row.ours:,.0f} {row.unit}", row.peer, peers, ratio, required)
    Console(width=150).print(table)
