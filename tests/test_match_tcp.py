"""Engines that listen on TCP: matches, compliance, and the names of what goes wrong."""

import contextlib
import os
import signal
import socket
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ddz_solver.cli import main
from ddz_solver.engine.client import EngineClient, Timing
from ddz_solver.engine.connection import Address
from ddz_solver.engine.engine import Engine
from ddz_solver.engine.faults import EngineFault
from ddz_solver.engine.match import Match
from ddz_solver.engine.ready import READ, WRITE, wait_ready
from ddz_solver.engine.records import Record
from ddz_solver.engine.server import TcpServer
from ddz_solver.engine.specs import EngineSpec, SpecError

FAST = Timing(start=3.0, grace=0.2, stall=0.5, reply=0.5, quit=0.3)
HANDSHAKE = b"id name=x\nrules classic douzero\nddzok version=1\n"


@contextlib.contextmanager
def served(server: socketserver.TCPServer) -> Iterator[str]:
    """The address of a server that runs meanwhile."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        host, port = server.server_address[:2]
        yield f"{host!s}:{port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def play(*engines: str, deals: int = 2) -> list[Record]:
    records: list[Record] = []
    Match(engines, "douzero", deals=deals, timing=FAST, on_hand=lambda record, results: records.append(record)).run()
    return records


def test_a_match_over_tcp_is_the_same_as_one_within_this_process() -> None:
    with served(TcpServer(0, lambda: Engine({"level": "random"}))) as address:
        remote = play("greedy", f"tcp={address} name=there option.level=greedy")
    here = play("greedy", "greedy name=there")
    assert [record.plays for record in remote] == [record.plays for record in here]
    assert not any(record.faults for record in remote)


@pytest.fixture
def many_files() -> Iterator[None]:
    """More than 1024 files are open meanwhile, as in a process that runs many engines."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2048:
        pytest.skip("this system does not open that many files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
    with contextlib.ExitStack() as stack:
        for _ in range(1100):
            stack.enter_context(open(os.devnull, "rb"))
        yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_engines_play_where_many_files_are_open(many_files: None) -> None:
    plain = f'cmd="{sys.executable} {Path(__file__).parent / "engines" / "plain.py"}" name=plain'
    with served(TcpServer(0, lambda: Engine({"level": "greedy"}))) as address:
        records = play(plain, f"tcp={address} name=there")
    assert records and not any(record.faults for record in records)


def test_waiting_takes_any_descriptor(many_files: None) -> None:
    reading, writing = os.pipe()
    try:
        assert writing > 1024
        assert wait_ready(writing, WRITE, 0) and not wait_ready(reading, READ, 0)
        os.write(writing, b"x")
        assert wait_ready(reading, READ)
        os.set_blocking(writing, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writing, bytes(4096))
        assert not wait_ready(writing, WRITE, 0.01)
    finally:
        os.close(reading)
        os.close(writing)


def test_the_checker_passes_our_engine(capsys: pytest.CaptureFixture[str]) -> None:
    with served(TcpServer(0, lambda: Engine({"level": "greedy"}))) as address:
        assert main(["check-engine", f"tcp={address}"]) == 0
    assert "FAIL" not in capsys.readouterr().out


def hang_up(connection: socket.socket) -> None:
    pass


def half_a_line(connection: socket.socket) -> None:
    connection.sendall(b"bestmove id=1")


def silence(connection: socket.socket) -> None:
    while connection.recv(1 << 16):
        pass


def flood(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection.sendall(b"info text=" + b"x" * 60_000 + b"\n")


def say_nonsense(connection: socket.socket) -> None:
    connection.sendall(b"Hello\n")
    silence(connection)


@pytest.mark.parametrize(
    ("sin", "name"),
    [
        (hang_up, "closed"),
        (half_a_line, "closed"),
        (silence, "stall"),
        (flood, "flood"),
        (say_nonsense, "protocol"),
    ],
)
def test_each_sin_has_its_name(sin: Callable[[socket.socket], None], name: str) -> None:
    """The engine is polite up to its first decision."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for line in self.rfile:
                verb = line.split()[0]
                if verb == b"position":
                    sin(self.connection)
                    return
                answers = {b"ddz": HANDSHAKE, b"isready": b"readyok\n", b"quit": b"bye\n"}
                self.wfile.write(answers.get(verb, b"ok\n"))

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = daemon_threads = True

    with served(Server(("127.0.0.1", 0), Handler)) as address:
        records = play("greedy", f"tcp={address} name=sinner", deals=1)
    assert {str(record.termination) for record in records} == {name}


def test_an_engine_that_is_killed_is_named_and_the_match_goes_on() -> None:
    words = [sys.executable, "-m", "ddz_solver", "engine", "--tcp", "0", "--option", "level=greedy"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        records: list[Record] = []

        def on_hand(record: Record, results: object) -> None:
            records.append(record)
            server.send_signal(signal.SIGKILL)
            server.wait()

        Match(["greedy", f"tcp={address} name=victim"], "douzero", deals=2, timing=FAST, on_hand=on_hand).run()
    names = [str(record.termination) for record in records]
    assert names[0] == "normal"
    assert set(names[1:]) <= {"closed", "crash"}, names
    assert "crash" in names, "nobody listens any more"


def test_a_server_that_is_full_refuses() -> None:
    with served(TcpServer(0, max_connections=1)) as address:
        first = EngineClient(Address.parse(address), timing=FAST)
        with pytest.raises(EngineFault, match="too many connections") as caught:
            EngineClient(Address.parse(address), timing=FAST)
        assert caught.value.termination == "refused"
        first.quit()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("tcp=nowhere", "'nowhere' is no address: expected HOST:PORT"),
        ("tcp=127.0.0.1:0", "expected HOST:PORT"),
        ("tcp=127.0.0.1:99999", "expected HOST:PORT"),
        ("tcp=:7000", "expected HOST:PORT"),
        ("tcp=127.0.0.1:1", "tcp=127.0.0.1:1: .*refused.*: expected HOST:PORT where an engine listens"),
    ],
)
def test_addresses_where_nobody_listens(text: str, complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint):
        Match(["greedy", text], "douzero", deals=1).run()


def test_addresses_round_trip() -> None:
    for text in ("127.0.0.1:7000", "[::1]:7000", "localhost:1"):
        assert str(Address.parse(text)) == text
    assert str(EngineSpec.parse("tcp=127.0.0.1:7000 name=far time=50")) == "tcp=127.0.0.1:7000 name=far time=50"
