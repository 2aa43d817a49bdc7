"""The compliance checker passes what keeps to the protocol and names the fault of what does not."""

import sys
from pathlib import Path

import pytest
from test_match_faults import ENGINES, SINS

from ddz_solver.engine.client import Timing
from ddz_solver.engine.compliance import Check, Checker

ROOT = Path(__file__).parent.parent
FAST = Timing(start=3.0, margin=0.1, grace=1.0, stall=1.0, reply=1.0, quit=0.5)
#: Where a sin shows under another name than in a match, as other questions are asked.
OTHER_NAMES = {"reads_nothing": "stall", "unknown_rules": "protocol", "illegal_play": "illegal"}


def check(command: str, timing: Timing) -> list[Check]:
    return list(Checker(command, timing=timing).run())


@pytest.mark.parametrize("command", ["-m ddz_solver engine --option level=greedy", f"{ENGINES / 'plain.py'}"])
def test_good_engines_pass(command: str) -> None:
    checks = check(f"{sys.executable} {command}", Timing(stall=10.0, reply=5.0))
    assert [point for point in checks if not point.passed] == []
    assert len(checks) == 19


#: Sins that are found without waiting for anything.
QUICK = ("crash_at_start", "illegal_play", "no_id", "garbage", "wrong_version", "refuses")


@pytest.mark.parametrize("sin", [sin if sin in QUICK else pytest.param(sin, marks=pytest.mark.slow) for sin in SINS])
def test_each_sin_is_found(sin: str) -> None:
    checks = check(f"{sys.executable} {ENGINES / sin}.py", FAST)
    faults = [point.detail.partition(":")[0] for point in checks if not point.passed]
    assert OTHER_NAMES.get(sin, SINS[sin]) in faults, checks


def test_a_program_that_does_not_exist() -> None:
    (point,) = check("/no/such/program", FAST)
    assert not point.passed and point.detail.startswith("crash: cannot start")
