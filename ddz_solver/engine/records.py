"""Records of hands: readable text, its lossless JSON twin, and files of either that survive a kill.

The text is that of `ddz_solver.game.notation` with more tags, and ends with a line of its own:

    [Rules "classic"]
    [Deal "3345.../.../.../22X first=2 up=7 dealer=0"]
    [Seat0 "greedy"]
    [Seat1 "random"]
    [Seat2 "random"]
    [Termination "normal"]
    [Result "-3 -3 6"]

    auction 2:pass 0:pass 1:3
    1. 1:34567 2:pass 0:89TJQ 1:pass 2:pass
    # end

`Result` is what the rules give; where a hand did not come to its end, `Scores` is what was settled instead, and
`Fault1`, `Fault2`, ... say who did what. A record without its `# end` was cut off.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ddz_solver.engine.faults import Termination
from ddz_solver.game.auction import format_call, parse_call
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError

_END: Final = "# end"
_TAG: Final = re.compile(r'\[(\w+) "([^"]*)"\]')
_STARTS: Final = (b"[Rules ", b'{"rules')
_HEAD: Final = (b"[Rules ", b"[Deal ", b"[Seat")
"""How the lines of a record begin that stand before its tag Match."""
_TRICK: Final = re.compile(r"\d+\.")
_FAULT: Final = re.compile(
    r"ply=(?P<ply>\d{1,4}) seat=(?P<seat>\d) termination=(?P<termination>[a-z-]+)(?P<went_on> substituted=yes)? "
    r"detail=(?P<detail>.*)"
)


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

    def __str__(self) -> str:
        went_on = " substituted=yes" if self.substituted else ""
        return f"ply={self.ply} seat={self.seat} termination={self.termination}{went_on} detail={self.detail}"

    @classmethod
    def parse(cls, text: str) -> Fault:
        """The fault of a text. ValueError: it is none."""
        found = _FAULT.fullmatch(text)
        if found is None:
            raise ValueError(f"{text[:60]!r} is no fault: expected ply=, seat=, termination= and detail=")
        termination = Termination(found["termination"])
        return cls(int(found["ply"]), int(found["seat"]), termination, found["detail"], found["went_on"] is not None)


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
        """The record as text, the end of its last line included. RecordError: a tag that text cannot hold."""
        tags = {"Rules": self.rules, "Deal": str(self.deal)}
        tags |= {f"Seat{seat}": name for seat, name in enumerate(self.players)}
        tags |= self.tags
        tags |= {f"Fault{number}": str(fault) for number, fault in enumerate(self.faults, 1)}
        tags["Termination"] = str(self.termination)
        tags["Result" if self.judged else "Scores"] = " ".join(map(str, self.scores))
        lines = [_tag(name, value) for name, value in tags.items()]
        lines.append("")
        if self.calls:
            lines.append(" ".join(["auction", *(f"{seat}:{format_call(bid)}" for seat, bid in self.calls)]))
        for number, trick in enumerate(self._tricks(), 1):
            lines.append(" ".join([f"{number}.", *(f"{seat}:{play}" for seat, play in trick)]))
        lines.append(_END)
        return "\n".join(lines) + "\n"

    @property
    def judged(self) -> bool:
        """Whether the hand came to its end, so that the scores are those of the rules."""
        return self.termination in (Termination.NORMAL, Termination.PASSED)

    def _tricks(self) -> list[list[tuple[int, str]]]:
        """The plays trick by trick; a trick ends when all but one have passed in a row."""
        tricks: list[list[tuple[int, str]]] = []
        passes = len(self.players)
        for seat, play in self.plays:
            if passes >= len(self.players) - 1:
                tricks.append([])
                passes = 0
            passes = passes + 1 if play == "pass" else 0
            tricks[-1].append((seat, play))
        return tricks

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
    """All complete records of a file, text or JSON lines. RecordError: it cannot be read, or one of them is wrong."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    return [record for record, _ in _split(data)]


def parse_records(text: str) -> list[Record]:
    """All complete records of a text, in either form; none where it holds something else. RecordError.

    The last line needs no end; after others, one of JSON that is still being written is left out.
    """
    whole, end, last = text.rpartition("\n")
    if end and last.startswith("{") and not _is_json(last):
        last = ""
    return [record for record, _ in _split(f"{whole}{end}{last}\n".encode("utf-8", "replace"))]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


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
            _lock(self._fd, self.path)
            data = self.path.read_bytes()
            found = list(_split(data))
            end = found[-1][1] if found else 0
            rest = data[end:].lstrip()
            if rest and not _is_cut_off(rest):
                raise RecordError(f"{self.path} holds something else than records of a match: expected another file")
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
        text = json.dumps(record.to_json(), separators=(",", ":")) if self._json else record.to_text()
        data = text.encode() + b"\n"
        while data:
            data = data[os.write(self._fd, data) :]


def _is_cut_off(rest: bytes) -> bool:
    """Whether bytes may begin a record of a match: its tag Match comes before all that only other texts have."""
    if not any(start.startswith(rest[: len(start)]) for start in _STARTS):
        return False
    *lines, _ = rest.split(b"\n")
    return rest.startswith(b"{") or b'\n[Match "' in rest or all(line.startswith(_HEAD) for line in lines)


def _lock(fd: int, path: Path) -> None:
    """Keep other matches from the file as long as it is open. RecordError: one has it."""
    try:
        import fcntl
    except ImportError:  # not on this platform
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RecordError(f"{path} is in use by another match: expected a file of its own") from None


def _split(data: bytes) -> Iterator[tuple[Record, int]]:
    """The complete records of a file's bytes, each with where it ends; stops before a record that was cut off.

    A byte order mark, which some editors put first, means nothing.
    """
    at = 0
    block: list[str] = []
    for number, raw in enumerate(data.splitlines(keepends=True), 1):
        at += len(raw)
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8", "replace")
        if not raw.endswith(b"\n") or not (text.strip() or block):
            continue
        block.append(text)
        is_json = len(block) == 1 and text.startswith("{")
        if not is_json and text.strip() != _END:
            continue
        try:
            yield Record.from_json(json.loads(text)) if is_json else Record.parse("".join(block)), at
        except (ValueError, RecursionError) as error:
            raise RecordError(f"record that ends in line {number}: {error}") from None
        block = []


class _Parser:
    """Reads one text record."""

    def __init__(self, text: str) -> None:
        self.tags: dict[str, str] = {}
        self.calls: list[tuple[int, str]] = []
        self.plays: list[tuple[int, str]] = []
        for line in text.splitlines():
            content = line.partition("#")[0].strip()
            if not content:
                continue
            if not content.replace("\t", " ").isprintable():
                raise RecordError(f"{content[:60]!a}: expected characters that can be printed")
            if content.startswith("["):
                self._read_tag(content)
                continue
            head, *steps = content.split()
            if head == "auction":
                self.calls += map(_step, steps)
            elif _TRICK.fullmatch(head):
                self.plays += map(_step, steps)
            else:
                raise RecordError(f"{content[:60]!r}: expected a tag, the auction or a numbered trick")

    def record(self) -> Record:
        tags = self.tags
        for name in ("Rules", "Deal", "Termination"):
            if name not in tags:
                raise RecordError(f"no tag {name}: expected [{name} ...]")
        try:
            termination = Termination(tags.pop("Termination"))
            judged = termination in (Termination.NORMAL, Termination.PASSED)
            return Record(
                rules=tags.pop("Rules"),
                deal=Deal.parse(tags.pop("Deal")),
                players=tuple(self._numbered("Seat", 0)),
                faults=tuple(map(Fault.parse, self._numbered("Fault", 1))),
                calls=tuple((seat, parse_call(call)) for seat, call in self.calls),
                plays=tuple(self.plays),
                scores=tuple(map(int, tags.pop("Result" if judged else "Scores", "").split())),
                termination=termination,
                tags=tags,
            )
        except ValueError as error:
            raise RecordError(str(error)) from None

    def _numbered(self, name: str, first: int) -> Iterator[str]:
        number = first
        while f"{name}{number}" in self.tags:
            yield self.tags.pop(f"{name}{number}")
            number += 1

    def _read_tag(self, line: str) -> None:
        tag = _TAG.fullmatch(line)
        if tag is None or tag[1] in self.tags:
            raise RecordError(f'{line[:60]!r}: expected [Name "text"], each name once')
        self.tags[tag[1]] = tag[2]


def _tag(name: str, value: str) -> str:
    text = f'[{name} "{value}"]'
    if not _TAG.fullmatch(text) or "#" in text or not text.isprintable():
        raise RecordError(f"{text[:80]!r} is no tag: expected a name, and a text without quotes, # and line ends")
    return text


def _step(text: str) -> tuple[int, str]:
    seat, colon, what = text.partition(":")
    if not colon or not what or not seat.isdecimal() or len(seat) > 1:
        raise RecordError(f"{text[:40]!r}: expected SEAT:CARDS, SEAT:pass or SEAT:BID")
    return int(seat), what


def plain(text: str) -> str:
    """A text that a tag can hold: quotes, # and what cannot be printed replaced."""
    return "".join(
        {'"': "'", "#": "+"}.get(character, character if " " <= character <= "~" else "?") for character in text
    )


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise TypeError(f"{value!a}: expected a text of characters that can be printed")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r}: expected a whole number")
    return value
