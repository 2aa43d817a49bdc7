"""Reviews of played games: every choice is judged on what its seat knew, the worst first."""

import json
from pathlib import Path

import pytest

from ddz_solver.ai.bid_model import has_model
from ddz_solver.ai.evaluator import has_weights
from ddz_solver.ai.hints import hint
from ddz_solver.ai.review import review, worst
from ddz_solver.cli import main
from ddz_solver.engine.faults import Termination
from ddz_solver.engine.records import Record, RecordFile
from ddz_solver.game.combos import format_play
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_game
from ddz_solver.game.rules import Rules

pytestmark = pytest.mark.skipif(not has_weights(Rules.parse("classic")), reason="no networks ship")


def played(rules: str = "classic", seed: int = 5) -> Game:
    """A game in which everybody makes the middle one of the legal plays."""
    game = Game(rules, seed=seed)
    while not game.over:
        if game.landlord is None:
            game.call(game.legal_calls[-1])
        else:
            game.push(game.legal_plays[len(game.legal_plays) // 2])
    return game


@pytest.mark.parametrize("rules", ["classic", "classic4"])
def test_every_choice_is_judged(rules: str) -> None:
    if not (has_model(Rules.parse(rules)) and has_weights(Rules.parse(rules))):
        pytest.skip(f"no networks or no bid model ship for {rules}")
    game = played(rules)
    decisions = review(game)
    assert decisions[0].choice == "3"
    assert all(decision.lost >= 0 for decision in decisions)
    assert [decision.number for decision in decisions] == sorted({decision.number for decision in decisions})
    bad = worst(decisions)
    assert bad
    assert [decision.lost for decision in bad] == sorted((decision.lost for decision in bad), reverse=True)
    assert all(decision.lost == 0 for decision in decisions if decision.choice == decision.best)


def test_judged_on_what_the_seat_knew() -> None:
    game = played()
    decision = review(game)[-1]
    before = game.copy()
    for _ in range(len(game.calls) + len(game.history) - decision.number + 1):
        before.pop()
    found = hint(before.observation())
    assert decision.hand == before.observation().hand
    assert decision.best == (format_play(found.best.play, game.rules) if found.best.play else "pass")


def test_command_reads_games_and_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = played()
    saved = tmp_path / "game.txt"
    saved.write_text(format_game(game))
    assert main(["review", str(saved), "--json"]) == 0
    from_game = json.loads(capsys.readouterr().out)
    assert len(from_game) == len(review(game))
    assert game.deal is not None
    record = Record(
        rules="classic",
        deal=game.deal,
        players=("a", "b", "c"),
        calls=game.calls,
        plays=tuple((seat, format_play(play, "classic") if play else "pass") for seat, play in game.history),
        scores=game.payoffs,
        termination=Termination.NORMAL,
    )
    for name in ("records.txt", "records.jsonl"):
        with RecordFile(tmp_path / name) as file:
            file.append(record)
        assert main(["review", str(tmp_path / name), "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == from_game
    assert main(["review", str(saved), "--top", "3", "--seat", "1", "--lang", "zh"]) == 0
    text = capsys.readouterr().out
    assert "失分" in text
    assert "1号位" in text
    assert "2号位" not in text


def test_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "game.txt"
    saved.write_text(format_game(played()))
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for words, complaint in [
        (["/nowhere/x"], "/nowhere/x: No such file"),
        ([str(binary)], "no text"),
        ([str(saved), "--number", "2"], "hand 2: expected 1"),
        ([str(saved), "--seat", "3"], "--seat 3"),
        ([str(saved), "--top", "0"], "--top 0"),
        ([str(saved), "--objective", "glory"], "'glory'"),
    ]:
        assert main(["review", *words]) == 2
        shown = capsys.readouterr().err
        assert complaint in shown
        assert shown.count("\n") == 1
