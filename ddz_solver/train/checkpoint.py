"""Checkpoints: everything a run needs to go on after a kill, in one file that is replaced atomically."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from ddz_solver.core.learner import Learner
from ddz_solver.game.errors import DdzError

FORMAT: Final = 2
_BLOCKS: Final = ("parameters", "means", "squares", "averages")


def _blocks(learner: Learner, name: str) -> list[memoryview]:
    if name == "parameters":
        return [network.parameters for network in learner.networks]
    return list(getattr(learner, name))


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
    """The JSON values of a checkpoint. DdzError: the file is damaged or of another format."""
    try:
        with np.load(path, allow_pickle=False) as data:
            meta: dict[str, Any] = json.loads(data["meta"].tobytes())
    except (KeyError, ValueError, zipfile.BadZipFile, EOFError) as error:
        raise DdzError(f"{path} is no training checkpoint: {error}") from None
    if meta.get("format") != FORMAT:
        raise DdzError(f"{path} is a checkpoint of format {meta.get('format')}, expected {FORMAT}")
    return meta


def load_checkpoint(path: Path, learner: Learner) -> None:
    """Fills the learner from a checkpoint of the same shape. DdzError: damaged, or of another shape."""
    meta = read_meta(path)
    try:
        with np.load(path, allow_pickle=False) as data:
            for name in _BLOCKS:
                stored = data[name]
                for role, block in enumerate(_blocks(learner, name)):
                    np.asarray(block)[:] = stored[role]
    except (KeyError, IndexError, ValueError, zipfile.BadZipFile) as error:
        raise DdzError(f"{path} does not fit these networks: {error}") from None
    learner.steps = tuple(meta["steps"])
