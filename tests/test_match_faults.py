"""Engines that misbehave: each sin has its name, the match goes on, and no process stays behind."""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ddz_solver.engine.client import Timing
from ddz_solver.engine.match import Match
from ddz_solver.engine.records import Record
from ddz_solver.engine.replay import rejudge
from ddz_solver.engine.results import Results

ENGINES = Path(__file__).parent / "engines"
FAST = Timing(start=3.0, margin=0.1, grace=1.5, stall=2.0, reply=2.0, quit=0.3)

#: What each program is caught for.
SINS = {
    "crash_at_start": "crash",
    "crash_in_game": "crash",
    "early_exit": "crash",
    "hang": "stall",
    "slow_start": "start",
    "late": "time",
    "illegal_play": "illegal",
    "no_combination": "illegal",
    "out_of_turn": "out-of-turn",
    "future_turn": "out-of-turn",
    "old_turn": "stale",
    "no_id": "protocol",
    "garbage": "protocol",
    "empty_answer": "protocol",
    "endless_output": "flood",
    "endless_line": "flood",
    "half_line": "stall",
    "half_line_exit": "crash",
    "closes_output": "closed",
    "closes_input": "closed",
    "reads_nothing": "stall",
    "stderr_flood": "stderr-flood",
    "wrong_version": "version",
    "refuses": "refused",
    "unknown_rules": "refused",
}


#: An argument that tells the programs of this test process from those of others.
MARK = f"of-test-process-{os.getpid()}"


def command(name: str) -> str:
    return f'cmd="{sys.executable} {ENGINES / name}.py {MARK}" name={name}'


def left_behind() -> list[str]:
    listing = subprocess.run(["ps", "-ww", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listing.splitlines() if MARK in line and " -c from " not in line]


def play(name: str, rules: str = "douzero", policy: str = "forfeit") -> tuple[Results, list[Record]]:
    records: list[Record] = []
    limit = " time=100" if name == "late" else ""
    match = Match(
        ["random", command(name) + limit],
        rules,
        deals=1,
        policy=policy,  # type: ignore[arg-type]
        timing=FAST,
        on_hand=lambda record, results: records.append(record),
    )
    return match.run(), records


def test_every_program_is_tried() -> None:
    assert {path.stem for path in ENGINES.glob("*.py")} == {*SINS, "polite", "plain"}


def test_each_sin_has_its_name_and_no_process_stays_behind() -> None:
    with ThreadPoolExecutor(8) as pool:
        outcomes = dict(zip(SINS, pool.map(play, SINS), strict=True))
    assert left_behind() == []
    names = {sin: {str(record.termination) for record in records} for sin, (_, records) in outcomes.items()}
    assert names == {sin: {name} for sin, name in SINS.items()}
    for sin, (results, records) in outcomes.items():
        assert len(records) == 2, "the match goes on"
        assert set(results.endings(1)) == {SINS[sin]}
        for record in records:
            rejudge(record)
            assert Record.parse(record.to_text()) == record
            (fault,) = record.faults
            assert record.players[fault.seat] == sin
            assert sum(record.scores) == 0
            assert record.scores[fault.seat] < 0


@pytest.mark.parametrize("policy", ["forfeit", "fallback", "void"])
def test_policies(policy: str) -> None:
    results, records = play("illegal_play", "classic4,auction=none", policy)
    for record in records:
        rejudge(record)
        if policy == "fallback":
            assert record.judged
            assert all(fault.substituted for fault in record.faults)
        elif policy == "void":
            assert set(record.scores) == {0}
    assert results.faults() >= 2
    assert len(results.deals((0, 1))) == (0 if policy == "void" else 1)
    assert results.void_deals() == (1 if policy == "void" else 0)
    if policy == "forfeit":
        assert results.score((0, 1)).value > 0.8


def test_a_stateless_engine_goes_on_after_a_crash() -> None:
    _, records = play("crash_in_game", policy="fallback")
    assert all(record.judged and len(record.faults) > 1 for record in records)


def test_engines_die_with_a_killed_runner() -> None:
    script = (
        f"from ddz_solver.engine.match import Match\nMatch(['random', {command('hang')!r}], 'douzero', deals=5).run()\n"
    )
    runner = subprocess.Popen([sys.executable, "-c", script])
    deadline = time.monotonic() + 30
    while len(left_behind()) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(left_behind()) >= 2
    runner.kill()
    runner.wait()
    while left_behind() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left_behind() == []


def test_details_are_told() -> None:
    _, records = play("crash_at_start")
    assert re.search(r"exit status 1.*no licence found", records[0].faults[0].detail)


def test_file_descriptors_do_not_leak() -> None:
    play("crash_at_start")
    before = len(os.listdir("/proc/self/fd"))
    play("crash_at_start")
    assert len(os.listdir("/proc/self/fd")) <= before
