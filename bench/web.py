"""The local server: legal plays and hints over HTTP beside the same calls in Python, from one client and from ten."""

from __future__ import annotations

import http.client
import importlib.util
import json
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import process_time

from bench.report import Row, rates
from ddz_solver.ai.hints import hint
from ddz_solver.game.combos import leads

HAND = "33445566789TJQKA22XD"
SESSIONS = 10


@contextmanager
def serving() -> Iterator[int]:
    """Runs the application on a port of its own."""
    import uvicorn

    from ddz_solver.web.app import make_app
    from ddz_solver.web.guard import Limits

    app = make_app(Limits(rate=1e9, burst=10**9))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_keep_alive=600))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


class Client:
    """One connection that is kept."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(self, name: str) -> int:
        """Asks once about the hand; returns 1, the number of questions."""
        body = json.dumps({"hand": HAND, "top": 5} if name == "hint" else {"hand": HAND})
        self._connection.request("POST", f"/api/{name}", body, {"content-type": "application/json"})
        answer = self._connection.getresponse()
        data = json.loads(answer.read())
        assert answer.status == 200, data
        return 1


def works(port: int, pool: ThreadPoolExecutor) -> list[Callable[[], int]]:
    """What is timed: Python, one client, ten clients, for legal plays and for hints."""
    clients = [Client(port) for _ in range(SESSIONS)]

    def of(name: str) -> list[Callable[[], int]]:
        return [
            lambda: clients[0].ask(name),
            lambda: sum(pool.map(lambda client: client.ask(name), clients)),
        ]

    def python_leads() -> int:
        leads(HAND, "classic")
        return 1

    def python_hint() -> int:
        hint(HAND)
        return 1

    return [python_leads, *of("legal"), python_hint, *of("hint")]


def rows(seconds: float) -> list[Row]:
    """Questions a second of processor time, client included; nothing where the extra `web` is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("starlette", "uvicorn")):
        return []
    with serving() as port, ThreadPoolExecutor(SESSIONS) as pool:
        plain, legal, legals, python, one, ten = rates(works(port, pool), seconds, process_time)
    return [
        Row("legal plays over HTTP, one client", legal, "answers/s", "in Python", plain),
        Row("legal plays over HTTP, ten clients", legals, "answers/s", "in Python", plain),
        Row("hints over HTTP, one client", one, "answers/s", "in Python", python),
        Row("hints over HTTP, ten clients", ten, "answers/s", "in Python", python),
    ]
