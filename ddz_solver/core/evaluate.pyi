from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ddz_solver.core.moves import CompiledRules, Play
from ddz_solver.core.net import Network
from ddz_solver.core.observation import Observation

class Judge:
    def __init__(self, rules: CompiledRules, networks: Iterable[Network]) -> None: ...
    def values(self, seen: Observation, plays: Sequence[Play], for_points: bool = False) -> list[float]: ...
    def evaluate(
        self, seen: Observation, plays: Sequence[Play], for_points: bool = False
    ) -> tuple[list[float], list[float]]: ...
    def evaluate_many(
        self,
        observations: Sequence[Observation],
        plays: Sequence[Sequence[Play]],
        wins: NDArray[np.float32],
        scores: NDArray[np.float32],
        for_points: bool = False,
    ) -> None: ...
