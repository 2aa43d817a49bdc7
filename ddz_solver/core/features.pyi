from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.moves import CompiledRules, Play
from ddz_solver.core.observation import Observation

LAYOUT: int  # Version of the columns' meaning; weights of another version are of no use

def column_count(rules: CompiledRules) -> int: ...
def encode(seen: Observation, play: Play, memo: HandsToGo, for_points: bool = False) -> list[int]: ...
