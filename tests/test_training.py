"""Training: repeatable, resumable, and it learns."""

import argparse
import json
import sys

import numpy as np
import pytest

from ddz_solver.ai.evaluator import compile_observation
from ddz_solver.ai.weights import Weights, load_weights, save_weights
from ddz_solver.core.arena import Arena
from ddz_solver.core.features import column_count, encode
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.learner import Learner
from ddz_solver.core.selfplay import Worker
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.rules import PRESETS
from ddz_solver.train import Trainer, TrainSettings, command, train
from ddz_solver.train.checkpoint import read_meta, save_checkpoint
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


def test_a_run_has_to_have_something_left_to_do():
    trainer = Trainer(SMALL)
    trainer.run(games=60, deals=0)
    for games in (60, 59, 0, -1):
        with pytest.raises(DdzError, match=f"^{games} games in all: expected more than the 60 that have been played"):
            trainer.run(games=games, deals=0)
    for minutes in (0, -1.0, float("nan"), float("inf")):
        with pytest.raises(DdzError, match="minutes: expected more than 0"):
            trainer.run(minutes=minutes, deals=0)
    for numbers_below_0 in ({"every": -1.0}, {"save_every": float("nan")}, {"deals": -1}):
        with pytest.raises(DdzError, match="expected 0 or more"):
            trainer.run(games=100, **numbers_below_0)
    assert trainer.games == 60


def test_a_run_that_has_ended_goes_on(tmp_path):
    trainer = Trainer(SMALL, tmp_path)
    trainer.run(minutes=1e-6, chunk=20, deals=0)
    assert (trainer.games, trainer.done) == (20, 1.0)
    resumed = Trainer.resume(tmp_path)
    progress = resumed.run(minutes=1e-6, chunk=20, deals=0)
    assert (resumed.games, resumed.done) == (40, 1.0)
    assert progress.rate == pytest.approx(SMALL.final_rate)
    resumed.run(games=80, deals=0)
    assert (resumed.games, resumed.done) == (80, 1.0)


@pytest.mark.skipif(sys.platform == "win32", reason="has no signals for one thread")
def test_an_interrupted_run_is_as_one_that_ended_there(tmp_path, press_ctrl_c):
    """Ctrl-C waits for the games that are being played: they count, and nothing is saved in their midst."""
    steady = TrainSettings(**{**SMALL.as_dict(), "final_rate": SMALL.rate})
    trainer = Trainer(steady, tmp_path)
    press_ctrl_c(0.3)
    with pytest.raises(KeyboardInterrupt):
        trainer.run(minutes=1.0, chunk=150, deals=0, every=1e9)
    assert trainer.games > 0
    resumed = Trainer.resume(tmp_path)
    assert resumed.games == trainer.games
    whole = Trainer(steady)
    whole.run(games=trainer.games, deals=0)
    assert numbers(resumed).tobytes() == numbers(whole).tobytes()
    assert resumed.workers[0].state == whole.workers[0].state


def test_a_tiny_net_learns():
    """Seconds of training beat random play by far more than luck: 300 deals have a standard error of 0.02."""
    trainer = train(TrainSettings(**{**SMALL.as_dict(), "points": 0.0}), games=4000)
    judge = trainer.judge()
    result = Arena(PRESETS["douzero"].compiled, seed=3).match(judge, "random", 300)
    assert result["wp"] > 0.62
    assert result["adp"] > 0
    untrained = Trainer(SMALL).judge()
    assert Arena(PRESETS["douzero"].compiled, seed=3).match(judge, untrained, 300)["wp"] > 0.6


@pytest.mark.parametrize("decay", [0.8, 1.0])
def test_the_stakes_that_are_foretold_are_those_that_come(decay):
    trainer = train(TrainSettings(**{**SMALL.as_dict(), "decay": decay}), games=4000)
    networks, judge, rules = trainer.averaged(), trainer.judge(), PRESETS["douzero"]
    memo = HandsToGo(rules.compiled)
    told, came = {True: [], False: []}, {True: [], False: []}
    for seed in range(300):
        game, choices = Game(rules, seed=seed, landlord=0), []
        while not game.over:
            seen, plays = compile_observation(game.observation()), game.observation().legal_plays
            best = plays[int(np.argmax(judge.values(seen, plays)))]
            if len(plays) > 1:
                choices.append((game.turn, networks[game.turn].forward(encode(seen, best, memo))))
            game.push(best)
        for seat, (_, if_won, if_lost) in choices:
            won = (seat == 0) == game.landlord_won
            told[won].append(if_won if won else if_lost)
            came[won].append(abs(game.payoffs[1]))
    for won in told:
        assert np.mean(told[won]) == pytest.approx(np.mean(came[won]), rel=0.1)
        assert np.corrcoef(told[won], came[won])[0, 1] > 0.5


def test_later_stakes_stand_in_for_those_of_the_same_outcome():
    """Networks that always say 5 if won and 1 if lost, and targets of what they say next: only last choices are off."""
    trainer = Trainer(SMALL)
    for network in trainer.learner.networks:
        numbers = np.asarray(network.parameters)
        numbers[:] = 0
        numbers[-2:] = 5, 1
    sums = trainer.workers[0].run(200, rate=1e-9, epsilon=0.0, decay=0.0)
    assert sums["samples"] > 2000
    assert 0 < sums["stake_loss"] / sums["samples"] < 1


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


def test_a_checkpoint_of_an_earlier_layout_goes_on(tmp_path):
    """Inputs that came later weigh nothing, all others what they did; training goes on from there."""
    first = Trainer(SMALL, tmp_path)
    first.run(games=200, deals=0)
    path = tmp_path / "checkpoint.npz"
    inputs, width, _ = first.learner.networks[0].shape
    old = column_count(PRESETS["douzero"].compiled, 1)
    with np.load(path) as stored:
        arrays = dict(stored)
    for name in ("parameters", "means", "squares", "averages"):
        arrays[name] = np.delete(arrays[name], np.s_[old * width : inputs * width], axis=1)
    np.savez(path, **arrays)
    later = Trainer.resume(tmp_path)
    columns = list(range(0, old, 20))
    for before, after in zip(first.learner.networks, later.learner.networks, strict=True):
        assert after.forward(columns) == before.forward(columns)
        assert after.forward([*columns, old, inputs - 1]) == after.forward(columns)
    later.run(games=400, deals=0)
    assert np.asarray(later.learner.networks[0].parameters)[old * width : inputs * width].any()


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
    meta = read_meta(path)
    assert meta["games"] == 0
    for name, value in (("games", "many"), ("settings", []), ("states", [-1]), ("steps", [0.5] * 3), ("seconds", None)):
        save_checkpoint(path, trainer.learner, {**meta, name: value})
        with pytest.raises(DdzError, match=f"is no training checkpoint: its {name} cannot be read"):
            Trainer.resume(tmp_path)
    for version in (1, None):
        save_checkpoint(path, trainer.learner, {**meta, "format": version})
        with pytest.raises(DdzError, match=f"of format {version}, expected 2"):
            Trainer.resume(tmp_path)
    path.write_bytes(whole)
    for hidden in ((128, 32), (64, 64)):
        with pytest.raises(DdzError, match="does not fit these networks"):
            Trainer.resume(tmp_path, hidden=hidden)


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
    odd = Weights(weights.networks, weights.rules, {**weights.info, "games": "many"})
    with pytest.raises(DdzError, match="weights trained for 'many' games"):
        Trainer.start(odd, SMALL)
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
        ({"rules": (("douzero", float("nan")),)}, "expected numbers above 0"),
        ({"rules": (("classic,players=2", 1.0),)}, "have no deal"),
        ({"rules": (("classic,players=4", 1.0),)}, "have no deal"),
        ({"rules": (("douzero", 1.0),) * 17}, "17 rules to train together, expected at most 16"),
        ({"rules": 3}, "cannot be read"),
        ({"rules": (("douzero", "much"),)}, "cannot be read"),
        ({"hidden": 64}, "cannot be read"),
        ({"hidden": (100, 32)}, "hidden layers of 100 and 32 units: expected multiples of 64 up to 4096"),
        ({"hidden": (64, 0)}, "hidden layers of 64 and 0"),
        ({"hidden": (64.0, 32)}, "hidden layers of 64.0"),
        ({"seed": 2**31}, "seed=2147483648: expected 0..2147483647"),
        ({"threads": "2"}, "threads=2: expected 1..256"),
        ({"batch": True}, "batch=True"),
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
    for image in (tmp_path / "curves.odd", tmp_path / "nowhere" / "curves.png"):
        with pytest.raises(DdzError, match="the plot cannot be written to"):
            plot_log(tmp_path / "log.jsonl", image)
    for text in ("", "{}\n", "games", '{"games": 1}\n'):
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


def test_command_errors(tmp_path):
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    common = ["--hidden", "64", "32", "--batch", "64", "--rules", "douzero", "--deals", "0"]
    assert command.run(parser.parse_args([str(tmp_path / "run"), "--games", "40", *common])) == 0
    weights = tmp_path / "run" / "weights.ddz"
    again = ["--start", str(weights), "--deals", "0"]
    odd = load_weights(weights)
    save_weights(tmp_path / "odd.ddz", Weights(odd.networks, odd.rules, {**odd.info, "settings": [1]}))
    played = "40 games in all: expected more than the 40 that have been played already"
    for words, message in (
        (["run", "--games", "40", "--resume"], played),
        (["started", "--games", "40", *again], played),
        (["other", "--games", "9", "--rules", "classic:much"], "--rules classic:much: expected RULES or RULES:SHARE"),
        (["other", "--games", "9", "--start", str(tmp_path / "no.ddz")], r"cannot begin: .*no\.ddz"),
        (["other", "--games", "9", "--start", str(tmp_path / "odd.ddz")], r"with the settings \[1\]: expected names"),
        (["odd.ddz", "--games", "9", *common], r"cannot begin: .*odd\.ddz"),
    ):
        with pytest.raises(DdzError, match=message):
            command.run(parser.parse_args([str(tmp_path / words[0]), *words[1:]]))
