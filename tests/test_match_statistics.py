"""The statistics of matches keep what they promise, on simulated results with fixed seeds."""

import math
import random

import pytest

from ddz_solver.engine.results import SprtTest
from ddz_solver.engine.statistics import (
    NOTHING,
    Sprt,
    elo,
    elo_estimate,
    expected_rate,
    mean_estimate,
    rate_estimate,
    ratings,
    ratio_estimate,
    student_quantile,
)

REPEATS = 2000


def covers(share: float, level: float = 0.95) -> bool:
    """Whether a share of REPEATS trials is what the level promises, within four standard errors."""
    return abs(share - level) < 4 * math.sqrt(level * (1 - level) / REPEATS) + 0.01


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (9, 2.262), (29, 2.045), (10**6, 1.960)]
)
def test_student_quantiles(freedom: int, expected: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(expected, rel=2e-3)
    assert student_quantile(0.025, freedom) == pytest.approx(-expected, rel=2e-3)


@pytest.mark.parametrize("deals", [5, 20, 100])
def test_mean_intervals_cover(deals: int) -> None:
    """Scores as in play: mostly small, sometimes doubled again and again."""
    rng = random.Random(deals)

    def score() -> float:
        return rng.gauss(0.3, 1) + rng.gauss(0, 1)

    hits = 0
    for _ in range(REPEATS):
        estimate = mean_estimate([score() for _ in range(deals)])
        hits += estimate.low <= 0.3 <= estimate.high
    assert covers(hits / REPEATS)


@pytest.mark.parametrize("rate", [0.5, 0.62, 0.9, 0.97])
def test_rate_intervals_cover_for_correlated_hands(rate: float) -> None:
    """Two hands a deal that share their cards: the unit is the deal, not the hand."""
    rng = random.Random(int(rate * 100))
    hits = 0
    for _ in range(REPEATS):
        deals = []
        for _ in range(100):
            first = rng.random() < rate
            second = first if rng.random() < 0.5 else rng.random() < rate
            deals.append((first + second, 2.0))
        estimate = rate_estimate(deals)
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        hits += estimate.low <= rate <= estimate.high
    assert hits / REPEATS > 0.93
    assert hits / REPEATS < 0.985


def test_ratio_intervals_cover_where_counts_differ() -> None:
    """An engine is landlord in some hands of a deal, and the deals where it often is are good ones."""
    rng = random.Random(4)
    hits = 0
    expected = (0.2 * 1 * 0.5 + 0.8 * 3 * 1.5) / (0.2 * 1 + 0.8 * 3)
    for _ in range(REPEATS):
        parts = []
        for _ in range(60):
            count, mean = (1, 0.5) if rng.random() < 0.2 else (3, 1.5)
            parts.append((count * mean + rng.gauss(0, 1), float(count)))
        estimate = ratio_estimate(parts)
        hits += estimate.low <= expected <= estimate.high
    assert covers(hits / REPEATS)


def test_estimates_of_little() -> None:
    assert rate_estimate([]) == NOTHING
    assert ratio_estimate([(1.0, 0.0)]) == NOTHING
    one = mean_estimate([2.0])
    assert (one.value, one.low, one.high, one.n) == (2.0, -math.inf, math.inf, 1)
    sure = rate_estimate([(1.0, 1.0)] * 20)
    assert sure.value == sure.high == 1.0
    assert 0.7 < sure.low < 0.95


def test_elo() -> None:
    assert elo(0.5) == 0
    assert elo(0.64) == pytest.approx(100, abs=1)
    assert elo(1.0) == math.inf and elo(0.0) == -math.inf
    assert expected_rate(elo(0.7)) == pytest.approx(0.7)
    estimate = elo_estimate(rate_estimate([(1.0, 2.0), (2.0, 2.0), (0.0, 2.0), (2.0, 2.0)]))
    assert estimate.low < estimate.value < estimate.high


def test_ratings_recover_what_made_the_results() -> None:
    truth = [0.0, 120.0, -80.0, 300.0]
    wins = [[1000 * expected_rate(a - b) if a != b else 0.0 for b in truth] for a in truth]
    assert ratings(wins) == pytest.approx(truth, abs=1)
    assert ratings([[0.0, 0.0], [0.0, 0.0]]) == [0.0, 0.0]
    lost = ratings([[0.0, 50.0], [0.0, 0.0]])
    assert lost[1] < -300 and math.isfinite(lost[1])


def play_sprt(test: Sprt, mean: float, spread: float, rng: random.Random) -> tuple[str, int]:
    count, total, squares = 0, 0.0, 0.0
    while True:
        value = rng.gauss(mean, spread)
        count, total, squares = count + 1, total + value, squares + value * value
        decision = test.decision(count, total, squares)
        if decision is not None:
            return decision, count


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.1, 0.02)])
def test_sequential_test_keeps_its_error_rates(alpha: float, beta: float) -> None:
    test = Sprt(0.0, 0.2, alpha, beta)
    rng = random.Random(7)
    trials = 600
    wrong_h1 = sum(play_sprt(test, 0.0, 1.5, rng)[0] == "H1" for _ in range(trials)) / trials
    wrong_h0 = sum(play_sprt(test, 0.2, 1.5, rng)[0] == "H0" for _ in range(trials)) / trials
    assert wrong_h1 < alpha + 3 * math.sqrt(alpha / trials)
    assert wrong_h0 < beta + 3 * math.sqrt(beta / trials)
    assert wrong_h1 > alpha / 4 and wrong_h0 > beta / 6, "the test would be needlessly long"


def test_sequential_test_is_shorter_than_a_fixed_one() -> None:
    test = Sprt(0.0, 0.2)
    rng = random.Random(8)
    lengths = [play_sprt(test, 0.2, 1.5, rng)[1] for _ in range(200)]
    fixed = 2 * ((1.645 + 1.645) * 1.5 / 0.2) ** 2 / 2
    assert sum(lengths) / len(lengths) < fixed


def test_sequential_test_on_win_rates_of_pairs() -> None:
    """Deals of two hands score 0, 0.5 or 1, as those of a match do."""
    test = SprtTest.make("elo", 0, 30).test
    rng = random.Random(9)
    for difference, wrong in ((0, "H1"), (30, "H0")):
        rate = expected_rate(difference)
        errors = 0
        for _ in range(150):
            count, total, squares, decision = 0, 0.0, 0.0, None
            while decision is None:
                value = ((rng.random() < rate) + (rng.random() < rate)) / 2
                count, total, squares = count + 1, total + value, squares + value * value
                decision = test.decision(count, total, squares)
            errors += decision == wrong
        assert errors / 150 < 0.05 + 3 * math.sqrt(0.05 / 150)


@pytest.mark.parametrize("arguments", [(1, 0), (0, 0), (0, 1, 0.0), (0, 1, 0.05, 0.7)])
def test_sequential_tests_that_make_no_sense(arguments: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Sprt(*arguments)


def test_sequential_test_without_spread_waits_and_decides() -> None:
    test = Sprt(0.0, 0.1)
    assert test.decision(29, 29.0, 29.0) is None
    assert test.decision(200, 200.0, 200.0) == "H1"
    assert test.decision(200, 0.0, 0.0) == "H0"
