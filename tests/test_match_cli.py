"""The commands around engines and matches, as somebody types them."""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ddz_solver.ai.agents import LEVELS
from ddz_solver.cli import main

ENGINES = Path(__file__).parent / "engines"
ROOT = Path(__file__).parent.parent


def test_match_prints_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "greedy", "random", "--deals", "2", "--rules", "classic4"]) == 0
    said = capsys.readouterr().out
    for word in ("2 deals of 14 hands", "greedy", "random", "Elo", "as landlord", "slowest ms"):
        assert word in said


def test_match_of_three_has_a_crosstable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "greedy", "random", "random", "--deals", "2", "--format", "gauntlet"]) == 0
    assert "Crosstable" in capsys.readouterr().out


def test_match_speaks_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "greedy", "random", "--deals", "2", "--rules", "douzero", "--json"]) == 0
    *hands, result = map(json.loads, capsys.readouterr().out.splitlines())
    assert [hand["event"] for hand in hands] == ["hand"] * 4
    assert result["event"] == "result" and result["pairs"][0]["deals"] == 2
    assert [engine["name"] for engine in result["engines"]] == ["greedy", "random"]


def test_match_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    crash = f'cmd="{sys.executable} {ENGINES / "crash_at_start.py"}" name=crash'
    assert main(["match", "random", crash, "--deals", "1", "--rules", "douzero"]) == 1
    assert "crash" in capsys.readouterr().out
    test = ["--sprt", "0", "50", "--deals", "200", "--rules", "douzero"]
    assert main(["match", "greedy", "random", *test]) == 0
    assert "H1 accepted" in capsys.readouterr().out
    assert main(["match", "random", "greedy", *test]) == 1
    assert "H0 accepted" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["greedy"], "expected at least two"),
        (["greedy", "nobody"], "nobody"),
        (["greedy", "random", "--deals", "0"], "0 deals"),
        (["greedy", "random", "--concurrency", "0"], "expected 1 or more"),
        (["greedy", "random", "--executor", "moon"], "unknown executor"),
        (["greedy", "random", "--executor", "dask://127.0.0.1:1"], "dask://127.0.0.1:1"),
        (["greedy", "random", "--sprt", "5", "0"], "between 5.0 and 0.0: expected the lower one first"),
        (["greedy", "random", "--margin", "-1"], "margin=-1.0: expected seconds"),
        (["greedy", "net option.weights=/no/such"], "weights=/no/such: No such file"),
        (["greedy", "python=math:factorial"], "engine math:factorial: TypeError"),
        (["greedy", "python=no_such_module:make"], "expected MODULE:FUNCTION"),
        (["greedy", "random", "--deal-file", sys.executable], "no text, expected UTF-8"),
        (["greedy", "random", "--sprt", "0", "5", "--alpha", "0.9"], "alpha"),
        (["greedy", "random", "--sprt", "-1000000", "0"], "expected numbers of -2000 to 2000"),
        (["greedy", "random", "--sprt", "50", "55", "--sprt-metric", "win"], "expected numbers of 0 to 1"),
        (["level=planner option.time=0.1", "random"], "option.time: expected limits as time="),
        (["level=random option.seed=3", "random"], "option.seed"),
        (["greedy", "random", "--deal-file", "/no/such/file"], "No such file"),
        (["greedy", "random", "--record", "/no/such/file"], "No such file"),
        (["greedy", "random", "--rules", "poker"], "unknown rules"),
        (["greedy", "random", "--rules", "classic,players=2"], "no deal"),
        (["greedy", "cmd='"], "No closing quotation"),
        (["greedy", "cmd=no-such-program"], "no program"),
    ],
)
def test_match_bad_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.startswith("ddz: ") and said.count("\n") == 1
    assert message in said


def test_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, lines = tmp_path / "a.ddz", tmp_path / "a.jsonl"
    assert main(["match", "greedy", "random", "--deals", "1", "--record", str(text)]) == 0
    capsys.readouterr()
    assert main(["replay", str(text)]) == 0
    assert "6 hands, 0 wrong" in capsys.readouterr().out
    assert main(["replay", str(text), "--hand", "6"]) == 0
    said = capsys.readouterr().out
    assert "bottom" in said and "trick" in said and "normal: " in said
    assert main(["replay", str(text), "--to", "jsonl"]) == 0
    lines.write_text(capsys.readouterr().out)
    assert main(["replay", str(lines), "--to", "text"]) == 0
    assert capsys.readouterr().out == text.read_text()
    text.write_text(text.read_text().replace("[Result ", '[Result "1 1 1"]\n[Was ', 1))
    assert main(["replay", str(text), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["wrong"][0]["hand"] == 1
    assert main(["replay", str(text), "--hand", "7"]) == 2
    assert main(["replay", str(tmp_path / "none")]) == 2


def test_replay_reads_a_single_game(capsys: pytest.CaptureFixture[str]) -> None:
    game = next((ROOT / "tests/data/games").glob("classic4-*.txt"))
    assert main(["replay", str(game)]) == 0
    assert "1 hand, 0 wrong" in capsys.readouterr().out
    assert main(["replay", str(game), "--to", "jsonl"]) == 2
    assert "expected records of a match" in capsys.readouterr().err


@pytest.mark.parametrize("tag", ['[Hand "0:0-1:01"]', '[Hand "0:0-9:011"]', '[Hand "first"]', '[Seating "011"]'])
def test_damaged_records_are_named(tag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.ddz"
    words = ["match", "greedy", "random", "--deals", "1", "--rules", "douzero", "--record", str(path)]
    assert main(words) == 0
    path.write_text(re.sub(r"\[Hand .*\]", tag, path.read_text(), count=1))
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"ddz: {path} holds a damaged record: ") and said.count("\n") == 1


def test_check_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-engine", f"{sys.executable} {ENGINES / 'wrong_version.py'}"]) == 1
    assert "FAIL  handshake: version: " in capsys.readouterr().out
    assert main(["check-engine", "/no/such", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["passed"] is False
    assert main(["check-engine", ""]) == 1
    assert "no command" in capsys.readouterr().out
    assert main(["check-engine", "x", "--option", "y"]) == 2


def test_engine_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ddz_solver", "engine", "--option", "level=greedy"],
        input="ddz\nping id=1\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-2:] == ["pong id=1", "bye"]
    assert f"option name=level type=combo default={LEVELS[-1]} values={','.join(LEVELS)}" in done.stdout


@pytest.mark.parametrize("option", ["level", "level=godlike", "colour=red"])
def test_engine_bad_options(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--option", option]) == 2
    assert "expected" in capsys.readouterr().err


def test_engine_bad_port(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--tcp", "99999"]) == 2
    assert "port" in capsys.readouterr().err
    assert main(["engine", "--tcp", "0", "--connections", "0"]) == 2
    assert "--connections 0: expected 1 or more" in capsys.readouterr().err


def test_engine_takes_so_many_connections() -> None:
    words = [sys.executable, "-m", "ddz_solver", "engine", "--tcp", "0", "--connections", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        host, port = server.stdout.readline().split()[-1].split(":")
        with socket.create_connection((host, int(port)), 5) as first, first.makefile() as answers:
            first.sendall(b"ping\n")
            assert answers.readline() == "pong\n"
            with socket.create_connection((host, int(port)), 5) as second, second.makefile() as refusal:
                assert "too many connections" in refusal.readline()
        server.kill()
