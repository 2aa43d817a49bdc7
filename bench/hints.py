"""How fast is the first answer? A hint in Python, `ddz hint` from the shell, importing the package.

The clock is CPU time, of this process or of the one that is started: what other programs do meanwhile does not count.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from time import process_time

from bench.report import Row, rate
from ddz_solver.ai.bidding import evaluate_bid
from ddz_solver.ai.hints import hint
from ddz_solver.game.deal import Deal
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation

DECISIONS = 200


def decisions(rules: str) -> list[Observation]:
    """Decisions of whole hands: every seventh of games in which the middle one of the legal plays is made."""
    found: list[Observation] = []
    seed = 0
    while len(found) < DECISIONS:
        game = Game(rules, Deal.random(rules, seed), landlord=0)
        while not game.over:
            if len(game.history) % 7 == seed % 7:
                found.append(game.observation())
            game.push(game.legal_plays[len(game.legal_plays) // 2])
        seed += 1
    return found[:DECISIONS]


def hint_work(rules: str) -> Callable[[], int]:
    """Hints at once for many decisions."""
    asked = decisions(rules)

    def work() -> int:
        for observation in asked:
            hint(observation)
        return len(asked)

    return work


def bid_work() -> Callable[[], int]:
    """Values of all calls for hands as dealt."""
    hands = [Deal.random("classic", seed).hands[0] for seed in range(DECISIONS)]

    def work() -> int:
        for hand in hands:
            evaluate_bid(hand)
        return len(hands)

    return work


def command_work(*words: str) -> Callable[[], int]:
    """Starts Python with these words."""

    def work() -> int:
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        return 1

    return work


def children_time() -> float:
    """CPU seconds of all processes started so far."""
    times = os.times()
    return times.children_user + times.children_system


def rows(seconds: float) -> list[Row]:
    """First answers a second, beside what is asked for."""
    shell = command_work("-m", "ddz_solver", "hint", "33445566789TJQKA22XD")
    start = command_work("-c", "import ddz_solver")
    return [
        Row("hint at once, from Python", rate(hint_work("classic"), seconds, process_time), "hints/s", "2 ms", 500, 1),
        Row("the same, four players", rate(hint_work("classic4"), seconds, process_time), "hints/s", "2 ms", 500, 1),
        Row("values of all calls", rate(bid_work(), seconds, process_time), "hands/s"),
        Row("ddz hint, process start included", rate(shell, seconds, children_time), "starts/s", "0.5 s", 2, 1),
        Row("import ddz_solver", rate(start, seconds, children_time), "starts/s", "0.1 s", 10, 1),
    ]
