"""Hidden units: networks carried over into wider ones, and dead units put to use again, without a change of output."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ddz_solver.core.net import Network
from ddz_solver.game.errors import DdzError

Block = NDArray[np.float32]

_OUTPUTS: Final = 3
_DEAD: Final = 1e-14
"""Adam's second moment of a bias under which a unit has not been on for millions of samples; living ones have 1e-9."""


def parts_of(block: Block, shape: tuple[int, int, int]) -> tuple[Block, Block, Block, Block]:
    """Views of a parameter block: first layer with its bias as last row, second likewise, third's weights, its bias."""
    columns, hidden1, hidden2 = shape
    first = (columns + 1) * hidden1
    second = first + (hidden1 + 1) * hidden2
    third = second + _OUTPUTS * hidden2
    return (
        block[:first].reshape(columns + 1, hidden1),
        block[first:second].reshape(hidden1 + 1, hidden2),
        block[second:third].reshape(_OUTPUTS, hidden2),
        block[third:],
    )


def carry_over(source: Block, shape: tuple[int, int, int], target: Network) -> None:
    """Makes `target` compute what a parameter block of a network of `shape` computes.

    What `target` holds is kept for the units that it has more: their weights into older units become 0, so that they
    add nothing until training needs them. DdzError: `target` has other inputs or fewer units.
    """
    columns, hidden1, hidden2 = target.shape
    if columns != shape[0] or hidden1 < shape[1] or hidden2 < shape[2]:
        raise DdzError(
            f"networks of {shape[0]} inputs and {shape[1]} x {shape[2]} units cannot become {columns} inputs and "
            f"{hidden1} x {hidden2} units: expected the same inputs and at least as many units"
        )
    old = parts_of(source, shape)
    new = parts_of(np.asarray(target.parameters), target.shape)
    new[0][:, : shape[1]] = old[0]
    new[1][: shape[1], : shape[2]] = old[1][:-1]
    new[1][shape[1] : -1, : shape[2]] = 0
    new[1][-1, : shape[2]] = old[1][-1]
    new[2][:, : shape[2]] = old[2]
    new[2][:, shape[2] :] = 0
    new[3][:] = old[3]


def revive(
    blocks: tuple[Block, Block, Block, Block], shape: tuple[int, int, int], rng: np.random.Generator
) -> tuple[int, int]:
    """Gives dead units new weights to what is before them and none to what is behind; how many in each hidden layer.

    `blocks` are a network's parameters, Adam's two moments and the running average, all changed in place. A unit that
    is never on gets no gradient, so without this it stays dead for the rest of a run.
    """
    numbers, means, squares, averages = (parts_of(block, shape) for block in blocks)
    found = []
    for layer in (0, 1):
        dead = squares[layer][-1] < _DEAD
        alive = ~dead
        found.append(int(dead.sum()))
        if not dead.any() or not alive.any():
            continue
        spread = numbers[layer][:-1, alive].std(axis=1, keepdims=True)
        fresh = rng.normal(0, 1, (len(spread), int(dead.sum()))).astype(np.float32) * spread
        bias = numbers[layer][-1, alive].mean()
        for part in (numbers, averages):
            part[layer][:-1, dead] = fresh
            part[layer][-1, dead] = bias
            _leaving(part, layer)[dead] = 0
        for part in (means, squares):
            part[layer][:, dead] = 0
            _leaving(part, layer)[dead] = 0
        # as if its gradients had been those of the others: Adam's first steps are not too large
        squares[layer][:, dead] = squares[layer][:, alive].mean(axis=1, keepdims=True)
        _leaving(squares, layer)[dead] = _leaving(squares, layer)[alive].mean(axis=0)
    return found[0], found[1]


def _leaving(parts: tuple[Block, Block, Block, Block], layer: int) -> Block:
    """Weights from a hidden layer's units to the next layer, a row a unit."""
    return parts[1][:-1] if layer == 0 else parts[2].T
