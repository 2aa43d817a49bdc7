"""Hints and play on the page in a real browser (Chromium, headless), driven by clicks and keys.

Run with `pytest -m browser`; needs the extra `browser` and Chromium on the path, or its path in DDZ_CHROMIUM. With
DDZ_SCREENSHOTS=FOLDER every test leaves its last picture there.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import browser_pages
import pytest
from browser_pages import PHONE, Server, kept_game, play_on, put_cards, start_game, until

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")
sync_api = pytest.importorskip("playwright.sync_api")

from ddz_solver import DdzError, Deal, Hand  # noqa: E402
from ddz_solver.ai.bidding import evaluate_bid  # noqa: E402
from ddz_solver.game.notation import parse_game  # noqa: E402

pytestmark = browser_pages.marks
browser, server, open_page = browser_pages.browser, browser_pages.server, browser_pages.open_page

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


def test_nothing_can_be_played_while_a_step_is_taken_back(open_page: Callable[..., Any]) -> None:
    page = open_page("play")
    start_game(page, "classic", 7)
    page.click("#call-3")
    page.wait_for_selector("#do-play")
    page.keyboard.press(parse_hand(page)[0])
    page.keyboard.press("Enter")
    until(page, "JSON.parse(localStorage['ddz.games'])[0].spec.plays.length >= 3")
    page.wait_for_selector("#do-play")
    page.evaluate(
        """() => {
          const { send } = WebSocket.prototype;
          const held = [];
          WebSocket.prototype.send = function (message) { held.push(() => send.call(this, message)); };
          window.release = () => { WebSocket.prototype.send = send; for (const go of held) go(); };
        }"""
    )
    page.keyboard.press("u")
    until(page, "JSON.parse(localStorage['ddz.games'])[0].spec.plays.length === 0")
    for key in (parse_hand(page)[-1], "Enter", "h"):
        page.keyboard.press(key)
    assert page.query_selector("#do-play, #do-pass, #do-hint") is None
    assert kept_game(page)["spec"]["plays"] == []
    page.evaluate("release()")
    page.wait_for_selector("#do-play")
    assert page.locator(".hand button.card").count() == 20


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
