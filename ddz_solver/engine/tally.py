"""What the hands of one deal have shown, in whole numbers, so that their order changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from ddz_solver.engine.faults import Termination
from ddz_solver.engine.records import Record

Role: TypeAlias = Literal["landlord", "peasant"]
ROLES: Final[tuple[Role, ...]] = ("landlord", "peasant")


class Share(NamedTuple):
    """What an engine made of a role. A side of a hand counts as `unit`, split among the seats that it has.

    `unit` is the number of peasants: the landlord's seat counts so much, a peasant's 1. `played` leaves out what has
    neither won nor lost; `sides` counts everything that `points` came from.
    """

    won: int = 0
    played: int = 0
    points: int = 0
    sides: int = 0

    @classmethod
    def total(cls, shares: Iterable[Share]) -> Share:
        """Several shares together."""
        return cls(*map(sum, zip(cls(), *shares, strict=True)))


@dataclass
class EngineTimes:
    """Time of an engine's decisions, in microseconds."""

    decisions: int = 0
    total: int = 0
    slowest: int = 0

    def add(self, decisions: int, total: int, slowest: int) -> None:
        """Some more decisions."""
        self.decisions += decisions
        self.total += total
        self.slowest = max(self.slowest, slowest)


class HandTag(NamedTuple):
    """The tag `Hand` of a record of a match: which deal, which engines, who sits where."""

    number: int
    pair: tuple[int, int]
    seating: tuple[int, ...]

    @classmethod
    def of(cls, record: Record) -> HandTag:
        """The tag of a record. ValueError: it has none of this form, or not one engine and one score a seat."""
        number, pair, seating = record.tags.get("Hand", "").split(":")
        first, second = pair.split("-")
        seats = tuple(map(int, seating.split("-") if "-" in seating else seating))
        if len(seats) != len(record.scores):
            raise ValueError(f"{len(record.scores)} scores: expected {len(seats)}, one a seat")
        return cls(int(number), (int(first), int(second)), seats)


@dataclass
class DealResult:
    """All hands of one deal between two engines."""

    hands: int = 0
    void: bool = False
    """Whether a hand has no result, so that the deal does not count."""
    faults: int = 0
    shares: dict[tuple[int, Role], Share] = field(default_factory=dict)
    centred: Counter[int] = field(default_factory=Counter)
    """Points of each engine, the mean of all seats taken off, times the number of seats."""
    seats: int = 0
    endings: dict[int, Counter[str]] = field(default_factory=dict)
    times: dict[int, EngineTimes] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """One more hand. ValueError: the record is not of a match."""
        tag = HandTag.of(record)
        self.hands += 1
        self.seats = len(tag.seating)
        self.void = self.void or _is_void(record)
        landlord = record.plays[0][0] if record.plays else None
        offender = next((fault.seat for fault in record.faults if not fault.substituted), None)
        total = sum(record.scores)
        for seat, engine in enumerate(tag.seating):
            self.centred[engine] += record.scores[seat] * self.seats - total
            standing = None if self.void else _standing(record, seat, landlord, offender)
            if standing is not None:
                role, part, won = standing
                known = won is not None
                share = Share(part if won else 0, part if known else 0, record.scores[seat], part)
                self.shares[engine, role] = Share.total((self.shares.get((engine, role), Share()), share))
        self._count_endings(record, tag)
        self._count_times(record, tag)

    def share(self, engine: int, roles: Iterable[Role] = ROLES) -> Share:
        """What an engine made of these roles."""
        return Share.total(self.shares.get((engine, role), Share()) for role in roles)

    def points(self, engine: int) -> float:
        """Points a hand of an engine, all its seats together."""
        return self.centred[engine] / (self.seats * self.hands)

    def score(self, pair: tuple[int, int]) -> float:
        """Win rate of the first of two engines against the second: 0 to 1, 0.5 for even."""
        rates = []
        for engine in pair:
            share = self.share(engine)
            rates.append(share.won / share.played if share.played else 0.5)
        return 0.5 + (rates[0] - rates[1]) / 2

    def _count_endings(self, record: Record, tag: HandTag) -> None:
        at_fault = {tag.seating[fault.seat] for fault in record.faults}
        self.faults += len(record.faults)
        for fault in record.faults:
            self.endings.setdefault(tag.seating[fault.seat], Counter())[str(fault.termination)] += 1
        if record.termination in (Termination.NORMAL, Termination.PASSED):
            for engine in set(tag.seating) - at_fault:
                self.endings.setdefault(engine, Counter())[str(record.termination)] += 1

    def _count_times(self, record: Record, tag: HandTag) -> None:
        for engine, text in zip(tag.seating, record.tags.get("Times", "").split(), strict=False):
            decisions, spent, slowest = map(int, text.split("/"))
            self.times.setdefault(engine, EngineTimes()).add(decisions, spent, slowest)


def _is_void(record: Record) -> bool:
    return record.tags.get("Policy") == "void" and any(not fault.substituted for fault in record.faults)


def _standing(
    record: Record, seat: int, landlord: int | None, offender: int | None
) -> tuple[Role, int, bool | None] | None:
    """A seat's role, its part of the side, and whether it won (None: open); None where nobody became landlord.

    A seat that forfeits during the auction counts as a side of its own against all others.
    """
    peasants = len(record.scores) - 1
    if landlord is None:
        if offender is None:
            return None
        return ("peasant", peasants, False) if seat == offender else ("peasant", 1, True)
    role: Role = "landlord" if seat == landlord else "peasant"
    if offender is None:
        return role, peasants if seat == landlord else 1, (record.plays[-1][0] == landlord) == (seat == landlord)
    if seat == offender:
        return role, peasants, False
    if landlord not in (seat, offender):
        return role, 1, None
    return role, peasants if seat == landlord else 1, True
