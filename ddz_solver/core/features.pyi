"""The sparse 0/1 inputs of the network: which columns a seat's knowledge and a play switch on."""

from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.moves import CompiledRules, Play
from ddz_solver.core.observation import Observation

LAYOUT: int
"""Version of the columns' meaning; weights of another version are of no use."""

def column_count(rules: CompiledRules) -> int:
    """Number of input columns under these rules."""

def encode(seen: Observation, play: Play, memo: HandsToGo, for_points: bool = False) -> list[int]:
    """The columns that are on for a play in its state, in no particular order.

    Raises ValueError where the seat does not hold the play.
    """
