"""What others have written is data: it runs nothing, takes no more memory than it should, and steers no terminal."""

from __future__ import annotations

import ast
import io
import json
import sys
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_weights import change_header, some_weights

import ddz_solver
from ddz_solver.ai.bid_model import BidModel
from ddz_solver.ai.weights import MAGIC, WeightsError, load_weights, save_weights
from ddz_solver.cli import main
from ddz_solver.cli.common import print_table, printable
from ddz_solver.engine.engine import Engine
from ddz_solver.engine.lines import MAX_LINE
from ddz_solver.engine.match import Match
from ddz_solver.engine.process import Process
from ddz_solver.engine.records import Record, RecordError, parse_records
from ddz_solver.engine.server import TcpServer
from ddz_solver.engine.session import Session
from ddz_solver.engine.specs import EngineSpec, SpecError
from ddz_solver.game.errors import DdzError, NotationError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_game, parse_game
from ddz_solver.train import Trainer, TrainSettings
from ddz_solver.train.bid_outcomes import Outcomes
from ddz_solver.train.checkpoint import load_checkpoint, read_meta
from ddz_solver.train.trainer import CHECKPOINT

PACKAGE = Path(ddz_solver.__file__).parent
#: Clears a terminal; a C1 control; text that runs from right to left; half a character.
TRICKS = ("\x1b[2J", "\x9b2J", "\u202eevil", "\ud800", "\x07")


# --- data is not run --------------------------------------------------------------------------------------------------


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def test_nothing_in_the_package_runs_data() -> None:
    """No pickle, no eval, no shell anywhere; arrays are read without pickle."""
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not imported & {"pickle", "marshal", "shelve", "dill", "cloudpickle"}, path
        for name, call in calls(tree):
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
            assert name not in ("eval", "exec", "os.system", "os.popen"), path
            assert given.get("shell", "False") == "False", path
            if name.endswith((".load", "fromfile", "loadtxt", "genfromtxt")) and name.startswith(("np.", "numpy.")):
                assert given["allow_pickle"] == "False", path


def test_commands_of_engines_are_no_shell_commands(tmp_path: Path) -> None:
    with Process([sys.executable, "-c", "import sys; print(sys.argv)", "; touch made", "$(touch made)"], str(tmp_path)):
        pass
    match = Match(
        ["random", f'cmd="{sys.executable} -c pass ; touch {tmp_path / "made"}" name=sly'], "douzero", deals=1
    )
    records: list[Record] = []
    match.on_hand = lambda record, results: records.append(record)
    match.run()
    assert {str(record.termination) for record in records} == {"crash"}
    assert not list(tmp_path.iterdir())


# --- sizes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sizes", [[4096, 1 << 30], [1 << 40, 32], [1 << 80, 32], [-64, 32], [64.5, 32], [64, True], [4096, 4096]]
)
def test_weights_that_claim_much(tmp_path: Path, sizes: list[object]) -> None:
    path = tmp_path / "net.ddz"
    save_weights(path, some_weights())
    change_header(path, shape=[load_weights(path).networks[0].shape[0], *sizes])
    with pytest.raises(WeightsError, match=str(path)):
        load_weights(path)


def test_weights_with_a_header_that_is_a_trap(tmp_path: Path) -> None:
    path = tmp_path / "net.ddz"
    for header in (b'{"format":' + b"[" * 200_000, b"null", b"[]", b'{"format": 2}'):
        path.write_bytes(MAGIC + len(header).to_bytes(4, "little") + header)
        with pytest.raises(WeightsError, match="header cannot be read"):
            load_weights(path)
    save_weights(path, some_weights())
    change_header(path, rules=["douzero"] * 1000)
    with pytest.raises(WeightsError, match="names 1000 rules"):
        load_weights(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="has no endless file")
def test_weights_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddz_solver.ai.weights._LARGEST", 1 << 16)
    with pytest.raises(WeightsError, match="more than 65536 bytes"):
        load_weights(Path("/dev/zero"))


def bomb() -> bytes:
    """A small archive that unpacks to 32 MB."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.npy", b"\0" * (32 << 20))
    return file.getvalue()


def deep() -> bytes:
    """A model whose header nests."""
    file = io.BytesIO()
    np.savez_compressed(file, header=np.array("[" * 100_000))
    return file.getvalue()


def pickled() -> bytes:
    """A model that would have to be unpickled."""
    file = io.BytesIO()
    np.savez_compressed(file, header=np.array([print], dtype=object))
    return file.getvalue()


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\x93NUMPY\x01\x00", bomb(), deep(), pickled()])
def test_bid_models_that_are_traps(data: bytes) -> None:
    assert len(data) < 100_000
    with pytest.raises(DdzError, match="no bid model"):
        BidModel.load(data)


def npz(**arrays: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def test_checkpoints_that_unpack_to_much(tmp_path: Path) -> None:
    """A file of a run is unpacked no further than that run's arrays can be long."""
    trainer = Trainer(TrainSettings(rules=(("douzero", 1.0),), hidden=(64, 32)), tmp_path)
    trainer.checkpoint()
    path = tmp_path / CHECKPOINT
    with np.load(path, allow_pickle=False) as stored:
        arrays = dict(stored)
    zeros = np.zeros(64 << 20, np.uint8)
    for name in arrays:
        path.write_bytes(npz(**{**arrays, name: zeros}))
        tracemalloc.start()
        with pytest.raises(DdzError, match=f"{name} unpacks to more than"):
            load_checkpoint(path, trainer.learner)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < len(zeros) / 2


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", bomb(), deep(), pickled(), npz(meta=np.frombuffer(b"[" * 100_000, np.uint8))]
)
def test_checkpoints_and_outcomes_that_are_traps(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.npz"
    path.write_bytes(data)
    with pytest.raises(DdzError, match="is no training checkpoint"):
        read_meta(path)
    with pytest.raises(DdzError, match="holds no outcomes of deals"):
        Outcomes.load(path)


def test_records_that_nest() -> None:
    for text in ('{"rules":' + "[" * 200_000, '{"rules":' * 100_000):
        with pytest.raises(RecordError, match="record that ends in line 1"):
            parse_records(text)


def test_answers_are_lines_of_the_protocol_whatever_is_asked() -> None:
    answers: list[str] = []
    session = Session(answers.append, Engine({"level": "greedy"}))
    position = {"rules": "classic", "seat": "0", "landlord": "0", "hand": "34", "counts": "2,1,1", "unseen": "55"}
    for key in (*position, "history", "beat", "plays", "bottom", "up", "calls", "factor", "phase", "turn", "hands"):
        for value in ("9", "Z", "3,", "0:3,", "/", "a=b", "+", "\\"):
            fields = position | {key: f'"{value * (60_000 // len(value) // 2 * 2)}"'}
            session.feed(" ".join(["position", *(f"{name}={text}" for name, text in fields.items())]))
    session.feed("x" * 60_000)
    session.feed(f"setoption {'x' * 60_000}=1")
    assert all(answer.startswith("error ") for answer in answers)
    assert not [answer for answer in answers if "internal" in answer]
    assert max(map(len, answers)) < 5000 < MAX_LINE


def test_tcp_is_for_this_machine_alone() -> None:
    with TcpServer() as server:
        assert server.address[0] == "127.0.0.1"


# --- terminals --------------------------------------------------------------------------------------------------------


def a_record() -> Record:
    records: list[Record] = []
    Match(["random", "greedy"], "douzero", deals=1, on_hand=lambda record, results: records.append(record)).run()
    return records[0]


@pytest.mark.parametrize("trick", TRICKS)
def test_records_with_characters_that_steer(trick: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = a_record().to_json()
    seats = values["players"][1:]
    file = tmp_path / "records.jsonl"
    for changed in (
        {"players": [trick, *seats]},
        {"tags": {"Event": trick}},
        {"tags": {trick: "x"}},
        {"plays": [[0, trick]]},
        {"rules": trick},
    ):
        text = json.dumps(values | changed)
        with pytest.raises(DdzError):
            Record.from_json(json.loads(text))
        file.write_text(text + "\n", encoding="utf-8")
        for command in ("replay", "show", "review"):
            assert main([command, str(file)]) == 2
            shown = "".join(capsys.readouterr())
            assert shown.replace("\n", "").isprintable()
    if trick != "\ud800":
        with pytest.raises(RecordError):
            Record.parse(a_record().to_text().replace('[Seat0 "', f'[Seat0 "{trick}'))
    with pytest.raises(SpecError, match="can be printed"):
        EngineSpec.parse(f'greedy name="{trick}"')


@pytest.mark.parametrize("trick", TRICKS)
def test_games_with_characters_that_steer(trick: str) -> None:
    game = Game("douzero", seed=1)
    with pytest.raises(NotationError):
        format_game(game, {"Seat0": trick})
    text = format_game(game, {"Seat0": "name"})
    with pytest.raises(NotationError, match="can be printed"):
        parse_game(text.replace("name", trick))
    assert parse_game(text.replace("name", "王[/b]")).deal == game.deal


def test_names_are_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    """Square brackets, which mean styles to the library that draws tables, are shown as they are."""
    print_table(("name",), [("[/b]",), ("[red]:smile:",)])
    shown = capsys.readouterr().out
    assert "[/b]" in shown
    assert "[red]:smile:" in shown
    assert main(["match", "random name=[/b]", "random name=[red]", "--deals", "1"]) == 0
    shown = capsys.readouterr().out
    assert "[/b]" in shown
    assert "[red]" in shown


def test_errors_are_printed_with_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    assert printable("a\x1b[2J\u202e王\ud800\nb") == "a\\x1b[2J\\u202e王\\ud800\nb"
    assert main(["match", "greedy", "greedy", "--rules", "\x1b[2J"]) == 2
    assert main(["show", "\x1b[2J"]) == 2
    assert "\x1b" not in capsys.readouterr().err
