"""The four parts of the page in a real browser (Chromium, headless), driven by clicks and keys.

Run with `pytest -m browser`; needs the extra `browser` and Chromium on the path, or its path in DDZ_CHROMIUM. With
DDZ_SCREENSHOTS=FOLDER every test leaves its last picture there.
"""

import os
import re
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")
sync_api = pytest.importorskip("playwright.sync_api")

from ddz_solver import DdzError, Deal, Game, Hand  # noqa: E402
from ddz_solver.ai.agents import make_agent  # noqa: E402
from ddz_solver.ai.bidding import evaluate_bid  # noqa: E402
from ddz_solver.cli import main  # noqa: E402
from ddz_solver.game.notation import format_game, parse_game  # noqa: E402
from ddz_solver.web.app import make_app  # noqa: E402

CHROMIUM = os.environ.get("DDZ_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
DESKTOP = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")]


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


# --- the hint board ---------------------------------------------------------------------------------------------------


def test_hints_by_clicks(open_page: Callable[..., Any]) -> None:
    page = open_page("hint")
    put_cards(page, "3344567TJQKA22")
    page.click('[data-tray="to_beat"]')
    put_cards(page, "99")
    page.wait_for_selector('.play-line[data-play="22"]')
    assert page.locator(".play-line").count() == 2, "the pass and the twos"
    page.click('.play-line[data-play="pass"]')
    assert "pass" in page.inner_text(".chosen")
    page.click('[data-tray="hand"]')
    page.click('.tray .card[data-rank="2"]')
    page.wait_for_selector('.play-line[data-play="22"]', state="detached")
    page.select_option("#fact-role", "landlord_up")
    until(page, "!document.querySelector('.assumed')?.textContent.includes('you are')")


@pytest.mark.parametrize("rules", ["classic", "classic4"])
def test_advice_on_the_bid(open_page: Callable[..., Any], rules: str) -> None:
    try:
        evaluate_bid(Deal.random(rules, 1).hands[0], rules=rules)
    except DdzError as error:
        pytest.skip(str(error))
    page = open_page("hint")
    page.select_option("#fact-rules", rules)
    page.click("#deal-me")
    page.wait_for_selector("#bid-answer")
    assert page.locator(".bars rect").count() == 4
    assert page.locator(".play-line").count() == 0, "nobody plays before there is a landlord"
    page.fill(".bids input", "pass 2")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.bars rect').length === 2")
    page.select_option("#fact-role", "landlord_up")
    page.wait_for_selector(".play-line")


def test_hints_for_four_by_pasting_on_a_phone_in_chinese(open_page: Callable[..., Any]) -> None:
    page = open_page("hint", **PHONE)
    page.click("#language")
    page.select_option("#fact-rules", "classic4")
    page.fill("#cards-text", "3 3 3 4 4 5 5 6 6 10 10 j q k 小王 大王 小王")
    page.keyboard.press("Enter")
    page.wait_for_selector(".play-line")
    assert "推荐出牌" in page.inner_text("main")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is no wider than the phone"
    page.fill("#cards-text", "hello")
    page.keyboard.press("Enter")
    assert "不是牌" in page.inner_text(".hint-form .problem")
    page.reload()
    page.wait_for_selector(".play-line")
    assert page.locator(".tray .card").count() == 17, "a reload loses nothing"


def test_hints_refuse_what_cannot_be(open_page: Callable[..., Any]) -> None:
    page = open_page("hint")
    put_cards(page, "34567")
    page.click('[data-tray="to_beat"]')
    put_cards(page, "89")
    until(page, "document.querySelector('.stack .problem').textContent.includes('no combination')")


def test_refusals_are_in_the_language_of_the_page(open_page: Callable[..., Any]) -> None:
    page = open_page("hint")
    page.click("#language")
    put_cards(page, "34567")
    page.click('[data-tray="to_beat"]')
    put_cards(page, "89")
    until(page, "document.querySelector('.stack .problem').textContent.includes('不成牌型')")


def test_the_first_line_of_a_hint_comes_within_300_ms(open_page: Callable[..., Any]) -> None:
    page = open_page("hint")
    page.click("#deal-me")
    page.wait_for_selector("#bid-answer")
    times = []
    for _ in range(5):
        took = page.evaluate(
            """() => new Promise((resolve) => {
              document.querySelector('.play-list')?.remove();
              const start = performance.now();
              const seen = () => {
                if (document.querySelector('.play-line')) resolve(performance.now() - start);
                else requestAnimationFrame(seen);
              };
              document.querySelector('.tray .card').click();
              seen();
            })"""
        )
        times.append(took)
    assert sorted(times)[2] < 300, times


def test_the_first_paint_comes_within_a_second(open_page: Callable[..., Any]) -> None:
    page = open_page("hint")
    page.wait_for_selector(".picker")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < 1000


# --- play -------------------------------------------------------------------------------------------------------------


def test_a_game_for_three_by_keys(open_page: Callable[..., Any]) -> None:
    page = open_page("play")
    start_game(page, "classic", 7)
    page.wait_for_selector("#call-3")
    page.keyboard.press("3")
    page.wait_for_selector("#do-play")
    hand = parse_hand(page)
    page.keyboard.press(hand[0])
    page.keyboard.press(hand[-1])
    until(page, "document.querySelector('.says').textContent.includes('no combination')")
    assert not page.is_enabled("#do-play")
    page.keyboard.press("Escape")
    page.keyboard.press(hand[0])
    until(page, "document.querySelector('.says').textContent.includes('solo')")
    page.keyboard.press("Enter")
    until(page, "JSON.parse(localStorage['ddz.games'])[0].spec.plays.length >= 3")
    page.wait_for_selector("#do-play")
    page.keyboard.press("u")
    until(page, "JSON.parse(localStorage['ddz.games'])[0].spec.plays.length === 0")
    play_on(page)
    game = kept_game(page)
    assert sum(game["result"]["payoffs"]) == 0
    assert page.locator(".game-list li").count() == 1


def test_a_game_for_four_by_clicks_on_a_phone(open_page: Callable[..., Any]) -> None:
    page = open_page("play", **PHONE)
    start_game(page, "classic4", 3)
    page.wait_for_selector("#call-3")
    page.click("#call-3")
    page.wait_for_selector("#do-play")
    assert page.locator(".hand button.card").count() == 33
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is no wider than the phone"
    page.check("#open")
    page.click("#do-hint")
    page.wait_for_selector(".side .play-line")
    page.click("#do-play")
    until(page, "JSON.parse(localStorage['ddz.games'])[0].spec.plays.length >= 4")
    play_on(page)
    assert len(kept_game(page)["result"]["payoffs"]) == 4


def test_a_reload_and_a_lost_connection_lose_nothing(open_page: Callable[..., Any], server: Server) -> None:
    page = open_page("play")
    start_game(page, "classic", 11)
    page.wait_for_selector("#call-3")
    page.click("#call-3")
    page.wait_for_selector("#do-play")
    before = kept_game(page)["spec"]
    page.reload()
    page.wait_for_selector("#do-play")
    assert kept_game(page)["spec"] == before
    server.stop()
    page.keyboard.press(parse_hand(page)[0])
    page.wait_for_selector("#do-play:enabled")
    page.click("#do-play")
    page.wait_for_selector("#banner:not([hidden])")
    server.start()
    page.wait_for_selector("#banner", state="hidden")
    until(page, "JSON.parse(localStorage['ddz.games'])[0].spec.plays.length >= 3")
    page.wait_for_selector("#do-play")


def test_a_game_can_be_downloaded_and_removed(open_page: Callable[..., Any]) -> None:
    page = open_page("play")
    start_game(page, "classic", 5)
    page.wait_for_selector("#call-0")
    with page.expect_download() as download:
        page.click("text=Download")
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert parse_game(text).phase.value == "auction"
    page.click("#other-game")
    page.click("text=Continue")
    page.wait_for_selector("#call-0")
    page.click("text=Delete")
    assert page.locator(".game-list li").count() == 0


def parse_hand(page: Any) -> str:
    """The cards of the own hand, ascending."""
    cards = page.eval_on_selector_all(".hand button.card", "cards => cards.map(card => card.dataset.rank).join('')")
    return str(Hand.parse(cards))


# --- review -----------------------------------------------------------------------------------------------------------


def random_game(rules: str, seed: int) -> Game:
    """A finished game of legal plays."""
    game, agent = Game(rules, seed=seed), make_agent("greedy")
    while not game.over:
        if game.legal_calls:
            game.call(game.legal_calls[-1])
        else:
            game.push(agent.play(game.observation()))
    return game


@pytest.mark.parametrize("rules", ["classic", "classic4"])
def test_review_by_keys_and_clicks(open_page: Callable[..., Any], rules: str) -> None:
    game = random_game(rules, 5)
    page = open_page("review", **(PHONE if rules == "classic4" else DESKTOP))
    page.fill("#record-text", format_game(game, {"Seat0": "ann"}))
    page.click("#open-record")
    page.wait_for_selector("#what-if")
    steps = len(game.calls) + len(game.history)
    page.keyboard.press("End")
    assert f"move {steps} of {steps}" in page.inner_text(".stepper")
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute('#moves [aria-current="true"]', "data-step") == str(steps - 1)
    until(
        page,
        "document.querySelectorAll('.chart .line').length && !document.querySelector('.between .muted').textContent",
        seconds=60,
    )
    page.click(".chart", position={"x": 200, "y": 60})
    page.keyboard.press("Home")
    page.click(f'#moves [data-step="{len(game.calls) + 1}"]')
    assert "ann" in page.inner_text("main")
    page.click("#what-if")
    page.wait_for_selector("#do-play, #do-pass")
    kept = kept_game(page)
    assert len(kept["spec"]["plays"]) == 1
    assert kept["me"] == game.history[1][0]


def test_review_of_an_own_game(open_page: Callable[..., Any]) -> None:
    page = open_page("play")
    start_game(page, "classic", 7)
    page.wait_for_selector("#call-3")
    play_on(page)
    page.click("#to-review")
    page.wait_for_selector("#what-if")
    assert "You" in page.inner_text("main")
    page.goto(re.sub("#.*", "#review", page.url))
    page.click("text=Review >> nth=1")


def test_review_refuses_what_is_no_record(open_page: Callable[..., Any]) -> None:
    page = open_page("review")
    page.fill("#record-text", "good morning")
    page.click("#open-record")
    until(page, "document.querySelector('.problem').textContent.length > 5")


def test_show_writes_a_page_that_needs_no_server(open_page: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(format_game(random_game("classic", 5), {"Seat1": "</script><b>bob"}))
    assert main(["show", str(tmp_path / "game.txt"), "--html", str(tmp_path / "game.html")]) == 0
    page = open_page((tmp_path / "game.html").as_uri())
    page.wait_for_selector(".table")
    page.keyboard.press("End")
    assert "</script><b>bob" in page.inner_text(".table")
    page.click("#language")
    assert "着法" in page.inner_text("main")
    page.click(".stepper button >> nth=0")
    assert page.locator(".chart .line").count() == 1


# --- puzzles and open hands -------------------------------------------------------------------------------------------


def test_a_puzzle_is_won_by_the_marked_plays(open_page: Callable[..., Any]) -> None:
    page = open_page("puzzle/9")
    page.wait_for_selector("#do-play")
    page.select_option("#speed", "instant")
    page.click("#solution")
    for _ in range(30):
        page.wait_for_selector(".mark-play.wins, #again")
        if page.query_selector("#again"):
            break
        page.click(".mark-play.wins >> nth=0")
        choice = page.get_attribute('.mark-play[aria-pressed="true"]', "data-play")
        cards = page.locator(".hand button.card").count()
        page.click("#do-pass" if choice == "pass" else "#do-play")
        until(
            page,
            """(cards) => document.querySelector('#again') || !document.querySelector('.mark-play[aria-pressed="true"]')
                 && document.querySelectorAll('.hand button.card').length <= cards""",
            cards,
        )
    assert "you won" in page.inner_text(".verdict")
    assert page.get_attribute('[data-puzzle="9"]', "class") == "button small solved"
    page.reload()
    page.wait_for_selector("[data-puzzle].solved")


def test_a_wrong_play_in_a_puzzle_is_told(open_page: Callable[..., Any]) -> None:
    page = open_page("puzzle/1", **PHONE)
    page.wait_for_selector("#do-play")
    page.click("#solution")
    page.wait_for_selector('.mark-play.loses[data-play="3"]')
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.verdict').textContent.includes('lets the win go')")


@pytest.mark.parametrize(("hands", "wins"), [(["334", "5", "47"], {"33"}), (["3344", "5", "6", "78"], None)])
def test_own_positions_are_solved(open_page: Callable[..., Any], hands: list[str], wins: set[str] | None) -> None:
    page = open_page("puzzle")
    page.click(f'[data-players="{len(hands)}"]')
    for seat, cards in enumerate(hands):
        page.fill(f"#own-{seat}", cards)
    page.click("#own-solve")
    page.wait_for_selector(".mark-play")
    until(page, "!document.querySelector('.mark-play:not(.wins):not(.loses)')")
    marked = page.eval_on_selector_all(".mark-play.wins", "marks => marks.map(mark => mark.dataset.play)")
    assert wins is None or set(marked) == wins
    page.click(".mark-play >> nth=0")
    page.wait_for_selector(".solution-line")
    page.reload()
    page.goto(re.sub("#.*", "#puzzle/own", page.url))
    page.wait_for_selector(".mark-play")


# --- the whole --------------------------------------------------------------------------------------------------------


def test_ten_sessions_at_once(open_page: Callable[..., Any]) -> None:
    pages = [open_page("hint") for _ in range(10)]
    start = time.perf_counter()
    for page in pages:
        page.select_option("#fact-rules", "rlcard")
        page.click("#deal-me")
    for page in pages:
        page.wait_for_selector(".play-line")
    assert time.perf_counter() - start < 20


def test_language_and_theme_are_kept(open_page: Callable[..., Any]) -> None:
    page = open_page("play")
    page.click("#language")
    page.click("#theme")
    page.reload()
    page.wait_for_selector("#start")
    assert "新对局" in page.inner_text("main")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.get_attribute("html", "lang") == "zh-CN"


def test_every_control_has_a_name(open_page: Callable[..., Any]) -> None:
    for part in ("hint", "play", "review", "puzzle"):
        page = open_page(part)
        page.wait_for_selector("main > *")
        nameless = page.evaluate(
            """() => [...document.querySelectorAll('button, a, input, select, textarea')]
                 .filter(({ textContent, ariaLabel, title, labels }) =>
                   !(textContent.trim() || ariaLabel || title || labels?.length))
                 .map(({ outerHTML }) => outerHTML)"""
        )
        assert nameless == []
