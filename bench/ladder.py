"""Does training still help? Weights files of one run, oldest first, each against the one before and against the first.

python -m bench.ladder runs/three/*.ddz [--rules douzero] [--deals 2000]
"""

from __future__ import annotations

import argparse
from pathlib import Path

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
    options = parser.parse_args()
    rules = Rules.parse(options.rules).compiled
    table = Table("weights", "games", "the one before", "the first", "greedy", "random")
    judges: list[Judge] = []
    for path in options.weights:
        weights = load_weights(path)
        judge = Judge(rules, weights.networks)
        arena = Arena(rules, seed=17)
        cells = [
            shown(arena.match(judge, other, options.deals, points=options.points)) if other is not None else ""
            for other in (judges[-1] if judges else None, judges[0] if judges[1:] else None, "greedy", "random")
        ]
        judges.append(judge)
        table.add_row(f"{path.name} {weights.sha256[:8]}", f"{weights.info.get('games', 0):,}", *cells)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
