"""What a match has shown so far: every figure from the deals that count.

Records may come in any order; the figures depend on their set alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

from ddz_solver.engine.records import Record
from ddz_solver.engine.statistics import (
    Estimate,
    Sprt,
    elo_estimate,
    expected_rate,
    rate_estimate,
    ratings,
    ratio_estimate,
)
from ddz_solver.engine.tally import ROLES, DealResult, EngineTimes, HandTag, Role, Share
from ddz_solver.game.errors import DdzError

Metric: TypeAlias = Literal["elo", "win", "points"]
METRICS: Final[tuple[Metric, ...]] = get_args(Metric)
_RESAMPLES: Final = 200
#: Least and most of a hypothesis: a rating difference, a win rate, points a hand.
_SPRT_RANGES: Final[Mapping[Metric, tuple[float, float]]] = MappingProxyType(
    {"elo": (-2000, 2000), "win": (0, 1), "points": (-1e6, 1e6)}
)


@dataclass(frozen=True)
class SprtTest:
    """A sequential test of a match: `metric` elo and win are about the win rate, points about points a hand."""

    metric: Metric
    test: Sprt

    @classmethod
    def make(cls, metric: Metric, low: float, high: float, alpha: float = 0.05, beta: float = 0.05) -> SprtTest:
        """H0: the first engine is at `low`; H1: at `high`. ValueError: hypotheses or error rates that make no test."""
        least, most = _SPRT_RANGES[metric]
        if not (least <= low <= most and least <= high <= most):
            raise DdzError(f"a test between {low} and {high} in {metric}: expected numbers of {least:g} to {most:g}")
        if metric == "elo":
            Sprt(low, high, alpha, beta)  # what is wrong is told in Elo
            low, high = expected_rate(low), expected_rate(high)
        return cls(metric, Sprt(low, high, alpha, beta))


@dataclass(frozen=True)
class SprtState:
    """Where a sequential test stands after `deals` deals; `decision` is H0, H1 or None."""

    deals: int
    llr: float
    bounds: tuple[float, float]
    decision: str | None


class Results:
    """All results of a match. With a sequential test only the deals up to its decision count, in their order."""

    def __init__(
        self,
        names: Sequence[str],
        pairs: Sequence[tuple[int, int]],
        hands_per_deal: int,
        sprt: SprtTest | None = None,
    ) -> None:
        """No results yet. `hands_per_deal` is the number of seatings of a deal."""
        self.names = tuple(names)
        self.pairs = tuple(pairs)
        self.hands_per_deal = hands_per_deal
        self.sprt = sprt
        self.keys: set[str] = set()
        """The hands that were counted, by their tag `Hand`."""
        self._deals: dict[tuple[int, int], dict[int, DealResult]] = {pair: {} for pair in pairs}
        self._sprt_next = 0
        self._sprt_sums = (0, 0.0, 0.0)
        self._sprt_state: SprtState | None = None

    def add(self, record: Record) -> None:
        """Count a hand; one that was counted already is not counted again."""
        key = record.tags["Hand"]
        if key in self.keys:
            return
        self.keys.add(key)
        tag = HandTag.of(record)
        deal = self._deals[tag.pair].setdefault(tag.number, DealResult())
        deal.add(record)
        if deal.hands == self.hands_per_deal:
            self._advance_sprt()

    # --- which deals count ------------------------------------------------------------------------------------------

    @property
    def stop_at(self) -> int | None:
        """The number of the first deal that does not count because the sequential test was decided before it."""
        state = self._sprt_state
        return self._sprt_next if state is not None and state.decision is not None else None

    @property
    def sprt_state(self) -> SprtState | None:
        """The sequential test so far; None without one."""
        if self.sprt is not None and self._sprt_state is None:
            return SprtState(0, 0.0, self.sprt.test.bounds, None)
        return self._sprt_state

    def deals(self, pair: tuple[int, int]) -> list[tuple[int, DealResult]]:
        """The complete deals of a pair that count, in the order of their numbers."""
        return [(number, deal) for number, deal in self._played(pair) if not deal.void]

    # --- figures ----------------------------------------------------------------------------------------------------

    def win_rate(self, engine: int, roles: Sequence[Role] = ROLES) -> Estimate:
        """Share of the hands won in these roles, against everybody met."""
        shares = [Share.total(deal.share(engine, roles) for deal in deals) for deals in self._by_number(engine)]
        return rate_estimate((share.won, share.played) for share in shares)

    def points(self, engine: int) -> Estimate:
        """Points a hand, all seats of the engine together."""
        groups = self._by_number(engine)
        return ratio_estimate((sum(deal.points(engine) for deal in deals), len(deals)) for deals in groups)

    def role_points(self, engine: int, role: Role) -> Estimate:
        """Points of the side, each time that the engine plays this role."""
        shares = [Share.total(deal.share(engine, (role,)) for deal in deals) for deals in self._by_number(engine)]
        unit = max((deal.seats - 1 for pair in self.pairs for _, deal in self.deals(pair)), default=1)
        return ratio_estimate((share.points, share.sides / unit) for share in shares)

    def score(self, pair: tuple[int, int]) -> Estimate:
        """Win rate of the first of a pair against the second."""
        return rate_estimate((deal.score(pair), 1.0) for _, deal in self.deals(pair))

    def difference(self, pair: tuple[int, int]) -> Estimate:
        """Points a hand of the first of a pair against the second."""
        return ratio_estimate((deal.points(pair[0]), 1.0) for _, deal in self.deals(pair))

    def elo(self, pair: tuple[int, int]) -> Estimate:
        """Rating difference between the engines of a pair."""
        return elo_estimate(self.score(pair))

    def rating(self) -> list[Estimate]:
        """Rating of every engine, the first at 0; intervals by resampling deals with a fixed seed."""
        import numpy as np

        by_pair = [dict(self.deals(pair)) for pair in self.pairs]
        numbers = sorted({number for deals in by_pair for number in deals})
        size = len(numbers)
        won = np.zeros((2 * len(self.pairs), size))  # what each side of each pair won in each deal
        for row, (pair, deals) in enumerate(zip(self.pairs, by_pair, strict=True)):
            for place, number in enumerate(numbers):
                if number in deals:
                    score = deals[number].score(pair)
                    won[2 * row : 2 * row + 2, place] = score, 1 - score
        centre = self._ratings(won.sum(axis=1).tolist())
        rng = np.random.default_rng(0)
        draws = rng.multinomial(size, np.full(size, 1 / size), _RESAMPLES) if size else np.zeros((0, 0))
        samples = [self._ratings((won @ weights).tolist()) for weights in draws]
        estimates = []
        for engine, value in enumerate(centre):
            column = sorted(sample[engine] for sample in samples) or [math.nan]
            low, high = column[int(0.025 * len(column))], column[math.ceil(0.975 * len(column)) - 1]
            estimates.append(Estimate(value, low, high, size))
        return estimates

    def endings(self, engine: int) -> Counter[str]:
        """How the hands of an engine ended: a fault counts for the engine that made it, all else for both."""
        return sum((deal.endings.get(engine, Counter()) for deal in self._all(engine)), Counter())

    def times(self, engine: int) -> EngineTimes:
        """Time of an engine's decisions."""
        times = EngineTimes()
        for deal in self._all(engine):
            one = deal.times.get(engine, EngineTimes())
            times.add(one.decisions, one.total, one.slowest)
        return times

    def faults(self) -> int:
        """Number of faults of all engines."""
        return sum(deal.faults for pair in self.pairs for _, deal in self._played(pair))

    def void_deals(self) -> int:
        """Number of deals that do not count because a hand has no result."""
        return sum(deal.void for pair in self.pairs for _, deal in self._played(pair))

    # --- inside -----------------------------------------------------------------------------------------------------

    def _played(self, pair: tuple[int, int]) -> list[tuple[int, DealResult]]:
        """The complete deals of a pair, void ones too, up to where a sequential test ended."""
        stop = self.stop_at
        return [
            (number, deal)
            for number, deal in sorted(self._deals[pair].items())
            if deal.hands == self.hands_per_deal and (stop is None or number < stop)
        ]

    def _all(self, engine: int) -> list[DealResult]:
        return [deal for pair in self.pairs if engine in pair for _, deal in self._played(pair)]

    def _by_number(self, engine: int) -> list[list[DealResult]]:
        """The deals of an engine, those of the same number together, as they share their cards."""
        groups: dict[int, list[DealResult]] = {}
        for pair in self.pairs:
            if engine in pair:
                for number, deal in self.deals(pair):
                    groups.setdefault(number, []).append(deal)
        return [groups[number] for number in sorted(groups)]

    def _ratings(self, won: Sequence[float]) -> list[float]:
        """Ratings from what both sides of each pair won in all."""
        wins = [[0.0] * len(self.names) for _ in self.names]
        for row, (first, second) in enumerate(self.pairs):
            wins[first][second], wins[second][first] = won[2 * row], won[2 * row + 1]
        return ratings(wins)

    def _advance_sprt(self) -> None:
        """Take the deals into the sequential test in the order of their numbers, as far as they are complete."""
        if self.sprt is None or self.stop_at is not None:
            return
        (pair,) = self.pairs
        test = self.sprt.test
        while (deal := self._deals[pair].get(self._sprt_next)) is not None and deal.hands == self.hands_per_deal:
            self._sprt_next += 1
            if not deal.void:
                value = deal.points(pair[0]) if self.sprt.metric == "points" else deal.score(pair)
                count, total, squares = self._sprt_sums
                self._sprt_sums = (count + 1, total + value, squares + value * value)
            sums = self._sprt_sums
            self._sprt_state = SprtState(sums[0], test.llr(*sums), test.bounds, test.decision(*sums))
            if self._sprt_state.decision is not None:
                return
