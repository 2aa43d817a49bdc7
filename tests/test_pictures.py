"""Pictures for notebooks: well-formed, and they show what may be seen and nothing else."""

from xml.etree import ElementTree

import pytest

from ddz_solver.ai.analysis import analyse
from ddz_solver.ai.hints import hint
from ddz_solver.game.cards import Hand
from ddz_solver.game.game import Game


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


@pytest.mark.parametrize("rules", ["classic", "classic4"])
def test_games_and_observations(rules: str) -> None:
    game = Game(rules, seed=2)
    assert texts(game._repr_svg_()).count("") == 0
    game = Game(rules, seed=2, landlord=1)
    game.push(game.legal_plays[0])
    shown = texts(game._repr_svg_())
    assert "seat 1 landlord" in shown
    assert "to beat, by seat 1" in shown
    seen = game.observation()
    view = texts(seen._repr_svg_())
    assert view.count("") == sum(seen.counts) - len(seen.hand)
    assert [text for text in view if len(text) == 1] == [*seen.hand, *Hand(seen.to_beat.cards)]  # type: ignore[union-attr]


def test_hands_hints_and_analyses() -> None:
    ElementTree.fromstring(f"<p>{Hand.parse('3XD')._repr_html_()}</p>")
    assert "points" in hint("3349", counts=[3, 3])._repr_html_()
    ElementTree.fromstring(hint("3349", counts=[3, 3])._repr_html_())
    assert "solo" in analyse("3349")._repr_html_()
