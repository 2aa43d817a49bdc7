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
        recall: int,
        leads: int,
        keen: tuple[float, float],
        loose: tuple[float, float, float],
        simple: tuple[float, float],
        decay: float,
        depth: int,
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
    def styles(self, world: int) -> tuple[tuple[float, ...], ...]: ...
    def copy_world(self, source: int, target: int) -> None: ...
    def walk(self, worker: int, world: int, steps: int) -> None: ...
    def roll(self, worker: int, candidate: int, world: int) -> tuple[float, float]: ...
