from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.moves import CompiledRules, Play
from ddz_solver.core.observation import Observation

LAYOUT: int  # Version of the columns; each begins with the columns of the one before

def column_count(rules: CompiledRules, version: int = ...) -> int: ...
def encode(seen: Observation, play: Play, memo: HandsToGo, for_points: bool = False) -> list[int]: ...
