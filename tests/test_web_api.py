"""The JSON API: answers, that they are the Python answers, messages for bad input, the OpenAPI document, streaming."""

import inspect
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from starlette.testclient import TestClient

from ddz_solver import DdzError, Deal, Game, Hand, parse_play
from ddz_solver.ai.agents import LEVELS, make_agent
from ddz_solver.ai.bidding import evaluate_bid
from ddz_solver.ai.evaluator import has_weights
from ddz_solver.ai.hints import hint
from ddz_solver.ai.solver import solve
from ddz_solver.cli import main
from ddz_solver.engine.faults import Termination
from ddz_solver.engine.records import Record
from ddz_solver.engine.referee import plays_text
from ddz_solver.game import errors
from ddz_solver.game.combos import format_play, legal_plays
from ddz_solver.game.notation import format_game
from ddz_solver.game.rules import PRESETS, Rules
from ddz_solver.web import api
from ddz_solver.web.answering import code_of
from ddz_solver.web.api import QUESTIONS, last
from ddz_solver.web.app import STATIC, make_app

JSON = {"content-type": "application/json"}
PUZZLES = json.loads((STATIC / "puzzles.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_app(), base_url="http://127.0.0.1:8010") as found:
        yield found


def ask(client: TestClient, name: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/{name}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refusal(client: TestClient, name: str, body: Any, status: int = 400) -> str:
    answer = client.post(f"/api/{name}", json=body)
    assert answer.status_code == status, answer.text
    message: str = answer.json()["error"]["message"]
    return message


def test_about_names_presets_and_levels(client: TestClient) -> None:
    found = ask(client, "about")
    assert found["levels"] == list(LEVELS)
    assert set(found["presets"]) == set(PRESETS)
    assert found["presets"]["classic4"]["hand_size"] == 25
    assert [role["id"] for role in found["presets"]["classic4"]["roles"]][2] == "landlord_across"


@pytest.mark.parametrize("rules", ["classic", "rlcard", "classic4"])
def test_legal_is_what_python_says(client: TestClient, rules: str) -> None:
    hand, to_beat = "33445566778899TTJJQQKA2XD", "55"
    if PRESETS[rules].decks == 1:
        hand = "33445566778899TTJJ2X"
    found = ask(client, "legal", hand=hand, to_beat=to_beat, rules=rules)
    expected = [
        format_play(play, rules) if play else "pass" for play in legal_plays(hand, parse_play(to_beat, rules), rules)
    ]
    assert [play["play"] for play in found["plays"]] == expected


def test_hint_is_what_python_says(client: TestClient) -> None:
    hand = "3445667789TTJQKA2"
    found = ask(client, "hint", hand=hand, to_beat="99", seed=5)
    python = hint(hand, to_beat="99", seed=5)
    assert [(play["play"], play["win"]) for play in found["plays"]] == [
        (format_play(choice.play, "classic") if choice.play else "pass", round(choice.win, 4)) for choice in python
    ]
    assert found["role"] == "landlord_down"
    assert found["assumed"][0]["zh"]


def test_hint_is_what_the_command_line_says(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", "99TTKK2", "--role", "up", "--last", "55", "--counts", "6,11", "--json", "--top", "3"]) == 0
    shell = json.loads(capsys.readouterr().out)
    found = ask(client, "hint", hand="99TTKK2", role="up", to_beat="55", counts=[6, 11], top=3)
    assert [(play["play"], play["win"]) for play in found["plays"]] == [
        (play["play"], play["win"]) for play in shell["plays"]
    ]


def test_check_says_why_not(client: TestClient) -> None:
    def problem(cards: str, to_beat: str = "") -> str | None:
        found: str | None = ask(client, "check", hand="3455667889JJQK2", cards=cards, to_beat=to_beat)["problem"]
        return found

    assert problem("JJ", "99") is None
    assert problem("55", "99") == "too_low"
    assert problem("J", "99") == "other_kind"
    assert problem("JJQ") == "no_combination"
    assert problem("JJJ") == "not_held"
    assert problem("") == "no_cards"


@pytest.mark.parametrize("rules", ["classic", "classic4", "rlcard", "botzone"])
def test_whole_games_by_stateless_requests(client: TestClient, rules: str) -> None:
    game: dict[str, Any] = {"rules": rules, "seed": 3, "calls": [], "plays": []}
    while True:
        state = ask(client, "game", game=game)
        if state["phase"] == "over":
            break
        move = ask(client, "move", game=game, level="greedy")
        assert move["seat"] == state["turn"]
        if move["call"] is not None:
            assert move["call"] in state["legal_calls"]
            game["calls"].append(move["call"])
        else:
            assert move["play"] in state["legal_plays"]
            game["plays"].append(move["play"]["play"])
    if state["redeal"]:
        assert state["payoffs"] == [0] * state["players"]
    else:
        assert state["winner"] in state["winners"]
        assert state["counts"][state["winner"]] == 0


def test_move_is_what_python_says(client: TestClient) -> None:
    game = Game("classic", seed=11)
    agent = make_agent("greedy")
    while game.phase.value == "auction":
        assert ask(client, "move", game={"seed": 11, "calls": [bid for _, bid in game.calls]}, level="greedy")[
            "call"
        ] == agent.bid(game.observation())
        game.call(agent.bid(game.observation()))
        if game.over:
            pytest.fail("seed 11 is passed out: take another")
    found = ask(client, "move", game={"seed": 11, "calls": [bid for _, bid in game.calls]}, level="greedy")
    assert found["play"]["cards"] == str(Hand(agent.play(game.observation()).cards))


def test_a_seat_sees_no_other_hands(client: TestClient) -> None:
    found = ask(client, "game", game={"rules": "rlcard", "seed": 3}, seat=1)
    assert [hand is None for hand in found["hands"]] == [True, False, True]
    assert found["deal"] is None
    assert found["legal_plays"] == []


BAD = [
    ("hint", {}, "no hand"),
    ("hint", {"hand": 5}, "hand: expected a text, got 5"),
    ("hint", {"hand": "34Z"}, "unknown card 'Z'"),
    ("hint", {"hand": "3" * 201}, "201 characters"),
    ("hint", {"hand": "33333"}, "rank 3"),
    ("hint", {"hand": "34", "colour": 1}, "unknown 'colour'"),
    ("hint", {"hand": "34", "counts": [1, 2, 3, 4]}, "4 items"),
    ("hint", {"hand": "34", "counts": [1, 99]}, "counts[1]: expected a whole number from 1 to 54"),
    ("hint", {"hand": "34", "bid": True}, "bid: expected a whole number"),
    ("hint", {"hand": "34", "objective": "fun"}, "expected win or score"),
    ("hint", {"hand": "34", "rules": "clasic"}, "did you mean classic"),
    ("hint", {"hand": "34\ud800"}, "unknown card"),
    ("hint", [], "expected an object"),
    ("game", {"game": {"seed": 1, "deal": "3/4/5"}}, "seed and deal together"),
    ("game", {"game": {"seed": 1, "calls": [4]}}, "calls[0]"),
    ("game", {"game": {"seed": 1, "calls": [2, 1]}}, "call 2"),
    ("game", {"game": {"seed": 1, "rules": "rlcard", "plays": ["33333"]}}, "play 1"),
    ("game", {"game": {"seed": 1, "turn": 1}}, "turn without hands"),
    ("game", {"game": {"seed": -1}}, "from 0 to"),
    ("move", {}, "either game or facts"),
    ("move", {"game": {"seed": 1}, "level": "godlike"}, "level: expected random"),
    ("legal", {"hand": "34", "to_beat": "35"}, "no combination"),
]


def test_the_page_knows_every_refusal_in_chinese(client: TestClient) -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = {code_of(kind()) for kind in kinds}
    codes |= {
        client.post(f"/api/{name}", content=json.dumps(body), headers=JSON).json()["error"]["code"]
        for name, body, _ in BAD
    }
    words = (STATIC / "words.js").read_text(encoding="utf-8").partition("const ERRORS")[2]
    assert codes <= set(re.findall(r"(\w+): \"", words))


def test_the_page_uses_every_word_that_it_knows() -> None:
    """Words and exported names that nothing uses are left over from something."""
    scripts = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}
    words = scripts.pop("words.js")
    others = "".join(scripts.values())
    made = tuple(re.findall(r"t\(`(\w+_)\$", others))
    problems = set(re.findall(r'return "(\w+)", ', inspect.getsource(api))) | {"too_low", "other_kind"}
    known = re.findall(r'(\w+): \["', words.partition("const ERRORS")[0])
    assert [key for key in known if f'"{key}"' not in others and not key.startswith(made) and key not in problems] == []
    for name, script in scripts.items():
        rest = words + "".join(text for other, text in scripts.items() if other != name)
        exported = re.findall(r"^export (?:async )?(?:const|function|class) (\w+)", script, re.MULTILINE)
        assert [one for one in exported if not re.search(rf"\b{one}\b", rest)] == [], name


@pytest.mark.parametrize(("name", "body", "words"), BAD)
def test_bad_input_gets_a_message(client: TestClient, name: str, body: Any, words: str) -> None:
    answer = client.post(f"/api/{name}", content=json.dumps(body), headers=JSON)
    assert answer.status_code == 400, answer.text
    assert words in answer.json()["error"]["message"]


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"hand": NaN}', '{"hand": 1e999}', "\x00"])
def test_what_is_no_json_gets_a_message(client: TestClient, text: str) -> None:
    answer = client.post("/api/hint", content=text, headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_unknown_questions_and_pages(client: TestClient) -> None:
    assert "hint" in refusal(client, "fortune", {}, 404)
    assert client.get("/nothing").status_code == 404
    assert client.get("/api/hint").status_code == 405


def test_the_openapi_document_is_valid_and_complete(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {f"/api/{name}" for name in QUESTIONS}
    validator = pytest.importorskip("openapi_spec_validator")
    validator.validate(document)


def test_streaming_gives_the_same_answer(client: TestClient) -> None:
    body = {"hand": "3445667789TTJQKA2", "to_beat": "99", "top": 3}
    with client.websocket_connect("ws://127.0.0.1:8010/api/stream") as socket:
        socket.send_json({"id": 1, "ask": "hint", "body": body})
        message, parts = socket.receive_json(), []
        while "part" in message:
            parts.append(message["part"])
            message = socket.receive_json()
        assert message == {"id": 1, "done": True}
        assert parts[-1] == ask(client, "hint", **body)
        for bad, code in (
            ("{", "request"),
            ('{"id": 2}', "request"),
            ('{"id": 2, "ask": "hint"}', "request"),
            ('{"id": 2, "ask": "nothing"}', "unknown"),
        ):
            socket.send_text(bad)
            assert socket.receive_json()["error"]["code"] == code
        socket.send_json({"id": 3, "stop": True})  # of nothing: not an error
        socket.send_json({"id": 4, "ask": "about"})
        assert socket.receive_json()["part"]["levels"]


# --- bids, open hands, records ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["classic", "classic4"])
def test_bid_is_what_python_says(client: TestClient, rules: str) -> None:
    hand = str(Deal.random(rules, 1).hands[0])
    try:
        python = evaluate_bid(hand, "pass 1", rules)
    except DdzError as error:
        pytest.skip(str(error))
    found = ask(client, "bid", hand=hand, calls="pass 1", rules=rules)
    assert found["best"] == python.best.call
    assert [choice["points"] for choice in found["choices"]] == [round(choice.points, 4) for choice in python]
    played = ask(client, "bid", hand=hand, calls="pass 1", rules=rules, worlds=5)
    assert played["choices"] == found["choices"]
    assert (played["sampled"] is not None) == has_weights(Rules.parse(rules))
    assert "3 cards" in refusal(client, "bid", {"hand": "345", "rules": rules})


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: "/".join(puzzle["spec"]["hands"]))
def test_published_puzzles_are_solved_as_published(puzzle: dict[str, Any]) -> None:
    if sum(map(len, puzzle["spec"]["hands"])) > 22:
        pytest.skip("takes seconds")
    found = last(QUESTIONS["solve"].answer({"game": puzzle["spec"]}, threading.Event()))
    assert found["decided"]
    assert sorted(play["play"] for play in found["plays"] if play["verdict"] == "win") == puzzle["wins"]


def test_a_solution_is_what_python_says_and_its_line_is_legal(client: TestClient) -> None:
    spec = {"rules": "rlcard", "hands": ["7TTJA", "4699", "3558"], "turn": 0}
    found = ask(client, "solve", game=spec)
    solution = solve(Game.from_hands(spec["hands"], "rlcard").position)
    assert found["wins"] == solution.wins
    assert [play["cards"] for play in found["line"]] == [str(Hand(play.cards)) for play in solution.line]
    game = Game.from_hands(spec["hands"], "rlcard")
    for play in found["line"]:
        assert play["seat"] == game.turn
        game.push(play["play"])
    assert game.over


def test_a_solution_without_time_says_what_it_does_not_know(client: TestClient) -> None:
    found = ask(client, "solve", game={"seed": 1, "landlord": 0}, seconds=0.05)
    assert not found["decided"]
    assert None in {play["verdict"] for play in found["plays"]}
    assert "phase auction" in refusal(client, "solve", {"game": {"seed": 1}})


@pytest.mark.parametrize(
    "spec",
    [
        {"rules": "classic", "seed": 3, "calls": [0, 2], "plays": []},
        {"rules": "classic4", "seed": 3, "landlord": 2, "bid": 2},
        {"rules": "rlcard", "hands": ["3345", "44", "6"], "landlord": 1, "turn": 2, "to_beat": "5", "to_beat_by": 0},
        {"rules": "classic,players=2", "hands": ["3345", "44"], "plays": ["3", "4", "5"]},
    ],
)
def test_records_are_written_and_read_again(client: TestClient, spec: dict[str, Any]) -> None:
    text = ask(client, "write", game=spec, names=["ann"])["text"]
    found = ask(client, "read", text=text)
    state = ask(client, "game", game=spec)
    assert found["state"] == state
    assert found["names"][0] == "ann"
    assert ask(client, "game", game=found["game"]) == state
    assert len(found["frames"]) == 1 + len(state["calls"]) + len(state["history"])
    assert found["frames"][-1]["hands"] == state["hands"]


def test_records_of_matches_are_read(client: TestClient) -> None:
    game = Game("classic", seed=2)
    game.call(3)
    while not game.over:
        game.push(make_agent("greedy").play(game.observation()))
    record = Record(
        "classic", game.deal, ("a", "b", "c"), game.calls, plays_text(game), game.payoffs, Termination.NORMAL
    )
    state = ask(client, "game", game=ask(client, "read", text=record.to_text())["game"])
    assert state["payoffs"] == list(game.payoffs)
    assert ask(client, "read", text=json.dumps(record.to_json()))["names"] == ["a", "b", "c"]


def test_a_review_judges_every_play(client: TestClient) -> None:
    spec = {"rules": "classic,players=2", "hands": ["3345", "44"], "plays": ["5", "pass", "33", "44"]}
    decisions = ask(client, "review", game=spec)["decisions"]
    assert [decision["step"] for decision in decisions] == [0, 1, 2, 3]
    assert all(0 <= decision["win"] <= decision["best_win"] + 1 for decision in decisions)
    assert decisions[3]["plays"][0]["cards"] == "44", "it wins"
    assert decisions[3]["landlord_win"] == pytest.approx(1 - decisions[3]["best_win"])


@pytest.mark.parametrize(
    "text", ["", "good morning", "{", '{"a": 1}', "result 1 2 3", '[Rules "classic"]\n[Deal "3/4"]']
)
def test_what_is_no_record_gets_a_message(client: TestClient, text: str) -> None:
    assert refusal(client, "read", {"text": text})


def test_show_as_text_and_as_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game.from_hands(["3345", "44"], "classic,players=2")
    game.push("33")
    file = tmp_path / "game.txt"
    file.write_text(format_game(game, {"Seat0": "<b>ann"}), encoding="utf-8")
    assert main(["show", str(file)]) == 0
    assert "<b>ann 33" in capsys.readouterr().out
    assert main(["show", str(file), "--html", str(tmp_path / "game.html"), "--no-analysis"]) == 0
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "<b>ann" not in page
    assert 'from \\"./' not in page and "src=" not in page and "http://" not in page.replace("http://www.w3.org", "")
    assert main(["show", str(tmp_path / "none.txt")]) == 2
    assert main(["show", str(file), "--number", "2"]) == 2
