"""Eight threads at once, each with positions and a solver of its own and networks that all share: answers as alone."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ddz_solver import Game, leads
from ddz_solver.ai.evaluator import Evaluator, compile_observation
from ddz_solver.ai.plans import Settings
from ddz_solver.ai.solver import Limits, OpenHandSolver
from ddz_solver.core.arena import Arena
from ddz_solver.core.plan import Rollouts
from ddz_solver.game.deal import Deal
from ddz_solver.game.rules import Rules

THREADS = 8
RULES = Rules.parse("classic")
EVALUATOR = Evaluator.load(RULES)


def endgame(seed: int) -> Game:
    hands = [str(hand)[::2] for hand in Deal.random(RULES, seed).hands]
    return Game.from_hands(hands, RULES)


def solved(number: int) -> object:
    """Exact values of endgames, by one solver."""
    solver = OpenHandSolver(RULES.compiled)
    found = [solver.solve(endgame(seed).position, limits=Limits(nodes=20_000)) for seed in range(number, number + 3)]
    return [(solution.wins, solution.nodes, solution.plays) for solution in found]


def walked(number: int) -> object:
    """Counts and playouts of one position, and plays made and taken back."""
    position = endgame(number).position
    key = position.key
    for _ in range(200):
        while not position.over:
            position.play_nth(position.legal_count - 1)
        while position.made():
            position.undo()
    assert position.key == key
    return position.perft(3), position.playouts(300, number)


def judged(number: int) -> object:
    """What the shared networks say of whole decisions, and in rollouts."""
    game = Game(RULES, seed=number, landlord=0)
    values = []
    for _ in range(30):
        if game.over:
            break
        seen = game.observation()
        wins, scores = EVALUATOR.evaluate(seen, seen.legal_plays)
        values.append((wins, scores))
        game.push(seen.legal_plays[max(range(len(wins)), key=wins.__getitem__)])
    return values


def rolled(number: int) -> object:
    """Rollouts of the shared networks."""
    game = Game(RULES, seed=number, landlord=0)
    seen = game.observation()
    plays = seen.legal_plays[:2]
    settings = Settings().rollouts()
    rollouts = Rollouts(EVALUATOR.judge, compile_observation(seen), [], plays, worlds=4, seed=number, **settings)
    weights = rollouts.weigh(0, 0, rollouts.number)
    values = [rollouts.roll(0, index, world) for index in range(len(plays)) for world in range(rollouts.number)]
    return weights, values


def matched(number: int) -> object:
    """A short match of the shared networks."""
    return Arena(RULES.compiled, seed=number).match(EVALUATOR.judge, "greedy", 5, points=number % 2 == 1)


def generated(number: int) -> object:
    """All leads of many hands."""
    return [leads(hand, RULES) for seed in range(20) for hand in Deal.random(RULES, 100 * number + seed).hands]


@pytest.mark.parametrize("work", [solved, walked, judged, rolled, matched, generated])
def test_threads_answer_as_one_alone(work: Callable[[int], object]) -> None:
    alone = [work(number) for number in range(THREADS)]
    gate = threading.Barrier(THREADS)

    def together(number: int) -> object:
        gate.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as threads:
        for mine, expected in zip(threads.map(together, range(THREADS)), alone, strict=True):
            assert mine == expected


def test_an_arena_plays_one_match_at_a_time() -> None:
    arena, gate = Arena(RULES.compiled, seed=1), threading.Barrier(THREADS)

    def match(_: int) -> bool:
        gate.wait()
        try:
            return arena.match(EVALUATOR.judge, "greedy", 200)["wp"] > 0
        except RuntimeError:
            return False

    with ThreadPoolExecutor(THREADS) as threads:
        assert 1 <= sum(threads.map(match, range(THREADS))) < THREADS
    assert arena.match("greedy", "greedy", 1)["wp"] == 0.5
