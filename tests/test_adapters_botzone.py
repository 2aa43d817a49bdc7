"""Our AI as a Botzone bot: a judge for whole hands of both games, recorded exchanges, bad input."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ddz_solver.adapters.botzone import GAMES, KEEP_RUNNING, BotzoneBot, hand_of, pick, read, serve
from ddz_solver.ai.agents import make_agent
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import NotationError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation, Phase

RECORDS = [
    json.loads(line) for line in (Path(__file__).parent / "data" / "botzone.jsonl").read_text().splitlines() if line
]


class Watcher:
    """A random agent that remembers what it saw."""

    def __init__(self, seed: int) -> None:
        self.agent = make_agent("random", seed=seed)
        self.seen: list[Observation] = []

    def bid(self, observation: Observation) -> int:
        self.seen.append(observation)
        return self.agent.bid(observation)

    def play(self, observation: Observation) -> Play:
        self.seen.append(observation)
        return self.agent.play(observation)


class Judge:
    """Botzone's judge for one hand: deals numbered cards, asks, checks the answers, and keeps a `Game` beside."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.rules = name, GAMES[name]
        cards = random.Random(seed).sample(range(54), 54)
        self.public, self.dealt = cards[:3], [cards[3 + 17 * seat : 20 + 17 * seat] for seat in range(3)]
        self.game = Game(self.rules, Deal(tuple(map(hand_of, self.dealt)), hand_of(self.public)))
        self.history: list[list[int]] = [[], []]
        self.told = [False] * 3
        self.played: set[int] = set()

    def request(self) -> dict[str, Any]:
        game = self.game
        seat = game.turn
        assert seat is not None
        if game.phase is Phase.AUCTION:
            return {"own": self.dealt[seat], "bid": [bid for _, bid in game.calls]}
        request: dict[str, Any] = {"history": self.history[-2:]}
        if not self.told[seat]:
            self.told[seat] = True
            request |= {"own": self.dealt[seat], "publiccard": self.public}
            if self.name == "FightTheLandlord2":
                request |= {"landlord": game.landlord, "pos": seat, "finalbid": game.bid}
            elif seat == 0:
                request["own"] = self.public + self.dealt[0]
        return request

    def take(self, response: Any) -> None:
        game = self.game
        if game.phase is Phase.AUCTION:
            game.call(response)
            return
        seat = game.turn
        assert seat is not None
        own = {*self.dealt[seat], *(self.public if seat == game.landlord else ())}
        assert {*response} <= own - self.played
        assert len({*response}) == len(response)
        self.played |= {*response}
        self.history.append(response)
        game.push(str(hand_of(response)) or "pass")


def ask_whole(judge: Judge, make_bot: Callable[[int], BotzoneBot]) -> None:
    """Each decision by a fresh bot that is told everything."""
    log: list[tuple[list[Any], list[Any]]] = [([], []) for _ in range(3)]
    while not judge.game.over:
        seat = judge.game.turn
        assert seat is not None
        requests, responses = log[seat]
        requests.append(judge.request())
        line = json.dumps({"requests": requests, "responses": responses})
        answer = json.loads(make_bot(seat).answer(line))
        assert answer.keys() == {"response"}
        responses.append(answer["response"])
        judge.take(answer["response"])


def ask_bare(judge: Judge, make_bot: Callable[[int], BotzoneBot]) -> None:
    """Each seat's decisions by one bot that is kept running."""
    bots = [make_bot(seat) for seat in range(3)]
    started = [False] * 3
    while not judge.game.over:
        seat = judge.game.turn
        assert seat is not None
        request = judge.request()
        line = json.dumps(request if started[seat] else {"requests": [request], "responses": []})
        started[seat] = True
        judge.take(json.loads(bots[seat].answer(line))["response"])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("ask", [ask_whole, ask_bare])
def test_whole_hands(name: str, ask: Callable[[Judge, Callable[[int], BotzoneBot]], None]) -> None:
    landlords = set()
    for seed in range(8):
        judge = Judge(name, seed)
        agents = [Watcher(3 * seed + seat) for seat in range(3)]
        ask(judge, lambda seat, agents=agents: BotzoneBot(agents[seat]))
        assert sum(judge.game.payoffs) == 0
        landlords.add(judge.game.landlord)
        for seat, agent in enumerate(agents):
            last = agent.seen[-1]
            assert last.seat == seat
            assert last.rules == GAMES[name]
            assert last.landlord == judge.game.landlord
            if last.phase is Phase.PLAY:
                assert last.bottom == judge.game.bottom
                assert last.bid == judge.game.bid
                assert last.history == judge.game.history[: len(last.history)]
    assert len(landlords) == (1 if name == "FightTheLandlord" else 3)


@pytest.mark.parametrize("record", RECORDS, ids=[record["id"] for record in RECORDS])
def test_recorded_exchanges(record: dict[str, Any]) -> None:
    """What the bot must understand, and an answer where only one is possible."""
    told = read(record["requests"], record["responses"])
    seen = told.view.observation()
    assert seen.seat == record["seat"]
    assert seen.landlord == record["landlord"]
    assert str(seen.hand) == record["hand"]
    assert str(seen.to_beat or "") == record["to_beat"]
    assert seen.to_beat_by == record["to_beat_by"]
    assert seen.bid == record["bid"]
    line = json.dumps({"requests": record["requests"], "responses": record["responses"]})
    response = json.loads(BotzoneBot(make_agent("greedy")).answer(line))["response"]
    if "answer" in record:
        assert response == record["answer"]


def test_calls_that_are_not_told_are_filled_in() -> None:
    """Seat 0 bid 1 and hears only that seat 2 took it for 2; seat 2 hears that seat 1 took it for 3 at once."""
    first = {"own": list(range(17)), "bid": []}
    play = {"history": [[], [20]], "own": list(range(17)), "publiccard": [51, 52, 53], "pos": 0, "landlord": 2}
    seen = read([first, play | {"finalbid": 2}], [1]).view.observation()
    assert seen.calls == ((0, 1), (1, 0), (2, 2))
    lone = play | {"pos": 2, "landlord": 1, "finalbid": 3}
    assert read([lone], []).view.observation().calls == ((0, 0), (1, 3))
    forced = play | {"pos": 0, "landlord": 0, "finalbid": 1, "history": [[], []]}
    seen = read([first, forced], [0]).view.observation()
    assert (seen.calls, seen.landlord, seen.bid) == (((0, 0), (1, 0), (2, 0)), 0, 1)


def test_a_hand_that_breaks_the_rules_gets_a_safe_answer() -> None:
    """FightTheLandlord lets one extra go with each quad of a run; we do not know that, and answer all the same."""
    bot = BotzoneBot(make_agent("greedy"))
    run = [0, 1, 2, 3, 4, 5, 6, 7, 20, 24]
    own = [8, 9, 10, *range(30, 44)]
    answer = json.loads(bot.answer(json.dumps({"history": [[], run], "own": own, "publiccard": [0, 1, 2]})))
    assert answer["response"] == []
    assert "3333444489" in answer["debug"]
    answer = json.loads(bot.answer(json.dumps({"history": [[], []]})))
    assert answer["response"] == [8]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "is no JSON"),
        ("[1, 2", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("7", "is no request"),
        ('{"requests": 3, "responses": []}', "'requests' is 3"),
        ('{"requests": [], "responses": []}', "one response fewer"),
        ('{"requests": [{}], "responses": []}', "'own' is null"),
        ('{"own": [1, 2, 2], "bid": []}', "a card twice"),
        ('{"own": [1, 2, 54], "bid": []}', "no list of cards"),
        ('{"own": [1, true], "bid": []}', "no list of cards"),
        ('{"own": [0], "bid": [9]}', "9 is no bid"),
        ('{"own": [0], "bid": [0, 0, 0]}', "3 bids before"),
        ('{"own": [0], "publiccard": [1], "history": [[]]}', "history of another length"),
        ('{"own": [0], "publiccard": [1], "history": [[], []], "landlord": 3, "pos": 0, "finalbid": 1}', "'landlord'"),
    ],
)
def test_what_no_judge_says_is_refused(line: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        BotzoneBot(make_agent("greedy")).answer(line)


def test_a_short_hand_is_answered_safely() -> None:
    answer = json.loads(BotzoneBot(make_agent("greedy")).answer('{"own": [9], "publiccard": [9], "history": [[], []]}'))
    assert answer["response"] == [9]
    assert "expected 17" in answer["debug"]


def test_picking_cards() -> None:
    assert pick([53, 52, 9, 8, 1, 0], Hand.parse("35XD")) == [0, 8, 52, 53]
    assert str(hand_of(range(54))) == str(Hand.pack())


def test_serving_stops_after_one_answer_unless_kept_running() -> None:
    line = json.dumps({"requests": [{"own": list(range(17)), "bid": []}], "responses": []})
    for keep_running, expected in ((False, 1), (True, 2)):
        written: list[str] = []
        serve(make_agent("greedy"), ["", line], written.append, keep_running)
        assert len(written) == expected
        assert json.loads(written[0])["response"] in range(4)
    assert written[1] == KEEP_RUNNING


def test_the_command() -> None:
    judge = Judge("FightTheLandlord2", 5)
    line = json.dumps({"requests": [judge.request()], "responses": []})
    command = [sys.executable, "-m", "ddz_solver", "botzone", "--level", "greedy"]
    once = subprocess.run([*command, "--once"], input=line, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(once.stdout)["response"] in range(4)
    kept = subprocess.run(command, input=line + "\n", capture_output=True, text=True, timeout=60, check=True)
    assert kept.stdout.splitlines()[1:] == [KEEP_RUNNING]
    bad = subprocess.run(command, input="{}\n", capture_output=True, text=True, timeout=60, check=False)
    assert bad.returncode == 2
    assert "expected a list" in bad.stderr
    assert "Traceback" not in bad.stderr
