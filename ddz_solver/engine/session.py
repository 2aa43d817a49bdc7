"""The engine's side of the protocol: command lines in, answer lines out. PROTOCOL.md is the specification.

A session owns an engine and knows nothing of streams: `feed` takes a line, `write` is called with each answer line,
from any thread, one line at a time.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from typing import Final

from ddz_solver import __version__
from ddz_solver.engine.analysis import AT_ONCE, BACKGROUND, COMMANDS, Answer
from ddz_solver.engine.engine import Decision, Engine, code_of
from ddz_solver.engine.limits import Limits, read_number
from ddz_solver.engine.lines import MAX_LINE, VERSION, Line, ProtocolError, error_line, format_line, parse_line
from ddz_solver.engine.positions import parse_hands, parse_position, parse_rules
from ddz_solver.game.combos import format_play
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import PRESETS, RulesLike


class Session:
    """One conversation between a host and an engine.

    Every command is answered by any number of `info`-like lines and exactly one final line.
    """

    def __init__(self, write: Callable[[str], None], engine: Engine | None = None) -> None:
        """A fresh conversation. `write` gets lines without their line ends."""
        self.engine = engine or Engine()
        self._write = write
        self._lock = threading.Lock()
        self._position: Observation | Game | None = None
        self._commands: Final[Mapping[str, Callable[[Line], None]]] = {
            "ddz": self._hello,
            "setoption": self._set_option,
            "isready": self._is_ready,
            "ping": lambda line: self._answer(line, "pong"),
            "newgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "result": self._result,
            **dict.fromkeys(COMMANDS, self._analyse),
        }

    def feed(self, text: str) -> bool:
        """Take one line. False after `quit`: the conversation is over. Raises nothing, whatever the text is."""
        line: Line | None = None
        try:
            line = parse_line(text)
            if line is None:
                return True
            if line.verb == "quit":
                self.close()
                self._answer(line, "bye")
                return False
            command = self._commands.get(line.verb)
            if command is None:
                known = ", ".join((*self._commands, "quit"))
                raise ProtocolError("unknown-command", f"unknown command {line.verb[:40]!r}: expected one of {known}")
            command(line)
        except ProtocolError as error:
            self._put(error_line(error, line.id if line else None))
        except Exception as error:  # an engine goes on, whatever happened
            self._put(error_line(_internal(error), line.id if line else None))
        return True

    def too_long(self) -> None:
        """Answer a line that was longer than allowed and is lost."""
        self._put(error_line(ProtocolError("syntax", f"a line of more than {MAX_LINE} bytes")))

    def close(self) -> None:
        """Stop whatever runs; a search that runs is answered."""
        self.engine.close()

    # --- answers ----------------------------------------------------------------------------------------------------

    def _put(self, text: str) -> None:
        with self._lock:
            self._write(text)

    def _answer(self, line: Line, verb: str, /, **fields: object) -> None:
        self._put(format_line(verb, id=line.id, **fields))

    def _finisher(self, line: Line, answer: Callable[[object], None]) -> Callable[[object], None]:
        """What to call with the outcome of background work: `answer`, or an `error` line where it went wrong."""

        def finish(outcome: object) -> None:
            try:
                if isinstance(outcome, Exception):
                    raise outcome
                answer(outcome)
            except ProtocolError as error:
                self._put(error_line(error, line.id))
            except DdzError as error:
                self._put(error_line(ProtocolError(code_of(error), str(error)), line.id))
            except MemoryError as error:
                self._put(error_line(ProtocolError("bad-value", f"{error}: there is not so much memory"), line.id))
            except Exception as error:
                self._put(error_line(_internal(error), line.id))

        return finish

    # --- commands ---------------------------------------------------------------------------------------------------

    def _hello(self, line: Line) -> None:
        version = read_number("version", line.fields.get("version", str(VERSION)))
        if version < VERSION:
            raise ProtocolError("bad-value", f"version={version}: this engine speaks version {VERSION}")
        self._answer(line, "id", name=f"ddz-solver {__version__}", author="the ddz-solver authors")
        self._put(" ".join(("rules", *([f"id={line.id}"] if line.id else ()), *PRESETS, "switches")))
        self._answer(line, "feature", analysis=",".join(COMMANDS))
        for option in self.engine.options.known.values():
            self._answer(line, "option", **option.fields())
        self._answer(line, "ddzok", version=VERSION)

    def _set_option(self, line: Line) -> None:
        changes = {name: value for name, value in line.fields.items() if name != "id"}
        if not changes:
            raise ProtocolError("syntax", "no option: expected setoption NAME=VALUE")
        self.engine.set_options(changes)
        self._answer(line, "ok")

    def _is_ready(self, line: Line) -> None:
        if not self.engine.busy:
            self._prepare("classic")
        self._answer(line, "readyok")

    def _prepare(self, rules: RulesLike) -> None:
        """Load what the level needs. What it has not got is told when a decision is asked for."""
        with contextlib.suppress(DdzError):
            self.engine.prepare(rules)

    def _new_game(self, line: Line) -> None:
        self.engine.check_idle()
        if "rules" in line.fields:
            rules = parse_rules(line.fields["rules"])
            if "seat" in line.fields:
                read_number("seat", line.fields["seat"], 0, rules.players - 1)
            self._prepare(rules)
        self._position = None
        self._answer(line, "ok")

    def _set_position(self, line: Line) -> None:
        self.engine.check_idle()
        self._position = None
        self._position = parse_hands(line.fields) if "hands" in line.fields else parse_position(line.fields)
        self._answer(line, "ok")

    def _go(self, line: Line) -> None:
        observation = self._observation()
        rules = observation.rules

        def answer(outcome: object) -> None:
            assert isinstance(outcome, Decision)
            self._answer(
                line,
                "bestmove",
                call=outcome.call,
                play=None if outcome.play is None else format_play(outcome.play, rules),
                win=outcome.win,
                score=outcome.score,
            )

        self.engine.go(
            observation,
            Limits.parse(line.fields),
            self._finisher(line, answer),
            lambda info: self._answer(line, "info", **info),
        )

    def _stop(self, line: Line) -> None:
        self.engine.stop()
        self._answer(line, "ok")

    def _result(self, line: Line) -> None:
        self.engine.check_idle()
        self._position = None
        self._answer(line, "ok")

    def _analyse(self, line: Line) -> None:
        self.engine.check_idle()

        def answer(outcome: object) -> None:
            assert isinstance(outcome, Answer)
            for info in outcome.infos:
                self._answer(line, "info", **info)
            self._answer(line, "ok", **outcome.final)

        if line.verb in AT_ONCE:
            answer(AT_ONCE[line.verb](self._current()))
        else:
            work = BACKGROUND[line.verb](self._current(), line.fields, self.engine.options)
            self.engine.run(work.do, self._finisher(line, answer), work.rescue)

    # --- the position -----------------------------------------------------------------------------------------------

    def _current(self) -> Observation | Game:
        if self._position is None:
            raise ProtocolError("bad-value", "no position: expected a position command before")
        return self._position

    def _observation(self) -> Observation:
        position = self._current()
        return position.observation() if isinstance(position, Game) else position


def _internal(error: Exception) -> ProtocolError:
    return ProtocolError("internal", f"{type(error).__name__}: {error}")
