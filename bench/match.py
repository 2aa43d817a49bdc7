"""What the match runner costs: hands a second of instant agents in one process, and its own time for each decision."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

from bench.report import Row, rate
from ddz_solver.engine.schedule import tasks_of
from ddz_solver.engine.specs import EngineSpec
from ddz_solver.engine.table import Setup, Table
from ddz_solver.game.rules import Rules

PLAIN = Path(__file__).parent.parent / "tests" / "engines" / "plain.py"
HANDS = 50


def hands_work(table: Table, rules: Rules) -> Callable[[], int]:
    """Plays hands of a match, records and all, in this process."""
    tasks = tasks_of(rules, [(0, 1)], range(1 << 30))

    def work() -> int:
        for task in itertools.islice(tasks, HANDS):
            table.play(task)
        return HANDS

    return work


def decisions_work(table: Table, rules: Rules) -> Callable[[], int]:
    """Plays hands of two programs; counts their decisions."""
    tasks = tasks_of(rules, [(0, 1)], range(1 << 30))

    def work() -> int:
        record = table.play(next(tasks))
        assert not record.faults
        return len(record.calls) + len(record.plays)

    return work


def rows(seconds: float) -> list[Row]:
    """Hands and decisions a second, beside what is required."""
    found = []
    for name in ("douzero", "classic", "classic4"):
        rules = Rules.parse(name)
        for level in ("random", "greedy"):
            with Table(Setup(rules, (EngineSpec.parse(level), EngineSpec.parse(f"{level} name=other")))) as table:
                hands = rate(hands_work(table, rules), seconds, process_time)
            found.append(Row(f"match of {level} agents, {name}", hands, "hands/s", "bar", 1000, 1))
    rules = Rules.parse("classic")
    command = f'cmd="{sys.executable} {PLAIN}"'
    with Table(Setup(rules, (EngineSpec.parse(command), EngineSpec.parse(f"{command} name=other")))) as table:
        work = decisions_work(table, rules)
        own = rate(work, seconds, process_time)
        whole = rate(work, seconds, perf_counter)
    found.append(Row("decisions of programs, the runner's own time", own, "decisions/s", "bar", 1000, 1))
    found.append(Row("decisions of programs, the programs' time included", whole, "decisions/s"))
    return found
