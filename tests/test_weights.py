"""Weights files and the evaluator that reads them."""

import json

import numpy as np
import pytest

from ddz_solver.ai.evaluator import Evaluator, compile_observation, has_weights
from ddz_solver.ai.weights import MAGIC, Weights, WeightsError, load_weights, save_weights
from ddz_solver.core.arena import Arena
from ddz_solver.core.evaluate import Judge
from ddz_solver.core.features import column_count
from ddz_solver.core.net import Network
from ddz_solver.game.combos import parse_play
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Phase
from ddz_solver.game.rules import PRESETS


def some_weights(preset="douzero", seed=0, scale=0.1):
    """Networks of random numbers: what they value is arbitrary, but the same for the same input."""
    rules = PRESETS[preset]
    rng = np.random.default_rng(seed)
    networks = []
    for _ in range(rules.players):
        network = Network(column_count(rules.compiled), 64, 32)
        numbers = np.asarray(network.parameters)
        numbers[:] = rng.normal(0, scale, len(numbers))
        networks.append(network)
    return Weights(tuple(networks), (preset,), {"games": 12})


@pytest.fixture
def stored(tmp_path):
    path = tmp_path / "net.ddz"
    weights = some_weights()
    save_weights(path, weights)
    return path, weights


def test_round_trip(stored):
    path, weights = stored
    back = load_weights(path)
    assert (back.rules, back.info, back.players, back.decks) == (("douzero",), {"games": 12}, 3, 1)
    assert len(back.sha256) == 64
    for before, after in zip(weights.networks, back.networks, strict=True):
        assert before.shape == after.shape
        assert np.allclose(after.parameters, before.parameters, rtol=0, atol=0.5 / 127)
        assert after.forward([1, 2, 3]) == pytest.approx(before.forward([1, 2, 3]), abs=0.05)
    again = path.with_name("again.ddz")
    save_weights(again, back)
    third = load_weights(again)
    for before, after in zip(back.networks, third.networks, strict=True):
        assert np.allclose(after.parameters, before.parameters, rtol=1e-5, atol=1e-7)


def change_header(path, **changes):
    data = path.read_bytes()
    length = int.from_bytes(data[8:12], "little")
    header = json.loads(data[12 : 12 + length]) | changes
    text = json.dumps(header).encode()
    path.write_bytes(MAGIC + len(text).to_bytes(4, "little") + text + data[12 + length :])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 99}, "has format 99"),
        ({"layout": 77}, "feature layout 77"),
        ({"sha256": "0" * 64}, "do not match their hash"),
        ({"rules": ["classic4"]}, "names rules of other sizes"),
        ({"rules": ["nonsense"]}, "damaged"),
        ({"rules": 5}, "damaged"),
        ({"shape": [100, 64, 32]}, "has 100 input columns"),
        ({"shape": [1, 2]}, "damaged"),
        ({"shape": "wide"}, "damaged"),
        ({"players": 4}, "names rules of other sizes"),
    ],
)
def test_lying_headers(stored, changes, message):
    change_header(stored[0], **changes)
    with pytest.raises(WeightsError, match=message):
        load_weights(stored[0])


def test_other_sizes_than_stored(stored):
    data = load_weights(stored[0])
    change_header(stored[0], shape=[data.networks[0].shape[0], 128, 32])
    with pytest.raises(WeightsError, match="bytes of numbers, expected"):
        load_weights(stored[0])
    change_header(stored[0], shape=[data.networks[0].shape[0], 4096, 1024])
    with pytest.raises(WeightsError, match="expected"):
        load_weights(stored[0])


def test_damaged_files(stored):
    path = stored[0]
    whole = path.read_bytes()
    for damaged in (b"", b"PK\x03\x04 some zip", whole[:6], whole[:40], whole[:-1], whole[:-100] + b"x" * 100, MAGIC):
        path.write_bytes(damaged)
        with pytest.raises(WeightsError, match=str(path)):
            load_weights(path)
    with pytest.raises(OSError, match="missing"):
        load_weights(path.with_name("missing"))


def test_evaluator_ranks_plays(stored):
    evaluator = Evaluator.load(stored[0])
    game = Game("douzero", seed=4)
    seen = game.observation(game.turn)
    chances, scores = evaluator.evaluate(seen, seen.legal_plays)
    assert len(chances) == len(scores) == len(seen.legal_plays) > 10
    assert all(0 < chance < 1 for chance in chances)
    assert evaluator.best(seen) == seen.legal_plays[chances.index(max(chances))]
    chances, scores = evaluator.evaluate(seen, seen.legal_plays, "score")
    values = [score + 2 * chance - 1 for chance, score in zip(chances, scores, strict=True)]
    assert evaluator.best(seen, objective="score") == seen.legal_plays[values.index(max(values))]
    with pytest.raises(ValueError, match="not this seat's turn"):
        evaluator.best(game.observation((game.turn + 1) % 3))


def test_observations_that_cannot_be_judged(stored):
    evaluator = Evaluator.load(stored[0])
    with pytest.raises(ValueError, match="has no landlord"):
        compile_observation(Game("classic", seed=1).observation(0))
    four = Game("classic4", seed=1)
    while four.landlord is None:
        four.call(3)
    with pytest.raises(ValueError, match="does not fit the networks"):
        evaluator.evaluate(four.observation(four.turn), four.observation(four.turn).legal_plays)
    with pytest.raises(WeightsError, match="no weights ship for 2 players"):
        Evaluator.load("classic,players=2")


@pytest.mark.parametrize("preset", [name for name, rules in PRESETS.items() if has_weights(rules)])
def test_shipped_networks_play_well(preset):
    """Against the greedy player, sides swapped; 300 deals have a standard error under 0.02."""
    evaluator = Evaluator.load(preset)
    judge = Judge(PRESETS[preset].compiled, evaluator.weights.networks)
    assert Arena(PRESETS[preset].compiled, seed=8).match(judge, "greedy", 300)["wp"] > 0.7
    assert len(evaluator.weights.sha256) == 64
    assert evaluator.weights.info["games"] > 500_000


def decisions(preset, number, seed):
    """Observations from the middle of random games."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < number:
        game = Game(preset, seed=int(rng.integers(1 << 30)))
        while game.phase is Phase.AUCTION:
            game.call(game.legal_calls[-1])
        while game.phase is Phase.PLAY:
            found.append(game.observation())
            plays = list(game.legal_plays)
            game.push(plays[int(rng.integers(len(plays)))])
    return found[:number]


@pytest.mark.parametrize(("preset", "objective"), [("douzero", "win"), ("classic4", "score")])
def test_many_decisions_at_once(preset, objective):
    evaluator = Evaluator.load(preset)
    seen = decisions(preset, 40, seed=5)
    values = evaluator.evaluate_many(seen, objective=objective, threads=3)
    assert len(values) == 40
    assert values.starts[-1] == len(values.wins) == len(values.scores)
    for index, observation in enumerate(seen):
        wins, scores = evaluator.evaluate(observation, observation.legal_plays, objective)
        assert values[index][0] == pytest.approx(wins, abs=1e-6)
        assert values[index][1] == pytest.approx(scores, abs=1e-6)
    with pytest.raises(IndexError, match="decision 40, expected 0 to 39"):
        values[40]
    assert len(evaluator.evaluate_many([])) == 0


def test_many_decisions_with_errors():
    evaluator = Evaluator.load("classic")
    seen = decisions("douzero", 2, seed=6)
    with pytest.raises(ValueError, match="plays of 1 decisions for 2 observations"):
        evaluator.evaluate_many(seen, [seen[0].legal_plays])
    with pytest.raises(ValueError, match="0 threads, expected at least 1"):
        evaluator.evaluate_many(seen, threads=0)
    with pytest.raises(ValueError, match="does not fit the networks"):
        evaluator.evaluate_many(decisions("classic4", 1, seed=7))
    poor = Game.from_hands(["3", "45", "66"], "douzero").observation(0)
    with pytest.raises(ValueError, match="seat 0 does not hold"):
        evaluator.evaluate_many([seen[0], poor], [seen[0].legal_plays, [parse_play("9", "douzero")]])
