"""The benchmarks and the long checks can be started, and the conversation of the soak test goes well."""

import importlib
import random
from pathlib import Path

import pytest

import bench
from bench.__main__ import BENCHMARKS
from bench.chatter import Chatter
from bench.strength_table import together

MODULES = sorted({path.stem for path in Path(bench.__file__).parent.glob("*.py")} - {"__init__"})


@pytest.mark.parametrize("name", MODULES)
def test_every_module_can_be_imported(name: str) -> None:
    module = importlib.import_module(f"bench.{name}")
    assert name not in BENCHMARKS or callable(module.rows)


def test_the_engine_answers_a_random_conversation() -> None:
    with Chatter(random.Random(2)) as chatter:
        for _ in range(100):
            chatter.exchange()
        chatter.quit()
    assert len(chatter.said) > 10


def test_matches_over_different_deals_count_by_their_deals() -> None:
    first = {"deals": 300, "seed": 1, "wp": 0.5, "wp_se": 0.02, "adp": 0.4, "adp_se": 0.1, "decisions_per_second": 10.0}
    second = {
        "deals": 100,
        "seed": 2,
        "wp": 0.6,
        "wp_se": 0.04,
        "adp": 0.0,
        "adp_se": 0.2,
        "decisions_per_second": 30.0,
    }
    sides = {"wp_landlord": 0.4, "wp_farmers": 0.6}
    found = together([{**first, **sides}, {**second, **sides}])
    assert (found["deals"], found["seeds"]) == (400, "1, 2")
    assert found["wp"] == pytest.approx(0.525)
    assert found["adp"] == pytest.approx(0.3)
    assert found["wp_se"] == pytest.approx((0.015**2 + 0.01**2) ** 0.5)
    assert found["adp_se"] == pytest.approx((0.075**2 + 0.05**2) ** 0.5)
    assert found["wp_landlord"] == pytest.approx(0.4)
    assert found["decisions_per_second"] == pytest.approx(12.0)
