"""Threads that think, so that the event loop stays free to answer everybody else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeAlias

Parts: TypeAlias = Callable[[threading.Event], Iterator[dict[str, Any]]]

_END: Final = object()

#: More than processors: who is stopped may think on for a moment, and the next question shall not wait for that.
_THREADS: Final = 16


class Busy(Exception):
    """Too many questions wait for a thread."""


class Workers:
    """A pool of threads with a limit on how many questions may be in it."""

    def __init__(self, waiting: int, threads: int | None = None) -> None:
        self._waiting = waiting
        self._asked = 0
        self._pool = ThreadPoolExecutor(threads or max(_THREADS, os.cpu_count() or 1), thread_name_prefix="ddz-web")

    async def parts(self, produce: Parts, seconds: float) -> AsyncGenerator[dict[str, Any], None]:
        """What `produce` yields in a thread of the pool, as it comes.

        The event that `produce` gets is set when the time is up and when the caller leaves. Busy: too many wait.
        """
        if self._asked >= self._waiting:
            raise Busy
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Any] = asyncio.Queue()
        stop = threading.Event()

        def put(item: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended while the thread was thinking
                loop.call_soon_threadsafe(queue.put_nowait, item)

        def work() -> None:
            try:
                for part in produce(stop):
                    put(part)
                put(_END)
            except BaseException as error:
                put(error)

        self._asked += 1
        future = loop.run_in_executor(self._pool, work)
        future.add_done_callback(lambda _: self._finished())
        timer = loop.call_later(seconds, stop.set)
        try:
            while (item := await queue.get()) is not _END:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            timer.cancel()
            stop.set()
            future.cancel()

    def close(self) -> None:
        """Start nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _finished(self) -> None:
        self._asked -= 1
