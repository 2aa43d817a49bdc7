"""Matches on Dask's scheduler with two workers; skipped where the package is not installed."""

import pytest

from ddz_solver.engine.executors import open_executor
from ddz_solver.engine.match import Match
from ddz_solver.engine.records import Record

distributed = pytest.importorskip("distributed")


def played(executor: object, concurrency: int) -> dict[str, tuple[object, ...]]:
    records: list[Record] = []
    match = Match(["greedy", "random"], "classic", deals=6, executor=executor, concurrency=concurrency)  # type: ignore[arg-type]
    match.on_hand = lambda record, results: records.append(record)
    match.run()
    return {record.tags["Hand"]: (record.calls, record.plays, record.scores) for record in records}


def test_a_cluster_plays_the_same_hands() -> None:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")
        with open_executor(f"dask://{address}", 2) as (executor, concurrency):
            assert concurrency == 4
            spread = played(executor, concurrency)
    assert spread == played(None, 1)
    assert len(spread) == 36
