"""Statistics of matches: intervals over deals, rating differences, the sequential test.

The unit everywhere is a deal played in all its seatings: its hands share their cards, so only different deals are
independent. Rates are 0 to 1, scores are base points, ratings are in Elo units.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.95
_ELO_SCALE: Final = 400.0


class Estimate(NamedTuple):
    """A figure with its interval; `n` is the number of deals behind it."""

    value: float
    low: float
    high: float
    n: int

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


NOTHING: Final = Estimate(math.nan, math.nan, math.nan, 0)


def student_quantile(probability: float, freedom: int) -> float:
    """Quantile of Student's t distribution, by Hill's expansion: within 0.1 % from 4 degrees of freedom on.

    ValueError: a probability outside 0..1 or no degree of freedom.
    """
    if not 0 < probability < 1 or freedom < 1:
        raise ValueError(f"quantile {probability} with {freedom} degrees of freedom: expected 0..1 and at least 1")
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        return (2 * probability - 1) * math.sqrt(2 / (4 * probability * (1 - probability)))
    z, n = NormalDist().inv_cdf(probability), freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def mean_estimate(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """Mean of one number a deal (mean scores, say), with Student's interval; infinitely wide for a single deal."""
    return ratio_estimate([(value, 1.0) for value in values], confidence)


def ratio_estimate(parts: Iterable[tuple[float, float]], confidence: float = CONFIDENCE) -> Estimate:
    """Sum of the first numbers over the sum of the second ones, a pair (total, count) a deal.

    For figures of which a deal holds several or none, as points an engine made as landlord. The interval is the
    linearised one: it counts deals, not hands. Deals with a count of 0 carry no information and do not count.
    """
    pairs = [(total, count) for total, count in parts if count]
    n = len(pairs)
    if n == 0:
        return NOTHING
    counts = math.fsum(count for _, count in pairs)
    value = math.fsum(total for total, _ in pairs) / counts
    if n == 1:
        return Estimate(value, -math.inf, math.inf, 1)
    residuals = math.fsum((total - value * count) ** 2 for total, count in pairs)
    error = math.sqrt(residuals / (n * (n - 1))) / (counts / n)
    half = student_quantile((1 + confidence) / 2, n - 1) * error
    return Estimate(value, value - half, value + half, n)


def rate_estimate(parts: Iterable[tuple[float, float]], confidence: float = CONFIDENCE) -> Estimate:
    """A rate between 0 and 1, a pair (won, played) a deal: Wilson's interval for the effective number of deals.

    The spread between deals gives how many independent hands the deals are worth; Wilson's interval for that many
    stays inside 0..1 and honest near its ends.
    """
    pairs = [(won, played) for won, played in parts if played]
    plain = ratio_estimate(pairs, confidence)
    if plain.n == 0:
        return NOTHING
    rate, n = min(max(plain.value, 0.0), 1.0), plain.n
    quantile = student_quantile((1 + confidence) / 2, n - 1) if n > 1 else NormalDist().inv_cdf((1 + confidence) / 2)
    error = plain.margin / quantile
    effective = rate * (1 - rate) / error**2 if n > 1 and error > 0 else float(n)
    centre = (rate + quantile**2 / (2 * effective)) / (1 + quantile**2 / effective)
    half = (
        quantile
        / (1 + quantile**2 / effective)
        * math.sqrt(rate * (1 - rate) / effective + quantile**2 / (4 * effective**2))
    )
    return Estimate(rate, max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half)), n)


def elo(rate: float) -> float:
    """The rating difference that a win rate means: 0 at 0.5, infinite at 0 and 1."""
    if rate <= 0:
        return -math.inf
    if rate >= 1:
        return math.inf
    return _ELO_SCALE * math.log10(rate / (1 - rate))


def expected_rate(difference: float) -> float:
    """The win rate that a rating difference means."""
    return 1 / (1 + 10 ** (-difference / _ELO_SCALE))


def elo_estimate(rate: Estimate) -> Estimate:
    """A win rate with its interval as a rating difference with its interval."""
    return Estimate(elo(rate.value), elo(rate.low), elo(rate.high), rate.n)


def ratings(wins: Sequence[Sequence[float]], anchor: int = 0) -> list[float]:
    """Ratings of several players from `wins[a][b]`, what a won against b (fractions allowed); `anchor` is at 0.

    The Bradley-Terry maximum-likelihood ratings, with half a win added to each side of every pair that met, so that
    they stay finite. Players without results get 0.
    """
    count = len(wins)
    met = [[a != b and wins[a][b] + wins[b][a] > 0 for b in range(count)] for a in range(count)]
    won = [sum(wins[a][b] + 0.5 for b in range(count) if met[a][b]) for a in range(count)]
    strength = [1.0] * count
    for _ in range(10_000):
        before = list(strength)
        for a in range(count):
            share = sum((wins[a][b] + wins[b][a] + 1) / (strength[a] + strength[b]) for b in range(count) if met[a][b])
            strength[a] = won[a] / share if share else 1.0
        if all(abs(math.log(new / old)) < 1e-10 for new, old in zip(strength, before, strict=True)):
            break
    return [
        _ELO_SCALE * math.log10(value / strength[anchor]) if any(met[a]) else 0.0 for a, value in enumerate(strength)
    ]


@dataclass(frozen=True)
class Sprt:
    """A sequential test between two hypotheses about the mean of one number a deal.

    `low` is the mean under H0, `high` under H1; `alpha` is the chance to accept H1 when H0 holds, `beta` to accept H0
    when H1 holds. The log-likelihood ratio is the normal one with the spread seen so far, as in fishtest's GSPRT.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 30
    """No decision before this many deals: the spread has to be known."""

    def __post_init__(self) -> None:
        """ValueError: hypotheses in the wrong order, or error rates outside 0..0.5."""
        if not self.low < self.high:
            raise ValueError(f"sequential test between {self.low} and {self.high}: expected the lower one first")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name}={rate}: expected an error rate between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, count: int, total: float, squares: float) -> float:
        """Log-likelihood ratio of `count` deals with that sum and sum of squares; 0 while there is no spread."""
        if count < 2:
            return 0.0
        mean = total / count
        variance = (squares - count * mean * mean) / (count - 1)
        if variance <= 1e-12:
            variance = (self.high - self.low) ** 2
        return count * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * variance)

    def decision(self, count: int, total: float, squares: float) -> str | None:
        """Which hypothesis is accepted, H0 or H1; None while the test goes on."""
        if count < self.least:
            return None
        ratio, (lower, upper) = self.llr(count, total, squares), self.bounds
        return "H1" if ratio >= upper else "H0" if ratio <= lower else None
