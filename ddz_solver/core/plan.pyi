from collections.abc import Iterable

from ddz_solver.core.evaluate import Judge
from ddz_solver.core.moves import Play
from ddz_solver.core.observation import Observation
from ddz_solver.core.sample import NO_DEAL as NO_DEAL

class Rollouts:
    def __init__(
        self,
        judge: Judge,
        seen: Observation,
        history: Iterable[tuple[int, Play]],
        plays: Iterable[Play],
        *,
        worlds: int,
        for_points: bool = False,
        recall: int = 12,
        temperature: float = 0.05,
        noise: float = 0.02,
        decay: float = 0.9,
        depth: int = 1000,
        threads: int = 1,
        seed: int = 0,
    ) -> None: ...
    @property
    def number(self) -> int: ...
    @property
    def complete(self) -> bool: ...
    @property
    def plays(self) -> tuple[Play, ...]: ...
    @property
    def nodes(self) -> int: ...
    def world(self, index: int) -> tuple[int, ...]: ...
    def weigh(self, worker: int, first: int, last: int) -> list[float]: ...
    def roll(self, worker: int, candidate: int, world: int) -> tuple[float, float]: ...
