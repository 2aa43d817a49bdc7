"""Records of matches: round trips, judging again, what is no record, what a kill leaves."""

import json
import sys
from pathlib import Path

import pytest

from ddz_solver.engine.match import Match
from ddz_solver.engine.records import Record, RecordError, RecordFile, parse_records, read_records
from ddz_solver.engine.replay import rejudge
from ddz_solver.game.notation import parse_game
from ddz_solver.game.rules import PRESETS

ROOT = Path(__file__).parent.parent
PLAIN = f'cmd="{sys.executable} {ROOT / "tests/engines/plain.py"}" name=plain'


@pytest.mark.parametrize("rules", [*PRESETS, "classic,spring=each,bottom_shown=no", "douzero,payoff=win"])
def test_records_round_trip_and_judge(rules: str, tmp_path: Path) -> None:
    text, lines = RecordFile(tmp_path / "a.ddz"), RecordFile(tmp_path / "a.jsonl")
    with text, lines:
        records: list[Record] = []
        match = Match(["greedy", "random"], rules, deals=2, seed=3)
        match.on_hand = lambda record, results: records.append(record)
        match.run()
        for record in records:
            assert Record.parse(record.to_text()) == record
            assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record
            assert rejudge(record).payoffs == record.scores
            assert parse_game(record.to_text()).payoffs == record.scores
            text.append(record)
            lines.append(record)
    assert read_records(tmp_path / "a.ddz") == read_records(tmp_path / "a.jsonl") == records


def one_record() -> Record:
    records: list[Record] = []
    match = Match(["greedy", "random"], "classic", deals=1)
    match.on_hand = lambda record, results: records.append(record)
    match.run()
    return next(record for record in records if len(record.plays) > 10)


@pytest.mark.parametrize(
    "change",
    [
        {"scores": [1, 1, -2]},
        {"scores": [0, 0]},
        {"termination": "passed"},
        {"termination": "stall"},
        {"players": ["a", "b"]},
        {"rules": "classic4"},
        {"rules": "whist"},
        {"calls": []},
        {"plays": []},
        {"faults": [{"ply": 3, "seat": 1, "termination": "time", "detail": "", "substituted": False}]},
        {"faults": [{"ply": 3, "seat": 1, "termination": "time", "detail": "", "substituted": True}]},
    ],
)
def test_changed_records_are_found_out(change: dict) -> None:
    value = one_record().to_json() | change
    with pytest.raises(RecordError):
        rejudge(Record.from_json(value))


def test_changed_plays_are_found_out() -> None:
    value = one_record().to_json()
    for index in range(len(value["plays"])):
        plays = [list(play) for play in value["plays"]]
        plays[index][1] = "2222" if plays[index][1] != "2222" else "AAAA"
        with pytest.raises(RecordError):
            rejudge(Record.from_json(value | {"plays": plays}))


@pytest.mark.parametrize(
    "text", ["", "[Rules x]", '[Rules "classic"]\n# end', "auction 0:x", "1. 0;3", "hello", '[A "1"]\n[A "2"]']
)
def test_texts_that_are_no_records(text: str) -> None:
    with pytest.raises(RecordError):
        Record.parse(text)


@pytest.mark.parametrize("value", [None, 3, [], {}, {"rules": 1}])
def test_json_that_is_no_record(value: object) -> None:
    with pytest.raises(RecordError):
        Record.from_json(value)


def test_a_line_that_is_being_written_is_left_out_of_a_text() -> None:
    record = one_record()
    line = json.dumps(record.to_json())
    assert parse_records(f"{line}\n{line}") == [record, record]
    for cut in range(1, len(line), 41):
        assert parse_records(f"{line}\n{line[:cut]}") == [record]
        with pytest.raises(RecordError):
            parse_records(line[:cut])


def test_a_record_cut_off_anywhere_is_dropped(tmp_path: Path) -> None:
    record = one_record()
    path = tmp_path / "a.ddz"
    whole = record.to_text().encode() + b"\n"
    for cut in [*range(0, len(whole) - 2, 37), len(whole) - 2, len(whole) - 1]:
        path.write_bytes(whole + whole[:cut])
        with RecordFile(path) as file:
            assert len(file.records) == 1 + (cut >= len(whole) - 1)
            file.append(record)
        assert read_records(path) == [record] * (2 + (cut >= len(whole) - 1))
        path.write_bytes(whole[:cut])
        with RecordFile(path) as file:
            assert len(file.records) == (cut >= len(whole) - 1)
