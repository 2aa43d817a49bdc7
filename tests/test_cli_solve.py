"""`ddz solve`: text and JSON, files, limits, exit codes, bad input."""

import json
from pathlib import Path

import pytest

from ddz_solver.cli import main

PUZZLES = Path(__file__).parent / "data" / "solved" / "three_hands.jsonl"
HARD = "34567899TTJJQQKKA22X/334455667788TJQKA/345678999TJQKA2D3"


def test_all_winning_plays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "QQTT/A3", "--all"]) == 0
    shown = capsys.readouterr().out
    assert "seat 0 (landlord) to move wins" in shown
    assert "all winning plays: TT, QQ" in shown
    assert "line: 0:" in shown


def test_play_to_beat_and_a_lost_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "AA9/2QQTT7755", "beat=3"]) == 0
    assert "a winning play: pass" in capsys.readouterr().out
    assert main(["solve", "2QQTT77553/AA9", "--all"]) == 0
    shown = capsys.readouterr().out
    assert "loses" in shown
    assert "winning play" not in shown


def test_score_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve", "7/99/335555", "turn=2", "--objective", "score", "--all"]
    assert main(words) == 0
    assert "the landlord pays each peasant 2 times the stake" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["plays"], found["proven"]) == (-2, ["33", "5555"], True)


def test_file_of_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--file", str(PUZZLES), "--all", "--json", "--threads", "2"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    expected = [json.loads(line) for line in PUZZLES.read_text(encoding="utf-8").splitlines()]
    assert [sorted(one["plays"]) for one in found] == [sorted(one["plays"]) for one in expected]
    text = tmp_path / "positions.txt"
    text.write_text("# two of them\nQQTT/A3\n\n37/6\n", encoding="utf-8")
    assert main(["solve", "--file", str(text)]) == 0
    assert capsys.readouterr().out.count("to move wins") == 2


def test_limit_is_an_honest_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", HARD, "rules=classic4,decks=2,players=3", "--nodes", "50"]) == 1
    assert "not proven within the node limit" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "expected a position"),
        (["QQTT/A3", "--file", "x"], "expected a position"),
        (["QQTT"], "1 hands"),
        (["QQTT/A3", "beat=QQQ", "turn=9"], "9"),
        (["QQTT/Z3"], "Z"),
        (["QQTT/A3", "--limit", "0"], "limit of 0.0 seconds"),
        (["QQTT/A3", "--nodes", "0"], "limit of 0 nodes"),
        (["QQTT/A3", "--table", "0"], "table of 0 bytes"),
        (["--file", "no such file"], "no such file"),
    ],
)
def test_bad_input_is_one_line(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert expected in shown.err


def test_a_table_that_does_not_fit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def no_memory(rules: object, table_size: int) -> None:
        raise MemoryError

    monkeypatch.setattr("ddz_solver.ai.solver.Solver", no_memory)
    assert main(["solve", "QQTT/A3", "--table", "1000000"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "ddz: table of 1048576000000 bytes: expected one that fits in memory\n")


def test_bad_line_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "positions"
    for line in ("QQTT/", '{"hands": 3}', "{", "3/4 turn=x"):
        path.write_text(f"QQTT/A3\n{line}\n", encoding="utf-8")
        assert main(["solve", "--file", str(path)]) == 2
        assert "line 2" in capsys.readouterr().err
    path.write_text("# none\n", encoding="utf-8")
    assert main(["solve", "--file", str(path)]) == 2
    assert main(["solve", "--file", str(path), "--threads", "0"]) == 2
