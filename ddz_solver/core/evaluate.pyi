"""Values of all plays of one decision."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ddz_solver.core.moves import CompiledRules, Play
from ddz_solver.core.net import Network
from ddz_solver.core.observation import Observation

class Judge:
    """One network for each role (0 the landlord, then by distance after the landlord) under rules of one size.

    Any rules with the same seats and decks may be evaluated; `rules` only gives the sizes. Threads may share a judge.
    Raises ValueError for networks of other sizes.
    """

    def __init__(self, rules: CompiledRules, networks: Iterable[Network]) -> None: ...
    def values(self, seen: Observation, plays: Sequence[Play], for_points: bool = False) -> list[float]:
        """What to choose a play by: win chances, or for points the mean of expected scores and stakes won so far.

        The score alone is the noisier judge of two near plays. Raises ValueError as `evaluate` does.
        """
    def evaluate(
        self, seen: Observation, plays: Sequence[Play], for_points: bool = False
    ) -> tuple[list[float], list[float]]:
        """Win chances (0..1) and expected scores (in stakes, with doublings) of the plays, for the seat's side.

        Raises ValueError where the observation does not fit the networks or a play is not held.
        """
    def evaluate_many(
        self,
        observations: Sequence[Observation],
        plays: Sequence[Sequence[Play]],
        wins: NDArray[np.float32],
        scores: NDArray[np.float32],
        for_points: bool = False,
    ) -> None:
        """Fills `wins` and `scores` with the values of all plays of many decisions, one decision after another.

        `plays` has the plays of each observation. The GIL is released for the whole batch and nothing is shared, so
        threads may run batches at the same time. Raises ValueError as `evaluate` does, or where the sizes do not match.
        """
