"""Where the hands of a match are played: in this process, in threads, in worker processes, on a Dask cluster.

inline                 one after the other, here
threads                good for programs: the work is theirs
processes              the default; good for everything
dask://host:port       Dask's distributed scheduler at that address (needs the package `distributed`)
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from typing import Final

from ddz_solver.engine.memory import keep_small
from ddz_solver.engine.table import close_all
from ddz_solver.game.errors import DdzError

NAMES: Final = ("processes", "threads", "inline")
_DASK: Final = "dask://"


class ExecutorError(DdzError):
    """An executor that there is not, or a cluster that cannot be reached."""


@contextmanager
def open_executor(name: str, concurrency: int) -> Iterator[tuple[Executor | None, int]]:
    """The executor of a name and how many pieces of work to give it at a time; None for `inline`. ExecutorError.

    On leaving, the tables of a match are closed wherever they were and what this function started is ended.
    """
    if name == "inline":
        yield None, 1
    elif name == "threads":
        with ThreadPoolExecutor(concurrency) as threads:
            try:
                yield threads, concurrency
            finally:
                threads.shutdown(cancel_futures=True)
                close_all()
    elif name == "processes":
        with _processes(concurrency) as processes:
            try:
                yield processes, concurrency
            finally:
                processes.shutdown(cancel_futures=True)
    elif name.startswith(_DASK):
        yield from _dask(name.removeprefix(_DASK), concurrency)
    else:
        raise ExecutorError(f"unknown executor {name!r}: expected {', '.join(NAMES)} or {_DASK}HOST:PORT")


def _processes(concurrency: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(concurrency, mp_context=context, initializer=_begin_worker)


def _begin_worker() -> None:
    """Make a worker process end its tables when it ends, and end itself when its parent is gone; Ctrl-C is for that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keep_small()
    Finalize(None, close_all, exitpriority=10)
    parent = multiprocessing.parent_process()
    if parent is not None:
        sentinel = parent.sentinel

        def follow() -> None:
            wait([sentinel])
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


def _dask(address: str, concurrency: int) -> Iterator[tuple[Executor, int]]:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise ExecutorError(f"{_DASK}{address}: the package `distributed` is not installed") from None
    try:
        client = distributed.Client(f"tcp://{address}", timeout=10)
    except (OSError, ValueError) as error:
        raise ExecutorError(f"{_DASK}{address}: no scheduler there: {error}") from None
    with client:
        slots = sum(client.nthreads().values())
        if not slots:
            raise ExecutorError(f"{_DASK}{address}: the scheduler has no workers")
        try:
            yield client.get_executor(pure=False, retries=3), max(concurrency, 2 * slots)
        finally:
            client.run(close_all)
