from collections.abc import Sequence

from ddz_solver.core.evaluate import Judge
from ddz_solver.core.moves import CompiledRules

def play_deals(
    judge: Judge,
    rules: CompiledRules,
    hands: Sequence[Sequence[int]],
    bottoms: Sequence[int],
    *,
    for_points: bool = True,
) -> tuple[list[bool], list[int]]: ...
