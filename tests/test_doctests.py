"""The examples in the documentation of every module, the compiled ones among them."""

import doctest
import importlib
import pkgutil

import pytest

import ddz_solver

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(ddz_solver.__path__, "ddz_solver.") if "__main__" not in module.name
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if str(error.name).startswith("ddz_solver"):
            raise
        pytest.skip(f"needs {error.name}")
    assert doctest.testmod(module).failed == 0


def test_there_are_examples() -> None:
    for name in ("ddz_solver.core.hand", "ddz_solver.core.rng", "ddz_solver.game.game", "ddz_solver.game.notation"):
        assert doctest.testmod(importlib.import_module(name)).attempted > 0
