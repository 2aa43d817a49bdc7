"""Matches between nets and simple players in compiled code."""

from ddz_solver.core.evaluate import Judge
from ddz_solver.core.moves import CompiledRules

SIMPLE: tuple[str, ...]
"""The players that need no network."""

class Arena:
    """Room for matches under one set of rules; not for two threads at once. `seed` decides deals and random players."""

    def __init__(self, rules: CompiledRules, *, seed: int = 1) -> None: ...
    def match(self, a: Judge | str, b: Judge | str, deals: int, *, points: bool = False) -> dict[str, float]:
        """Plays `deals` deals twice each between a and b, each a Judge, "random" or "greedy"; the GIL is released.

        Returns a's win rate `wp` and mean score a peasant's stake `adp` with standard errors over deals (`wp_se`,
        `adp_se`), its win rates `landlord` and `peasants`, and `choices`, the decisions that both sides made between
        plays. `points` lets nets choose by score.
        Raises ValueError for an unknown player or a net of other sizes.
        """
