"""A person at a table of engines: scripted conversations, undo, saving and resuming."""

import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest

from ddz_solver.cli import main
from ddz_solver.cli.play import Table
from ddz_solver.cli.sitting import Sitting
from ddz_solver.cli.words import Words
from ddz_solver.game.errors import DdzError, TurnError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import parse_position
from ddz_solver.game.observation import Phase
from ddz_solver.game.rules import Rules


def sitting(rules: str = "classic", seed: int = 7) -> Sitting:
    of = Rules.parse(rules)
    return Sitting(of, 0, ("greedy",) * (of.players - 1), seed)


def script(lines: list[str]) -> Callable[[str], str]:
    """Answers prompts with these lines, then with the end of the input."""
    left: Iterator[str] = iter(lines)

    def read(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return read


def talk(lines: list[str], at: Sitting | None = None, lang: str = "en") -> Sitting:
    at = at or sitting()
    Table(at, Words(lang), read=script(lines)).run()
    return at


def first_legal(game: Game) -> str:
    return str(game.legal_plays[-1]) if game.legal_plays[-1] else "pass"


@pytest.mark.parametrize("rules", ["classic", "classic4", "rlcard", "tencent", "openspiel", "botzone"])
def test_whole_hands_are_played(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    at = sitting(rules)

    def read(prompt: str) -> str:
        if at.game.over:
            return "n"
        if at.game.phase is Phase.AUCTION:
            return str(at.game.legal_calls[-1])
        return first_legal(at.game)

    Table(at, Words("en"), read=read).run()
    shown = capsys.readouterr().out
    assert at.number == 0
    assert "won. Points:" in shown
    assert sum(at.standing) == 0 or at.rules.payoff == "win"
    assert any(at.standing)


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    at = talk(["help", "show", "9", "3", "hint", "moves", "show", "help", "345", "z", "", "3", "undo", "q"])
    shown = capsys.readouterr().out
    for part in ("Type pass, 1, 2 or 3", "call 9", "points", "Unseen:", "Type cards", "345", "'Z'", "Taken back"):
        assert part in shown, part
    assert at.game.history == ()
    assert at.game.landlord == 0


def test_calls_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    talk(["moves", "q"])
    assert "\npass  1  2  3\n" in capsys.readouterr().out
    talk(["出法", "退出"], lang="zh")
    assert "\n不叫  1  2  3\n" in capsys.readouterr().out


def test_chinese_words(capsys: pytest.CaptureFixture[str]) -> None:
    talk(["3", "提示", "显示", "悔棋", "退出"], lang="zh")
    shown = capsys.readouterr().out
    for part in ("你的手牌", "地主：你", "胜率", "未见", "已悔棋"):
        assert part in shown, part


def test_undo_goes_back_to_ones_own_decision() -> None:
    at = sitting()
    with pytest.raises(TurnError):
        at.undo()
    at.game.call(3)
    at.game.push("3")
    at.act()
    at.act()
    at.undo()
    assert at.game.history == ()
    at.undo()
    assert at.game.phase is Phase.AUCTION


def test_saved_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    before = talk(["3", "3", f"save {path}", "q"])
    after = Sitting.load(path)
    assert after.game.history == before.game.history
    assert (after.seed, after.levels, after.account) == (before.seed, before.levels, before.account)
    monkeypatch.setattr("sys.stdin", StringIO())  # input ends at once
    assert main(["play", "--load", str(path), "--save", str(tmp_path / "other.txt")]) == 0
    assert (tmp_path / "other.txt").read_text() == path.read_text()


def last_play() -> Sitting:
    """A sitting with one card left to play."""
    at = sitting()
    at.game = parse_position("3/44/55")
    return at


@pytest.mark.parametrize("leave", ["quit", "q", "exit", "退出", "n", "NO", "否"])
def test_a_hand_that_is_over_is_saved_and_reviewed(
    leave: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, last = tmp_path / "first.txt", tmp_path / "last.txt"
    at = last_play()
    Table(at, Words("en"), last, read=script(["3", "what", "save", f"save {first}", leave])).run()
    shown = capsys.readouterr().out
    assert (at.number, at.account, at.standing) == (0, [0, 0, 0], [2, -1, -1])
    assert "Type y for another hand" in shown and shown.endswith("Account: you +2, seat 1 -1, seat 2 -1.\n")
    assert first.read_text() == last.read_text()
    assert main(["review", str(first)]) == 0 and main(["replay", str(first)]) == 0
    capsys.readouterr()
    after = talk(["y"], Sitting.load(first))
    assert (after.number, after.account) == (1, [2, -1, -1])
    assert "The landlord won. Points: you +2" in capsys.readouterr().out


def test_saving_a_hand_that_is_over_may_fail(capsys: pytest.CaptureFixture[str]) -> None:
    at = talk(["3", "save", "save /no/where", "y"], last_play())
    shown = capsys.readouterr().out
    assert "save: expected a file name" in shown and "cannot save to /no/where" in shown
    assert at.number == 1


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("[Person", "[Persons"), "no saved sitting"),
        (('Person "0"', 'Person "5"'), "no saved sitting"),
        (('"greedy,greedy"', '"greedy"'), "no saved sitting"),
        (('"greedy,greedy"', '"greedy,grim"'), "grim"),
        (('Account "0 0 0"', 'Account "0 0"'), "no saved sitting"),
        (("auction", "auctions"), "auctions"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, change: tuple[str, str], complaint: str) -> None:
    path = tmp_path / "game.txt"
    at = sitting()
    at.game.call(3)
    at.save(path)
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(DdzError, match=complaint):
        Sitting.load(path)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--seat", "3"], "--seat 3"),
        (["--seed", "-1"], "--seed -1"),
        (["--level", "god"], "'god'"),
        (["--levels", "greedy"], "--levels greedy: expected 2"),
        (["--load", "/nowhere/x"], "/nowhere/x: No such file"),
        (["--load", sys.executable], "no text, expected UTF-8"),
        (["--save", "/nowhere/x"], "cannot save to /nowhere/x"),
        (["--rules", "classic,players=2"], "no deal"),
        (["--load", "x", "--level", "greedy", "--rules", "classic"], "--level, --rules beside --load"),
        (["--load", "x", "--seat", "0"], "--seat beside --load"),
    ],
)
def test_misuse(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *words]) == 2
    assert complaint in capsys.readouterr().err
