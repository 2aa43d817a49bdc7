"""The benchmarks and the long checks can be started, and the conversation of the soak test goes well."""

import importlib
import random
from pathlib import Path

import pytest

import bench
from bench.__main__ import BENCHMARKS
from bench.chatter import Chatter

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
