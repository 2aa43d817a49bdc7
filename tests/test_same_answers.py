"""The same question has the same answer in Python, over the protocol and over HTTP."""

import queue
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from starlette.testclient import TestClient

from ddz_solver import Game, evaluate_bid, hint, solve
from ddz_solver.ai.agents import make_agent
from ddz_solver.ai.bid_model import has_model
from ddz_solver.engine.engine import Engine, decision_seed
from ddz_solver.engine.lines import Line, parse_line
from ddz_solver.engine.positions import position_line
from ddz_solver.engine.session import Session
from ddz_solver.game.combos import format_play
from ddz_solver.web.app import make_app

SEED = 11
FINALS = {"ok", "bestmove", "error"}


class Both:
    """The protocol and HTTP, side by side."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.said: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.session = Session(self.said.put, Engine({"seed": str(SEED)}))

    def say(self, text: str) -> list[Line]:
        """The lines that answer a command, the final one last."""
        self.session.feed(text)
        lines: list[Line] = []
        while not lines or lines[-1].verb not in FINALS:
            line = parse_line(self.said.get(timeout=30))
            assert line is not None
            lines.append(line)
        assert lines[-1].verb != "error", lines[-1]
        return lines

    def post(self, name: str, **body: Any) -> dict[str, Any]:
        """The answer over HTTP."""
        answer = self.client.post(f"/api/{name}", json=body)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


@pytest.fixture
def both() -> Iterator[Both]:
    with TestClient(make_app(), base_url="http://127.0.0.1:8010") as client:
        found = Both(client)
        yield found
        found.session.close()


def positions(rules: str) -> Iterator[tuple[Game, dict[str, Any]]]:
    """Games at every fifth decision, and the same as HTTP describes them."""
    game, agent = Game(rules, seed=SEED), make_agent("greedy")
    while game.legal_calls:
        game.call(game.legal_calls[-1])
    while not game.over:
        if len(game.history) % 5 == 2:
            calls = [call for _, call in game.calls]
            plays = [format_play(play, rules) if play else "pass" for _, play in game.history]
            yield game, {"rules": rules, "seed": SEED, "calls": calls, "plays": plays}
        game.push(agent.play(game.observation()))


def text(game: Game, play: Any) -> str:
    return format_play(play, game.rules) if play else "pass"


@pytest.mark.parametrize("rules", ["classic", "classic4", "rlcard"])
def test_legal_plays_and_hints(both: Both, rules: str) -> None:
    asked = 0
    for game, described in positions(rules):
        both.say(position_line(game.observation()))
        python = [text(game, play) for play in game.legal_plays]
        assert both.say("moves")[-1].fields["plays"].split(",") == python
        assert [play["play"] for play in both.post("game", game=described)["legal_plays"]] == python
        found = hint(game.observation(), seconds=0, seed=SEED)
        expected = [(text(game, choice.play), f"{choice.win:.4f}", f"{choice.score:.4f}") for choice in found]
        *infos, _ = both.say(f"hint n={len(expected)}")
        assert [(line.fields["play"], line.fields["win"], line.fields["score"]) for line in infos] == expected
        answer = both.post("advice", game=described, seed=SEED)["plays"]
        assert [(row["play"], f"{row['win']:.4f}", f"{row['score']:.4f}") for row in answer] == expected
        asked += 1
    assert asked > 2


@pytest.mark.parametrize("rules", ["classic", "classic4", "rlcard"])
@pytest.mark.parametrize("level", ["greedy", "casual", "random"])
def test_decisions_of_levels(both: Both, rules: str, level: str) -> None:
    """Levels that draw by chance make the same draw for the same seed."""
    both.say(f"setoption level={level}")
    for game, described in positions(rules):
        seen = game.observation()
        both.say(position_line(seen))
        python = text(game, make_agent(level, seed=decision_seed(seen, SEED)).play(seen))
        assert both.say("go")[-1].fields["play"] == python
        assert both.post("move", game=described, level=level, seed=SEED)["play"]["play"] == python


def test_every_bit_of_a_seed_counts() -> None:
    seen = Game("classic", seed=SEED, landlord=0).observation()
    seeds = [0, *(1 << bit for bit in range(53))]
    assert len({decision_seed(seen, seed) for seed in seeds}) == len(seeds)


@pytest.mark.parametrize("rules", ["classic", "classic4"])
@pytest.mark.parametrize("before", [[], [0], [1]])
def test_bids(both: Both, rules: str, before: list[int]) -> None:
    game = Game(rules, seed=SEED)
    for call in before:
        game.call(call)
    seen = game.observation()
    if not has_model(seen.rules):
        pytest.skip(f"no bid model for {rules}")
    both.say(position_line(seen))
    found = evaluate_bid(seen)
    expected = [(choice.call, f"{choice.win:.4f}", f"{choice.points:.4f}") for choice in found]
    *infos, final = both.say("bids")
    assert [(int(line.fields["call"]), line.fields["win"], line.fields["score"]) for line in infos] == expected
    assert int(final.fields["best"]) == found.best.call
    answer = both.post("bid", rules=rules, hand=str(seen.hand), calls=" ".join(map(str, before)))
    assert [(row["call"], f"{row['win']:.4f}", f"{row['points']:.4f}") for row in answer["choices"]] == expected
    assert answer["best"] == found.best.call


@pytest.mark.parametrize(
    ("rules", "hands"), [("classic", ["34579", "468T", "55J"]), ("classic4", ["3344", "55", "678", "99"])]
)
@pytest.mark.parametrize("turn", [0, 1])
def test_open_hands(both: Both, rules: str, hands: list[str], turn: int) -> None:
    game = Game.from_hands(hands, rules, turn=turn)
    assert game.position is not None
    solution = solve(game.position)
    both.say(f"position rules={rules} hands={'/'.join(hands)} turn={turn}")
    said = both.say("solve")[-1].fields
    assert said["wins"] == ("yes" if solution.wins else "no")
    winning = {text(game, play) for play in solution.plays}
    assert {play for play in said.get("plays", "").split(",") if play} == winning
    answer = both.post("solve", game={"rules": rules, "hands": hands, "turn": turn})
    assert answer["wins"] == solution.wins
    assert {row["play"] for row in answer["plays"] if row["verdict"] == "win"} == winning
    assert (
        said["line"].split(",")
        == [text(game, play) for play in solution.line]
        == [step["cards"] or "pass" for step in answer["line"]]
    )
