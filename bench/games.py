"""How many whole random hands a second on one core? From Python step by step, and native playouts, beside OpenSpiel.

The hands are OpenSpiel's: deal, auction, play, payoffs, every choice uniform among what is legal. A hand in which
nobody bids counts as a hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

from bench.report import Row, rates
from ddz_solver.game.deal import Deal
from ddz_solver.game.game import Game
from ddz_solver.game.rules import PRESETS

HANDS = 50


def ours_work(rng: random.Random) -> Callable[[], int]:
    """Plays hands with `Game`."""
    rules = PRESETS["openspiel"]

    def hand() -> tuple[int, ...]:
        game = Game(rules, seed=rng.getrandbits(64))
        while calls := game.legal_calls:
            game.call(rng.choice(calls))
        legal, push = game.legal_plays, game.push
        while not game.over:
            push(rng.choice(legal))
        return game.payoffs

    def work() -> int:
        for _ in range(HANDS):
            hand()
        return HANDS

    return work


def openspiel_work(rng: random.Random) -> Callable[[], int] | None:
    """Plays hands with pyspiel, driven in the same way."""
    try:
        import pyspiel
    except ImportError:
        return None
    root = pyspiel.load_game("dou_dizhu")

    def hand() -> list[float]:
        state = root.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        returns: list[float] = state.returns()
        return returns

    def work() -> int:
        for _ in range(HANDS):
            hand()
        return HANDS

    return work


def playouts_work() -> Callable[[], int]:
    """Plays hands on from the landlord's lead, without Python between the plays; another deal each time."""
    rules = PRESETS["openspiel"]
    positions = [Game(rules, Deal.random(rules, seed), landlord=seed % 3).position for seed in range(100)]
    count = 20

    def work() -> int:
        for seed, position in enumerate(positions):
            assert position is not None
            position.playouts(count, seed)
        return count * len(positions)

    return work


def rows(seconds: float) -> list[Row]:
    """Whole random hands a second."""
    works = [ours_work(random.Random(1)), playouts_work()]
    if work := openspiel_work(random.Random(1)):
        works.append(work)
    python, native, *theirs = rates(works, seconds, process_time)
    peers = theirs[0] if theirs else None
    return [
        Row("random hands, step by step from Python", python, "hands/s", "OpenSpiel", peers, 1),
        Row("random hands, native playouts", native, "hands/s", "OpenSpiel", peers, 30),
    ]
