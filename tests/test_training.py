"""Training: repeatable, resumable, and it learns."""

import argparse
import json

import numpy as np
import pytest

from ddz_solver.ai.weights import load_weights
from ddz_solver.core.arena import Arena
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.learner import Learner
from ddz_solver.core.selfplay import Worker
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import PRESETS
from ddz_solver.train import Trainer, TrainSettings, command, train
from ddz_solver.train.checkpoint import read_meta
from ddz_solver.train.plot import plot_log
from ddz_solver.train.units import parts_of, revive

SMALL = TrainSettings(rules=(("douzero", 1.0),), hidden=(64, 32), batch=64, epsilon=0.05, decay=0.8, rate=2e-3, seed=9)


def numbers(trainer):
    return np.stack([np.asarray(network.parameters) for network in trainer.learner.networks])


def test_same_seed_same_networks():
    one, two = (train(SMALL, games=60) for _ in range(2))
    other = train(TrainSettings(**{**SMALL.as_dict(), "seed": 10}), games=60)
    assert numbers(one).tobytes() == numbers(two).tobytes() != numbers(other).tobytes()


def test_resumed_equals_uninterrupted(tmp_path):
    whole = Trainer(SMALL, tmp_path / "whole")
    for games in (100, 200):
        whole.run(games=games, deals=0)
    part = Trainer(SMALL, tmp_path / "part")
    part.run(games=100, deals=0)
    resumed = Trainer.resume(tmp_path / "part")
    assert resumed.games == 100
    resumed.run(games=200, deals=0)
    assert numbers(resumed).tobytes() == numbers(whole).tobytes()
    assert resumed.learner.steps == whole.learner.steps


def test_a_tiny_net_learns():
    """Seconds of training beat random play by far more than luck: 300 deals have a standard error of 0.02."""
    trainer = train(TrainSettings(**{**SMALL.as_dict(), "points": 0.0}), games=4000)
    judge = trainer.judge()
    result = Arena(PRESETS["douzero"].compiled, seed=3).match(judge, "random", 300)
    assert result["wp"] > 0.62
    assert result["adp"] > 0
    untrained = Trainer(SMALL).judge()
    assert Arena(PRESETS["douzero"].compiled, seed=3).match(judge, untrained, 300)["wp"] > 0.6


def test_four_players_train_with_the_same_code():
    trainer = train(TrainSettings(**{**SMALL.as_dict(), "rules": (("classic4", 1.0),)}), games=30)
    assert len(trainer.learner.networks) == 4
    assert min(trainer.learner.steps) > 0
    assert np.isfinite(numbers(trainer)).all()


def test_threads_share_the_work(tmp_path):
    trainer = Trainer(TrainSettings(**{**SMALL.as_dict(), "threads": 2}), tmp_path)
    progress = trainer.run(games=100, every=0.0, deals=10)
    assert progress.games == 100
    assert set(progress.matches) == {"random", "greedy", "earlier"} or set(progress.matches) == {"random", "greedy"}
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["games"] == 100


def test_damaged_checkpoints(tmp_path):
    with pytest.raises(DdzError, match="holds no checkpoint"):
        Trainer.resume(tmp_path)
    trainer = Trainer(SMALL, tmp_path)
    trainer.checkpoint()
    path = tmp_path / "checkpoint.npz"
    whole = path.read_bytes()
    for damaged in (b"", b"nonsense", whole[:-3000], b"\x00" * len(whole)):
        path.write_bytes(damaged)
        with pytest.raises(DdzError, match="is no training checkpoint"):
            Trainer.resume(tmp_path)
    path.write_bytes(whole)
    assert read_meta(path)["games"] == 0
    with pytest.raises(DdzError, match="does not fit these networks"):
        Trainer.resume(tmp_path, hidden=(128, 32))


def test_a_run_begins_with_weights_and_wider_networks(tmp_path):
    train(SMALL, folder=tmp_path / "narrow", games=100)
    weights = load_weights(tmp_path / "narrow" / "weights.ddz")
    wide = Trainer.start(weights, TrainSettings(**{**SMALL.as_dict(), "hidden": (128, 64)}), tmp_path / "wide")
    assert wide.games == 100
    columns = weights.networks[0].shape[0]
    rng = np.random.default_rng(4)
    for role in range(3):
        on = [int(column) for column in rng.choice(columns, 90, replace=False)]
        narrow = weights.networks[role].forward(on)
        assert wide.learner.networks[role].forward(on) == pytest.approx(narrow, abs=1e-5)
        assert wide.averaged()[role].forward(on) == pytest.approx(narrow, abs=1e-5)
    before = numbers(wide)
    wide.run(games=200, deals=0)
    columns, first, second = wide.learner.networks[0].shape
    fresh = slice((columns + 1) * first + 64 * second, (columns + 1) * first + 65 * second)
    assert not before[0][fresh][:32].any()
    assert numbers(wide)[0][fresh][:32].any(), "the added units are put to use"
    with pytest.raises(DdzError, match="expected the same inputs and at least as many units"):
        Trainer.start(load_weights(tmp_path / "wide" / "weights.ddz"), SMALL)
    with pytest.raises(DdzError, match="weights for 3 players, expected 4"):
        Trainer.start(weights, TrainSettings(**{**SMALL.as_dict(), "rules": (("classic4", 1.0),)}))


def test_dead_units_come_back():
    trainer = train(SMALL, games=100)
    network = trainer.learner.networks[0]
    columns = network.shape[0]
    blocks = [np.asarray(network.parameters), *(np.array(network.parameters) ** 2 + 1e-9 for _ in range(3))]
    blocks = (blocks[0], blocks[1], blocks[2], blocks[3])
    dead = {0: [3, 40], 1: [7]}
    for layer, units in dead.items():
        for unit in units:
            parts_of(blocks[0], network.shape)[layer][:, unit] = -1  # every input holds it down
            parts_of(blocks[2], network.shape)[layer][-1, unit] = 1e-20
    rng = np.random.default_rng(4)
    inputs = [[int(column) for column in rng.choice(columns, 90, replace=False)] for _ in range(20)]
    before = [network.forward(on) for on in inputs]
    assert revive(blocks, network.shape, rng) == (2, 1)
    for on, said in zip(inputs, before, strict=True):
        assert network.forward(on) == pytest.approx(said, abs=1e-6), "what the network says does not change"
    fresh = parts_of(blocks[0], network.shape)
    assert fresh[0][:-1, [3, 40]].std() > 0.01, "new weights to the inputs"
    assert not fresh[1][[3, 40], :].any()
    assert not fresh[2][:, 7].any()
    assert revive(blocks, network.shape, rng) == (0, 0)


def test_rate_falls_at_the_end():
    settings = TrainSettings(rate=1e-3, final_rate=1e-5, settle=0.5)
    rates = [settings.rate_at(done) for done in (0, 0.5, 0.75, 1.0, 2.0)]
    assert rates == pytest.approx([1e-3, 1e-3, 1e-4, 1e-5, 1e-5])


def test_bad_settings():
    for change, message in (
        ({"batch": 0}, "batch=0: expected 1..65536"),
        ({"epsilon": 2.0}, "epsilon=2.0: expected 0..1"),
        ({"rules": (("douzero", 1.0), ("classic4", 1.0))}, "expected one number of seats and decks"),
        ({"rules": (("douzero", 0.0),)}, "expected numbers above 0"),
        ({"speed": 3}, "unknown training settings"),
    ):
        with pytest.raises(DdzError, match=message):
            TrainSettings.from_dict({**SMALL.as_dict(), **change})
    with pytest.raises(DdzError, match="a number of games or of minutes"):
        Trainer(SMALL).run()
    with pytest.raises(DdzError, match="no folder to save to"):
        Trainer(SMALL).checkpoint()


def test_worker_errors():
    rules, four = PRESETS["douzero"].compiled, PRESETS["classic4"].compiled
    learner = Learner(rules, 64, 32)
    for presets, memos, batch, message in (
        ([], [], 64, "0 presets"),
        ([(rules, 1.0)], [], 64, "one memo each"),
        ([(four, 1.0)], [HandsToGo(four)], 64, "the same seats and decks"),
        ([(rules, 1.0)], [HandsToGo(rules)], 0, "batch of 0"),
    ):
        with pytest.raises(ValueError, match=message):
            Worker(learner, presets, memos, seed=1, batch=batch)


def test_arena_errors():
    arena = Arena(PRESETS["douzero"].compiled)
    with pytest.raises(ValueError, match="expected a Judge"):
        arena.match("clever", "random", 1)
    with pytest.raises(ValueError, match="expected at least 1"):
        arena.match("greedy", "random", 0)
    with pytest.raises(ValueError, match="other numbers of seats or decks"):
        Arena(PRESETS["classic4"].compiled).match(Trainer(SMALL).judge(), "random", 1)


def test_greedy_beats_random_and_itself_half_the_time():
    arena = Arena(PRESETS["douzero"].compiled, seed=5)
    assert arena.match("greedy", "random", 200)["wp"] > 0.75
    assert arena.match("greedy", "greedy", 50)["wp"] == 0.5


def test_plot(tmp_path):
    pytest.importorskip("matplotlib")
    trainer = Trainer(SMALL, tmp_path)
    trainer.run(games=60, every=0.0, deals=10)
    plot_log(tmp_path / "log.jsonl", tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    for text in ("", "{}\n", "games"):
        (tmp_path / "log.jsonl").write_text(text)
        with pytest.raises(DdzError, match="is no training log"):
            plot_log(tmp_path / "log.jsonl", tmp_path / "curves.png")


def test_command(tmp_path, capsys):
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    common = ["--hidden", "64", "32", "--batch", "64", "--rules", "douzero:3", "--rules", "classic", "--deals", "5"]
    assert command.run(parser.parse_args([str(tmp_path), "--games", "40", *common])) == 0
    assert command.run(parser.parse_args([str(tmp_path), "--games", "60", "--resume", "--deals", "5"])) == 0
    assert "60 games" in capsys.readouterr().out
    meta = read_meta(tmp_path / "checkpoint.npz")
    assert meta["games"] == 60
    assert meta["settings"]["rules"] == [["douzero", 3.0], ["classic", 1.0]]
    assert load_weights(tmp_path / "weights.ddz").info["games"] == 60
    with pytest.raises(DdzError, match="holds a run already"):
        command.run(parser.parse_args([str(tmp_path), "--games", "60"]))
    start = ["--start", str(tmp_path / "weights.ddz"), "--hidden", "128", "32", "--deals", "5"]
    assert command.run(parser.parse_args([str(tmp_path / "wide"), "--games", "80", *start])) == 0
    meta = read_meta(tmp_path / "wide" / "checkpoint.npz")
    assert meta["games"] == 80
    assert meta["settings"]["hidden"] == [128, 32]
    assert meta["settings"]["rules"] == [["douzero", 3.0], ["classic", 1.0]]
