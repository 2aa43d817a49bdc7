from ddz_solver.core.evaluate import Judge
from ddz_solver.core.moves import CompiledRules

SIMPLE: tuple[str, ...]  # The players that need no network

class Arena:
    def __init__(self, rules: CompiledRules, *, seed: int = 1) -> None: ...
    def match(self, a: Judge | str, b: Judge | str, deals: int, *, points: bool = False) -> dict[str, float]: ...
