"""Peasants play together: in positions where team play decides, the planner nearly always finds a winning play."""

from __future__ import annotations

from itertools import islice

import pytest

from bench import teamplay
from ddz_solver.game.rules import Rules


@pytest.mark.parametrize("kind", teamplay.KINDS)
def test_the_planner_plays_with_its_partner(kind: str) -> None:
    found = list(islice(teamplay.cases(kind, Rules.parse("douzero"), seed=3), 8))
    assert all(case.winning < set(case.seen.legal_plays) for case in found)
    assert teamplay.rate("planner", found, worlds=32) >= 0.75
