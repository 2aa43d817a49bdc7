"""Open hands, solved exactly: who wins, with which plays, for how much.

    >>> from ddz_solver.game.notation import parse_position
    >>> solution = solve(parse_position("QQTT/3A").position)
    >>> solution.wins, [str(play) for play in solution.plays]
    (True, ['TT', 'QQ'])

Values are the landlord's. Nothing is guessed: out of limits, a solution says what is known and that it is not proven.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final, TypeAlias

from ddz_solver.ai.objective import OBJECTIVES, Objective
from ddz_solver.core.moves import CompiledRules, Play
from ddz_solver.core.position import Position
from ddz_solver.core.solver import Solver, rules_of
from ddz_solver.game.errors import DdzError

Progress: TypeAlias = Callable[[int, float], object]

_NEVER: Final = 1e18
_NO_LIMIT: Final = (1 << 64) - 1


class SolverError(DdzError):
    """A position or a limit that the solver cannot work with."""


@dataclass(frozen=True)
class Limits:
    """How much a solution may cost: nodes, seconds (None: no limit), and the bytes of the table, which are kept."""

    nodes: int | None = None
    seconds: float | None = None
    table: int = 64 << 20

    def __post_init__(self) -> None:
        if self.nodes is not None and not 1 <= self.nodes <= _NO_LIMIT:
            raise SolverError(f"limit of {self.nodes} nodes: expected 1 to 2**64 - 1")
        if self.seconds is not None and not self.seconds > 0:
            raise SolverError(f"limit of {self.seconds} seconds: expected more than 0")
        if not 64 <= self.table <= 1 << 40:
            raise SolverError(f"table of {self.table} bytes: expected 64 to 2**40")


@dataclass(frozen=True)
class Solution:
    """What is known of a position.

    `value` is the landlord's with best play of both sides, None where it is not proven: 1 or -1 for the objective
    `win`; for `score` what each peasant pays him for stake 1, with all doublings, those before the position included.
    `lower` <= value <= `upper` always holds. `plays` keep the value for the side to move (for `win`: they win, so there
    are none where it loses); all of them if `complete`. `undecided` are plays that the limits left open.
    `line` is a game in which nobody gives anything away, cut short where the limits were reached. `nodes` and `seconds`
    are what it took; `stopped` says why it is not complete: `nodes`, or `stop` for the time too; empty where it is.
    """

    objective: Objective
    value: int | None
    lower: int
    upper: int
    mover_is_landlord: bool
    plays: tuple[Play, ...]
    undecided: tuple[Play, ...]
    complete: bool
    line: tuple[Play, ...]
    nodes: int
    seconds: float
    stopped: str

    @property
    def proven(self) -> bool:
        """Whether the value is known."""
        return self.value is not None

    @property
    def wins(self) -> bool | None:
        """Whether the side to move wins; None where that is not known."""
        if self.lower < 0 < self.upper:
            return None
        return (self.lower > 0) == self.mover_is_landlord


class OpenHandSolver:
    """Solves positions of one set of rules, one at a time, in memory of its own. `stop` may come from any thread."""

    def __init__(self, rules: CompiledRules, table: int = Limits.table) -> None:
        """A solver with a table of `table` bytes. SolverError: there is not so much memory."""
        try:
            self._solver = Solver(rules, table_size=table)
        except MemoryError:
            raise SolverError(f"table of {table} bytes: expected one that fits in memory") from None
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Ends the current solution with what is known."""
        self._solver.stop()

    def solve(
        self,
        position: Position,
        objective: Objective = "win",
        limits: Limits | None = None,
        *,
        all_plays: bool = True,
        line: bool = True,
        progress: Progress | None = None,
    ) -> Solution:
        """The solution of a position; the same whatever was solved before.

        With `all_plays` false the first play that keeps the value will do. `progress` is called with nodes and seconds
        every 65536 nodes; what it raises ends the search and is raised here. SolverError: an unknown objective, or a
        game that is over. RuntimeError: the solver is solving another position, in another thread.
        """
        if objective not in OBJECTIVES:
            raise SolverError(f"objective {objective!r}: expected {' or '.join(OBJECTIVES)}")
        if position.over:
            raise SolverError("the game is over: expected a position in which somebody is to move")
        limits = limits or Limits()
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this solver is answering another question")
        try:
            return self._solve(position, objective, limits, all_plays, line, progress)
        finally:
            self._lock.release()

    def _solve(
        self,
        position: Position,
        objective: Objective,
        limits: Limits,
        all_plays: bool,
        line: bool,
        progress: Progress | None,
    ) -> Solution:
        start = time.perf_counter()
        solver = self._solver
        solver.forget()
        solver.begin(
            position,
            node_limit=_NO_LIMIT if limits.nodes is None else limits.nodes,
            seconds=_NEVER if limits.seconds is None else limits.seconds,
            progress=progress,
        )
        work = _Work(solver, position, objective)
        low, high = work.bounds()
        value = low if low == high else None
        plays, undecided, complete = work.best_plays(value, all_plays)
        found_line = work.line(value, plays) if line and value is not None else ()
        unit = position.factor if objective == "score" else 1
        return Solution(
            objective=objective,
            value=None if value is None else value * unit,
            lower=low * unit,
            upper=high * unit,
            mover_is_landlord=position.turn == position.landlord,
            plays=plays,
            undecided=undecided,
            complete=complete,
            line=found_line,
            nodes=solver.nodes,
            seconds=time.perf_counter() - start,
            stopped=solver.halted,
        )


class _Work:
    """One solution on its way. Values in here count from the position on, earlier doublings left out."""

    def __init__(self, solver: Solver, position: Position, objective: Objective) -> None:
        self.solver = solver
        self.position = position
        self.objective = objective
        factors = [1]
        if objective == "score":
            most = solver.most_factor(position)
            for factor in factors:
                factors += [factor * f for f in solver.factors if factor * f <= most and factor * f not in factors]
        factors.sort()
        self.values = [-factor for factor in reversed(factors)] + factors

    def bounds(self) -> tuple[int, int]:
        """The values between which the value lies; equal where it is proven."""
        values = self.values
        low, high = 0, len(values) - 1
        probe = len(values) // 2  # who wins comes first, then the nearest doubling
        while low < high:
            reached = self.solver.reaches(self.position, values[probe])
            if reached is None:
                break
            if reached:
                low = probe
            else:
                high = probe - 1
            middle = len(values) // 2
            probe = min(low + 1, high) if low >= middle else max(high, low + 1)
        return values[low], values[high]

    def above(self, value: int) -> int | None:
        """The next higher value that there can be."""
        place = bisect_right(self.values, value)
        return self.values[place] if place < len(self.values) else None

    def keeps(self, position: Position, play: Play, value: int, search: bool = True) -> bool | None:
        """Whether a play keeps the value; None where that is not known."""
        ask = self.solver.move_reaches if search else self.solver.known
        if position.turn == position.landlord:
            return True if value <= self.values[0] else ask(position, play, value)
        above = self.above(value)
        if above is None:
            return True
        reached = ask(position, play, above)
        return None if reached is None else not reached

    def best_plays(self, value: int | None, everything: bool) -> tuple[tuple[Play, ...], tuple[Play, ...], bool]:
        """Plays that keep the value, plays left open, and whether the first are all that there are."""
        legal = self.position.legal()
        if value is None:
            return (), tuple(legal), False
        if self.objective == "win" and (value > 0) != (self.position.turn == self.position.landlord):
            return (), (), True
        found: list[Play] = []
        undecided: list[Play] = []
        if not everything:
            found = [play for play in [self.first_keeping(self.position, value)] if play is not None]
            return tuple(found), (), False
        for play in legal:
            kept = self.keeps(self.position, play, value)
            if kept is None:
                undecided.append(play)
            elif kept:
                found.append(play)
        return tuple(found), tuple(undecided), not undecided

    def first_keeping(self, position: Position, value: int) -> Play | None:
        """A play that keeps the value, one that needs no search where there is one."""
        legal = position.legal()
        for search in (False, True):
            for play in reversed(legal):
                if self.keeps(position, play, value, search):
                    return play
        return None

    def line(self, value: int, plays: tuple[Play, ...]) -> tuple[Play, ...]:
        """A game from the position to its end in which every play keeps the value."""
        position = self.position.copy()
        before = position.factor
        line: list[Play] = []
        total = value * before
        while not position.over:
            rest = total // position.factor if self.objective == "score" else value
            best = plays[0] if plays and not line else self.first_keeping(position, rest)
            if best is None:
                break
            position.play(best)
            line.append(best)
        return tuple(line)


def solve(
    position: Position,
    objective: Objective = "win",
    limits: Limits | None = None,
    *,
    all_plays: bool = True,
    line: bool = True,
    progress: Progress | None = None,
) -> Solution:
    """The solution of one position; see `OpenHandSolver.solve`."""
    limits = limits or Limits()
    solver = OpenHandSolver(rules_of(position), limits.table)
    return solver.solve(position, objective, limits, all_plays=all_plays, line=line, progress=progress)


def solve_many(
    positions: Iterable[Position],
    objective: Objective = "win",
    limits: Limits | None = None,
    *,
    threads: int = 1,
    all_plays: bool = True,
    line: bool = True,
) -> Generator[Solution, None, None]:
    """The solutions of many positions in their order, each as soon as those before it are there.

    The limits hold for each position. Works in `threads` threads that do not wait for each other; each has a table of
    its own. SolverError: fewer than one thread, and as for `solve`.
    """
    if threads < 1:
        raise SolverError(f"{threads} threads: expected at least 1")
    limits = limits or Limits()
    running: list[OpenHandSolver] = []

    def work(position: Position) -> Solution:
        solver = OpenHandSolver(rules_of(position), limits.table)
        running.append(solver)
        try:
            return solver.solve(position, objective, limits, all_plays=all_plays, line=line)
        finally:
            running.remove(solver)

    with ThreadPoolExecutor(threads) as pool:
        futures: list[Future[Solution]] = [pool.submit(work, position.copy()) for position in positions]
        try:
            for future in futures:
                while not future.done():
                    wait([future], timeout=0.2, return_when=FIRST_COMPLETED)  # so that Ctrl-C comes through
                yield future.result()
        except BaseException:
            for future in futures:
                future.cancel()
            while any(not future.done() for future in futures):
                for solver in list(running):
                    solver.stop()
                time.sleep(0.01)
            raise
