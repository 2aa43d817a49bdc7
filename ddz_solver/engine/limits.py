"""Limits of one decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ddz_solver.ai.agents import MOST
from ddz_solver.engine.lines import ProtocolError

_MOST = 1 << 53


@dataclass(frozen=True)
class Limits:
    """How long to think: the first limit reached ends the search. None is no limit; `infinite` thinks until `stop`."""

    time: int | None = None
    """Milliseconds."""
    nodes: int | None = None
    """Plays made in the worlds looked at."""
    worlds: int | None = None
    """Ways the hidden cards can lie that are looked at."""
    depth: int | None = None
    """Choices ahead."""
    infinite: bool = False

    @classmethod
    def parse(cls, fields: Mapping[str, str]) -> Limits:
        """Limits from the fields of `go`; other fields are ignored. ProtocolError `bad-value`."""
        numbers = {name: read_number(name, fields[name], 1) for name in LIMIT_NAMES if name in fields}
        return cls(**numbers, infinite="infinite" in fields)

    def of_agent(self) -> dict[str, object]:
        """The options that keep an agent of a built-in level within these limits, with a tenth of the time to spare."""
        seconds = MOST["time"] if self.infinite else None if self.time is None else self.time * 0.9 / 1000
        wanted = {"time": seconds, "nodes": self.nodes, "worlds": self.worlds, "depth": self.depth}
        return {name: value and min(value, MOST[name]) for name, value in wanted.items()}

    def fields(self) -> dict[str, object]:
        """The fields of `go` that say this."""
        numbers = {name: getattr(self, name) for name in LIMIT_NAMES}
        return {name: value for name, value in numbers.items() if value is not None} | (
            {"infinite": True} if self.infinite else {}
        )


LIMIT_NAMES = ("time", "nodes", "worlds", "depth")


def read_number(name: str, text: str, least: int = 0, most: int = _MOST) -> int:
    """A whole number from the value of a field. ProtocolError `bad-value`: another text, or out of range."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 16 and least <= int(text) <= most):
        range_ = f"{least} or more" if most == _MOST else f"{least} to {most}"
        raise ProtocolError("bad-value", f"{name}={text[:40]}: expected a whole number, {range_}")
    return int(text)
