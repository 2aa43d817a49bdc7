"""Solver: owns table and arena, asks the search yes-or-no questions."""

from collections.abc import Callable

from ddz_solver.core.moves import CompiledRules, Play
from ddz_solver.core.position import Position

class Solver:
    """Answers questions about open hands under one set of rules with a table of `table_size` bytes.

    One question at a time: RuntimeError where a second thread asks while the first one waits. `stop` may be called from
    any thread.
    """

    def __init__(self, rules: CompiledRules, *, table_size: int) -> None: ...
    def tick(self) -> bool:
        """Whether the search has to give up; keeps what a signal handler or the progress callback raised for later."""
    def stop(self) -> None:
        """Makes the question that is being answered end with what is known; may be called from any thread."""
    @property
    def nodes(self) -> int:
        """Nodes expanded since `begin`."""
    @property
    def halted(self) -> str:
        """Why the last question got no answer: 'nodes', 'stop' (time is a stop), or '' where it got one."""
    @property
    def table_size(self) -> int:
        """Bytes of the table."""
    def begin(
        self,
        position: Position,
        *,
        node_limit: int,
        seconds: float,
        progress: Callable[[int, float], object] | None = None,
        shuffle: int = 0,
    ) -> None:
        """Gets ready for questions about `position`: counts nodes and time from here.

        `shuffle`, where not 0, seeds a random order of moves, which changes nodes but no answer.
        ValueError where its rules are not the solver's, or it is over.
        """
    def forget(self) -> None:
        """Clears the table, so that the next search does not depend on earlier ones."""
    def reaches(self, position: Position, goal: int) -> bool | None:
        """Whether the landlord reaches the goal from `position` on; None where a limit came first.

        A goal g > 0: he wins with a factor of at least g from here on; g < 0: he wins, or loses with at most -g.
        """
    def move_reaches(self, position: Position, play: Play, goal: int) -> bool | None:
        """Whether the landlord reaches the goal, counted from before `play`, once it has been made."""
    def known(self, position: Position, play: Play, goal: int) -> bool | None:
        """What `move_reaches` would say if it needs no search; None where it does."""
    def most_factor(self, position: Position) -> int:
        """An upper bound on what the payoff is multiplied by from here to the end."""
    @property
    def factors(self) -> set[int]:
        """Everything over 1 that the rules multiply a payoff by, spring included."""

def rules_of(position: Position) -> CompiledRules:
    """The rules of a position."""
