"""The `ddz` command: dispatch, exit codes, and the commands moves, deal and perft."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ddz_solver import __version__
from ddz_solver.cli import COMMANDS, main
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_game


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--version"], ["--help"], []):
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert __version__ in shown
    assert all(command in shown for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert "usage: ddz " + command in capsys.readouterr().out


def test_moves_lists_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "moves", "34567899TTJJQQKKA22X", "--count") == "62\n"
    assert run(capsys, "moves", "3334445556667778", "--rules", "tencent", "--count") == "151\n"
    shown = run(capsys, "moves", "10 10 j q k a", "--last", "9TJQK")
    assert "TJQKA" in shown
    assert "pass" in shown
    found = json.loads(run(capsys, "moves", "3X", "--last", "3", "--json"))
    assert [play["play"] for play in found["plays"]] == ["pass", "X"]
    assert found["count"] == 2


def test_deal_is_reproducible(capsys: pytest.CaptureFixture[str]) -> None:
    first = json.loads(run(capsys, "deal", "--seed", "7", "--number", "2", "--json"))
    assert first == json.loads(run(capsys, "deal", "--seed", "7", "--number", "2", "--json"))
    assert [deal["seed"] for deal in first] == [7, 8]
    assert run(capsys, "deal", "--seed", "8", "--line") == first[1]["line"] + "\n"
    assert "bottom" in run(capsys, "deal", "--rules", "classic4")


def test_perft_stops_at_the_end_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "perft", "--hands", "34/5/6", "--json"))["perft"]
    assert [depth["lines"] for depth in found][-2:] == [found[-1]["lines"]] * 2
    assert "lines/s" in run(capsys, "perft", "--depth", "3")
    found = json.loads(run(capsys, "perft", "--hands", "456/3/3", "--json"))["perft"]
    assert [row["lines"] for row in found[:4]] == [3, 3, 3, 6]  # everybody passes, then there are leads again


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["moves", "34z"], "'Z'"),
        (["moves", "345", "--last", "3456"], "'3456' is no combination"),
        (["moves", "33333"], "33333"),
        (["moves", "345", "--rules", "clasic"], "did you mean classic"),
        (["deal", "--seed", "-1"], "--seed -1"),
        (["botzone", "--seed", "-1"], "--seed -1"),
        (["deal", "--seed", str((1 << 64) - 1), "--number", "2"], "expected 0 to 2**64 - 1"),
        (["deal", "--number", "0"], "--number 0"),
        (["hint", "334", "--seed", "-1"], "seed=-1: expected 0 to 2**64 - 1"),
        (["show", "/no/such"], "cannot read /no/such: No such file"),
        (["replay", sys.executable], "no text, expected UTF-8"),
        (["perft", "--hands", "34/5"], "expected 3 hands"),
        (["perft", "--hands", "34/5/"], "none of them empty"),
        (["perft", "--hands", "3333/3/5"], "5 cards of rank 3"),
        (["perft", "--depth", "0"], "--depth 0"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    shown = capsys.readouterr().err
    assert complaint in shown
    assert shown.startswith("ddz: ")
    assert shown.count("\n") == 1


def test_unknown_commands_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["conjure"])
    assert stop.value.code == 2
    assert "conjure" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("PYTHONIOENCODING=cp1252 ddz --help", r"\u6597\u5730\u4e3b"),
        ("PYTHONIOENCODING=ascii ddz match greedy random --deals 1 --rules rlcard", r"\xb1 is 95 % over deals"),
        ("PYTHONIOENCODING=ascii ddz moves 3z 2>&1 || true", r"\u5c0f\u738b"),
        (r"printf '\xff\n' | PYTHONIOENCODING=utf-8:strict ddz play --seed 1 --level greedy", r"'\\xff' is no call"),
        ("ddz play --seed 1 --level greedy <&-", "Account: you +0"),
        ("ddz moves 334 >&-", ""),
        ("ddz moves 3z 2>&- || true", ""),
    ],
)
def test_no_stream_ends_a_command(command: str, shown: str) -> None:
    command = command.replace("ddz", f"{sys.executable} -m ddz_solver", 1)
    done = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", check=True)
    assert done.stderr == ""
    assert shown in done.stdout


def test_a_byte_order_mark_means_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def marked(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        return str(tmp_path / name)

    deals = marked("deals", run(capsys, "deal", "--line"))
    record = str(tmp_path / "a.ddz")
    words = ["match", "greedy", "random", "--deal-file", deals, "--record", record]
    run(capsys, *words)
    marked("a.ddz", Path(record).read_text(encoding="utf-8"))
    assert "1 deal of 6 hands" in run(capsys, *words)
    assert "6 hands, 0 wrong" in run(capsys, "replay", record)
    marked("ends", "3/4\n")
    assert "wins" in run(capsys, "solve", "--file", str(tmp_path / "ends"))
    game = marked("game", format_game(Game("classic", seed=1)))
    assert "classic" in run(capsys, "show", game) and "1 hand, 0 wrong" in run(capsys, "replay", game)


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m ddz_solver deal --number 2000 --line | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
