"""Weights files: networks of all roles in one small, checked file.

Layout: 8 bytes magic, 4 bytes header length (little endian), a JSON header, a zlib stream. The stream holds, role after
role, the first layer as int8 with one float32 scale a row ([columns] scales, then [columns][hidden1] numbers), then all
other parameters as float32. The header names format and feature layout, sizes, the rules and settings of the training
and the SHA-256 of the stream; loading checks all of it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ddz_solver.core.features import LAYOUT, column_count
from ddz_solver.core.net import Network
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import Rules

MAGIC: Final = b"DDZNET\r\n"
FORMAT: Final = 2
_LARGEST: Final = 64 << 20
"""No weights file has or unpacks to more than this many bytes."""
_MOST_RULES: Final = 100


class WeightsError(DdzError):
    """A weights file that is damaged, foreign, or made for another version or other rules."""


@dataclass(frozen=True)
class Weights:
    """Networks of all roles (0 the landlord, then by distance after the landlord) and what is known of them."""

    networks: tuple[Network, ...]
    rules: tuple[str, ...]
    """Rules they were trained on; all have the same seats and decks."""
    info: dict[str, Any] = field(default_factory=dict)
    """Training settings, games played, and whatever else the trainer noted."""
    sha256: str = ""
    """Hash of the stored numbers; empty for weights that were not read from a file."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return Rules.parse(self.rules[0]).players

    @property
    def decks(self) -> int:
        """Number of decks."""
        return Rules.parse(self.rules[0]).decks


def _pack(network: Network) -> bytes:
    columns, width, _ = network.shape
    numbers = np.asarray(network.parameters)
    first = numbers[: columns * width].reshape(columns, width)
    scales = np.abs(first).max(axis=1) / 127
    rows = np.rint(first / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
    parts = (scales.astype("<f4"), rows, numbers[columns * width :].astype("<f4"))
    return b"".join([part.tobytes() for part in parts])


def _unpack(raw: NDArray[np.uint8], columns: int, network: Network) -> None:
    """Fills a network from numbers for its first `columns` inputs; later layouts' inputs keep weights of 0."""
    inputs, width, _ = network.shape
    numbers = np.asarray(network.parameters)
    scales = raw[: 4 * columns].view("<f4")
    rows = raw[4 * columns : (4 + width) * columns].view(np.int8).reshape(columns, width)
    numbers[: columns * width] = (rows * scales[:, None]).ravel()
    numbers[inputs * width :] = raw[(4 + width) * columns :].view("<f4")


def save_weights(path: Path, weights: Weights) -> None:
    """Writes a weights file. The first layer is rounded to int8 by row, everything else is stored as it is."""
    raw = b"".join(_pack(network) for network in weights.networks)
    stream = zlib.compress(raw, 9)
    rules = Rules.parse(weights.rules[0])
    header = {
        "format": FORMAT,
        "layout": LAYOUT,
        "players": rules.players,
        "decks": rules.decks,
        "shape": weights.networks[0].shape,
        "rules": weights.rules,
        "bytes": len(raw),
        "sha256": hashlib.sha256(stream).hexdigest(),
        "info": weights.info,
    }
    text = json.dumps(header).encode()
    path.write_bytes(MAGIC + len(text).to_bytes(4, "little") + text + stream)


def load_weights(path: Path) -> Weights:
    """Reads a weights file. WeightsError: damaged, foreign, or of another version; OSError: it cannot be read."""
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise WeightsError(f"{path} has more than {_LARGEST} bytes: expected a weights file")
    if data[:8] != MAGIC:
        raise WeightsError(f"{path} is no weights file: expected it to begin with {MAGIC!r}")
    length = int.from_bytes(data[8:12], "little")
    stream = data[12 + length :]
    try:
        header = json.loads(data[12 : 12 + length])
        version, layout, digest = header["format"], header["layout"], header["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WeightsError(f"{path} is damaged: its header cannot be read ({error})") from None
    if version != FORMAT or layout not in range(1, LAYOUT + 1):
        raise WeightsError(
            f"{path} has format {version} and feature layout {layout}, expected {FORMAT} and 1..{LAYOUT}: train it anew"
        )
    if hashlib.sha256(stream).hexdigest() != digest:
        raise WeightsError(f"{path} is damaged: its numbers do not match their hash")
    try:
        return _networks(path, header, stream)
    except (zlib.error, KeyError, TypeError, ValueError, OverflowError) as error:
        raise WeightsError(f"{path} is damaged: {error}") from None


def _networks(path: Path, header: dict[str, Any], stream: bytes) -> Weights:
    if len(header["rules"]) > _MOST_RULES:
        raise WeightsError(f"{path} names {len(header['rules'])} rules, expected at most {_MOST_RULES}")
    rules = [Rules.parse(text) for text in header["rules"]]
    columns, hidden1, hidden2 = header["shape"]
    sizes = header["players"], header["decks"]
    if {(one.players, one.decks) for one in rules} != {sizes}:
        raise WeightsError(f"{path} names rules of other sizes than its {sizes[0]} seats, {sizes[1]} decks")
    inputs, expected = (column_count(rules[0].compiled, layout) for layout in (LAYOUT, header["layout"]))
    if columns != expected:
        raise WeightsError(f"{path} has {columns} input columns, expected {expected}")
    networks = tuple(Network(inputs, hidden1, hidden2) for _ in range(sizes[0]))
    each = (4 + hidden1) * columns + 4 * (len(networks[0].parameters) - inputs * hidden1)
    if each * len(networks) > _LARGEST:
        raise WeightsError(f"{path} claims {each * len(networks)} bytes of numbers, expected at most {_LARGEST}")
    unpacker = zlib.decompressobj()
    raw = np.frombuffer(unpacker.decompress(stream, each * len(networks) + 1), np.uint8)
    if len(raw) != each * len(networks):
        raise WeightsError(f"{path} is damaged: {len(raw)} bytes of numbers, expected {each * len(networks)}")
    for role, network in enumerate(networks):
        _unpack(raw[role * each : (role + 1) * each], columns, network)
    return Weights(networks, tuple(header["rules"]), dict(header["info"]), header["sha256"])
