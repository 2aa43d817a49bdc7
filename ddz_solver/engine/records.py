"""Records of hands: readable text, its lossless JSON twin, and files of either that survive a kill.

    [Rules "classic"]
    [Deal "3345.../.../.../..." ]
    [Seat0 "greedy"]
    ...
    calls 1:pass 2:3
    plays 2:34567 0:pass 1:89TJQ
    result -3 -3 6 normal

The last line of a record is its result; a record without it was cut off and is dropped by `RecordFile`.
"""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ddz_solver.engine.faults import Termination
from ddz_solver.engine.lines import ProtocolError, parse_fields, quote
from ddz_solver.game.auction import format_call, parse_call
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError

_WIDTH: Final = 110
_FIXED_TAGS: Final = ("Rules", "Deal", "Fault")


class RecordError(DdzError):
    """A record that cannot be read, or that does not follow its rules."""


@dataclass(frozen=True)
class Fault:
    """Something that an engine did wrong, before the decision number `ply` (calls and plays counted from 0)."""

    ply: int
    seat: int
    termination: Termination
    detail: str
    substituted: bool = False
    """Whether the hand went on with a decision made in the engine's place."""


@dataclass(frozen=True)
class Record:
    """One hand that was played. `calls` and `plays` are (seat, what), a call being 0 for a pass."""

    rules: str
    deal: Deal
    players: tuple[str, ...]
    calls: tuple[tuple[int, int], ...]
    plays: tuple[tuple[int, str], ...]
    scores: tuple[int, ...]
    termination: Termination
    faults: tuple[Fault, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    """Anything else: names to texts."""

    def to_text(self) -> str:
        """The record as text, the end of its last line included."""
        lines = [_tag("Rules", self.rules), _tag("Deal", str(self.deal))]
        lines += [_tag(f"Seat{seat}", name) for seat, name in enumerate(self.players)]
        lines += [_tag(name, value) for name, value in self.tags.items()]
        lines += [_tag("Fault", _fault_text(fault)) for fault in self.faults]
        lines.append("")
        lines += _list("calls", (f"{seat}:{format_call(bid)}" for seat, bid in self.calls))
        lines += _list("plays", (f"{seat}:{play}" for seat, play in self.plays))
        lines.append(f"result {' '.join(map(str, self.scores))} {self.termination}")
        return "\n".join(lines) + "\n"

    def to_json(self) -> dict[str, Any]:
        """The record as JSON values."""
        return {
            "rules": self.rules,
            "deal": str(self.deal),
            "players": list(self.players),
            "calls": [list(call) for call in self.calls],
            "plays": [list(play) for play in self.plays],
            "scores": list(self.scores),
            "termination": str(self.termination),
            "faults": [
                {"ply": fault.ply, "seat": fault.seat, "termination": str(fault.termination), "detail": fault.detail,
                 "substituted": fault.substituted}
                for fault in self.faults
            ],
            "tags": dict(self.tags),
        }  # fmt: skip

    @classmethod
    def from_json(cls, value: Any) -> Record:
        """The record of JSON values as `to_json` makes them. RecordError: anything else."""
        try:
            return cls(
                rules=_text(value["rules"]),
                deal=Deal.parse(value["deal"]),
                players=tuple(map(_text, value["players"])),
                calls=tuple((_whole(seat), _whole(bid)) for seat, bid in value["calls"]),
                plays=tuple((_whole(seat), _text(play)) for seat, play in value["plays"]),
                scores=tuple(map(_whole, value["scores"])),
                termination=Termination(value["termination"]),
                faults=tuple(
                    Fault(_whole(item["ply"]), _whole(item["seat"]), Termination(item["termination"]),
                          _text(item["detail"]), item["substituted"] is True)
                    for item in value["faults"]
                ),
                tags={_text(name): _text(text) for name, text in value["tags"].items()},
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RecordError(f"no record of a hand in JSON: {type(error).__name__}: {error}") from None

    @classmethod
    def parse(cls, text: str) -> Record:
        """The record of a text. RecordError says what is wrong in which line."""
        return _Parser(text).record()


def read_records(path: str | Path) -> list[Record]:
    """All complete records of a file, text or JSON lines. RecordError, OSError."""
    data = Path(path).read_bytes()
    return [record for record, _ in _split(data)]


class RecordFile:
    """A file that finished hands are appended to: JSON lines where its name ends in `.jsonl`, else text.

    Opening it reads what is there; a record that was cut off at the end is removed. Context manager.
    """

    def __init__(self, path: str | Path) -> None:
        """Open for reading and appending. RecordError where that is not possible, or the file holds something else."""
        self.path = Path(path)
        self._json = self.path.suffix == ".jsonl"
        try:
            self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise RecordError(f"{self.path}: {error.strerror}") from None
        try:
            data = self.path.read_bytes()
            found = list(_split(data))
            end = found[-1][1] if found else 0
            if data[end:].strip() and len(data) - end > 1 << 20:
                raise RecordError(f"{self.path}: {len(data) - end} bytes that are no record")
            os.ftruncate(self._fd, end)
            os.lseek(self._fd, end, os.SEEK_SET)
        except BaseException:
            os.close(self._fd)
            raise
        self.records = [record for record, _ in found]

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, *exc: object) -> None:
        os.close(self._fd)

    def append(self, record: Record) -> None:
        """Write a record at once: one write to the system, so a kill loses nothing that was appended before."""
        text = json.dumps(record.to_json(), separators=(",", ":")) + "\n" if self._json else record.to_text() + "\n"
        data = text.encode()
        while data:
            data = data[os.write(self._fd, data) :]


def _split(data: bytes) -> Iterator[tuple[Record, int]]:
    """The complete records of a file's bytes, each with where it ends; stops before a record that was cut off."""
    lines = data.splitlines(keepends=True)
    at = start = 0
    block: list[str] = []
    for number, raw in enumerate(lines, 1):
        at += len(raw)
        text = raw.decode("utf-8", "replace")
        if not text.strip() and not block:
            continue
        block.append(text)
        complete = raw.endswith(b"\n")
        if len(block) == 1 and text.lstrip().startswith("{"):
            try:
                if complete:
                    yield Record.from_json(json.loads(text)), at
            except ValueError as error:
                raise RecordError(f"line {number}: {error}") from None
        elif text.startswith("result "):
            try:
                if complete:
                    yield Record.parse("".join(block)), at + (lines[number : number + 1] == [b"\n"])
            except RecordError as error:
                raise RecordError(f"record at line {start + 1}: {error}") from None
        else:
            continue
        block, start = [], number


class _Parser:
    """Reads one text record."""

    def __init__(self, text: str) -> None:
        self.tags: dict[str, str] = {}
        self.faults: list[Fault] = []
        self.lists: dict[str, list[tuple[int, str]]] = {"calls": [], "plays": []}
        self.result: list[str] | None = None
        current: list[tuple[int, str]] | None = None
        for line in text.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("["):
                self._read_tag(line)
                continue
            word, _, rest = line.partition(" ")
            if word == "result":
                self.result = rest.split()
            elif word in self.lists:
                current = self.lists[word]
                current += map(_pair, rest.split())
            elif line.startswith(" ") and current is not None:
                current += map(_pair, line.split())
            else:
                raise RecordError(f"{line[:60]!r}: expected a [Tag], calls, plays or result")

    def record(self) -> Record:
        seats: list[str] = []
        while f"Seat{len(seats)}" in self.tags:
            seats.append(self.tags.pop(f"Seat{len(seats)}"))
        if self.result is None or len(self.result) != len(seats) + 1:
            raise RecordError(f"no result line with {len(seats)} scores and how the hand ended")
        if "Rules" not in self.tags or "Deal" not in self.tags:
            raise RecordError("no [Rules ...] or no [Deal ...]")
        *scores, ending = self.result
        try:
            return Record(
                rules=self.tags.pop("Rules"),
                deal=Deal.parse(self.tags.pop("Deal")),
                players=tuple(seats),
                calls=tuple((seat, parse_call(call)) for seat, call in self.lists["calls"]),
                plays=tuple(self.lists["plays"]),
                scores=tuple(int(score) for score in scores),
                termination=Termination(ending),
                faults=tuple(self.faults),
                tags=self.tags,
            )
        except (DdzError, ValueError) as error:
            raise RecordError(str(error)) from None

    def _read_tag(self, line: str) -> None:
        name, _, value = line.strip().removeprefix("[").removesuffix("]").partition(" ")
        try:
            text = parse_fields(f"value={value}")["value"]
            if name == "Fault":
                self.faults.append(_parse_fault(text))
                return
        except (ProtocolError, KeyError, ValueError) as error:
            raise RecordError(f'{line[:60]!r}: {error}: expected [Name "text"]') from None
        if not line.rstrip().endswith("]") or not name.isidentifier() or name in self.tags:
            raise RecordError(f'{line[:60]!r}: expected [Name "text"], each name once')
        self.tags[name] = text


def _tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _list(word: str, items: Iterable[str]) -> list[str]:
    text = " ".join((word, *items))
    return [] if text == word else textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _pair(text: str) -> tuple[int, str]:
    seat, colon, what = text.partition(":")
    if not colon or not what or not seat.isdecimal() or len(seat) > 1:
        raise RecordError(f"{text[:40]!r}: expected SEAT:CARDS, SEAT:pass or SEAT:BID")
    return int(seat), what


def _fault_text(fault: Fault) -> str:
    extra = " substituted" if fault.substituted else ""
    return f"ply={fault.ply} seat={fault.seat} termination={fault.termination}{extra} detail={quote(fault.detail)}"


def _parse_fault(text: str) -> Fault:
    fields = parse_fields(text)
    return Fault(
        int(fields["ply"]),
        int(fields["seat"]),
        Termination(fields["termination"]),
        fields["detail"],
        "substituted" in fields,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r}: expected a text")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r}: expected a whole number")
    return value
