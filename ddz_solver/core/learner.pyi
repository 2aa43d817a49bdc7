from ddz_solver.core.moves import CompiledRules
from ddz_solver.core.net import Network

class Learner:
    rules: CompiledRules
    networks: tuple[Network, ...]
    means: tuple[memoryview, ...]
    squares: tuple[memoryview, ...]
    averages: tuple[memoryview, ...]
    steps: tuple[int, ...]  # Adam steps taken by each role

    def __init__(self, rules: CompiledRules, hidden1: int = 256, hidden2: int = 64, seed: int = 0) -> None: ...
