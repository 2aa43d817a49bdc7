"""Agents: legal in every preset, blind to hidden cards, the same for the same seed, and each level stronger."""

from __future__ import annotations

import pytest

from ddz_solver.ai.agents import LEVELS, Agent, AgentError, make_agent
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
    assert won > 56         # 40 by luck, standard deviation 4.5


def test_an_unknown_level_is_named() -> None:
    with pytest.raises(AgentError, match=f"unknown level 'grandmaster': expected one of {LEVELS[0]}"):
        make_agent("grandmaster")
