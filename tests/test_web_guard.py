"""What the server refuses: other hosts, other sites, large and too many requests; and that thinking blocks nobody."""

import asyncio
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ddz_solver.cli import main
from ddz_solver.web import api, app
from ddz_solver.web.guard import Limits
from ddz_solver.web.schema import record
from ddz_solver.web.workers import Workers

HERE = "http://127.0.0.1:8010"
HAND = {"hand": "3456789"}


def client(limits: Limits | None = None, base: str = HERE, **options: Any) -> TestClient:
    return TestClient(app.make_app(limits, **options), base_url=base)


def status(client: TestClient, **options: Any) -> int:
    return client.post("/api/legal", json=HAND, **options).status_code


@pytest.mark.parametrize("host", ["localhost:8010", "127.0.0.1", "[::1]:8010"])
def test_this_machine_may_ask(host: str) -> None:
    assert status(client(base=f"http://{host}")) == 200


@pytest.mark.parametrize("path", ["../app.py", "%2e%2e/app.py", "..%2fapp.py", "%2e%2e%5capp.py", "/etc/passwd", "%00"])
def test_only_the_page_is_served(path: str) -> None:
    scope = {
        "type": "http", "method": "GET", "path": f"/static/{unquote(path)}", "raw_path": f"/static/{path}".encode(),
        "query_string": b"", "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "root_path": "",
        "http_version": "1.1", "scheme": "http", "server": ("localhost", 8010),
    }  # fmt: skip
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    asyncio.run(app.make_app(Limits())(scope, receive, send))
    assert sent[0]["status"] in (400, 404)
    assert b"import" not in b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize("host", ["evil.example:8010", "192.168.1.5:8010", "127.0.0.1.evil.example", "localhost.evil"])
def test_other_hosts_are_refused(host: str) -> None:
    found = client(base=f"http://{host}")
    assert status(found) == 403
    assert found.get("/").status_code == 403


def test_a_server_for_others_is_reached_by_number_or_by_its_name() -> None:
    def told(host: str) -> int:
        return status(client(base=f"http://{host}", loopback=False, names=["mybox.lan"]))

    assert told("192.168.1.5:8010") == 200
    assert told("mybox.lan") == 200
    assert told("evil.example") == 403


def test_it_listens_on_loopback_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    server = pytest.importorskip("ddz_solver.web.server")
    told: list[str] = []
    monkeypatch.setattr(server, "serve", lambda host, port, names, browse: told.append(host))
    assert main(["serve", "--no-browser"]) == 0
    assert main(["serve", "--no-browser", "--host", "0.0.0.0"]) == 0
    assert told == ["127.0.0.1", "0.0.0.0"]
    assert server.is_loopback("127.0.0.1") and server.is_loopback("localhost") and server.is_loopback("::1")
    assert not server.is_loopback("0.0.0.0") and not server.is_loopback("example.org")


def test_a_port_that_is_taken_is_an_error_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    server = pytest.importorskip("ddz_solver.web.server")
    with server._listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(server.ServeError, match=f"cannot listen on 127.0.0.1 port {port}"):
            server._listen("127.0.0.1", port)
    assert main(["serve", "--port", "70000"]) == 2
    assert "expected 0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://localhost:8010"])
def test_other_sites_are_refused(origin: str) -> None:
    found = client()
    assert status(found, headers={"origin": origin}) == 403
    with (
        pytest.raises(WebSocketDisconnect),
        found.websocket_connect("ws://127.0.0.1:8010/api/stream", headers={"origin": origin}),
    ):
        pass


def test_the_own_page_is_not_refused() -> None:
    assert status(client(), headers={"origin": HERE}) == 200


def test_forms_of_other_sites_are_refused() -> None:
    answer = client().post("/api/legal", content='{"hand": "345"}', headers={"content-type": "text/plain"})
    assert answer.status_code == 415


def test_large_requests_are_refused() -> None:
    found = client(Limits(body=1000))
    assert found.post("/api/legal", json={"hand": "3" * 1000}).status_code == 413

    def chunks() -> Iterator[bytes]:  # no content-length to believe
        for _ in range(10):
            yield b" " * 200

    answer = found.post("/api/legal", content=chunks(), headers={"content-type": "application/json"})
    assert answer.status_code == 413
    with found.websocket_connect("ws://127.0.0.1:8010/api/stream") as socket:
        socket.send_text(" " * 1001)
        assert socket.receive_json()["error"]["code"] == "size"


def test_too_many_requests_are_refused() -> None:
    found = client(Limits(rate=0.001, burst=5))
    assert [status(found) for _ in range(6)] == [200] * 5 + [429]
    other = client(Limits(rate=50, burst=1))
    assert status(other) == 200
    time.sleep(0.05)
    assert status(other) == 200, "the bucket fills up again"


def test_too_many_messages_and_sockets_are_refused() -> None:
    found = client(Limits(rate=0.001, burst=4, sockets=2))
    address = "ws://127.0.0.1:8010/api/stream"
    with found.websocket_connect(address) as socket, found.websocket_connect(address):
        with pytest.raises(WebSocketDisconnect), found.websocket_connect(address):
            pass
        codes = []
        for number in range(2):
            socket.send_json({"id": number, "stop": True, "ask": "about"})
            socket.send_json({"id": number, "ask": "nothing"})
            codes.append(socket.receive_json()["error"]["code"])
        assert "rate" in codes


def test_the_page_may_load_nothing_from_elsewhere() -> None:
    headers = client().get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A question that thinks until it is stopped; the event tells that it was."""
    stopped = threading.Event()

    def think(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
        yield {"begun": True}
        stop.wait(20)
        stopped.set()
        yield {"stopped": stop.is_set()}

    question = api.Question("slow", "Thinks.", record("Nothing."), think)
    questions = {**api.QUESTIONS, "slow": question}
    monkeypatch.setattr("ddz_solver.web.answering.QUESTIONS", questions)
    return stopped


def test_a_question_can_be_stopped_and_others_are_answered_meanwhile(slow: threading.Event) -> None:
    with client() as found, found.websocket_connect("ws://127.0.0.1:8010/api/stream") as socket:
        socket.send_json({"id": 1, "ask": "slow"})
        assert socket.receive_json() == {"id": 1, "part": {"begun": True}}
        start = time.perf_counter()
        assert status(found) == 200
        assert time.perf_counter() - start < 1
        socket.send_json({"id": 1, "stop": True})
        assert slow.wait(5)


def test_nobody_waits_for_those_who_think_long(slow: threading.Event) -> None:
    with client() as found, found.websocket_connect("ws://127.0.0.1:8010/api/stream") as socket:
        for number in range(8):
            socket.send_json({"id": number, "ask": "slow"})
            socket.receive_json()
        start = time.perf_counter()
        assert status(found) == 200
        assert time.perf_counter() - start < 1


def test_thinking_ends_when_the_time_is_up_or_the_page_goes(slow: threading.Event) -> None:
    with client(Limits(seconds=0.05)) as found:
        assert found.post("/api/slow", json={}).json() == {"stopped": True}
    slow.clear()
    with client() as found:
        with found.websocket_connect("ws://127.0.0.1:8010/api/stream") as socket:
            socket.send_json({"id": 1, "ask": "slow"})
            socket.receive_json()
        assert slow.wait(5)


def test_only_so_many_questions_wait(slow: threading.Event) -> None:
    with (
        client(Limits(waiting=1)) as found,
        found.websocket_connect("ws://127.0.0.1:8010/api/stream") as socket,
    ):
        socket.send_json({"id": 1, "ask": "slow"})
        socket.receive_json()
        assert status(found) == 503


def test_an_answer_that_breaks_is_told_without_its_insides(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
        raise RuntimeError("secret")
        yield {}

    question = api.Question("legal", "", api.QUESTIONS["legal"].request, fail)
    monkeypatch.setattr("ddz_solver.web.answering.QUESTIONS", {"legal": question})
    answer = client().post("/api/legal", json=HAND)
    assert answer.status_code == 500
    assert "secret" not in answer.text


def test_ten_sessions_think_at_once() -> None:
    def produce(stop: threading.Event) -> Iterator[dict[str, Any]]:
        for number in range(3):
            time.sleep(0.01)
            yield {"number": number}

    async def session(workers: Workers) -> list[dict[str, Any]]:
        return [part async for part in workers.parts(produce, 10)]

    async def everybody() -> list[list[dict[str, Any]]]:
        workers = Workers(waiting=10, threads=2)
        try:
            return await asyncio.gather(*(session(workers) for _ in range(10)))
        finally:
            workers.close()

    assert asyncio.run(everybody()) == [[{"number": 0}, {"number": 1}, {"number": 2}]] * 10


def test_the_example_client_plays_a_hand() -> None:
    uvicorn = pytest.importorskip("uvicorn")
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = uvicorn.Server(uvicorn.Config(app.make_app(), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            script = Path(__file__).parent.parent / "examples" / "client.mjs"
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            told = subprocess.run([node, script, address, "rlcard"], capture_output=True, text=True, timeout=60)
        finally:
            server.should_exit = True
            thread.join()
    assert "points: " in told.stdout, told.stderr
