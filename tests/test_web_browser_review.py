"""Review, puzzles and open hands on the page, in a real browser; see test_web_browser."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import browser_pages
import pytest
from browser_pages import DESKTOP, PHONE, kept_game, play_on, start_game, until

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")
sync_api = pytest.importorskip("playwright.sync_api")

from ddz_solver import Game  # noqa: E402
from ddz_solver.ai.agents import make_agent  # noqa: E402
from ddz_solver.cli import main  # noqa: E402
from ddz_solver.game.notation import format_game  # noqa: E402

pytestmark = browser_pages.marks
browser, server, open_page = browser_pages.browser, browser_pages.server, browser_pages.open_page

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


def test_review_shows_the_first_hand_of_a_long_record(open_page: Callable[..., Any], tmp_path: Path) -> None:
    """A match record of any length opens at its first hand; a text that is no record is refused, not sent on and on."""
    page = open_page("review")
    hand = format_game(random_game("classic", 5), {"Seat0": "ann"})
    (tmp_path / "match.txt").write_text("\n".join([hand] * (400_000 // len(hand))))
    page.set_input_files("#record-file", tmp_path / "match.txt")
    page.wait_for_selector(".table")
    assert "The first hand of several" in page.inner_text("main")
    page.click("#other-record")
    (tmp_path / "text.txt").write_text("good morning " * 30_000)
    page.set_input_files("#record-file", tmp_path / "text.txt")
    until(page, "document.querySelector('.problem').textContent.includes('too long')")
    page.reload()
    page.wait_for_selector("#open-record")


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
