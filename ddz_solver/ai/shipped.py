"""Files that ship with the package, one for each size of table."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def shipped_file(names: Mapping[tuple[int, int], str], players: int, decks: int) -> Traversable | None:
    """The file in the package's folder `data` for such a table, by its name in `names`; None where none ships."""
    name = names.get((players, decks))
    resource = files("ddz_solver").joinpath("data", name) if name else None
    return resource if resource is not None and resource.is_file() else None
