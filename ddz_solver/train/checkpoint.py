"""Checkpoints: everything a run needs to go on after a kill, in one file that is replaced atomically."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import numpy as np

from ddz_solver.core.features import LAYOUT, column_count
from ddz_solver.core.learner import Learner
from ddz_solver.game.errors import DdzError
from ddz_solver.train.arrays import read_array

FORMAT: Final = 2
_BLOCKS: Final = ("parameters", "means", "squares", "averages")
_LARGEST_META: Final = 1 << 20
"""The JSON values of a checkpoint take no more than this many bytes."""
#: What the JSON values are, besides the format; lists hold whole numbers of 64 bits.
_META: Final[dict[str, type | tuple[type, ...]]] = {
    "games": int,
    "seconds": (int, float),
    "done": (int, float),
    "states": list,
    "steps": list,
    "settings": dict,
}


def save_checkpoint(path: Path, learner: Learner, meta: dict[str, Any]) -> None:
    """Writes the learner's arrays and `meta` (JSON values) to `path`; a kill leaves the old or the new file."""
    arrays = {name: np.stack([np.asarray(block) for block in _blocks(learner, name)]) for name in _BLOCKS}
    text = json.dumps({"format": FORMAT, "steps": learner.steps, **meta})
    temporary = path.with_name(path.name + ".tmp")
    with open(temporary, "wb") as file:
        np.savez(file, meta=np.frombuffer(text.encode(), np.uint8), **arrays)  # type: ignore[arg-type]
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def read_meta(path: Path) -> dict[str, Any]:
    """The JSON values of a checkpoint. DdzError: the file is damaged or of another format; OSError."""
    try:
        meta = json.loads(read_array(path, "meta", _LARGEST_META).tobytes())
    except (ValueError, RecursionError) as error:
        raise DdzError(f"{path} is no training checkpoint: {error}") from None
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        version = meta.get("format") if isinstance(meta, dict) else None
        raise DdzError(f"{path} is a checkpoint of format {version}, expected {FORMAT}")
    for name, kind in _META.items():
        value = meta.get(name)
        if not isinstance(value, kind) or (isinstance(value, list) and not all(map(_is_counter, value))):
            raise DdzError(f"{path} is no training checkpoint: its {name} cannot be read")
    return meta


def load_checkpoint(path: Path, learner: Learner) -> None:
    """Fills the learner from a checkpoint of the same shape; inputs that came with later layouts get weights of 0.

    DdzError: damaged, or of another shape; OSError: it cannot be read.
    """
    meta = read_meta(path)
    if len(meta["steps"]) != len(learner.networks):
        raise DdzError(f"{path} does not fit: {len(meta['steps'])} networks, expected {len(learner.networks)}")
    inputs, width, _ = learner.networks[0].shape
    columns = {column_count(learner.rules, version) for version in range(1, LAYOUT + 1)}
    for name in _BLOCKS:
        blocks = [np.asarray(block) for block in _blocks(learner, name)]
        # how many inputs stored networks have, by the length of their blocks
        sizes = {len(blocks[0]) - (inputs - count) * width: count for count in columns}
        try:
            stored = read_array(path, name, sum(block.nbytes for block in blocks))
        except DdzError as error:
            raise DdzError(f"{path} does not fit these networks: {error}") from None
        if stored.shape[:-1] != (len(blocks),) or stored.shape[-1] not in sizes or stored.dtype != np.float32:
            expected = len(blocks), len(blocks[0])
            raise DdzError(f"{path} does not fit these networks: {name} of {stored.shape}, expected {expected}")
        first = sizes[stored.shape[-1]] * width
        for block, numbers in zip(blocks, stored, strict=True):
            block[:first], block[first : inputs * width], block[inputs * width :] = numbers[:first], 0, numbers[first:]
    learner.steps = tuple(meta["steps"])


def _is_counter(value: object) -> bool:
    """Whether this is a state of a generator or a number of steps."""
    return isinstance(value, int) and 0 <= value < 1 << 64


def _blocks(learner: Learner, name: str) -> list[memoryview]:
    """The arrays of this name, one a role."""
    if name == "parameters":
        return [network.parameters for network in learner.networks]
    return list(getattr(learner, name))
