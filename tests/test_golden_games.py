"""Golden play-throughs: whole games of every preset, from the seed to each seat's points, pinned in data/games.

A file changes only when the rules, the order of plays or the generator change, and then on purpose:
`python tests/test_golden_games.py` writes all of them anew.
"""

import sys
from pathlib import Path

import pytest

from ddz_solver import Game, format_game, parse_game
from ddz_solver.core.rng import SplitMix64
from ddz_solver.game.notation import parse_tags

FOLDER = Path(__file__).parent / "data" / "games"
FILES = sorted(FOLDER.glob("*.txt"))


def play_through(rules: str, seed: int) -> str:
    """A game of random calls and plays, all from one seed; the tag Legal counts what was legal at each step."""
    game, rng, counts = Game(rules, seed=seed), SplitMix64(seed), []
    while not game.over:
        choices = game.legal_calls or game.legal_plays
        counts.append(len(choices))
        choice = choices[rng.below(len(choices))]
        if game.legal_calls:
            game.call(choice)
        else:
            game.push(choice)
    return format_game(game, {"Seed": str(seed), "Legal": " ".join(map(str, counts))})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_seed_gives_game(path: Path) -> None:
    rules, _, seed = path.stem.partition("-")
    assert play_through(rules, int(seed)) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_game_is_told_again(path: Path) -> None:
    """Reading the file gives the same game: legal plays at each step, points at the end."""
    text = path.read_text(encoding="utf-8")
    tags = parse_tags(text)
    game = parse_game(text)
    assert " ".join(map(str, game.payoffs)) == tags["Result"]
    counts = []
    while game.calls or game.history:
        game.pop()
        counts.append(len(game.legal_calls or game.legal_plays))
    assert list(map(int, tags["Legal"].split())) == counts[::-1]


def test_every_preset_has_games() -> None:
    names = [path.stem.partition("-")[0] for path in FILES]
    for rules in ("classic", "classic4", "rlcard", "douzero", "openspiel", "botzone", "tencent"):
        assert names.count(rules) >= 2


if __name__ == "__main__":
    for file in FILES:
        name, _, number = file.stem.partition("-")
        file.write_text(play_through(name, int(number)), encoding="utf-8")
    sys.exit(0)
