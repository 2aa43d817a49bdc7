from collections.abc import Sequence

from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.learner import Learner
from ddz_solver.core.moves import CompiledRules

class Worker:
    state: int  # State of the random generator

    def __init__(
        self,
        learner: Learner,
        presets: Sequence[tuple[CompiledRules, float]],
        memos: Sequence[HandsToGo],
        *,
        seed: int,
        batch: int = 512,
        points: float = 0.35,
    ) -> None: ...
    def drop_pending(self) -> None: ...
    def run(self, games: int, *, rate: float, epsilon: float, decay: float) -> dict[str, float]: ...
