"""How fast does the bare net decide? Decisions a second on one core, beside DouZero's published agent in numpy.

DouZero's agent is looked for in the folder that the environment variable DDZ_OPPONENTS names (`douzero_adp.py` there).
"""

from __future__ import annotations

import importlib
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.report import Row, rate
from bench.strength import RULES, NetAgent, net_judge
from ddz_solver.ai.evaluator import Evaluator
from ddz_solver.core.arena import Arena
from ddz_solver.core.moves import PASS_PLAY, leads, replies


def infosets(games: int) -> list[tuple[str, Any]]:
    """(position, InfoSet) of every choice between plays in games of random play."""
    from douzero.env.game import GameEnv

    deck = [rank for rank in range(3, 15) for _ in range(4)] + [17] * 4 + [20, 30]
    rng = random.Random(4)
    found: list[tuple[str, Any]] = []

    class Recorder:
        def __init__(self, position: str) -> None:
            self.position = position

        def act(self, infoset: Any) -> list[int]:
            if len(infoset.legal_actions) > 1:
                found.append((self.position, infoset))
            return list(rng.choice(infoset.legal_actions))

    for _ in range(games):
        rng.shuffle(deck)
        game = GameEnv({position: Recorder(position) for position in ("landlord", "landlord_up", "landlord_down")})
        game.card_play_init(
            {
                "landlord": sorted(deck[:20]),
                "landlord_up": sorted(deck[20:37]),
                "landlord_down": sorted(deck[37:]),
                "three_landlord_cards": sorted(deck[17:20]),
            }
        )
        while not game.game_over:
            game.step()
    return found


def douzero_work(situations: list[tuple[str, Any]]) -> Callable[[], int] | None:
    """Decides with DouZero's agent; None where it is not at hand."""
    folder = os.environ.get("DDZ_OPPONENTS")
    if not folder:
        return None
    sys.path.insert(0, folder)
    agents = {position: importlib.import_module("douzero_adp").DouZeroADP(position) for position, _ in situations}
    return lambda: len([agents[position].act(infoset) for position, infoset in situations])


def rows(seconds: float) -> list[Row]:
    """Decisions a second: inside the compiled core, and called from Python with the same situations as DouZero."""
    judge = net_judge(Evaluator.load("douzero").weights)
    arena = Arena(RULES, seed=2)
    native = rate(lambda: int(arena.match(judge, judge, 50)["choices"]), seconds, time.process_time)
    try:
        situations = infosets(4)
    except ImportError:
        return [Row("decisions of the bare net, from C", native, "decisions/s", "DouZero", None, 100)]
    seen = []
    for position, infoset in situations:
        observation = NetAgent(position, judge, False).observe(infoset)
        last = observation.to_beat
        plays = leads(observation.hand, RULES) if last.is_pass else [PASS_PLAY, *replies(observation.hand, last, RULES)]
        seen.append((observation, plays))

    def python() -> int:
        return len([judge.evaluate(observation, plays) for observation, plays in seen])

    work = douzero_work(situations)
    peers = rate(work, seconds, time.process_time) if work else None
    called = rate(python, seconds, time.process_time)
    return [
        Row("decisions of the bare net, from C", native, "decisions/s", "DouZero", peers, 100),
        Row("decisions of the bare net, from Python", called, "decisions/s", "DouZero", peers),
    ]
