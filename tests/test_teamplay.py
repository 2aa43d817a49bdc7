"""Peasants play together: in positions where team play decides, the planner nearly always finds a winning play."""

from __future__ import annotations

import importlib.util
import sys
from itertools import islice
from pathlib import Path

import pytest

from ddz_solver.game.rules import Rules

_SPEC = importlib.util.spec_from_file_location("teamplay", Path(__file__).parents[1] / "bench" / "teamplay.py")
assert _SPEC is not None and _SPEC.loader is not None
teamplay = importlib.util.module_from_spec(_SPEC)
sys.modules["teamplay"] = teamplay
_SPEC.loader.exec_module(teamplay)


@pytest.mark.parametrize("kind", teamplay.KINDS)
def test_the_planner_plays_with_its_partner(kind: str) -> None:
    found = list(islice(teamplay.cases(kind, Rules.parse("douzero"), seed=3), 8))
    assert all(case.winning < set(case.seen.legal_plays) for case in found)
    assert teamplay.rate("planner", found, worlds=32) >= 0.75
