"""How deals end with each seat as the landlord: the data that the bid model is fitted to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ddz_solver.ai.weights import Weights
from ddz_solver.core.evaluate import Judge
from ddz_solver.core.outcomes import play_deals
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import Rules
from ddz_solver.train.arrays import read_array

MOST_DOUBLINGS: Final = 16
_BLOCK: Final = 500
"""Deals that are played together."""
_LARGEST: Final = 256 << 20
"""No array of a file of outcomes has more than this many bytes."""


@dataclass(frozen=True)
class Outcomes:
    """Deals, and for each seat as the landlord how the networks ended the hand."""

    rules: Rules
    hands: NDArray[np.uint64]
    """(n, players) packed hands as dealt."""
    scores: NDArray[np.int8]
    """(n, players) stakes the landlord won from each peasant, negative where lost; at most MOST_DOUBLINGS."""
    weights: str = ""
    """Hash of the weights that played."""

    def __len__(self) -> int:
        return len(self.hands)

    def save(self, path: Path) -> None:
        """Writes them to a file."""
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                rules=np.array(str(self.rules)),
                hands=self.hands,
                scores=self.scores,
                weights=np.array(self.weights),
            )

    @classmethod
    def load(cls, path: Path) -> Outcomes:
        """Reads what `save` wrote. DdzError: damaged, or something else; OSError."""
        try:
            rules, hands, scores, weights = (
                read_array(path, name, _LARGEST) for name in ("rules", "hands", "scores", "weights")
            )
            played = Rules.parse(str(rules))
        except DdzError as error:
            raise DdzError(f"{path} holds no outcomes of deals: {error}") from None
        kinds = hands.dtype == np.uint64 and scores.dtype == np.int8
        if not kinds or hands.ndim != 2 or hands.shape != scores.shape or hands.shape[1] != played.players:
            raise DdzError(f"{path} holds no outcomes of deals: {hands.shape} hands, {scores.shape} scores")
        return cls(played, hands, scores, str(weights))


def kept_outcomes(path: Path | None, rules: Rules, weights: str, play: Callable[[], Outcomes]) -> Outcomes:
    """The outcomes in a file if it is there; else what `play` gives, written to it.

    DdzError: the file is damaged, or its deals were played under other rules or by other networks than those with the
    hash `weights`; OSError.
    """
    if path is None or not path.exists():
        outcomes = play()
        if path is not None:
            outcomes.save(path)
        return outcomes
    outcomes = Outcomes.load(path)
    if outcomes.rules != rules:
        raise DdzError(f"{path} holds outcomes under the rules {outcomes.rules}: expected {rules}")
    if outcomes.weights != weights:
        raise DdzError(f"{path} holds outcomes of the networks {outcomes.weights[:12]}: expected {weights[:12]}")
    return outcomes


def play_outcomes(
    rules: Rules, weights: Weights, deals: int, seed: int, progress: Callable[[int], None] = lambda done: None
) -> Outcomes:
    """Outcomes of the deals of the seeds `seed`, `seed` + 1, ...: every deal is played once a seat as the landlord.

    The networks play for points, every seat by its best play. `progress` hears how many deals are done.
    """
    judge = Judge(rules.compiled, weights.networks)
    hands = np.empty((deals, rules.players), np.uint64)
    scores = np.empty((deals, rules.players), np.int8)
    for start in range(0, deals, _BLOCK):
        block = [Deal.random(rules, seed + number) for number in range(start, min(start + _BLOCK, deals))]
        stop = start + len(block)
        hands[start:stop] = [[hand.bits for hand in deal.hands] for deal in block]
        for landlord in range(rules.players):
            tables = [_seated(deal, landlord) for deal in block]
            bottoms = [deal.bottom.bits if rules.bottom_shown else 0 for deal in block]
            won, factors = play_deals(judge, rules.compiled, tables, bottoms)
            stakes = np.minimum(factors, MOST_DOUBLINGS)
            scores[start:stop, landlord] = np.where(won, stakes, -stakes)
        progress(stop)
    return Outcomes(rules, hands, scores, weights.sha256)


def _seated(deal: Deal, landlord: int) -> list[int]:
    """The hands in playing order, the landlord's with the bottom cards first."""
    order = [hand.bits for hand in deal.hands[landlord:] + deal.hands[:landlord]]
    return [order[0] + deal.bottom.bits, *order[1:]]
