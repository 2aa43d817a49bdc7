"""The options of the engine: their types, ranges and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ddz_solver.engine.limits import read_number
from ddz_solver.engine.lines import ProtocolError


@dataclass(frozen=True)
class Option:
    """One option: `type` is spin (a whole number), combo (one of `values`) or string."""

    name: str
    type: str
    default: str
    least: int = 0
    most: int = 0
    values: tuple[str, ...] = ()

    def fields(self) -> dict[str, object]:
        """The fields of its `option` line."""
        range_ = {"min": self.least, "max": self.most} if self.type == "spin" else {}
        values = {"values": ",".join(self.values)} if self.type == "combo" else {}
        return {"name": self.name, "type": self.type, "default": self.default, **range_, **values}

    def check(self, text: str) -> str:
        """The value that a text means. ProtocolError `bad-value`."""
        if self.type == "spin":
            return str(read_number(self.name, text, self.least, self.most))
        if self.type == "combo" and text not in self.values:
            raise ProtocolError("bad-value", f"{self.name}={text[:40]}: expected one of {', '.join(self.values)}")
        return text


class Options:
    """The values of a set of options."""

    def __init__(self, options: tuple[Option, ...]) -> None:
        """Every option at its default."""
        self.known: Final = {option.name: option for option in options}
        self._values = {option.name: option.default for option in options}

    def set(self, changes: Mapping[str, str]) -> None:
        """Set several options, or none if one is wrong. ProtocolError: `bad-option`, `bad-value`."""
        checked = {}
        for name, text in changes.items():
            if name not in self.known:
                raise ProtocolError("bad-option", f"unknown option {name!r}: expected one of {', '.join(self.known)}")
            checked[name] = self.known[name].check(text)
        self._values.update(checked)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def number(self, name: str) -> int:
        """The value of a spin option."""
        return int(self._values[name])
