"""What the server refuses before it looks at a request: other hosts, other sites, too many requests."""

from __future__ import annotations

import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_MOST_CLIENTS: Final = 1024
_HEADERS: Final = (
    (b"content-security-policy", b"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
     b"object-src 'none'; img-src 'self' data:"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """What one client may ask for."""

    body: int = 1 << 18
    """Bytes of a request, and of a message over the WebSocket."""
    rate: float = 200.0
    """Requests and messages a second, in the long run."""
    burst: int = 1000
    """Requests and messages at once."""
    sockets: int = 32
    """WebSockets of one client at a time."""
    asked: int = 8
    """Questions at a time over one WebSocket."""
    waiting: int = 64
    """Questions of all clients at a time; more are refused."""
    seconds: float = 120.0
    """The longest that one question is thought about."""


class Buckets:
    """A token bucket for each client address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._filled: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> bool:
        """Whether the client may ask once more now."""
        now = time.monotonic()
        tokens, then = self._filled.pop(client, (float(self._limits.burst), now))
        tokens = min(self._limits.burst, tokens + (now - then) * self._limits.rate)
        allowed = tokens >= 1
        self._filled[client] = (tokens - allowed, now)
        while len(self._filled) > _MOST_CLIENTS:
            self._filled.popitem(last=False)
        return allowed


class Guard:
    """Middleware: checks Host and Origin of every request, and the rate; adds the security headers.

    Host must be a name of this machine's loopback; where the server listens elsewhere, also any address written as
    numbers or one of `names`. That stops other sites that make their own name point here. An Origin, if there is one,
    must be this server's own.
    """

    def __init__(self, app: ASGIApp, buckets: Buckets, loopback: bool = True, names: Iterable[str] = ()) -> None:
        self._app = app
        self._buckets = buckets
        self._loopback = loopback
        self._names = _LOOPBACK_NAMES | {name.lower() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[2][:100]})
        else:
            await _refuse(_with_headers(send), *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        """Status, code and message where a request is refused."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if not self._knows(host):
            return 403, "host", f"host {host[:80]!r}: expected localhost, or a name that the server was started with"
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "origin", f"origin {origin[:80]!r}: expected a page of this server"
        if not self._buckets.take(client_of(scope)):
            return 429, "rate", "too many requests: expected a pause"
        return None

    def _knows(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._names:
            return True
        if self._loopback:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def client_of(scope: Scope) -> str:
    """The address that a request comes from."""
    client: tuple[str, int] | None = scope.get("client")
    return client[0] if client else ""


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await send(message)

    return send_with_headers


async def _refuse(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps(error_body(code, message)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def error_body(code: str, message: str) -> dict[str, Any]:
    """What every refusal and every bad request is answered with."""
    return {"error": {"code": code, "message": message}}
