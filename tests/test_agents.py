"""Agents: legal in every preset, blind to hidden cards, the same for the same seed, and each level stronger."""

from __future__ import annotations

import pytest

from ddz_solver.ai.agents import LEVELS, Agent, AgentError, make_agent
from ddz_solver.ai.evaluator import compile_observation
from ddz_solver.ai.weights import WeightsError
from ddz_solver.core.sample import Worlds
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.game import Game
from ddz_solver.game.rules import PRESETS


def play_out(game: Game, agents: list[Agent]) -> Game:
    """Calls and plays to the end; a redeal ends it too."""
    while not game.over:
        seen = game.observation()
        agent = agents[seen.seat]
        if seen.legal_calls:
            game.call(agent.bid(seen))
        else:
            game.push(agent.play(seen))
    return game


def test_any_number_is_a_seed() -> None:
    game = Game("classic", seed=1, landlord=0)
    plays = {seed: make_agent("quick", seed=seed, worlds=4).play(game.observation()) for seed in (-1, 2**64 - 1, 2**70)}
    assert plays[-1] == plays[2**64 - 1]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("level", ["random", "greedy"])
def test_whole_games_in_every_preset(preset: str, level: str) -> None:
    agents = [make_agent(level, seed=seat) for seat in range(PRESETS[preset].players)]
    for seed in range(4):
        game = play_out(Game(preset, seed=seed), agents)
        assert game.redeal or game.winner is None or sum(game.payoffs) in (0, 1, 2)


def test_greedy_beats_random() -> None:
    won = 0
    for seed in range(40):
        for landlord in (0, 1):
            strong, weak = make_agent("greedy"), make_agent("random", seed=seed)
            agents = [strong, weak, weak] if landlord else [weak, strong, strong]
            game = play_out(Game("douzero", seed=seed), agents)
            won += (game.winner == 0) == bool(landlord)
    assert won > 56  # 40 by luck, standard deviation 4.5


@pytest.mark.parametrize("level", ["beginner", "casual", "net", "quick", "planner"])
def test_network_levels_see_no_hidden_cards_and_repeat(level: str) -> None:
    """Deals that differ only in what a seat cannot see, the same play for the same seed."""
    options = {"worlds": 4} if level in ("quick", "planner") else {}
    game = Game("classic", seed=3, landlord=1)
    greedy = make_agent("greedy")
    others = 0
    while not game.over:
        seen = game.observation()
        if len(game.history) % 6 == 5 and len(seen.legal_plays) > 1:
            play = make_agent(level, seed=9, **options).play(seen)
            assert play in seen.legal_plays
            for world in Worlds(compile_observation(seen)).draw(2, 1):
                twin = relaid(game, world)
                others += twin.hands != game.hands
                assert make_agent(level, seed=9, **options).play(twin.observation()) == play
        game.push(greedy.play(seen))
    assert others


def relaid(game: Game, world: tuple[int, ...]) -> Game:
    """The game so far with its hidden cards laid out another way."""
    assert game.bottom is not None and game.landlord is not None
    hands = [Hand(bits) + game.observation().played_by(seat) for seat, bits in enumerate(world)]
    hands[game.landlord] -= game.bottom
    twin = Game(game.rules, Deal(tuple(hands), game.bottom), landlord=game.landlord)
    for _, play in game.history:
        twin.push(play)
    return twin


def test_rules_without_networks_are_named() -> None:
    """A two-player puzzle has no networks: a clear error, and the simple levels still play."""
    seen = Game.from_hands(["3344", "5"], "classic,players=2").observation()
    assert make_agent("greedy").play(seen) in seen.legal_plays
    with pytest.raises(WeightsError, match="no weights ship for 2 players"):
        make_agent("net").play(seen)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"worlds": 0}, "worlds=0: expected a number above 0"),
        ({"time": "soon"}, "time=soon: expected a number"),
        ({"objective": "fun"}, "objective=fun: expected win or score"),
        ({"colour": "red"}, "unknown option 'colour': expected one of weights"),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make_agent("planner", **options)


def test_an_unknown_level_is_named() -> None:
    with pytest.raises(AgentError, match=f"unknown level 'grandmaster': expected one of {LEVELS[0]}"):
        make_agent("grandmaster")
