"""A module imports its own layer or one below, never above: core <- game <- ai <- engine, adapters, train <- cli."""

import ast
from collections.abc import Iterator
from pathlib import Path

import ddz_solver

PACKAGE = Path(ddz_solver.__file__).parent
LEVELS = {"core": 0, "game": 1, "ai": 2, "engine": 3, "adapters": 3, "train": 3, "web": 4, "cli": 5, "__main__": 6}


def imported_modules(path: Path) -> Iterator[str]:
    """Full names of the package's own modules that a source file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_layers() -> None:
    wrong, seen = [], set()
    for path in PACKAGE.rglob("*.py"):
        layer = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if layer == "__init__":
            continue
        seen.add(layer)
        for name in imported_modules(path):
            package, _, rest = name.partition(".")
            target = rest.split(".")[0]
            if package == "ddz_solver" and LEVELS.get(target, -1) > LEVELS[layer]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert not wrong
    assert {"core", "game"} <= seen <= set(LEVELS)
