"""The compiled network against plain numpy."""

import numpy as np
import pytest

from ddz_solver.core.net import Network, aligned_floats

COLUMNS, HIDDEN1, HIDDEN2 = 90, 64, 32
ON = [0, 3, 17, 18, 40, 77, 89]


def random_network(seed=0, hidden1=HIDDEN1, hidden2=HIDDEN2):
    network = Network(COLUMNS, hidden1, hidden2)
    numbers = np.asarray(network.parameters)
    numbers[:] = np.random.default_rng(seed).normal(0, 0.3, len(numbers))
    return network


def reference(numbers, shape, on):
    """The three outputs in float64."""
    columns, width1, width2 = shape
    first, bias1, second, bias2, third, bias3 = np.split(
        numbers.astype(np.float64),
        np.cumsum([columns * width1, width1, width1 * width2, width2, 3 * width2]),
    )
    x1 = np.maximum(first.reshape(columns, width1)[on].sum(0) + bias1, 0)
    x2 = np.maximum(x1 @ second.reshape(width1, width2) + bias2, 0)
    return third.reshape(3, width2) @ x2 + bias3


@pytest.mark.parametrize("hidden", [(64, 32), (128, 64), (256, 96)])
def test_forward_is_plain_matrix_algebra(hidden):
    network = random_network(1, *hidden)
    for on in ([], ON, list(range(COLUMNS))):
        expected = reference(np.asarray(network.parameters), network.shape, on)
        assert network.forward(on) == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_gradient_is_the_slope_of_the_outputs():
    network = random_network(2)
    numbers = np.asarray(network.parameters).astype(np.float64)
    block = aligned_floats(len(numbers))
    weights = (0.7, -0.3, 0.2)
    network.gradient(ON, weights, block)
    found = np.asarray(block)
    rng = np.random.default_rng(3)
    step = 1e-5
    off_first = COLUMNS * HIDDEN1
    chosen = [column * HIDDEN1 + unit for column in ON for unit in rng.integers(0, HIDDEN1, 8)]
    chosen += list(rng.integers(off_first, len(numbers), 300))
    for index in chosen:
        moved = numbers.copy()
        moved[index] += step
        up = reference(moved, network.shape, ON)
        moved[index] -= 2 * step
        down = reference(moved, network.shape, ON)
        slope = np.dot(weights, up - down) / (2 * step)
        assert found[index] == pytest.approx(slope, rel=2e-3, abs=2e-4)
    for column in set(range(COLUMNS)) - set(ON):
        assert not found[column * HIDDEN1 : (column + 1) * HIDDEN1].any()


def test_gradients_add_up():
    network = random_network(4)
    once, twice = (aligned_floats(len(network.parameters)) for _ in range(2))
    network.gradient(ON, (1.0, 0.5, 0.0), once)
    network.gradient(ON, (1.0, 0.5, 0.0), twice)
    network.gradient(ON, (1.0, 0.5, 0.0), twice)
    assert np.asarray(twice) == pytest.approx(2 * np.asarray(once), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("shape", [(0, 64, 32), (70000, 64, 32), (10, 100, 32), (10, 64, 40), (10, 64, 0)])
def test_sizes_the_kernels_cannot_take(shape):
    with pytest.raises(ValueError, match=r"expected under 65536 columns"):
        Network(*shape)


def test_columns_out_of_range():
    with pytest.raises(ValueError, match=f"expected 0..{COLUMNS - 1}"):
        random_network().forward([COLUMNS])
    with pytest.raises(ValueError, match="gradient block of 5 numbers"):
        random_network().gradient(ON, (1.0, 1.0, 1.0), aligned_floats(5))
