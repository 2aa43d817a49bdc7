"""Matches: every deal in all its seatings, on any executor, resumable at any moment.

result = Match(["greedy", "random"], deals=100).run()
print(result.score((0, 1)))
"""

from __future__ import annotations

import hashlib
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from ddz_solver.engine.client import Timing
from ddz_solver.engine.players import check_spec
from ddz_solver.engine.records import Record, RecordError, RecordFile
from ddz_solver.engine.referee import POLICIES, Policy
from ddz_solver.engine.results import Results, SprtTest
from ddz_solver.engine.schedule import FORMATS, Format, Task, pairs_of, seatings_of, tasks_of
from ddz_solver.engine.specs import EngineSpec
from ddz_solver.engine.table import Setup, Table, close_tables, play_tasks
from ddz_solver.engine.tally import HandTag
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import Rules, RulesLike

#: Hands that take less are sent to an executor together, so many as take about this long, in seconds.
_BATCH_SECONDS: Final = 0.1
_MAX_BATCH: Final = 64


class MatchError(DdzError):
    """A match that cannot be played as it is described."""


class Match:
    """A match between two or more engines over deals from a seed or from a list.

    `engines` are specifications as in `EngineSpec.parse`; `deals` is a number of deals drawn from `seed`, or the deals
    themselves. With `record` every finished hand is appended to that file at once, and hands that it holds already are
    not played again. Without `executor` the hands are played one after the other in this thread; with one, up to
    `concurrency` pieces of work are given to it at a time. DdzError: what is wrong with the description.
    """

    def __init__(
        self,
        engines: Sequence[EngineSpec | str],
        rules: RulesLike = "classic",
        *,
        deals: int | Sequence[Deal] = 100,
        seed: int = 0,
        format: Format = "round-robin",
        policy: Policy = "forfeit",
        record: str | Path | None = None,
        sprt: SprtTest | None = None,
        timing: Timing | None = None,
        executor: Executor | None = None,
        concurrency: int = 1,
        on_hand: Callable[[Record, Results], None] | None = None,
    ) -> None:
        specs = _distinct([spec if isinstance(spec, EngineSpec) else EngineSpec.parse(spec) for spec in engines])
        if len(specs) < 2:
            raise MatchError(f"{len(specs)} engine(s): expected at least two")
        if format not in FORMATS or policy not in POLICIES:
            raise MatchError(f"format {format!r}, policy {policy!r}: expected {FORMATS} and {POLICIES}")
        if sprt is not None and len(specs) != 2:
            raise MatchError(f"a sequential test with {len(specs)} engines: expected two")
        for spec in specs:
            check_spec(spec)
        rules = Rules.of(rules)
        self._deals = None if isinstance(deals, int) else tuple(deals)
        self.deals = deals if isinstance(deals, int) else len(deals)
        if self.deals < 1:
            raise MatchError(f"{self.deals} deals: expected at least one")
        for deal in self._deals or ():
            deal.check(rules)
        self.setup = Setup(rules, specs, seed, policy, timing or Timing(), _digest(self._deals))
        self.pairs = pairs_of(len(specs), format)
        self.hands_per_deal = len(seatings_of(rules, self.pairs[0]))
        self.results = Results([spec.name for spec in specs], self.pairs, self.hands_per_deal, sprt)
        self._record = record
        self.use(executor, concurrency)
        self.on_hand = on_hand
        """Called after every hand that was played."""
        self._stopped = False
        self.resumed = 0
        """Hands that were found in the record file."""

    @property
    def hands(self) -> int:
        """Number of hands of the whole match."""
        return self.deals * len(self.pairs) * self.hands_per_deal

    def use(self, executor: Executor | None, concurrency: int = 1) -> None:
        """Play the hands on this executor; None for this thread."""
        self._executor = executor
        self._concurrency = max(1, concurrency)

    def stop(self) -> None:
        """End the match after the hands that are being played; may be called from another thread or a callback."""
        self._stopped = True

    def run(self) -> Results:
        """Play what has not been played yet. OSError, RecordError: the record file cannot be used."""
        with ExitStack() as stack:
            file = None
            if self._record is not None:
                file = stack.enter_context(RecordFile(self._record))
                self._take_up(file)
            tasks = self._tasks()
            if self._executor is None:
                table = stack.enter_context(Table(self.setup))
                finished: Iterable[Record] = (table.play(task) for task in tasks)
            else:
                stack.callback(close_tables, self.setup)
                finished = self._spread(tasks, self._executor)
            for record in finished:
                if file is not None:
                    file.append(record)
                self.results.add(record)
                if self.on_hand is not None:
                    self.on_hand(record, self.results)
        return self.results

    def _take_up(self, file: RecordFile) -> None:
        """Count the hands of the record file. RecordError: it is of another match, or damaged."""
        for record in file.records:
            if record.tags.get("Match") != self.setup.fingerprint:
                raise RecordError(
                    f"{file.path} belongs to another match: expected the same rules, engines, seed, deals and policy, "
                    "or another file"
                )
            try:
                if HandTag.of(record).number < self.deals:
                    self.results.add(record)
                    self.resumed += 1
            except (ValueError, LookupError) as error:
                raise RecordError(f"{file.path} holds a damaged record: {type(error).__name__}: {error}") from None

    def _tasks(self) -> Iterator[Task]:
        """The hands that are left, until the match is stopped or its sequential test is decided."""
        for task in tasks_of(self.setup.rules, self.pairs, range(self.deals), self._deals):
            if self._stopped or self.results.stop_at is not None:
                return
            if task.key not in self.results.keys:
                yield task

    def _spread(self, tasks: Iterator[Task], executor: Executor) -> Iterator[Record]:
        """Play hands on an executor; records as they are finished."""
        running: dict[Future[list[Record]], tuple[int, float]] = {}
        batch = 1
        try:
            while True:
                while len(running) < self._concurrency and (work := list(itertools.islice(tasks, batch))):
                    running[executor.submit(play_tasks, self.setup, work)] = (len(work), time.perf_counter())
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    count, started = running.pop(future)
                    taken = (time.perf_counter() - started) / count
                    batch = min(_MAX_BATCH, max(1, int(_BATCH_SECONDS / max(taken, 1e-6))))
                    yield from future.result()
        except BrokenExecutor as error:
            raise MatchError(f"a worker ended: {error}; with a record file the same command goes on") from None
        finally:
            for future in running:
                future.cancel()


def _digest(deals: Sequence[Deal] | None) -> str:
    """A short text that tells given deals from others, "" for none."""
    return "" if deals is None else hashlib.sha256("\n".join(map(str, deals)).encode()).hexdigest()[:16]


def _distinct(specs: Sequence[EngineSpec]) -> tuple[EngineSpec, ...]:
    """The specifications with names that differ: a second `greedy` is called `greedy-2`, or what else is free."""
    taken = {spec.name for spec in specs}
    distinct: dict[str, EngineSpec] = {}
    for spec in specs:
        name = spec.name
        if name in distinct:
            name = next(other for number in itertools.count(2) if (other := f"{name}-{number}") not in taken)
            taken.add(name)
        distinct[name] = spec.renamed(name)
    return tuple(distinct.values())
