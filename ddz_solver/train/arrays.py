"""Arrays from .npz files that may be damaged or traps: nothing is unpickled, nothing unpacks to more than it should."""

from __future__ import annotations

import tokenize
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from ddz_solver.game.errors import DdzError

_HEADER: Final = 4096
"""Room for what an array's file says before its numbers, bytes."""
#: What zipfile and NumPy raise at bytes that are no archive of arrays, or that are encrypted or packed otherwise.
_UNREADABLE: Final = (
    BadZipFile,
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
    tokenize.TokenError,
    zlib.error,
)


def read_array(path: Path, name: str, most: int) -> NDArray[Any]:
    """The array of this name, of at most `most` bytes. DdzError: there is none, or the file is damaged; OSError."""
    try:
        with ZipFile(path) as archive, archive.open(f"{name}.npy") as file:
            data = file.read(most + _HEADER + 1)
        if len(data) > most + _HEADER:
            raise ValueError(f"{name} unpacks to more than {most} bytes")
        array: NDArray[Any] = np.lib.format.read_array(BytesIO(data), allow_pickle=False)
    except _UNREADABLE as error:
        raise DdzError(str(error) or type(error).__name__) from None
    return array
