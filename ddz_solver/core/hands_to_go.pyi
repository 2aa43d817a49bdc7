"""The least number of plays that empties a hand when nobody answers."""

from ddz_solver.core.moves import CompiledRules

class HandsToGo:
    """A memo of 2**`bits` answers under one set of rules; call it with a packed hand.

    Near-exact: straights and pair straights are searched; planes, kickers and bombs are counted greedily.
    """

    def __init__(self, rules: CompiledRules, bits: int = 16) -> None: ...
    def __call__(self, hand: int) -> int:
        """Least number of plays that empties the packed hand, at most 15.

        Raises ValueError for a number that is no packed hand.
        """
