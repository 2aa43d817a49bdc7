"""Live progress of a match in a terminal: a bar, the score so far, the sequential test, the last fault."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from ddz_solver.engine.match import Match
from ddz_solver.engine.records import Record
from ddz_solver.engine.report import percent, plus_minus, sprt_text
from ddz_solver.engine.results import Results

if TYPE_CHECKING:
    from rich.progress import Progress

#: Shown at most so often, in seconds, and at most this share of the time.
_EVERY = 0.5
_SHARE = 0.05


class LiveProgress:
    """Shows how a match goes on standard error; context manager. `update` is for `on_hand` of the match."""

    def __init__(self, match: Match) -> None:
        """Progress of this match; nothing is shown where standard error is no terminal."""
        self._match = match
        self._progress: Progress | None = None
        self._done = 0
        self._next = 0.0
        self._fault = ""

    def __enter__(self) -> LiveProgress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._progress = Progress(
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("hands"),
                TimeRemainingColumn(),
                TextColumn("{task.description}", markup=False),
                console=Console(stderr=True),
            )
            self._progress.start()
            self._task = self._progress.add_task("", total=self._match.hands)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._show(self._match.results)
            self._progress.stop()

    def update(self, record: Record, results: Results) -> None:
        """One more hand."""
        self._done += 1
        if record.faults:
            fault = record.faults[-1]
            self._fault = f"  last fault: {record.players[fault.seat]} {fault.termination}"
        if self._progress is not None and time.monotonic() > self._next:
            self._show(results)

    def _show(self, results: Results) -> None:
        assert self._progress is not None
        start = time.monotonic()
        pair = results.pairs[0]
        names = f"{results.names[pair[0]]} - {results.names[pair[1]]}"
        score = results.score(pair)
        text = f"{names}  {percent(score)}  {plus_minus(results.difference(pair))} points"
        if (sprt := sprt_text(results)) is not None:
            text += f"  {sprt}"
        self._progress.update(
            self._task, completed=self._match.resumed + self._done, description=text + self._fault, refresh=True
        )
        now = time.monotonic()
        self._next = now + max(_EVERY, (now - start) / _SHARE)
