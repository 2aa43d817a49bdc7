"""The protocol: positions, options, stopping, analysis."""

import queue
import random
import threading
import time
from collections.abc import Iterator

import pytest

from ddz_solver.ai.agents import AgentError, make_agent
from ddz_solver.engine.engine import Engine
from ddz_solver.engine.limits import Limits
from ddz_solver.engine.lines import Line, ProtocolError, parse_line
from ddz_solver.engine.positions import parse_position, position_fields, position_line
from ddz_solver.engine.session import Session
from ddz_solver.game.game import Game
from ddz_solver.game.rules import PRESETS

FINALS = {"ddzok", "readyok", "ok", "pong", "bestmove", "bye", "error"}


class Talk:
    """A session whose answers are waited for."""

    def __init__(self) -> None:
        self.said: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.session = Session(self.said.put, Engine({"level": "greedy"}))

    def ask(self, text: str) -> Line:
        """The final line of the answer."""
        self.session.feed(text)
        while True:
            line = parse_line(self.said.get(timeout=5))
            assert line is not None
            if line.verb in FINALS:
                return line


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.session.close()


# --- positions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*PRESETS, "classic,bottom_shown=no,spring=each", "classic4,joker_bombs=6/7"])
def test_positions_round_trip(rules: str) -> None:
    rng = random.Random(rules)
    for seed in range(2):
        game = Game(rules, seed=seed)
        while not game.over:
            seen = game.observation(rng.randrange(game.rules.players))
            line = parse_line(position_line(seen))
            assert line is not None
            assert parse_position(line.fields) == seen
            seen = game.observation()
            legal = str(position_fields(seen, legal=True)["legal"]).split(",")
            if seen.legal_calls:
                assert legal == [str(call) for call in seen.legal_calls]
                game.call(rng.choice(seen.legal_calls))
            else:
                assert len(set(legal)) == len(seen.legal_plays)
                game.push(rng.choice(seen.legal_plays))
        seen = game.observation(0)
        assert (
            parse_position({key: str(value) for key, value in position_fields(seen).items() if value is not None})
            == seen
        )


def test_a_short_position_is_completed() -> None:
    full = "hand=34 counts=2,1,1 unseen=55"
    seen = parse_position(parse_line(f"position rules=classic seat=0 landlord=0 {full} history=0:3,1:6,2:pass").fields)  # type: ignore[union-attr]
    assert (seen.turn, str(seen.to_beat), seen.to_beat_by, seen.plays) == (0, "6", 1, (1, 1, 0))
    seen = parse_position(
        parse_line(f"position rules=classic seat=0 landlord=0 {full} history=0:3,1:pass,2:pass").fields
    )  # type: ignore[union-attr]
    assert seen.to_beat is None and seen.turn == 0
    seen = parse_position(
        parse_line(f"position rules=classic seat=0 landlord=0 {full} history=0:7777,1:8888,2:XD").fields
    )  # type: ignore[union-attr]
    assert seen.factor == 8


POSITION = "rules=classic seat=0 landlord=0 hand=34 counts=2,1,1 unseen=55"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("rules=", "unsupported-rules"),
        ("rules=skat", "unsupported-rules"),
        ("rules=classic,spring=maybe", "unsupported-rules"),
        ("seat=3", "bad-value"),
        ("seat=-1", "bad-value"),
        ("seat=0x1", "bad-value"),
        ("landlord=9", "bad-value"),
        ("hand=", "bad-value"),
        ("hand=33333", "bad-value"),
        ("hand=3Z", "bad-value"),
        ("counts=2,1", "bad-value"),
        ("counts=1,1,1", "bad-value"),
        ("counts=2,a,1", "bad-value"),
        ("unseen=5", "bad-value"),
        ("unseen=555555", "bad-value"),
        ("phase=dinner", "bad-value"),
        ("phase=auction", "bad-value"),
        ("bid=0", "bad-value"),
        ("bid=7", "bad-value"),
        ("factor=0", "bad-value"),
        ("factor=16777217", "bad-value"),
        ("up=10", "bad-value"),
        ("plays=1", "bad-value"),
        ("plays=1,2,999", "bad-value"),
        ("calls=0", "bad-value"),
        ("calls=0:9", "bad-value"),
        ("beat=pass", "bad-value"),
        ("history=0:5555,1:pass,2:pass", "bad-value"),
        ("beat=35", "illegal-move"),
        ("beat=Z", "illegal-move"),
        ("history=0:3,2:4", "bad-value"),
        ("history=0:7,1:3", "illegal-move"),
        ("history=0:7,1:pass,2:pass,0:pass", "illegal-move"),
        ("history=,", "bad-value"),
        ("turn=5", "bad-value"),
    ],
)
def test_positions_that_cannot_be(talk: Talk, change: str, code: str) -> None:
    key = change.partition("=")[0]
    kept = [field for field in POSITION.split() if not field.startswith(f"{key}=")]
    answer = talk.ask(" ".join(["position", *kept, change]))
    assert (answer.verb, answer.fields.get("code")) == ("error", code), answer
    assert talk.ask("go").fields["code"] == "bad-value", "there is no position after a wrong one"


@pytest.mark.parametrize("key", ["rules", "seat", "hand", "counts"])
def test_positions_with_something_missing(talk: Talk, key: str) -> None:
    kept = [field for field in POSITION.split() if not field.startswith(f"{key}=")]
    assert talk.ask(" ".join(["position", *kept])).fields["code"] == "bad-value"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("hand=- counts=0,1,1 unseen=55 landlord=0", "expected cards in every hand"),
        ("hand=34 counts=2,0,2 unseen=55 landlord=0", "expected cards in every hand"),
        ("hand=33445566778899TTJ counts=17,17,16", "expected 17 cards each before the play"),
        ("hand=33445566778899TTJ counts=17,17,17 calls=0:1,0:2", "calls: seat 0, expected seat 1"),
        ("hand=33445566778899TTJ counts=17,17,17 calls=0:2,1:1", "expected 0 or 3"),
        ("hand=33445566778899TTJ counts=17,17,17 calls=0:1,1:2,2:3", "expected an auction to go on"),
    ],
)
def test_positions_that_contradict_themselves(talk: Talk, fields: str, expected: str) -> None:
    answer = talk.ask(f"position rules=classic seat=0 {fields}")
    assert answer.fields["code"] == "bad-value" and expected in answer.fields["text"]


def test_rules_without_an_auction_have_no_such_phase(talk: Talk) -> None:
    answer = talk.ask("position rules=douzero seat=0 hand=33445566778899TTJ counts=17,17,17")
    assert answer.fields["code"] == "bad-value" and "have no auction" in answer.fields["text"]


def test_bottom_cards_that_cannot_be_are_no_fault_of_the_rules(talk: Talk) -> None:
    talk.ask("setoption level=planner")
    talk.ask("position rules=classic seat=1 landlord=0 hand=33334444555566667 counts=20,17,17 bottom=345")
    answer = talk.ask("go worlds=2")
    assert answer.fields["code"] == "bad-value" and "no deal agrees" in answer.fields["text"]


@pytest.mark.parametrize("hands", ["", "3", "3/4", "3/4/5/6", "3/4/", "3/4/Z", "33333/4/5"])
def test_open_hands_that_cannot_be(talk: Talk, hands: str) -> None:
    assert talk.ask(f"position rules=classic hands={hands}").fields["code"] == "bad-value"


# --- the engine -------------------------------------------------------------------------------------------------------


def test_options(talk: Talk) -> None:
    assert talk.ask("setoption level=random seed=9").verb == "ok"
    assert talk.ask("setoption level=godlike").fields["code"] == "bad-value"
    assert talk.ask("setoption seed=-1").fields["code"] == "bad-value"
    assert talk.ask("setoption seed=3 colour=red").fields["code"] == "bad-option"
    assert talk.session.engine.options["seed"] == "9", "all or nothing"
    assert talk.ask("setoption").fields["code"] == "syntax"


def test_versions(talk: Talk) -> None:
    assert talk.ask("ddz").fields == {"version": "1"}
    assert talk.ask("ddz version=7").fields == {"version": "1"}
    assert talk.ask("ddz version=0").fields["code"] == "bad-value"


@pytest.mark.parametrize("rules", ["classic", "classic4"])
def test_the_same_question_has_the_same_answer(rules: str) -> None:
    game = Game(rules, seed=3)
    lines = []
    for _ in range(2):
        talk = Talk()
        talk.ask("setoption level=random seed=5")
        talk.ask(position_line(game.observation()))
        lines.append(str(talk.ask("go id=1")))
    assert lines[0] == lines[1]


def test_stop_answers_whatever_the_agent_does(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sleeper:
        def bid(self, observation: object) -> int:
            time.sleep(3)
            return 0

        play = bid

    talk = Talk()
    monkeypatch.setattr(
        "ddz_solver.engine.engine.make_agent",
        lambda level, **options: Sleeper() if level == "random" else make_agent(level, **options),
    )
    talk.ask("setoption level=random")
    talk.ask(position_line(Game("classic", seed=1).observation()))
    start = time.monotonic()
    talk.session.feed("go id=1")
    assert talk.ask("ping id=2") == Line("pong", {"id": "2"})
    for busy in ("go", "position", "setoption seed=1", "newgame", "result", "hint", "perft"):
        assert talk.ask(busy).fields["code"] == "busy"
    assert talk.ask("stop id=3").verb == "bestmove"
    assert talk.ask("ping").verb == "ok"
    assert talk.ask("stop").verb == "pong"
    assert time.monotonic() - start < 1
    assert talk.ask(position_line(Game("classic", seed=2).observation())).verb == "ok"


def test_stop_is_answered_even_where_nothing_can_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sleeper:
        def bid(self, observation: object) -> int:
            time.sleep(1)
            return 0

    def make(level: str, **options: object) -> Sleeper:
        if level == "greedy":
            raise AgentError("no such luck")
        return Sleeper()

    talk = Talk()
    monkeypatch.setattr("ddz_solver.engine.engine.make_agent", make)
    talk.ask("setoption level=random")
    talk.ask(position_line(Game("classic", seed=1).observation()))
    talk.session.feed("go id=1")
    answer = talk.ask("stop id=2")
    assert (answer.verb, answer.id) == ("error", "1") and "no such luck" in answer.fields["text"]
    assert talk.ask("# nothing") == Line("ok", {"id": "2"})


@pytest.mark.parametrize("limits", ["nodes=300", "nodes=1", "worlds=8 depth=2", "time=9007199254740991 worlds=2"])
def test_limits_but_for_time_give_the_same_answer_again(talk: Talk, limits: str) -> None:
    """With any number of threads; what is known on the way is told before."""
    talk.ask("setoption level=planner")
    talk.ask(f"position {POSITION}")
    answers = []
    for threads in (1, 2, 1):
        talk.ask(f"setoption threads={threads}")
        talk.session.feed(f"go id=1 {limits}")
        answers.append([])
        while not answers[-1] or answers[-1][-1].verb != "bestmove":
            line = parse_line(talk.said.get(timeout=10))
            assert line is not None
            answers[-1].append(Line(line.verb, {name: text for name, text in line.fields.items() if name != "time"}))
    assert answers[0] == answers[1] == answers[2]
    assert [line.verb for line in answers[0]] == ["info"] * (len(answers[0]) - 1) + ["bestmove"]
    info, best = answers[0][-2:]
    assert {"play", "win", "score", "worlds", "nodes"} < set(info.fields)
    assert {"id", "play", "win", "score"} == set(best.fields)


@pytest.mark.parametrize("command", ["go infinite worlds=9000000", "go nodes=900000000", "hint time=600000"])
def test_a_stop_ends_a_search_that_has_not_begun(talk: Talk, command: str) -> None:
    """The answer comes at once, and nothing thinks on behind it."""
    talk.ask("setoption level=planner")
    talk.ask(position_line(Game("douzero", seed=4).observation()))
    talk.ask("isready")
    before = threading.active_count()
    talk.session.feed(f"{command} id=go")
    talk.session.feed("stop id=stop")
    answers = [talk.ask("# nothing") for _ in range(2)]
    assert {line.id: line.verb == "error" for line in answers} == {"go": False, "stop": False}
    end = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_bids_that_are_stopped_are_told_as_far_as_they_are_known(talk: Talk) -> None:
    talk.ask(position_line(Game("classic", seed=8).observation()))
    talk.session.feed("bids id=bids worlds=1000000")
    assert talk.ask("ping").verb == "pong"
    talk.session.feed("stop id=stop")
    answers = {line.id: line for line in (talk.ask("# nothing") for _ in range(2))}
    assert answers["bids"].verb == "ok" and answers["bids"].fields["count"] == "4"


def test_bids_played_out_have_the_chance_to_win_from_there(talk: Talk) -> None:
    talk.ask(position_line(Game("classic", seed=8).observation()))

    def wins(command: str) -> list[str]:
        talk.session.feed(command)
        lines = [parse_line(talk.said.get(timeout=10)) for _ in range(5)]
        return [line.fields["win"] for line in lines if line is not None and line.verb == "info"]

    known, played = wins("bids"), wins("bids worlds=20")
    assert played[0] == known[0] and played[1:] != known[1:]
    assert {round(float(win) * 20, 2) % 1 for win in played[1:]} == {0}


def test_quit_ends_a_search(talk: Talk) -> None:
    talk.ask(f"position {POSITION}")
    talk.session.feed("go id=1 infinite")
    assert not talk.session.feed("quit")
    assert talk.said.get(timeout=1).startswith("bestmove id=1")
    assert talk.said.get(timeout=1) == "bye"


def test_engine_without_lines() -> None:
    answers: queue.SimpleQueue[object] = queue.SimpleQueue()
    game = Game("douzero", seed=1)
    engine = Engine({"level": "greedy"})
    engine.go(game.observation(), Limits(), answers.put)
    decision = answers.get(timeout=5)
    assert decision.play in game.legal_plays  # type: ignore[attr-defined]
    with pytest.raises(ProtocolError, match="seat 0 is to move"):
        engine.go(game.observation(1), Limits(), answers.put)


def test_hints_are_ranked(talk: Talk) -> None:
    talk.ask(f"position {POSITION}")
    talk.session.feed("hint n=2 id=h")
    first = parse_line(talk.said.get(timeout=10))
    assert first is not None and first.fields["rank"] == "1" and first.id == "h"
    assert talk.ask("# nothing") == Line("ok", {"id": "h", "count": "2"})


# --- analysis ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["classic", "classic4", "tencent"])
def test_bids_are_valued(talk: Talk, rules: str) -> None:
    seen = Game(rules, seed=8).observation()
    talk.ask(position_line(seen))
    answer = talk.ask("bids")
    if answer.verb == "error":
        assert answer.fields["code"] == "unsupported-rules", "there is no model for these rules"
    else:
        assert answer.fields["count"] == "4" and answer.fields["best"] in "0123"
    assert talk.ask("hint").fields["code"] == "not-my-turn"


def test_solutions_are_proven_or_bounded(talk: Talk) -> None:
    talk.ask("position rules=classic hands=3456789TJ/33/4")
    answer = talk.ask("solve id=1")
    assert answer.fields["wins"] == "yes" and "3456789TJ" in answer.fields["plays"].split(",")
    assert talk.ask("solve objective=luck").fields["code"] == "bad-value"
    talk.ask(f"position rules=classic hands={'/'.join(map(str, Game('douzero', seed=1).hands))}")
    answer = talk.ask("solve nodes=1000 objective=score")
    assert answer.fields["proven"] == "no"
    assert int(answer.fields["lower"]) < int(answer.fields["upper"])


@pytest.mark.parametrize("command", ["solve", "perft depth=60"])
def test_analysis_can_be_stopped(talk: Talk, command: str) -> None:
    talk.ask(f"position rules=douzero hands={'/'.join(map(str, Game('douzero', seed=1).hands))}")
    talk.session.feed(f"{command} id=long")
    assert talk.ask("ping").verb == "pong"
    talk.session.feed("stop id=stop")
    answers = {(line := parse_line(talk.said.get(timeout=5))) and line.id for _ in range(2)}
    assert answers == {"long", "stop"}
    assert talk.ask("position rules=classic hands=3/4/5").verb == "ok"


@pytest.mark.parametrize("command", ["perft", "solve"])
def test_hidden_hands_are_not_analysed(talk: Talk, command: str) -> None:
    talk.ask(f"position {POSITION}")
    assert talk.ask(command).fields["code"] == "bad-value"
