"""The named ways in which a hand of a match ends, and the exception for those that are an engine's fault."""

from __future__ import annotations

from enum import Enum
from typing import Final

from ddz_solver.engine.inbox import ProgramFault


class Termination(str, Enum):
    """How a hand ended."""

    NORMAL = "normal"  # somebody got rid of all cards
    PASSED = "passed"  # nobody bid
    TIME = "time"  # an answer came, but after the limit
    STALL = "stall"  # no answer at all
    START = "start"  # not ready within the time for starting
    CRASH = "crash"  # the program ended, or the agent raised an exception
    CLOSED = "closed"  # the program closed a pipe and went on running
    ILLEGAL = "illegal"  # a play or a bid that the rules do not allow
    TURN = "out-of-turn"  # an answer that nobody had asked for
    STALE = "stale"  # only answers to questions of the past
    PROTOCOL = "protocol"  # lines that are not of the protocol
    VERSION = "version"  # another version of the protocol
    REFUSED = "refused"  # the engine answered with an error
    FLOOD = "flood"  # too much output
    STDERR_FLOOD = "stderr-flood"  # too much error output

    def __str__(self) -> str:
        return self.value


_OF_PROGRAMS: Final = {
    "exit": Termination.CRASH,
    "closed": Termination.CLOSED,
    "stall": Termination.STALL,
    "flood": Termination.FLOOD,
    "stderr-flood": Termination.STDERR_FLOOD,
}


class EngineFault(Exception):
    """What an engine did wrong: `termination` names it, the message says what happened."""

    def __init__(self, termination: Termination, detail: str) -> None:
        """A fault with its name and what happened in words."""
        super().__init__(detail)
        self.termination = termination

    @classmethod
    def of(cls, fault: ProgramFault, late: Termination = Termination.STALL) -> EngineFault:
        """What the fault of a program is called in a match; `late` is the name for no answer in time."""
        termination = _OF_PROGRAMS[fault.reason]
        return cls(late if termination is Termination.STALL else termination, str(fault))
