"""Observations built by a game hold the same fields as ones built by hand."""

import dataclasses

import pytest

from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation


@pytest.mark.parametrize("rules", ["classic", "classic4", "douzero"])
def test_observation_of_a_game_has_every_field(rules: str) -> None:
    game = Game(rules, seed=1)
    while not game.over:
        seen = game.observation()
        names = [field.name for field in dataclasses.fields(Observation)]
        assert Observation(**{name: getattr(seen, name) for name in names}) == seen
        assert len(seen.hand) == seen.counts[seen.seat]
        if seen.legal_calls:
            game.call(seen.legal_calls[-1])
        else:
            game.push(seen.legal_plays[-1])
