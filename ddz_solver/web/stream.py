"""Questions over a WebSocket, with answers that come in parts.

The page sends `{"id": 1, "ask": "hint", "body": {...}}` and `{"id": 1, "stop": true}`. The server sends
`{"id": 1, "part": {...}}` for each part, then `{"id": 1, "done": true}` or `{"id": 1, "error": {...}}`.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import aclosing
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ddz_solver.web.answering import Answering, Refusal, parse_json
from ddz_solver.web.guard import Buckets, Limits, client_of, error_body
from ddz_solver.web.schema import RequestError, check, flag, record, text, whole

_MESSAGE = record(
    "A message of the page.",
    ("id",),
    id=whole("A number for the question.", 0, (1 << 53) - 1),
    ask=text("Which question.", 40),
    body={"type": "object", "additionalProperties": {"type": "any"}},
    stop=flag("Stop answering the question."),
)


class Streams:
    """The WebSocket endpoint."""

    def __init__(self, answering: Answering, buckets: Buckets, limits: Limits) -> None:
        self._answering = answering
        self._buckets = buckets
        self._limits = limits
        self._open: Counter[str] = Counter()

    async def endpoint(self, socket: WebSocket) -> None:
        """One connection from its start to its end."""
        client = client_of(socket.scope)
        if self._open[client] >= self._limits.sockets:
            await socket.close(1013, "too many connections")
            return
        self._open[client] += 1
        await socket.accept()
        connection = _Connection(socket, self._answering, self._limits)
        try:
            while True:
                message = await socket.receive_text()
                if not self._buckets.take(client):
                    await connection.send({"id": None, **error_body("rate", "too many messages: expected a pause")})
                    continue
                await connection.take(message)
        except (WebSocketDisconnect, KeyError):  # KeyError: a message of bytes
            pass
        finally:
            connection.close()
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class _Connection:
    """The questions of one connection that are being answered."""

    def __init__(self, socket: WebSocket, answering: Answering, limits: Limits) -> None:
        self._socket = socket
        self._answering = answering
        self._limits = limits
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def take(self, message: str) -> None:
        """Read a message and start or stop an answer."""
        number: int | None = None
        try:
            if len(message) > self._limits.body:
                raise Refusal(413, "size", f"{len(message)} characters: expected at most {self._limits.body}")
            value = parse_json(message)
            check(value, _MESSAGE, "the message")
            number = value["id"]
            if value.get("stop"):
                self._stop(number)
                return
            if "ask" not in value:
                raise RequestError("the message: expected ask or stop")
            if number in self._tasks or len(self._tasks) >= self._limits.asked:
                raise Refusal(
                    429, "rate", f"question {number}: expected a new id, and at most {self._limits.asked} open"
                )
        except (RequestError, Refusal) as error:
            refusal = error if isinstance(error, Refusal) else Refusal(400, "request", str(error))
            await self.send({"id": number, **error_body(refusal.code, refusal.message)})
            return
        self._tasks[number] = asyncio.ensure_future(self._answer(number, value["ask"], value.get("body", {})))

    async def send(self, value: dict[str, Any]) -> None:
        """Send a message, if anybody still listens."""
        try:
            await self._socket.send_text(json.dumps(value))
        except (WebSocketDisconnect, RuntimeError):
            self.close()

    def close(self) -> None:
        """Stop everything."""
        for number in list(self._tasks):
            self._stop(number)

    def _stop(self, number: int) -> None:
        task = self._tasks.pop(number, None)
        if task is not None:
            task.cancel()

    async def _answer(self, number: int, name: str, body: dict[str, Any]) -> None:
        try:
            async with aclosing(self._answering.parts(name, body)) as parts:
                async for part in parts:
                    await self.send({"id": number, "part": part})
            await self.send({"id": number, "done": True})
        except Refusal as refusal:
            await self.send({"id": number, **error_body(refusal.code, refusal.message)})
        finally:
            if self._tasks.get(number) is asyncio.current_task():  # another may have the number since it was stopped
                del self._tasks[number]
