"""A table of a match: keeps its players over many hands, restarts those that failed, writes the records.

Each thread or worker process has a table of its own; `play_tasks` is what an executor runs there.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from ddz_solver.engine.client import Timing
from ddz_solver.engine.faults import EngineFault
from ddz_solver.engine.players import Player, open_player
from ddz_solver.engine.records import Record
from ddz_solver.engine.referee import Outcome, Policy, play_hand, plays_text
from ddz_solver.engine.schedule import Task, match_deal
from ddz_solver.engine.specs import EngineSpec
from ddz_solver.game.deal import Deal
from ddz_solver.game.rules import Rules

#: An engine that failed to come up so often in a row is not started again at this table.
MAX_START_FAILURES: Final = 3


@dataclass(frozen=True)
class Setup:
    """Everything that decides how the hands of a match are played."""

    rules: Rules
    engines: tuple[EngineSpec, ...]
    seed: int = 0
    policy: Policy = "forfeit"
    timing: Timing = field(default_factory=Timing)
    deals: str = ""
    """A text that tells given deals from others; "" for deals from the seed."""

    @cached_property
    def fingerprint(self) -> str:
        """A short text that tells this set-up from others."""
        parts = (str(self.rules), str(self.seed), self.deals, self.policy, *map(str, self.engines))
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Table:
    """Players at one table. Context manager: leaving it lets them go."""

    def __init__(self, setup: Setup) -> None:
        """A table without players; they are opened when they are first asked."""
        self.setup = setup
        self._rules_text = str(setup.rules)
        self._players: dict[tuple[int, int], Player] = {}
        self._failures: dict[int, EngineFault] = {}
        self._start_failures: dict[int, int] = {}

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def play(self, task: Task) -> Record:
        """Play one hand."""
        setup = self.setup
        rules = setup.rules
        deal = match_deal(rules, setup.seed, task.number) if task.deal is None else Deal.parse(task.deal)
        hand = _Hand(self, task)
        outcome = play_hand(rules, deal, hand, setup.policy)
        hand.end(outcome)
        return self._record(task, deal, outcome)

    def open(self, engine: int, seat: int) -> Player:
        """The player of an engine for a seat, started if need be. EngineFault where it cannot be."""
        player = self._players.get((engine, seat))
        if player is not None:
            return player
        if self._start_failures.get(engine, 0) >= MAX_START_FAILURES:
            last = self._failures[engine]
            raise EngineFault(last.termination, f"not started again after {MAX_START_FAILURES} failures: {last}")
        try:
            player = open_player(self.setup.engines[engine], self.setup.timing)
        except EngineFault as fault:
            self._failures[engine] = fault
            self._start_failures[engine] = self._start_failures.get(engine, 0) + 1
            raise
        self._start_failures[engine] = 0
        self._players[engine, seat] = player
        return player

    def drop(self, engine: int, seat: int) -> None:
        """End a player; the next one in its place is started anew."""
        player = self._players.pop((engine, seat), None)
        if player is not None:
            player.close()

    def close(self) -> None:
        """End all players."""
        for engine, seat in list(self._players):
            self.drop(engine, seat)

    def _record(self, task: Task, deal: Deal, outcome: Outcome) -> Record:
        setup = self.setup
        times = [f"{clock.decisions}/{clock.total * 1e6:.0f}/{clock.slowest * 1e6:.0f}" for clock in outcome.clocks]
        landlord = {"Landlord": "0", "Bid": "1"} if setup.rules.auction == "none" else {}
        return Record(
            rules=self._rules_text,
            deal=deal,
            players=tuple([setup.engines[engine].name for engine in task.seating]),
            calls=outcome.game.calls,
            plays=plays_text(outcome.game),
            scores=outcome.scores,
            termination=outcome.termination,
            faults=outcome.faults,
            tags={
                "Match": setup.fingerprint,
                "Hand": task.key,
                "Policy": setup.policy,
                "Times": " ".join(times),
                **landlord,
            },
        )


class _Hand:
    """One hand at a table: who has been told that it begins."""

    def __init__(self, table: Table, task: Task) -> None:
        self._table = table
        self._task = task
        self._told: dict[int, Player] = {}

    def player(self, seat: int) -> Player:
        """The seat's player, ready for this hand. EngineFault."""
        player = self._told.get(seat)
        if player is not None:
            return player
        table, engine = self._table, self._task.seating[seat]
        player = table.open(engine, seat)
        self._told[seat] = player
        setup = table.setup
        seed = hashlib.blake2b(f"{setup.seed}/{self._task.key}/{seat}".encode(), digest_size=7).digest()
        player.new_hand(setup.rules, seat, int.from_bytes(seed, "big"))
        return player

    def fail(self, seat: int) -> None:
        """The seat's player has failed: end it."""
        self._told.pop(seat, None)
        self._table.drop(self._task.seating[seat], seat)

    def end(self, outcome: Outcome) -> None:
        """Tell everybody the result; who does not take it is ended."""
        for seat, player in list(self._told.items()):
            try:
                player.end_hand(outcome.scores, outcome.termination)
            except EngineFault:
                self.fail(seat)


_tables: dict[int, Table] = {}
"""The table of each thread of this process, by the thread's number."""


def play_tasks(setup: Setup, tasks: Sequence[Task]) -> list[Record]:
    """Play hands one after the other at this thread's table."""
    table = _table_here(setup)
    return [table.play(task) for task in tasks]


def close_all() -> None:
    """Close the tables of this process."""
    while _tables:
        _tables.popitem()[1].close()


def close_tables(setup: Setup) -> None:
    """Close this process's tables of a set-up."""
    for thread, table in list(_tables.items()):
        if table.setup.fingerprint == setup.fingerprint:
            del _tables[thread]
            table.close()


def _table_here(setup: Setup) -> Table:
    """The table of this thread for a set-up; the one of another set-up is closed."""
    thread = threading.get_ident()
    table = _tables.get(thread)
    if table is None or table.setup.fingerprint != setup.fingerprint:
        if table is not None:
            table.close()
        table = _tables[thread] = Table(setup)
    return table
