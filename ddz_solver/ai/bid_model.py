"""The bid model: a small network from a hand and the auction so far to win chances and scores.

Inputs are 0 or 1: for each rank whether it is held at least once, twice, ...; hands to go; and what the auction shows.
Outputs are those of `Output`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from ddz_solver.ai.shipped import shipped_file
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import MAX_BID, Rules

Floats = NDArray[np.float32]

FORMAT: Final = 1
SHIPPED: Final = {(3, 1): "bid3.npz", (4, 2): "bid4.npz"}
"""Files in the package's folder `data`, by (players, decks)."""
MOST_TO_GO: Final = 15
_LARGEST: Final = 16 << 20
"""No bid model unpacks to more than this many bytes."""


class Output(IntEnum):
    """What the model tells; scores are in stakes, values of calls in points."""

    LANDLORD_WIN = 0  # logit of the chance to win as the landlord
    LANDLORD_SCORE = 1  # mean of the doublings at the end, negative where lost
    PEASANT_WIN = 2  # the same where another seat becomes the landlord
    PEASANT_SCORE = 3
    VALUES = 4  # mean points of the hand after each call: pass, 1, 2, 3
    COUNT = 5 + MAX_BID


@dataclass(frozen=True)
class BidModel:
    """Three layers of weights and biases, and what is known of their training."""

    layers: tuple[tuple[Floats, Floats], ...]
    players: int
    decks: int
    info: dict[str, Any]

    def __call__(self, inputs: Floats) -> Floats:
        """The outputs, (n, Output.COUNT), of inputs, (n, columns)."""
        values = inputs
        for weights, bias in self.layers[:-1]:
            values = np.maximum(values @ weights + bias, 0)
        weights, bias = self.layers[-1]
        outputs: Floats = values @ weights + bias
        return outputs

    def save(self, path: Path) -> None:
        """Writes the model, numbers as float16."""
        numbers = {f"{name}{index}": array.astype(np.float16) for index, layer in enumerate(self.layers)
                   for name, array in zip("wb", layer, strict=True)}  # fmt: skip
        header = {"format": FORMAT, "players": self.players, "decks": self.decks, "info": self.info}
        with path.open("wb") as file:
            np.savez_compressed(file, header=np.array(json.dumps(header)), **numbers)  # type: ignore[arg-type]

    @classmethod
    def load(cls, data: bytes) -> BidModel:
        """Reads what `save` wrote. DdzError: not a bid model, or one of another version."""
        try:
            with ZipFile(BytesIO(data)) as archive:
                unpacked = sum(entry.file_size for entry in archive.infolist())
            if unpacked > _LARGEST:
                raise ValueError(f"{unpacked} bytes of numbers, expected at most {_LARGEST}")
            with np.load(BytesIO(data), allow_pickle=False) as stored:
                header = json.loads(str(stored["header"]))
                layers = tuple(
                    (stored[f"w{index}"].astype(np.float32), stored[f"b{index}"].astype(np.float32))
                    for index in range(3)
                )
            version, players, decks, info = (header[key] for key in ("format", "players", "decks", "info"))
        except (ValueError, KeyError, TypeError, OSError, RecursionError, MemoryError, BadZipFile) as error:
            raise DdzError(f"no bid model: {error}") from None
        columns = column_count(players, decks)
        if version != FORMAT or layers[0][0].shape[0] != columns or layers[-1][0].shape[1] != Output.COUNT:
            raise DdzError(f"a bid model of format {version} with {layers[0][0].shape[0]} inputs, expected {columns}")
        return cls(layers, players, decks, info)


def has_model(rules: Rules) -> bool:
    """Whether a model ships for rules of this size."""
    return shipped_file(SHIPPED, rules.players, rules.decks) is not None


@cache
def shipped(players: int, decks: int) -> BidModel:
    """The model that ships for tables of this size. DdzError: there is none."""
    resource = shipped_file(SHIPPED, players, decks)
    if resource is None:
        raise DdzError(f"no bid model ships for {players} players with {decks} deck(s)")
    return BidModel.load(resource.read_bytes())


def card_inputs(hands: Sequence[int], rules: Rules, to_go: HandsToGo) -> NDArray[np.uint8]:
    """The inputs that tell the cards, (n, columns), of packed hands."""
    packed = np.array(hands, np.uint64)
    counts = (packed[:, None] >> (4 * np.arange(15, dtype=np.uint64))) & np.uint64(15)
    depth = [4 * rules.decks] * 13 + [rules.decks] * 2
    columns = [counts[:, rank] >= copies for rank in range(15) for copies in range(1, depth[rank] + 1)]
    plays = np.array([to_go(hand) for hand in hands])
    columns += [plays == number for number in range(1, MOST_TO_GO + 1)]
    return np.stack(columns, axis=1).astype(np.uint8)


def auction_inputs(
    rules: Rules, last_calls: NDArray[np.int8], highest: NDArray[np.int8], holder: NDArray[np.int8]
) -> NDArray[np.uint8]:
    """The inputs that tell the auction so far, (n, columns).

    `last_calls` (n, players) are the last calls of the seat to call and of those after it, in playing order, -1 where a
    seat has not called; `highest` is the highest bid; `holder` how many seats after the seat to call it was made.
    """
    n = len(highest)
    columns = [last_calls[:, 0] == 0]
    for step in range(1, rules.players):
        columns += [last_calls[:, step] == 0, last_calls[:, step] > 0, (holder == step) & (highest > 0)]
    columns += [highest == bid for bid in range(1, MAX_BID)]
    switches = (rules.auction == "once", rules.all_pass == "end", rules.all_pass == "forced")
    columns += [np.full(n, switch) for switch in switches]
    return np.stack(columns, axis=1).astype(np.uint8)


def column_count(players: int, decks: int) -> int:
    """Number of inputs."""
    return 54 * decks + MOST_TO_GO + 1 + 3 * (players - 1) + MAX_BID - 1 + 3
