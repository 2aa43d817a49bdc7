"""An engine that listens on TCP: lines out, lines in with a deadline."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from dataclasses import dataclass
from typing import Final

from ddz_solver.engine.inbox import Inbox, ProgramFault
from ddz_solver.engine.ready import READ, WRITE, wait_ready

_CHUNK: Final = 65_536


@dataclass(frozen=True)
class Address:
    """Where an engine listens."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Address:
        """The address that HOST:PORT means, [HOST]:PORT for a host with colons. ValueError."""
        host, _, port = text.rpartition(":")
        if not host or not (port.isascii() and port.isdecimal() and 0 < int(port) < 1 << 16):
            raise ValueError(f"{text!r} is no address: expected HOST:PORT, such as 127.0.0.1:7000")
        return cls(host.removeprefix("[").removesuffix("]"), int(port))

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Connection:
    """One connection to an engine. Context manager: leaving it closes the connection.

    OSError where nobody listens there.
    """

    def __init__(self, address: Address, seconds: float = 10.0) -> None:
        """Connect within so many seconds."""
        self._socket = socket.create_connection((address.host, address.port), timeout=seconds)
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._inbox = Inbox()
        self._closed = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()

    @property
    def errors(self) -> str:
        """A connection has no error output."""
        return ""

    def send(self, text: str, deadline: float) -> None:
        """Send lines, each with its line end. ProgramFault: closed, or stall when the engine reads nothing in time."""
        self._inbox.expect()
        data = memoryview(text.encode("ascii"))
        while data:
            try:
                data = data[self._socket.send(data) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0 or not wait_ready(self._socket, WRITE, left):
                    raise ProgramFault("stall", "the engine does not read what is sent") from None
            except OSError:
                return  # what it wrote before the end can still be received, and then the end

    def receive(self, deadline: float) -> str:
        """The next line, without its end. ProgramFault: stall at the deadline, or what ended the output."""
        return self._inbox.receive(deadline)

    def pending(self) -> str | None:
        """A line that has arrived already; None without one. ProgramFault: what ended the output."""
        return self._inbox.receive(time.monotonic()) if self._inbox.pending() else None

    def close_input(self) -> None:
        """Tell the engine that nothing more will come."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def wait(self, seconds: float) -> bool:
        """Wait for the engine to end the connection by itself; whether it did."""
        return self._closed.wait(seconds)

    def kill(self) -> None:
        """End the connection."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join(timeout=1)
        self._socket.close()

    def _read(self) -> None:
        try:
            while True:
                wait_ready(self._socket, READ)
                chunk = self._socket.recv(_CHUNK)
                if not chunk or not self._inbox.add(chunk):
                    break
        except (OSError, ValueError):  # reset by the engine, or closed here
            chunk = b""
        if not chunk:
            half = " in the middle of a line" if self._inbox.unfinished else ""
            self._inbox.end(ProgramFault("closed", f"the engine closed the connection{half}"))
            self._closed.set()
