"""The network: sparse inputs, two hidden layers, three outputs a play: win chance (logit), stakes if won and lost."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

def aligned_floats(count: int) -> memoryview:
    """A zeroed block of `count` float32 numbers on a cache line."""

class Network:
    """A network whose numbers live in one flat float32 block, `parameters`, which numpy can share.

    Order: first layer [columns][hidden1] and its bias, second layer [hidden1][hidden2] and its bias, output layer
    [3][hidden2] and its bias. Raises ValueError for sizes the kernels cannot take: `hidden1` is a multiple of 64,
    `hidden2` of 32.
    """

    def __init__(self, columns: int, hidden1: int, hidden2: int) -> None: ...
    @property
    def parameters(self) -> memoryview:
        """All numbers, float32, writable."""
    @property
    def shape(self) -> tuple[int, int, int]:
        """(columns, hidden1, hidden2)."""
    def forward(self, columns: Sequence[int]) -> tuple[float, float, float]:
        """Win logit, stakes if won and stakes if lost for one list of columns that are on.

        Raises ValueError for a column out of range.
        """
    def gradient(self, columns: Sequence[int], d_out: Sequence[float], into: ArrayLike) -> None:
        """Adds the gradient of sum(d_out[k] * output k) by the parameters to `into`, a block like `parameters`."""
