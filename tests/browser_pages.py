"""The page in a real browser (Chromium, headless): the server, the fixtures, and what its tests click through."""

import os
import re
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")
sync_api = pytest.importorskip("playwright.sync_api")

from ddz_solver.web.app import make_app  # noqa: E402

CHROMIUM = os.environ.get("DDZ_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
DESKTOP = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}

# Of every module of such tests.
marks = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")]


class Server:
    """The application on a port of its own; `stop` and `start` keep the port."""

    def __init__(self) -> None:
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        self.port = listener.getsockname()[1]
        self._server = uvicorn.Server(
            uvicorn.Config(make_app(), log_level="warning", timeout_graceful_shutdown=1, lifespan="on")
        )
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def open_page(browser: Any, server: Server, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Opens a part of the page; at the end nothing may have been written to the console."""
    complaints: list[str] = []
    pages: list[Any] = []

    def complain(text: str) -> None:
        if "ERR_CONNECTION_REFUSED" not in text and "ERR_INTERNET_DISCONNECTED" not in text:
            complaints.append(text)

    def open_(part: str, **options: Any) -> Any:
        context = browser.new_context(locale="en-GB", **(options or DESKTOP))
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complain(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complain(str(error)))
        page.goto(f"{server.address}#{part}" if "://" not in part else part)
        pages.append(page)
        return page

    yield open_
    folder = os.environ.get("DDZ_SCREENSHOTS")
    for number, page in enumerate(pages):
        if folder:
            name = re.sub(r"\W+", "-", request.node.name.removeprefix("test_"))
            page.screenshot(path=f"{folder}/{name}-{number}.png", full_page=True)
        page.context.close()
    assert not complaints


def until(page: Any, condition: str, value: object = None, seconds: float = 10) -> None:
    """Waits for a JavaScript condition, an expression or a function of `value`; the page forbids other ways."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition, value):
        assert time.monotonic() < end, f"after {seconds} s not yet: {condition}"
        page.wait_for_timeout(30)


def steps_of(page: Any) -> int:
    """Calls and plays of the newest game that the browser keeps."""
    spec = kept_game(page)["spec"]
    return len(spec["calls"]) + len(spec["plays"])


def put_cards(page: Any, cards: str) -> None:
    """Clicks cards into the tray that is open."""
    for card in cards:
        page.click(f'.pick[data-rank="{card}"]')


def start_game(page: Any, rules: str, seed: int, level: str = "greedy") -> None:
    page.click(f'[data-rules="{rules}"]')
    for number in range(1, 4 if rules == "classic4" else 3):
        page.select_option(f"#level-{number}", level)
    page.fill("#setup-seed", str(seed))
    page.click("#start")
    page.select_option("#speed", "instant")


def kept_game(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("JSON.parse(localStorage['ddz.games'])[0]")
    return found


def play_on(page: Any, most: int = 200) -> None:
    """Plays the hand to its end: bids 3, then whatever the hint says."""
    for _ in range(most):
        page.wait_for_selector("#do-play, #again, #call-0")
        if page.query_selector("#again"):
            return
        steps = steps_of(page)
        if page.query_selector("#call-3"):
            page.click("#call-3")
        else:
            page.keyboard.press("h")
            page.wait_for_selector(".side .play-line")
            # Read and clicked in one go: the best play may change while the engine thinks.
            page.evaluate(
                """() => {
                  const best = document.querySelector(".side .play-line").dataset.play;
                  document.getElementById(best === "pass" ? "do-pass" : "do-play").click();
                }"""
            )
        until(
            page,
            """(steps) => {
              const { calls, plays } = JSON.parse(localStorage["ddz.games"])[0].spec;
              return calls.length + plays.length > steps;
            }""",
            steps,
        )
    pytest.fail("the hand does not end")
