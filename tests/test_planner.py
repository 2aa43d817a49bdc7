"""The planner: legal, blind to hidden cards, the same for any number of threads, within its limits."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_weights import some_weights

from ddz_solver.ai import planner
from ddz_solver.ai.evaluator import Evaluator, compile_observation
from ddz_solver.ai.planner import Planner
from ddz_solver.ai.plans import Settings
from ddz_solver.ai.proof import prove
from ddz_solver.ai.solver import solve
from ddz_solver.core.plan import Rollouts
from ddz_solver.core.sample import Worlds
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DealError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import parse_position
from ddz_solver.game.rules import Rules

THREE_HANDS = [
    puzzle
    for line in (Path(__file__).parent / "data" / "solved" / "three_hands.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
    if "plays" in (puzzle := json.loads(line))
]
SMALL = Settings(worlds=16, drawn=2, candidates=3)


@pytest.fixture(scope="module", params=["douzero", "classic4"])
def evaluator(request: pytest.FixtureRequest) -> Evaluator:
    return random_networks(request.param)


def random_networks(preset: str) -> Evaluator:
    return Evaluator(some_weights(preset, seed=3, scale=0.15))


def midgame(evaluator: Evaluator, seed: int, turns: int) -> Game:
    """A game after some random turns, at a decision with a choice."""
    game = Game(evaluator.weights.rules[0], seed=seed, landlord=0)
    rng = np.random.default_rng(seed)
    while len(game.history) < turns or len(game.legal_plays) < 2:
        game.push(game.legal_plays[int(rng.integers(len(game.legal_plays)))])
    return game


def test_a_limit_of_nodes_ends_the_search_at_the_same_world(evaluator: Evaluator) -> None:
    """More nodes, more worlds; the same plan for any number of threads; over the limit by a world at most."""
    seen = midgame(evaluator, 5, 6).observation()
    found = []
    for nodes in (1, 300, 1000):
        plans = [Planner(evaluator, Settings(nodes=nodes, threads=threads)).plan(seen) for threads in (1, 2, 3)]
        assert plans[0] == plans[1] == plans[2]
        found.append(plans[0])
        assert plans[0].nodes < nodes + Settings.candidates * sum(seen.counts) * 3
    assert found[0].worlds == 1 < found[1].worlds < found[2].worlds
    assert found[0].nodes < 300 <= found[1].nodes < 1000 <= found[2].nodes


def test_too_few_nodes_prove_nothing() -> None:
    position = Game.from_hands(["34678TJQ2", "3579JQA2", "45689TKA"], "douzero").position
    assert position is not None
    plays = position.legal()
    proofs = prove(position, plays, "win", 60)
    assert proofs is not None
    assert prove(position, plays, "win", 60, 1) is None
    assert prove(position, plays, "win", 60, 1 << 40) == proofs


def test_the_solver_decides_where_one_world_is_left() -> None:
    """Endings in which all hidden cards are of one rank: win or lose is proven, and the best play is a winning one."""
    networks = random_networks("douzero")
    rng = np.random.default_rng(1)
    won = 0
    for _ in range(25):
        hidden = int(rng.integers(13))
        others = [rank for rank in range(13) if rank != hidden for _ in range(4)]
        own = Hand(sum(1 << 4 * int(rank) for rank in rng.choice(others, int(rng.integers(3, 8)), replace=False)))
        split = int(rng.integers(1, 4))
        hands = [own, *(Hand.from_counts([0] * hidden + [count]) for count in (split, 4 - split))]
        turn = int(rng.integers(3))
        game = Game.from_hands(hands[-turn:] + hands[:-turn], "douzero", landlord=0, turn=turn)
        plan = Planner(networks, SMALL).plan(game.observation())
        assert game.position is not None
        solution = solve(game.position)
        assert plan.complete and all(ranked.proven for ranked in plan.plays)
        assert {ranked.play for ranked in plan.plays if ranked.win == 1} == set(solution.plays)
        assert not solution.wins or plan.best in solution.plays
        won += bool(solution.wins)
    assert 0 < won < 25


def test_a_hair_does_not_decide(evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch) -> None:
    """A play that is ahead of the favourite by less than chance explains ends no search; one far ahead does."""

    def plan(ahead: float) -> int:
        class Told(Rollouts):
            def roll(self, worker: int, candidate: int, world: int) -> tuple[float, float]:
                value = 0.5 + (candidate > 0) * (ahead + (0.3 if world % 2 else -0.3))
                return value, value

        monkeypatch.setattr(planner, "Rollouts", Told)
        settings = Settings(worlds=64, drawn=1, candidates=2, margin=1.0, trust=10.0)
        return Planner(evaluator, settings).plan(midgame(evaluator, 3, 8).observation()).worlds

    assert plan(0.02) == 64
    assert plan(0.9) < 64


@pytest.mark.parametrize(("drawn", "threads"), [(1, 1), (2, 1), (2, 3)])
def test_walks_find_as_many_worlds_as_are_asked_for(
    evaluator: Evaluator, drawn: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few walks lead to all of them; in each the seat has its hand and the others as many cards as they have."""
    looked: list[tuple[int, int, tuple[int, ...]]] = []

    class Watched(Rollouts):
        def roll(self, worker: int, candidate: int, world: int) -> tuple[float, float]:
            looked.append((candidate, world, self.world(world)))
            return super().roll(worker, candidate, world)

    monkeypatch.setattr(planner, "Rollouts", Watched)
    settings = Settings(worlds=100, drawn=drawn, threads=threads, candidates=2, margin=1.0, bias=1.0)
    seen = midgame(evaluator, 3, 8).observation()
    assert Planner(evaluator, settings).plan(seen).worlds == 100
    assert len({(candidate, world) for candidate, world, _ in looked}) == len(looked) == 200
    worlds = {hands for _, _, hands in looked}
    assert len(worlds) > 80
    for hands in worlds:
        assert hands[seen.seat] == seen.hand.bits
        assert tuple(len(Hand(hand)) for hand in hands) == seen.counts


@pytest.mark.parametrize("objective", ["win", "score"])
def test_plans_rank_every_legal_play_and_repeat(evaluator: Evaluator, objective: str) -> None:
    for seed in range(2):
        seen = midgame(evaluator, seed, 6).observation()
        plans = [
            Planner(evaluator, replace(SMALL, threads=threads), objective=objective, seed=7).plan(seen)
            for threads in (1, 1, 2)
        ]
        assert plans[0] == plans[1] == plans[2]
        assert sorted(map(str, seen.legal_plays)) == sorted(str(ranked.play) for ranked in plans[0].plays)
        assert all(0 <= ranked.win <= 1 for ranked in plans[0].plays)
        assert plans[0].worlds > 0


@pytest.mark.parametrize("objective", ["win", "score"])
def test_plays_that_were_not_tried_are_valued_below_the_best(evaluator: Evaluator, objective: str) -> None:
    for seed in range(6):
        seen = midgame(evaluator, seed, 3).observation()
        plan = Planner(evaluator, SMALL, objective=objective, seed=7).plan(seen)
        values = [getattr(ranked, objective) for ranked in plan.plays]
        assert max(values) == values[0]
        assert plan.plays[0].worlds > 0


def test_hidden_cards_change_nothing(evaluator: Evaluator) -> None:
    """The same decision in deals that differ only in what the seat cannot see gives the same plan."""
    rules = Rules.parse(evaluator.weights.rules[0])
    for seed in range(2):
        game = midgame(evaluator, seed, 5)
        seen, seat, past = game.observation(), game.turn, game.history
        expected = Planner(evaluator, SMALL).plan(seen)
        others = 0
        for world in Worlds(compile_observation(seen)).draw(2, seed):
            played = [seen.played_by(other).bits for other in range(rules.players)]
            dealt = [hand + gone for hand, gone in zip(world, played, strict=True)]
            dealt[0] -= game.bottom.bits
            twin = Game(rules, Deal.parse("/".join(str(Hand(bits)) for bits in (*dealt, game.bottom.bits))), landlord=0)
            for _, play in past:
                twin.push(play)
            others += twin.hands != game.hands
            assert twin.turn == seat
            assert Planner(evaluator, SMALL).plan(twin.observation()) == expected
        assert others


def test_time_limit_and_stop(evaluator: Evaluator) -> None:
    seen = midgame(evaluator, 1, 3).observation()
    started = time.monotonic()
    Planner(evaluator, Settings(time=0.05, worlds=100_000, drawn=1)).plan(seen)
    assert time.monotonic() - started < 1
    planner = Planner(evaluator, Settings(worlds=100_000, drawn=1))
    threading.Timer(0.05, planner.stop).start()
    plan = planner.plan(seen)
    assert time.monotonic() - started < 4
    assert plan.best in seen.legal_plays


def test_worlds_too_many_for_the_time_are_looked_at_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """All could be listed, but to weigh all of them would leave no time to play in any."""
    monkeypatch.setattr("ddz_solver.ai.planner._WEIGHING", 1.0)
    evaluator = random_networks("douzero")
    listed = (midgame(evaluator, seed, 18).observation() for seed in range(1000))
    seen = next(one for one in listed if 2000 < Worlds(compile_observation(one)).count < 4000)
    plans = [
        Planner(evaluator, Settings(time=60, nodes=500, worlds=2000, threads=threads)).plan(seen) for threads in (1, 2)
    ]
    assert not plans[0].complete and plans[0].worlds > 0
    assert plans[0] == plans[1]
    assert Planner(evaluator, Settings(nodes=500, worlds=2000)).plan(seen).complete


def test_few_worlds_are_all_looked_at(evaluator: Evaluator) -> None:
    rules = evaluator.weights.rules[0]
    hands = ["3344", "67Q", "9K"] if rules == "douzero" else ["3344", "67Q", "9K", "2"]
    seen = Game.from_hands(hands, rules).observation()
    plan = Planner(evaluator, replace(SMALL, worlds=64)).plan(seen)
    assert plan.complete
    assert 0 < plan.worlds <= Worlds(compile_observation(seen)).count == (10 if rules == "douzero" else 60)


def test_fewer_worlds_than_threads(evaluator: Evaluator) -> None:
    hands = ["34", "5", "6"] if evaluator.weights.rules[0] == "douzero" else ["34", "5", "6", "6"]
    seen = Game.from_hands(hands, evaluator.weights.rules[0]).observation()
    plans = [Planner(evaluator, replace(SMALL, threads=threads)).plan(seen) for threads in (1, 8)]
    assert plans[0] == plans[1]
    assert 1 < plans[0].worlds < 8


@pytest.mark.parametrize("puzzle", THREE_HANDS, ids=lambda puzzle: puzzle["position"])
def test_open_hands_are_played_as_the_solver_says(puzzle: dict[str, object]) -> None:
    """With the weakest networks there are: what decides is the solver."""
    game = parse_position(str(puzzle["position"]))
    planner = Planner(random_networks("douzero"), SMALL)
    plan = planner.plan(game.observation(), open_hands=game.hands)
    assert plan.complete
    assert plan.plays[0].proven
    assert str(plan.best) in puzzle["plays"]  # type: ignore[operator]


@pytest.mark.parametrize("rules", ["classic", "classic4"])
def test_open_endings_are_won_whenever_they_can_be(rules: str) -> None:
    planner = Planner(random_networks(rules), SMALL)
    rng = np.random.default_rng(8)
    deck = np.array([rank for rank in "3456789TJQKA2" for _ in range(4)])
    decided = 0
    for _ in range(25):
        players = Rules.parse(rules).players
        cards = rng.permutation(deck)[: 5 * players]
        game = Game.from_hands(["".join(cards[5 * seat : 5 * seat + 5]) for seat in range(players)], rules)
        while not game.over:
            position = game.position
            assert position is not None
            winning = solve(position)
            best = planner.plan(game.observation(), open_hands=game.hands).best
            if winning.wins:
                decided += 1
                assert best in winning.plays
            game.push(best)
    assert decided > 50


def test_open_hands_that_cannot_be(evaluator: Evaluator) -> None:
    game = midgame(evaluator, 4, 3)
    seen, planner = game.observation(), Planner(evaluator, SMALL)
    hands = list(game.hands)
    with pytest.raises(DealError, match="for seat"):
        planner.plan(seen, open_hands=hands[:-1])
    other = (seen.seat + 1) % len(hands)
    with pytest.raises(DealError, match="expected the others to hold"):
        planner.plan(seen, open_hands=[Hand.parse("3") if seat == other else hand for seat, hand in enumerate(hands)])
    third = (seen.seat + 2) % len(hands)
    card = Hand.parse(str(hands[other])[:1])
    hands[other], hands[third] = hands[other] - card, hands[third] + card
    with pytest.raises(DealError, match=r"expected \(\d+, .* cards"):
        planner.plan(seen, open_hands=hands)
