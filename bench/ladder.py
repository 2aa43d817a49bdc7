"""Does training still help? Weights files of one run, oldest first, each against the one before and against the first.

python -m bench.ladder runs/three/*.ddz [--rules douzero] [--deals 2000]
"""

from __future__ import annotations

import argparse
import datetime
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ddz_solver.ai.weights import load_weights
from ddz_solver.core.arena import Arena
from ddz_solver.core.evaluate import Judge
from ddz_solver.game.rules import Rules


def shown(result: dict[str, float]) -> str:
    """Win rate with its 95 % interval, and the mean score."""
    return f"{result['wp']:.3f} +- {1.96 * result['wp_se']:.3f}  {result['adp']:+.2f}"


def main() -> None:
    """Prints a row a file: games trained, win rate and mean score against the one before, the first, greedy, random."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ladder", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--rules", default="douzero")
    parser.add_argument("--deals", type=int, default=2000, help="deals of each match, played in both seatings")
    parser.add_argument("--points", action="store_true", help="choose by score instead of win chance")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    options = parser.parse_args()
    rules = Rules.parse(options.rules).compiled
    table = Table("weights", "games", "the one before", "the first", "greedy", "random")
    judges: list[Judge] = []
    steps: list[dict[str, Any]] = []
    for path in options.weights:
        weights = load_weights(path)
        judge = Judge(rules, weights.networks)
        arena = Arena(rules, seed=17)
        others: dict[str, Judge | str | None] = {
            "the one before": judges[-1] if judges else None,
            "the first": judges[0] if judges[1:] else None,
            "greedy": "greedy",
            "random": "random",
        }
        results = {
            name: arena.match(judge, other, options.deals, points=options.points)
            for name, other in others.items()
            if other is not None
        }
        judges.append(judge)
        games = weights.info.get("games", 0)
        cells = [shown(results[name]) if name in results else "" for name in others]
        table.add_row(f"{path.name} {weights.sha256[:8]}", f"{games:,}", *cells)
        steps.append({"net": weights.sha256[:12], "games_trained": games, "against": results})
    Console(width=140).print(table)
    if options.json is not None:
        report = {
            "date": datetime.date.today().isoformat(),
            "rules": options.rules,
            "chooses_by": "points" if options.points else "win",
            "deals": options.deals,
            "steps": steps,
        }
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
