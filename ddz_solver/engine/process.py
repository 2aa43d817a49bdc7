"""A program at the other end of two pipes: lines out, lines in with a deadline, and a certain end.

Output and error output are read by two threads, so that a program can neither fill a pipe and block nor flood the
memory. Each program leads a process group of its own; `kill` ends the whole group. A guard process ends the groups of
a runner that was killed itself.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO, Final

from ddz_solver.engine.inbox import Inbox, ProgramFault
from ddz_solver.engine.ready import WRITE, wait_ready

#: Bytes of error output that a program may write between two requests.
STDERR_FLOOD: Final = 1 << 20
_STDERR_KEPT: Final = 2000
_CHUNK: Final = 65_536
_END_WAIT: Final = 0.2
_POSIX: Final = os.name == "posix"


class Process:
    """One running program that talks in lines.

    Context manager: leaving it kills the program. OSError where the program cannot be started, ValueError where
    there is none to start.
    """

    def __init__(self, command: str | Sequence[str], cwd: str | None = None) -> None:
        """Start a command; a text is split as a shell would."""
        argv = shlex.split(command, posix=_POSIX) if isinstance(command, str) else list(command)
        if not argv:
            raise ValueError("no command: expected a program")
        self._popen = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            bufsize=0,
            start_new_session=_POSIX,
            creationflags=0 if _POSIX else getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        try:
            _guard.watch(self._popen.pid)
        except BaseException:
            self._popen.kill()
            self._popen.communicate()
            raise
        self._inbox = Inbox()
        self._errors_written = 0
        self._errors: deque[bytes] = deque()
        if _POSIX:
            os.set_blocking(self._stdin.fileno(), False)
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._popen.stdin is not None
        return self._popen.stdin

    @property
    def alive(self) -> bool:
        """Whether the program runs."""
        return self._popen.poll() is None

    @property
    def pid(self) -> int:
        """The process id, which is also that of its process group."""
        return self._popen.pid

    @property
    def errors(self) -> str:
        """The end of what the program wrote to its error output."""
        return b"".join(self._errors)[-_STDERR_KEPT:].decode("ascii", "replace").strip()

    def send(self, text: str, deadline: float) -> None:
        """Send lines, each with its line end; nothing happens where the program has ended.

        ProgramFault: closed, or stall when the program reads nothing in time.
        """
        self._inbox.expect()
        self._errors_written = 0
        data = memoryview(text.encode("ascii"))
        fd = self._stdin.fileno()
        while data:
            try:
                data = data[os.write(fd, data) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0 or not wait_ready(fd, WRITE, left):
                    raise ProgramFault("stall", "the program does not read its input") from None
            except OSError:
                if self.wait(_END_WAIT):
                    return  # what it wrote before it ended can still be received, and then how it ended
                raise ProgramFault("closed", "the program closed its input") from None

    @property
    def unfinished(self) -> str:
        """What the program has written of a line that it has not ended."""
        return self._inbox.unfinished

    def receive(self, deadline: float) -> str:
        """The next line, without its end. ProgramFault: stall at the deadline, or what ended the output."""
        try:
            return self._inbox.receive(deadline)
        except ProgramFault as fault:
            raise self._ended(str(fault)) if fault.reason == "closed" else fault from None

    def pending(self) -> str | None:
        """A line that has arrived already; None without one. ProgramFault: what ended the output."""
        return self.receive(time.monotonic()) if self._inbox.pending() else None

    def kill(self) -> None:
        """End the program and everything it started, and wait until it is gone."""
        if _POSIX:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        elif self.alive:
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._popen.pid)], capture_output=True, check=False)
        self._popen.kill()
        self._popen.wait()
        _guard.forget(self._popen.pid)
        for reader in self._readers:
            reader.join(timeout=1)
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def close_input(self) -> None:
        """End the program's input: it will hear nothing more."""
        self._stdin.close()

    def wait(self, seconds: float) -> bool:
        """Wait for the program to end by itself; whether it did."""
        try:
            self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _ended(self, what: str) -> ProgramFault:
        """How the program ended, once its pipes have closed; it may take a moment to be gone."""
        if self.wait(_END_WAIT):
            code = self._popen.returncode
            how = f"exit status {code}" if code >= 0 else f"signal {-code}, {signal.strsignal(-code)}"
            self._readers[1].join(timeout=0.2)
            tail = f"; it wrote: {self.errors}" if self.errors else ""
            return ProgramFault("exit", f"the program ended with {how}{tail}")
        return ProgramFault("closed", what)

    def _read_output(self) -> None:
        assert self._popen.stdout is not None
        fd = self._popen.stdout.fileno()
        while chunk := _read(fd):
            if not self._inbox.add(chunk):
                return
        half = " in the middle of a line" if self._inbox.unfinished else ""
        self._inbox.end(ProgramFault("closed", f"the program closed its output{half}"))

    def _read_errors(self) -> None:
        assert self._popen.stderr is not None
        fd = self._popen.stderr.fileno()
        while chunk := _read(fd):
            self._errors_written += len(chunk)
            self._errors.append(chunk[-_STDERR_KEPT:])
            if len(self._errors) > 8:
                self._errors.popleft()
            if self._errors_written > STDERR_FLOOD:
                self._inbox.end(ProgramFault("stderr-flood", f"more than {STDERR_FLOOD} bytes of error output"))
                return


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, _CHUNK)
    except OSError:
        return b""


class _Guard:
    """A small process that kills the watched process groups when this process ends, however it ends.

    It reads `+PID` and `-PID` from a pipe; the pipe closes when this process ends, also when that was `kill -9`.
    """

    _PROGRAM: Final = (
        "import os,signal,sys\n"
        "groups=set()\n"
        "for line in sys.stdin:\n"
        "    (groups.add if line[0]=='+' else groups.discard)(int(line[1:]))\n"
        "for group in groups:\n"
        "    try: os.killpg(group,signal.SIGKILL)\n"
        "    except OSError: pass\n"
    )

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._popen: subprocess.Popen[str] | None = None

    def watch(self, pid: int) -> None:
        """Kill this group when this process ends."""
        self._tell(f"+{pid}\n")

    def forget(self, pid: int) -> None:
        """The group has ended."""
        self._tell(f"-{pid}\n")

    def _tell(self, line: str) -> None:
        if not _POSIX:
            return
        with self._lock:
            if self._owner != os.getpid():
                self._owner = os.getpid()
                self._popen = subprocess.Popen(
                    [sys.executable, "-S", "-E", "-c", self._PROGRAM],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    text=True,
                )
            assert self._popen is not None and self._popen.stdin is not None
            with contextlib.suppress(OSError):
                self._popen.stdin.write(line)
                self._popen.stdin.flush()


_guard = _Guard()
