"""Networks carried over into wider ones that compute the same."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ddz_solver.core.net import Network
from ddz_solver.game.errors import DdzError

Block = NDArray[np.float32]

_OUTPUTS: Final = 2


def _parts(block: Block, shape: tuple[int, int, int]) -> tuple[Block, Block, Block, Block]:
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
    old = _parts(source, shape)
    new = _parts(np.asarray(target.parameters), target.shape)
    new[0][:, : shape[1]] = old[0]
    new[1][: shape[1], : shape[2]] = old[1][:-1]
    new[1][shape[1] : -1, : shape[2]] = 0
    new[1][-1, : shape[2]] = old[1][-1]
    new[2][:, : shape[2]] = old[2]
    new[2][:, shape[2] :] = 0
    new[3][:] = old[3]
