"""Is the planner worth its time? The planner against the bare net on the same networks, roles swapped on every deal.

    python -m bench.planner --rules classic4 --deals 300 --worlds 64 --record bench/results/planner.jsonl

The landlord is dealt, not bid for. Each deal is played twice: the planner as the landlord against net peasants, and the
other way round. `--processes` share the deals; the figures do not depend on how many there are.
"""

from __future__ import annotations

import argparse
import datetime
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from bench.report import put_record
from ddz_solver.ai.agents import Agent, make_agent
from ddz_solver.ai.evaluator import Evaluator
from ddz_solver.game.game import Game
from ddz_solver.game.rules import Rules


@dataclass(frozen=True)
class Setting:
    """What is compared under which rules."""

    rules: Rules
    objective: str
    worlds: int
    seed: int


@dataclass(frozen=True)
class Deal:
    """The planner's results on a deal, in points a peasant, and how long it thought."""

    as_landlord: float
    as_peasants: float
    decisions: int
    seconds: float


def play_deal(setting: Setting, number: int) -> Deal:
    """One deal in both seatings."""
    agents: dict[str, Agent] = {
        "net": make_agent("net", objective=setting.objective),
        "planner": make_agent("planner", objective=setting.objective, worlds=setting.worlds, seed=number),
    }
    results = []
    decisions, seconds = 0, 0.0
    for landlord, peasants in (("planner", "net"), ("net", "planner")):
        game = Game(setting.rules, seed=setting.seed * 1_000_003 + number, landlord=0)
        while not game.over:
            seen = game.observation()
            level = landlord if seen.is_landlord else peasants
            if level == "planner" and len(seen.legal_plays) > 1:
                start = time.process_time()
                game.push(agents[level].play(seen))
                seconds += time.process_time() - start
                decisions += 1
            else:
                game.push(agents[level].play(seen))
        # what a peasant won, where points add up to 0; its sign tells who won under all rules
        lead = (game.payoffs[1] - game.payoffs[0]) / setting.rules.players
        results.append(lead if landlord == "net" else -lead)
    return Deal(results[0], results[1], decisions, seconds)


def play(setting: Setting, deals: int, processes: int) -> Iterator[Deal]:
    """All deals, in order."""
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play_deal, [setting] * deals, range(deals))


def summary(setting: Setting, deals: list[Deal]) -> dict[str, Any]:
    """Win rate and points a deal of the planner with their standard errors over deals."""
    stakes = np.array([(deal.as_landlord, deal.as_peasants) for deal in deals], np.float64)
    wins = (stakes > 0).astype(np.float64)

    def error(values: np.ndarray[Any, Any]) -> float:
        return round(float(values.mean(axis=1).std(ddof=1) / len(values) ** 0.5), 4)

    weights = Evaluator.load(setting.rules).weights
    return {
        "date": datetime.date.today().isoformat(),
        "question": "planner against the bare net",
        "rules": str(setting.rules),
        "net": weights.sha256[:12],
        "games_trained": weights.info.get("games"),
        "objective": setting.objective,
        "worlds": setting.worlds,
        "seed": setting.seed,
        "deals": len(deals),
        "wp": round(float(wins.mean()), 4),
        "wp_se": error(wins),
        "wp_landlord": round(float(wins[:, 0].mean()), 4),
        "wp_peasants": round(float(wins[:, 1].mean()), 4),
        "adp": round(float(stakes.mean()), 4),
        "adp_se": error(stakes),
        "decisions_per_second": round(sum(deal.decisions for deal in deals) / sum(deal.seconds for deal in deals), 1),
    }


def main() -> None:
    """Plays the match and prints one JSON line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.planner", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", type=Rules.parse, default=Rules.parse("douzero"))
    parser.add_argument("--objective", choices=("win", "score"), default="score")
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--record", type=Path, help="append the result to this file, a JSON object a line")
    options = parser.parse_args()
    setting = Setting(options.rules, options.objective, options.worlds, options.seed)
    deals = list(track(play(setting, options.deals, options.processes), "Deals", options.deals))
    put_record(summary(setting, deals), options.record)


if __name__ == "__main__":
    main()
