"""What a seat plays for: to win, or for the score."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ddz_solver.game.rules import Rules

Objective: TypeAlias = Literal["win", "score"]

OBJECTIVES: Final = ("win", "score")


def natural_objective(rules: Rules) -> Objective:
    """What the rules pay for: the score, or just winning."""
    return "win" if rules.payoff == "win" else "score"
