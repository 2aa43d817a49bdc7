"""The host's side of the protocol: starts an engine or connects to it, speaks with it, names what it does wrong."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ddz_solver.engine.connection import Address, Connection
from ddz_solver.engine.faults import EngineFault, Termination
from ddz_solver.engine.inbox import ProgramFault
from ddz_solver.engine.limits import Limits
from ddz_solver.engine.lines import ERROR_CODES, VERSION, Line, ProtocolError, format_line, parse_line
from ddz_solver.engine.process import Process
from ddz_solver.game.errors import DdzError

#: Verbs that an engine may send, and of these the ones that end an answer.
_INFO_VERBS: Final = frozenset({"id", "feature", "rules", "option", "info"})
FINAL_VERBS: Final = frozenset({"ddzok", "readyok", "ok", "pong", "bestmove", "bye", "error"})


@dataclass(frozen=True)
class Timing:
    """How long the host waits, in seconds."""

    start: float = 10.0
    """For the handshake, and again for `isready`."""
    margin: float = 0.1
    """What a time limit may be overrun by."""
    grace: float = 1.0
    """How long after that an answer is waited for, to tell `time` from `stall`."""
    stall: float = 60.0
    """For a decision without a time limit."""
    reply: float = 5.0
    """For everything that has to be answered at once."""
    quit: float = 1.0
    """For ending after `quit`."""

    def __post_init__(self) -> None:
        """DdzError: a time that is none."""
        for name, seconds in vars(self).items():
            if not 0 <= seconds < math.inf:
                raise DdzError(f"{name}={seconds}: expected seconds, 0 or more")


@dataclass
class EngineInfo:
    """What an engine said about itself in the handshake."""

    version: int = 0
    name: str = "?"
    author: str = "?"
    rules: tuple[str, ...] = ()
    features: dict[str, str] = field(default_factory=dict)
    options: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def wants_legal(self) -> bool:
        """Whether positions shall list the legal plays."""
        return self.features.get("legal") == "yes"


class EngineClient:
    """One engine, a program or at an address, spoken to in the protocol. Every fault is raised as an EngineFault.

    After a fault the client is of no more use: `kill` it.
    """

    def __init__(
        self,
        engine: str | Sequence[str] | Address,
        options: Mapping[str, str] | None = None,
        timing: Timing = Timing(),
    ) -> None:
        """Start a program or connect to an address, shake hands, set the options, wait until it is ready."""
        self.timing = timing
        self.info = EngineInfo()
        self._asked = 0
        self._open: str | None = None  # id of the question that is not answered yet
        self._link: Process | Connection
        try:
            self._link = Connection(engine, timing.start) if isinstance(engine, Address) else Process(engine)
        except (OSError, ValueError) as error:
            what = f"connect to {engine}" if isinstance(engine, Address) else f"start {engine!r}"
            raise EngineFault(Termination.CRASH, f"cannot {what}: {error}") from None
        try:
            self._shake_hands()
            for name, value in (options or {}).items():
                self.command(Line("setoption", {name: value}))
            self.command(Line("isready"), "readyok", timing.start, Termination.START)
        except BaseException:
            self.kill()
            raise

    @property
    def errors(self) -> str:
        """The end of the program's error output."""
        return self._link.errors

    def new_game(self, rules: str, seat: int) -> None:
        """Announce a hand. EngineFault `refused`: the engine does not play these rules."""
        self.command(Line("newgame", {"rules": rules, "seat": str(seat)}))

    def ask(self, position: str, limits: Limits) -> tuple[Line, float]:
        """Send a `position` line and `go`; the `bestmove` line and how long it took in seconds."""
        self._check_silence()
        self._asked += 1
        ident = str(self._asked)
        go = format_line("go", id=ident, **limits.fields())
        start = time.monotonic()
        allowed = None if limits.time is None else limits.time / 1000 + self.timing.margin
        deadline = start + (self.timing.stall if allowed is None else allowed + self.timing.grace)
        self._open = ident
        self._send(f"{position}\n{go}\n", deadline)
        stale = False
        while True:
            try:
                line = self._receive(deadline)
            except EngineFault as fault:
                if stale and fault.termination is Termination.STALL:
                    raise EngineFault(Termination.STALE, "only answers to earlier questions") from None
                raise
            if line.verb == "error":
                raise EngineFault(Termination.REFUSED, f"{line.fields.get('code')}: {line.fields.get('text', '')}")
            if line.verb != "bestmove":
                continue
            if line.id == ident:
                break
            stale = self._is_stale(line)
        self._open = None
        taken = time.monotonic() - start
        if allowed is not None and taken > allowed:
            raise EngineFault(Termination.TIME, f"{taken * 1000:.0f} ms with a limit of {limits.time} ms")
        return line, taken

    def command(
        self,
        line: Line,
        final: str = "ok",
        seconds: float | None = None,
        late: Termination = Termination.STALL,
    ) -> list[Line]:
        """Send a command and return the lines of its answer, the final one last.

        EngineFault: `refused` for an `error` answer, `late` for none in time, and whatever else happens.
        """
        deadline = time.monotonic() + (self.timing.reply if seconds is None else seconds)
        self._send(f"{line}\n", deadline)
        lines: list[Line] = []
        while True:
            lines.append(self._receive(deadline, late))
            verb = lines[-1].verb
            if verb == final:
                return lines
            if verb == "error":
                error = lines[-1].fields
                raise EngineFault(Termination.REFUSED, f"{line.verb}: {error.get('code')}: {error.get('text', '')}")
            if verb == "bestmove":
                raise EngineFault(Termination.TURN, f"`{lines[-1]}` in answer to {line.verb}")

    def send(self, text: str) -> None:
        """Send lines as they are; for tests of what an engine does with them."""
        self._send(text, time.monotonic() + self.timing.reply)

    def receive(self, seconds: float) -> Line:
        """The next line that is no comment."""
        return self._receive(time.monotonic() + seconds)

    def quit(self) -> None:
        """Ask the engine to end, and end it if it does not. Raises nothing."""
        try:
            self.command(Line("quit"), "bye", self.timing.quit)
            self._link.wait(self.timing.quit)
        except EngineFault:
            pass
        self.kill()

    def close_input(self) -> None:
        """End the program's input."""
        self._link.close_input()

    def ended(self, seconds: float) -> bool:
        """Wait for the program to end by itself; whether it did."""
        return self._link.wait(seconds)

    def kill(self) -> None:
        """End the program and everything that it started."""
        self._link.kill()

    def _shake_hands(self) -> None:
        deadline = time.monotonic() + self.timing.start
        self._send(format_line("ddz", version=VERSION) + "\n", deadline)
        info, strange = self.info, None
        while True:
            try:
                text = self._receive_text(deadline, Termination.START)
            except EngineFault as fault:
                if strange is None or fault.termination is not Termination.START:
                    raise
                raise EngineFault(Termination.PROTOCOL, f"no ddzok, but {strange!r}") from None
            try:
                line = parse_line(text)
            except ProtocolError:
                line = Line("?")
            if line is None:
                continue
            if line.verb == "ddzok":
                break
            if line.verb == "error":
                if line.fields.get("code") == "busy":
                    raise EngineFault(Termination.REFUSED, str(line))
                raise EngineFault(Termination.VERSION, f"the engine refuses version {VERSION}: {line}")
            if line.verb == "id":
                info.name, info.author = line.fields.get("name", "?"), line.fields.get("author", "?")
            elif line.verb == "feature":
                info.features.update(line.fields)
            elif line.verb == "rules":
                info.rules += tuple(line.fields)
            elif line.verb == "option" and "name" in line.fields:
                info.options[line.fields["name"]] = line.fields
            else:
                strange = strange or text[:80]
        if line.fields.get("version") != str(VERSION):
            raise EngineFault(Termination.VERSION, f"`{line}`: expected version={VERSION}")
        info.version = VERSION

    def _check_silence(self) -> None:
        """Look through what came since the last answer; nothing but comments and infos may have."""
        try:
            while (text := self._link.pending()) is not None:
                line = self._parse(text)
                if line is not None and line.verb == "bestmove":
                    raise EngineFault(Termination.TURN, f"`{text[:80]}` without a question")
        except ProgramFault as fault:
            raise EngineFault.of(fault) from None

    def _is_stale(self, line: Line) -> bool:
        """Whether a `bestmove` answers a question of the past. EngineFault: it answers none that was asked."""
        ident = line.id
        if ident is None:
            raise EngineFault(Termination.PROTOCOL, f"`{str(line)[:80]}` without the id of the question")
        if ident.isdecimal() and 0 < int(ident) < self._asked:
            return True
        raise EngineFault(Termination.TURN, f"`{str(line)[:80]}`: expected id={self._open}")

    def _send(self, text: str, deadline: float) -> None:
        try:
            self._link.send(text, deadline)
        except ProgramFault as fault:
            raise EngineFault.of(fault) from None

    def _receive(self, deadline: float, late: Termination = Termination.STALL) -> Line:
        while True:
            line = self._parse(self._receive_text(deadline, late))
            if line is not None:
                return line

    def _receive_text(self, deadline: float, late: Termination) -> str:
        try:
            return self._link.receive(deadline)
        except ProgramFault as fault:
            raise EngineFault.of(fault, late) from None

    @staticmethod
    def _parse(text: str) -> Line | None:
        """A line of an engine. EngineFault `protocol` for anything that the protocol does not know."""
        try:
            line = parse_line(text)
        except ProtocolError as error:
            raise EngineFault(Termination.PROTOCOL, f"{error}") from None
        if line is not None and line.verb not in _INFO_VERBS and line.verb not in FINAL_VERBS:
            raise EngineFault(Termination.PROTOCOL, f"{text[:80]!r}: expected a line of the protocol")
        if line is not None and line.verb == "error" and line.fields.get("code") not in ERROR_CODES:
            raise EngineFault(Termination.PROTOCOL, f"{text[:80]!r}: expected one of the fixed error codes")
        return line
