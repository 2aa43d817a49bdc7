"""The results of a match as JSON values and as tables for people."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ddz_solver.engine.results import Results
from ddz_solver.engine.statistics import Estimate
from ddz_solver.engine.tally import ROLES

if TYPE_CHECKING:
    from rich.table import Table


def results_json(results: Results) -> dict[str, Any]:
    """Every figure of a match. Intervals are 95 % over deals; infinite and unknown ends are null."""
    return {
        "engines": [
            {
                "name": name,
                "win_rate": _json(results.win_rate(engine)),
                "points": _json(results.points(engine)),
                "rating": _json(rating),
                **{
                    role: {
                        "win_rate": _json(results.win_rate(engine, (role,))),
                        "points": _json(results.role_points(engine, role)),
                    }
                    for role in ROLES
                },
                "endings": dict(sorted(results.endings(engine).items())),
                "decisions": (times := results.times(engine)).decisions,
                "mean_ms": round(times.total / times.decisions / 1000, 3) if times.decisions else None,
                "slowest_ms": round(times.slowest / 1000, 3),
            }
            for engine, (name, rating) in enumerate(zip(results.names, results.rating(), strict=True))
        ],
        "pairs": [
            {
                "engines": [results.names[engine] for engine in pair],
                "deals": len(results.deals(pair)),
                "score": _json(results.score(pair)),
                "points": _json(results.difference(pair)),
                "elo": _json(results.elo(pair)),
            }
            for pair in results.pairs
        ],
        "faults": results.faults(),
        "void_deals": results.void_deals(),
        "sprt": sprt_json(results),
    }


def sprt_json(results: Results) -> dict[str, Any] | None:
    """The sequential test so far; None without one."""
    state = results.sprt_state
    if state is None:
        return None
    return {"deals": state.deals, "llr": round(state.llr, 4), "bounds": list(state.bounds), "decision": state.decision}


def tables(results: Results) -> Iterator[Table]:
    """The results as tables: standings, crosstable where more than two met, how hands ended, and time."""
    yield _standings(results)
    if len(results.names) > 2:
        yield _crosstable(results)
    yield _endings(results)


def sprt_text(results: Results) -> str | None:
    """The sequential test in a line; None without one."""
    state = results.sprt_state
    if state is None:
        return None
    low, high = state.bounds
    decision = {"H1": "H1 accepted", "H0": "H0 accepted", None: "undecided"}[state.decision]
    return f"SPRT: {decision} after {state.deals} deals, LLR {state.llr:.2f} ({low:.2f} to {high:.2f})"


def percent(estimate: Estimate) -> str:
    """A rate with its interval: `54.0 ±2.1 %`."""
    if not estimate.n:
        return "-"
    return f"{100 * estimate.value:.1f} ±{100 * estimate.margin:.1f} %"


def plus_minus(estimate: Estimate, digits: int = 2) -> str:
    """A figure with its sign and its interval: `+0.31 ±0.12`."""
    if not estimate.n or not math.isfinite(estimate.value):
        return "-" if not estimate.n else f"{estimate.value:+}"
    if not math.isfinite(estimate.margin):
        return f"{estimate.value:+.{digits}f}"
    return f"{estimate.value:+.{digits}f} ±{estimate.margin:.{digits}f}"


def _standings(results: Results) -> Table:
    table = _table(
        "engine", "win rate", "points a hand", "Elo", "as landlord", "points", "as peasant", "points", title="Standings"
    )
    ratings = results.rating() if len(results.names) > 2 else None
    for engine, name in enumerate(results.names):
        if ratings is not None:
            rating = plus_minus(ratings[engine], 0)
        else:
            rating = plus_minus(results.elo((0, 1)), 0) if engine == 0 else "0"
        roles = [
            text
            for role in ROLES
            for text in (percent(results.win_rate(engine, (role,))), plus_minus(results.role_points(engine, role)))
        ]
        table.add_row(name, percent(results.win_rate(engine)), plus_minus(results.points(engine)), rating, *roles)
    return table


def _crosstable(results: Results) -> Table:
    table = _table("", *results.names, title="Crosstable: win rate of the row against the column")
    for engine, name in enumerate(results.names):
        cells = []
        for other in range(len(results.names)):
            pair = (min(engine, other), max(engine, other))
            if engine == other or pair not in results.pairs:
                cells.append("")
                continue
            score = results.score(pair)
            value = score.value if engine == pair[0] else 1 - score.value
            cells.append(percent(score._replace(value=value)))
        table.add_row(name, *cells)
    return table


def _endings(results: Results) -> Table:
    endings = [results.endings(engine) for engine in range(len(results.names))]
    kinds = sorted({kind for counter in endings for kind in counter}, key=lambda kind: (kind != "normal", kind))
    table = _table("engine", *kinds, "decisions", "mean ms", "slowest ms", title="How hands ended, and time")
    for engine, name in enumerate(results.names):
        times = results.times(engine)
        mean = f"{times.total / times.decisions / 1000:.2f}" if times.decisions else "-"
        counts = [str(endings[engine][kind]) for kind in kinds]
        table.add_row(name, *counts, str(times.decisions), mean, f"{times.slowest / 1000:.1f}")
    return table


def _table(first: str, *columns: str, title: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    table.add_column(first)
    for column in columns:
        longest = max(map(len, column.split()), default=0)  # no word of a heading is cut where the terminal is narrow
        table.add_column(column, justify="right", min_width=longest)
    return table


def _json(estimate: Estimate) -> dict[str, float | int | None]:
    return {
        name: round(value, 6) if math.isfinite(value) else None
        for name, value in (("value", estimate.value), ("low", estimate.low), ("high", estimate.high))
    } | {"deals": estimate.n}
