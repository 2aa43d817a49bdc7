"""What others' plays say about their cards and their style: styles are found out, walks keep to what is likely."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from ddz_solver.ai.agents import Agent, GreedyAgent, make_agent
from ddz_solver.ai.evaluator import Evaluator, compile_observation
from ddz_solver.ai.plans import Settings
from ddz_solver.ai.situation import situation
from ddz_solver.core.moves import Kind, Play
from ddz_solver.core.plan import Rollouts
from ddz_solver.game.cards import Hand
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import Rules

KEEN, LOOSE, SIMPLE = range(3)


class SimpleAgent(GreedyAgent):
    """Follows with the lowest play of the kind, leads the lowest card with all of its rank."""

    def play(self, observation: Observation) -> Play:
        """The lowest play."""
        plays = observation.legal_plays
        if observation.to_beat:
            same = [play for play in plays if play.kind == observation.to_beat.kind]
            return min(same, key=lambda play: play.rank, default=plays[0])
        lowest = next(iter(observation.hand))
        group = lowest * str(observation.hand).count(lowest)
        return next((play for play in plays if str(play) == group and not play.is_bomb), plays[0])


def chances(rules: Rules, agent: Agent, games: int, rounds: int) -> np.ndarray:
    """Mean chances of the styles of the landlord, whom an agent plays, as the next seat sees them after some rounds."""
    evaluator, net, found = Evaluator.load(rules), make_agent("net"), []
    for seed in range(games):
        game = Game(rules, seed=seed, landlord=0)
        while not game.over and not (game.turn == 1 and len(game.history) > rounds * rules.players):
            seen = game.observation()
            game.push((agent if game.turn == 0 else net).play(seen))
        if game.over or len(game.legal_plays) < 2:
            continue
        seen = game.observation()
        rollouts = Rollouts(
            evaluator.judge, compile_observation(seen), seen.history, seen.legal_plays, worlds=32, seed=seed,
            **Settings().rollouts(),
        )  # fmt: skip
        weights = np.exp(np.array(rollouts.weigh(0, 0, rollouts.number)))
        styles = np.array([rollouts.styles(world)[0] for world in range(rollouts.number)])
        found.append(weights @ styles / weights.sum())
    assert len(found) > games / 4
    return np.mean(found, axis=0)


@pytest.mark.parametrize(("rules", "rounds"), [("douzero", 5), ("classic4", 10)])
def test_styles_are_found_out(rules: str, rounds: int) -> None:
    keen = chances(Rules.parse(rules), make_agent("net"), 64, rounds)
    simple = chances(Rules.parse(rules), SimpleAgent(), 16, rounds)
    anyhow = chances(Rules.parse(rules), make_agent("random", seed=1), 16, rounds)
    assert keen[KEEN] > 0.8
    assert simple[SIMPLE] > 0.8
    assert anyhow[LOOSE] > 2 * keen[LOOSE]
    for found in (keen, simple, anyhow):
        assert found.sum() == pytest.approx(1)


def test_a_pass_on_a_play_that_was_given_tells_something() -> None:
    """Who passes on the landlord's last but one play is not likely to hold what beats it."""
    game = Game.from_hands(["56", "7A", "334"], "classic", turn=1, to_beat="K", plays=[3, 1, 1])
    game.push("pass")
    told = situation("334", role="up", to_beat="K", to_beat_by="landlord", counts=[2, 2], unseen="567A").observations(
        1
    )[0]
    for seen in (game.observation(), told):
        rollouts = Rollouts(
            Evaluator.load("classic").judge, compile_observation(seen), seen.history, seen.legal_plays, worlds=64,
            **Settings().rollouts(),
        )  # fmt: skip
        weights = np.exp(np.array(rollouts.weigh(0, 0, rollouts.number)))
        held = [Hand.parse("A") in Hand(rollouts.world(world)[1]) for world in range(rollouts.number)]
        assert weights[held].sum() / weights.sum() < 0.4


def test_in_a_simple_world_rollouts_are_better_for_the_others() -> None:
    """A seat that always was simple is taken to be simple from here on, so that it loses more."""
    rules = Rules.parse("douzero")
    evaluator, net, gains = Evaluator.load(rules), make_agent("net"), []
    for seed in range(40):
        game = Game(rules, seed=seed, landlord=0)
        while not game.over and not (game.turn == 1 and len(game.history) > 9):
            game.push((SimpleAgent() if game.turn == 0 else net).play(game.observation()))
        if game.over or len(game.legal_plays) < 2:
            continue
        seen = game.observation()
        values = []
        for simple in ((0.0, 0.1), (0.3, 0.1)):
            rollouts = Rollouts(
                evaluator.judge, compile_observation(seen), seen.history, [net.play(seen)], worlds=64,
                **Settings(simple=simple).rollouts(),
            )  # fmt: skip
            weights = np.exp(np.array(rollouts.weigh(0, 0, 64)))
            wins = [rollouts.roll(0, 0, world)[0] for world in range(64)]
            values.append(float(weights @ wins / weights.sum()))
        gains.append(values[1] - values[0])
    assert len(gains) > 20
    assert np.mean(gains) > 3 * np.std(gains) / len(gains) ** 0.5


def late(rules: Rules, seed: int, most: int) -> Observation | None:
    """What a seat sees late in a game of random agents, where some, but at most `most` worlds are left."""
    rng, game = random.Random(seed), Game(rules, seed=seed, landlord=0)
    evaluator = Evaluator.load(rules)
    while not game.over:
        seen = game.observation()
        plays = seen.legal_plays
        if len(plays) > 1 and len(seen.unseen) < 16:
            rollouts = Rollouts(
                evaluator.judge, compile_observation(seen), seen.history, plays, worlds=most, **Settings().rollouts()
            )
            if rollouts.complete:
                return seen if rollouts.number > most / 4 else None
        game.push(rng.choice(plays))
    return None


@pytest.mark.parametrize("rules", ["douzero", "classic4"])
def test_walks_visit_worlds_as_often_as_they_are_likely(rules: str) -> None:
    """From worlds drawn without evidence, walks come to the exact distribution, which the list of all worlds tells."""
    parsed = Rules.parse(rules)
    judge = Evaluator.load(parsed).judge
    vague = Settings(keen=(0.5, 0.3), loose=(0.2, 0.5, 0.3), simple=(0.2, 0.5)).rollouts()
    seen = next(seen for seed in range(200) if (seen := late(parsed, seed, 120)) is not None)
    compiled, history, plays = compile_observation(seen), seen.history, seen.legal_plays
    listed = Rollouts(judge, compiled, history, plays, worlds=120, **vague)
    weights = np.exp(np.array(listed.weigh(0, 0, listed.number)))
    exact = {listed.world(index): weight for index, weight in enumerate(weights / weights.sum())}
    number = listed.number - 1  # one less than all, so that worlds are drawn
    drawn: Counter[tuple[int, ...]] = Counter()
    walked: Counter[tuple[int, ...]] = Counter()
    for repeat in range(-(-500 // number)):
        rollouts = Rollouts(judge, compiled, history, plays, worlds=number, seed=repeat, **vague)
        rollouts.weigh(0, 0, number)
        drawn.update(rollouts.world(index) for index in range(number))
        for index in range(number):
            rollouts.walk(0, index, 60)
        walked.update(rollouts.world(index) for index in range(number))
    assert set(walked) <= set(exact)

    def distance(counts: Counter[tuple[int, ...]]) -> float:
        return sum(abs(counts[world] / counts.total() - share) for world, share in exact.items()) / 2

    sample = np.random.default_rng(1).multinomial(walked.total(), list(exact.values()))
    noise = distance(Counter(dict(zip(exact, sample.tolist(), strict=True))))
    assert distance(drawn) > 4 * noise  # the evidence matters
    assert distance(walked) < 2 * noise


def test_a_style_that_nobody_has_explains_nothing() -> None:
    """Even where it alone could explain what was played; and shares of 0.9 and 0.1 leave nothing for the third."""
    evaluator = Evaluator.load(Rules.parse("douzero"))
    game = Game("douzero", seed=1, landlord=0)
    for _ in range(7):
        game.push(SimpleAgent().play(game.observation()))
    seen = game.observation()
    for loose, simple in ((0.0, 0.0), (0.9, 0.1)):
        settings = Settings(loose=(loose, 0.5, 0.3), simple=(simple, 0.1), keen=(0.001, 1e-200))
        rollouts = Rollouts(
            evaluator.judge, compile_observation(seen), seen.history, seen.legal_plays, worlds=8, **settings.rollouts()
        )
        assert np.isfinite(rollouts.weigh(0, 0, 8)).all()
        keen = [rollouts.styles(world)[0][KEEN] for world in range(8)]
        assert keen == pytest.approx([1.0 - loose - simple] * 8)


def test_kinds_of_the_simple_agent() -> None:
    """The agent of these tests is what it says."""
    game = Game.from_hands(["33456", "4477", "88"], "douzero")
    play = SimpleAgent().play(game.observation())
    assert (str(play), play.kind) == ("33", Kind.PAIR)
    game.push(play)
    assert str(SimpleAgent().play(game.observation())) == "44"


def test_leads_from_full_hands_are_no_evidence() -> None:
    """The landlord leads from 33 cards, and that says nothing of his hand; where it may, worlds differ."""
    rules = Rules.parse("classic4")
    evaluator, game = Evaluator.load(rules), Game(rules, seed=1, landlord=0)
    game.push(SimpleAgent().play(game.observation()))
    seen = game.observation()
    for leads, differ in ((32, False), (33, True)):
        rollouts = Rollouts(
            evaluator.judge, compile_observation(seen), seen.history, seen.legal_plays, worlds=16,
            **Settings(leads=leads).rollouts(),
        )  # fmt: skip
        assert (len(set(rollouts.weigh(0, 0, 16))) > 1) == differ
