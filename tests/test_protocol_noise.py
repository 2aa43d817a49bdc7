"""The protocol over streams and TCP, and whatever anybody may send."""

import io
import queue
import random
import socket
import string
import threading
import time

import pytest
from test_protocol import FINALS, POSITION

from ddz_solver.engine.engine import Engine
from ddz_solver.engine.lines import ERROR_CODES, MAX_LEGAL_LINE, Line, parse_line
from ddz_solver.engine.positions import position_line
from ddz_solver.engine.server import TcpServer, serve_streams
from ddz_solver.engine.session import Session
from ddz_solver.game.game import Game
from ddz_solver.game.rules import PRESETS

# --- whatever anybody may send ----------------------------------------------------------------------------------------


def noise(rng: random.Random, lines: list[str]) -> str:
    """A line that is somewhat like lines that mean something."""
    kind = rng.randrange(6)
    text = rng.choice(lines)
    if kind == 0:
        return "".join(rng.choice(string.printable[:-2]) for _ in range(rng.randrange(60)))
    if kind == 1:
        return "".join(chr(rng.randrange(256)) for _ in range(rng.randrange(40)))
    if kind == 2:
        words = [word for line in rng.sample(lines, 3) for word in line.split()]
        return " ".join(rng.sample(words, min(len(words), rng.randrange(1, 9))))
    if kind == 3 and text:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice(string.printable[:95]) + text[at + rng.randrange(3) :]
    if kind == 4:
        words = text.split()
        rng.shuffle(words)
        return " ".join(words[: rng.randrange(1, len(words) + 1)])
    return text


def seeds() -> list[str]:
    lines = ["ddz version=1", "setoption seed=4 level=random", "isready", "ping id=p", "newgame rules=classic4 seat=3"]
    lines += ["go id=7 time=5", "go nodes=3 depth=2 worlds=9", "stop", "moves id=m", "perft depth=2", "display"]
    lines += ["result scores=1,1,-2 termination=normal", f"position {POSITION}", "position rules=classic hands=34/5/66"]
    for rules in PRESETS:
        rng = random.Random(rules)
        game = Game(rules, seed=5)
        for step in range(30):
            if game.over:
                break
            if step % 5 == 0:
                lines.append(position_line(game.observation(), legal=step % 2 == 0))
            if game.legal_calls:
                game.call(game.legal_calls[-1])
            else:
                game.push(rng.choice(game.legal_plays))
    return lines


def fuzz(count: int, seed: int) -> None:
    """Send lines and demand exactly one final answer to each; everything it says is of the protocol."""
    rng = random.Random(seed)
    finals: queue.SimpleQueue[Line] = queue.SimpleQueue()

    def hear(text: str) -> None:
        line = parse_line(text)
        assert line is not None
        if line.verb in FINALS:
            finals.put(line)

    session = Session(hear, Engine({"level": "greedy"}))
    lines = seeds()
    for _ in range(count):
        text = noise(rng, lines)
        if text.lstrip(" \t").startswith("quit") or "perft" in text or "infinite" in text:
            continue
        words = text.strip(" \t\r\n")
        assert session.feed(text)
        if words and not words.startswith("#"):
            answer = finals.get(timeout=10)
            if answer.verb == "error":
                assert answer.fields["code"] in ERROR_CODES
                assert answer.fields["code"] != "internal", (text, answer)
        assert finals.empty(), text
    session.close()


def test_fuzzed_lines_are_answered() -> None:
    fuzz(4000, 1)


@pytest.mark.slow
def test_a_million_fuzzed_lines_are_answered() -> None:
    fuzz(1_000_000, 2)


# --- streams ----------------------------------------------------------------------------------------------------------


def talk_bytes(data: bytes) -> list[str]:
    sink = io.BytesIO()
    serve_streams(io.BytesIO(data), sink, lambda: Engine({"level": "greedy"}))
    return sink.getvalue().decode("ascii").splitlines()


def test_streams_end_with_quit_or_with_the_input() -> None:
    assert talk_bytes(b"ping\nquit\nping\n") == ["pong", "bye"]
    assert talk_bytes(b"ping\r\n\n# hello\nping") == ["pong", "pong"]


def test_lines_that_are_too_long_are_answered() -> None:
    answers = talk_bytes(b"ping " + b"x" * (2 * MAX_LEGAL_LINE) + b"\nping\n")
    assert len(answers) == 2 and "code=syntax" in answers[0] and answers[1] == "pong"


def test_bytes_that_are_no_text_are_answered() -> None:
    answers = talk_bytes(b"\xff\xfe\x00\nping\n")
    assert "code=syntax" in answers[0] and answers[1] == "pong"


def test_tcp_serves_several_hosts_and_no_more() -> None:
    with TcpServer(0, lambda: Engine({"level": "greedy"}), max_connections=2, hello_seconds=5) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert server.address[0] == "127.0.0.1"

        def connect() -> socket.socket:
            return socket.create_connection(server.address, timeout=5)

        with connect() as first, connect() as second:
            for host in (first, second):
                host.sendall(b"ping id=1\n")
                assert host.makefile().readline() == "pong id=1\n"
            with connect() as third:
                assert "code=busy" in third.makefile().readline()
            first.sendall(f"position {POSITION}\ngo id=2\nquit\n".encode())
            assert [line.split()[0] for line in first.makefile()] == ["ok", "bestmove", "bye"]
        server.shutdown()


def test_tcp_lets_silent_hosts_go() -> None:
    with TcpServer(0, lambda: Engine({"level": "greedy"}), hello_seconds=0.1) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with socket.create_connection(server.address, timeout=5) as host:
            assert host.makefile().read() == ""
        with socket.create_connection(server.address, timeout=5) as host:
            answers = host.makefile()
            host.sendall(f"position {POSITION}\ngo id=1 infinite\n".encode())
            assert answers.readline() == "ok\n"
            time.sleep(0.3)  # far longer than a host may take to say its first word
            host.sendall(b"stop\nquit\n")
            assert {line.split()[0] for line in answers} >= {"bestmove", "bye"}
        server.shutdown()
