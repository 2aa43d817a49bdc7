"""Streams for the protocol: standard input and output, and TCP on the loopback interface."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from ddz_solver.engine.engine import Engine
from ddz_solver.engine.lines import MAX_LEGAL_LINE
from ddz_solver.engine.session import Session

LOOPBACK: Final = "127.0.0.1"
MAX_CONNECTIONS: Final = 16
HELLO_SECONDS: Final = 60.0


class Source(Protocol):
    """What lines of bytes are read from."""

    def readline(self, size: int, /) -> bytes:
        """The next line, or as much of it as `size` allows; empty at the end."""


class Sink(Protocol):
    """What bytes are written to."""

    def write(self, data: bytes, /) -> object:
        """Write the bytes."""

    def flush(self) -> object:
        """Hand on what was written."""


def serve_streams(source: Source, sink: Sink, make_engine: Callable[[], Engine] = Engine) -> None:
    """Speak the protocol on two byte streams until `quit` or the end of the input."""

    def write(text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # the other side has gone
            sink.write(text.encode("ascii", "replace") + b"\n")
            sink.flush()

    session = Session(write, make_engine())
    try:
        while line := source.readline(MAX_LEGAL_LINE + 1):
            if len(line) > MAX_LEGAL_LINE:
                while line and not line.endswith(b"\n"):
                    line = source.readline(MAX_LEGAL_LINE)
                session.too_long()
            elif not session.feed(line.decode("latin-1")):
                return
    except OSError:
        pass
    finally:
        session.close()


def serve_stdio(make_engine: Callable[[], Engine] = Engine) -> None:
    """Speak the protocol on standard input and output."""
    serve_streams(sys.stdin.buffer, sys.stdout.buffer, make_engine)


class TcpServer(socketserver.ThreadingTCPServer):
    """The protocol over TCP, one engine a connection, on the loopback interface only.

    `port` 0 takes a free one; `address` tells which. Connections over the limit get one `error` line and are closed. A
    connection that says nothing for `hello_seconds` is closed; once it has spoken it stays until the host ends it.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self,
        port: int = 0,
        make_engine: Callable[[], Engine] = Engine,
        *,
        max_connections: int = MAX_CONNECTIONS,
        hello_seconds: float = HELLO_SECONDS,
    ) -> None:
        """Listen. OSError where the port is taken."""
        self.make_engine = make_engine
        self.hello_seconds = hello_seconds
        self.slots = threading.BoundedSemaphore(max_connections)
        super().__init__((LOOPBACK, port), _Connection)

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self.server_address[:2]
        return str(host), int(port)


class _Connection(socketserver.StreamRequestHandler):
    """One connection."""

    server: TcpServer
    disable_nagle_algorithm = True

    def handle(self) -> None:
        if not self.server.slots.acquire(blocking=False):
            self.wfile.write(b'error code=busy text="too many connections"\n')
            return
        try:
            self.connection.settimeout(self.server.hello_seconds)
            with contextlib.suppress(OSError):
                self.connection.recv(1, socket.MSG_PEEK)
                self.connection.settimeout(None)
                serve_streams(self.rfile, self.wfile, self.server.make_engine)
        finally:
            self.server.slots.release()


def serve_tcp(port: int, connections: int, options: Mapping[str, str], announce: Callable[[str], None]) -> None:
    """Serve so many TCP connections at a time until interrupted; `announce` gets the address that is listened on."""
    with TcpServer(port, lambda: Engine(options), max_connections=connections) as server:
        announce(f"{server.address[0]}:{server.address[1]}")
        server.serve_forever()
