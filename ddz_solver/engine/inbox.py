"""Lines that arrive from a program, kept until somebody asks for them, and never more than fit."""

from __future__ import annotations

import queue
import time
from typing import Final

from ddz_solver.engine.lines import MAX_LINE

#: Bytes of output that a program may write between two requests.
FLOOD: Final = 1 << 20


class ProgramFault(Exception):
    """Why nothing more is to be had from a program: `reason` is exit, closed, stall, flood or stderr-flood."""

    def __init__(self, reason: str, detail: str) -> None:
        """A fault with its fixed reason and what happened in words."""
        super().__init__(detail)
        self.reason = reason


class Inbox:
    """What one thread reads from a program, as lines for another thread, up to what ends it."""

    def __init__(self) -> None:
        """Nothing has arrived."""
        self._items: queue.SimpleQueue[str | ProgramFault] = queue.SimpleQueue()
        self._rest = b""
        self._bytes = 0

    @property
    def unfinished(self) -> str:
        """What has arrived of a line that has not ended."""
        return self._rest.decode("ascii", "replace")

    def expect(self) -> None:
        """A request is made: output is counted anew."""
        self._bytes = 0

    def add(self, chunk: bytes) -> bool:
        """Take in what has arrived. False where that is too much, and nothing more shall be read."""
        self._bytes += len(chunk)
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._items.put(line.decode("ascii", "replace").rstrip("\r"))
        if len(self._rest) > MAX_LINE:
            self.end(ProgramFault("flood", f"a line of more than {MAX_LINE} bytes"))
        elif self._bytes > FLOOD:
            self.end(ProgramFault("flood", f"more than {FLOOD} bytes of output to one request"))
        else:
            return True
        return False

    def end(self, fault: ProgramFault) -> None:
        """After this nothing more arrives."""
        self._items.put(fault)

    def receive(self, deadline: float) -> str:
        """The next line, without its end. ProgramFault: stall at the deadline, or what ended the output."""
        try:
            item = self._items.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            half = ", only half a line" if self._rest else ""
            raise ProgramFault("stall", f"no answer in time{half}") from None
        if isinstance(item, ProgramFault):
            self._items.put(item)
            raise item
        return item

    def pending(self) -> bool:
        """Whether a line, or the end, has arrived already."""
        return not self._items.empty()
