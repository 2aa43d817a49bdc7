"""Botzone bot programs as agents of our games: a small independent bot in every mode, our own bot, and bad ones."""

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from ddz_solver.adapters.botzone import read
from ddz_solver.adapters.botzone_program import BotzoneAgent, conversation
from ddz_solver.adapters.foreign import foreign_agent
from ddz_solver.ai.agents import Agent, AgentError, make_agent
from ddz_solver.engine.faults import EngineFault, Termination
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import RulesError, TurnError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Phase

#: A bot that knows nothing of this package: it plays its highest card, which need not be the lowest number of its rank,
#: over a single card, leads its lowest one, passes over everything else, and checks that it hears its own words again.
BOT = """
import json, sys

def rank(card):
    return card // 4 + (card == 53)

def decide(requests, responses):
    if "bid" in requests[0] and len(requests) == 1:
        return max([0, *requests[0]["bid"]]) + 1 if len(requests[0]["own"]) == 17 else "wrong"
    if "bid" in requests[0]:
        requests, responses = requests[1:], responses[1:]
    first = requests[0]
    own = set(first["own"])
    if first.get("landlord", -1) == first.get("pos", -2):
        own |= set(first["publiccard"])
    for response in responses:
        assert set(response) <= own, (response, own)
        own -= set(response)
    before = requests[-1]["history"]
    last = before[1] or before[0]
    best = max(own)
    if not last:
        return [min(own)]
    if len(last) == 1 and rank(best) > rank(last[0]):
        return [best]
    return []

message = json.loads(sys.stdin.readline())
requests, responses = message["requests"], message["responses"]
mode = sys.argv[1]
if mode == "data":
    assert message.get("data", "") == "x" * len(responses), message
while True:
    response = decide(requests, responses)
    responses = responses + [response]
    if mode == "bare":
        sys.stdout.write(json.dumps(response))
        break
    if mode == "data":
        print(json.dumps({"response": response, "data": "x" * len(responses), "debug": "d"}, indent=1))
        break
    print(json.dumps({"response": response}))
    if mode == "plain":
        break
    print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
    requests.append(json.loads(sys.stdin.readline()))
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return f"{sys.executable} -S -E {path}"


def play(game: Game, agents: Sequence[Agent], most: int = 1000) -> int:
    """Plays a hand, or its first decisions; returns how many were made."""
    made = 0
    while not game.over and made < most:
        seen = game.observation()
        agent = agents[seen.seat]
        if game.phase is Phase.AUCTION:
            game.call(agent.bid(seen))
        else:
            game.push(agent.play(seen))
        made += 1
    return made


@pytest.mark.parametrize("mode", ["plain", "bare", "data", "keep"])
@pytest.mark.parametrize("name", ["FightTheLandlord", "FightTheLandlord2"])
def test_a_bot_in_our_games(bot: str, mode: str, name: str) -> None:
    rules = "botzone" if name == "FightTheLandlord2" else "botzone,auction=none,quad_run_solos=no,quad_run_pairs=no"
    keep = mode == "keep"
    program = BotzoneAgent(f"{bot} {mode}", game=name, keep_running=keep)
    agents = [make_agent("greedy"), program, make_agent("random")]
    game = Game(rules, seed=8) if name == "FightTheLandlord2" else Game(rules, seed=8, landlord=1)
    made = play(game, agents, 1000 if keep else 15)
    assert made == 15 or game.over
    if name == "FightTheLandlord2":
        assert game.calls[1][1] == game.calls[0][1] + 1
    program.close()


def test_kept_running_is_one_process(bot: str) -> None:
    agents = [BotzoneAgent(f"{bot} keep", keep_running=True) for _ in range(3)]
    start = time.perf_counter()
    for seed in (1, 2):
        game = Game("botzone", seed=seed)
        play(game, agents)
        assert sum(game.payoffs) == 0
    for agent in agents:
        agent.close()
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize("name", ["FightTheLandlord", "FightTheLandlord2"])
def test_a_conversation_is_understood_by_our_own_bot(name: str) -> None:
    """What we tell a bot as judge and what our bot reads from a judge are one language."""
    rng = random.Random(3)
    for seed in range(6):
        if name == "FightTheLandlord2":
            game = Game("botzone", seed=seed)
        else:
            game = Game("botzone,auction=none,spring=no,quad_run_solos=no,quad_run_pairs=no", seed=seed)
        while not game.over:
            seen = game.observation()
            talk = conversation(seen, name)
            told = read([*talk.requests], [[*r] if isinstance(r, list) else r for r in talk.responses])
            assert told.cards == talk.cards
            understood = told.view.observation()
            if game.phase is Phase.AUCTION:
                assert understood == seen
                game.call(rng.choice(seen.legal_calls))
            else:
                for what in ("seat", "hand", "unseen", "counts", "landlord", "bottom", "bid", "to_beat", "history"):
                    assert getattr(understood, what) == getattr(seen, what), what
                game.push(rng.choice(seen.legal_plays))


def test_our_bot_as_a_program() -> None:
    command = f"{sys.executable} -m ddz_solver botzone --level greedy"
    agent = BotzoneAgent(command, keep_running=True)
    game = Game("botzone", seed=3)
    play(game, [agent, make_agent("greedy"), make_agent("greedy")])
    assert game.over
    agent.close()
    twin = Game("botzone", seed=3)
    play(twin, [make_agent("greedy")] * 3)
    assert twin.history == game.history


@pytest.mark.parametrize(
    ("program", "termination"),
    [
        ("import sys; sys.exit(3)", Termination.CRASH),
        ("raise SystemError", Termination.CRASH),
        ("import time; time.sleep(60)", Termination.STALL),
        ("print('hello')", Termination.PROTOCOL),
        ('print(\'{"response": "33"}\')', Termination.PROTOCOL),
        ("print('{}')", Termination.PROTOCOL),
        ("print('[true]')", Termination.PROTOCOL),
        ("print('[0, 0]')", Termination.ILLEGAL),
        ("print('[99]')", Termination.ILLEGAL),
        ("print('[0, 1, 2, 3, 4]')", Termination.ILLEGAL),
        ("while True: print('x' * 1000)", Termination.FLOOD),
    ],
)
def test_what_a_bot_does_wrong_has_a_name(program: str, termination: Termination) -> None:
    pack = str(Hand.pack())
    deal = Deal(tuple(Hand.parse(pack[start : start + 17]) for start in (0, 17, 34)), Hand.parse(pack[51:]))
    seen = Game("botzone,auction=none", deal).observation()
    agent = BotzoneAgent([sys.executable, "-S", "-E", "-c", program], seconds=1.5 if "sleep" in program else 20)
    with pytest.raises(EngineFault) as fault:
        agent.play(seen)
    assert fault.value.termination is termination
    agent.close()


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(EngineFault, match="cannot start"):
        BotzoneAgent("/no/such/program").bid(Game("botzone", seed=1).observation())


def test_other_games_and_rules_are_refused() -> None:
    with pytest.raises(RulesError, match="'Ludo'"):
        BotzoneAgent("x", game="Ludo")
    with pytest.raises(RulesError, match="classic"):
        BotzoneAgent("x").bid(Game("classic", seed=1).observation())
    with pytest.raises(TurnError, match="no auction"):
        BotzoneAgent("x", game="FightTheLandlord").bid(
            Game("botzone,quad_run_solos=no,quad_run_pairs=no", seed=1).observation()
        )


def test_options_by_name() -> None:
    assert foreign_agent("botzone", "x", game="FightTheLandlord", keep_running="yes", seconds="2")
    for options in ({"keep_running": "maybe"}, {"seconds": "-1"}, {"speed": "9"}):
        with pytest.raises(AgentError):
            foreign_agent("botzone", "x", **options)
