"""The example sessions of PROTOCOL.md are what the engine really says."""

import queue
import re
from pathlib import Path

import pytest

from ddz_solver.engine.engine import Engine
from ddz_solver.engine.session import Session

PAGE = (Path(__file__).parent.parent / "PROTOCOL.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```session\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("text", SESSIONS, ids=range(len(SESSIONS)))
def test_example_session(text: str) -> None:
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    session = Session(said.put, Engine({"level": "greedy"}))
    for line in text.splitlines():
        mark, content = line[0], line[2:]
        if mark == ">":
            session.feed(content)
        else:
            pattern = re.escape(content).replace(re.escape("..."), ".*")
            answer = said.get(timeout=5)
            assert re.fullmatch(pattern, answer), f"{answer!r} instead of {content!r}"
    session.close()
    assert said.empty()
