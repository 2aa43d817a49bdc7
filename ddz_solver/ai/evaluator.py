"""Win chances and expected scores of plays, from the networks that ship with the package or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ddz_solver.ai.objective import Objective
from ddz_solver.ai.shipped import shipped_file
from ddz_solver.ai.weights import Weights, WeightsError, load_weights
from ddz_solver.core.evaluate import Judge
from ddz_solver.core.moves import Play
from ddz_solver.core.observation import Observation as CompiledObservation
from ddz_solver.game.errors import DealError, TurnError
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import Rules, RulesLike

SHIPPED: Final = {(3, 1): "net3.ddz", (4, 2): "net4.ddz"}
"""Files in the package's folder `data`, by (players, decks)."""


def compile_observation(seen: Observation) -> CompiledObservation:
    """The same knowledge in the form that the compiled core reads.

    Bottom cards are left out where some cards were gone before the history begins: these may have been among them.

    TurnError: there is no landlord yet. DealError: what is said to have been seen contradicts itself.
    """
    if seen.landlord is None:
        raise TurnError("an observation of the auction has no landlord: plays can be judged once there is one")
    told = sum(seen.counts) + sum(play.size for _, play in seen.history)
    bottom = seen.bottom if told == len(seen.rules.pack) else None
    try:
        return CompiledObservation(
            seen.rules.compiled,
            seat=seen.seat,
            hand=seen.hand.bits,
            landlord=seen.landlord,
            counts=seen.counts,
            bottom=bottom.bits if bottom is not None else 0,
            history=seen.history,
            unseen=seen.unseen.bits,
            to_beat=seen.to_beat,
            to_beat_by=seen.to_beat_by,
            factor=seen.factor,
            plays=seen.plays,
        )
    except ValueError as error:
        raise DealError(str(error)) from None


@dataclass(frozen=True)
class BatchValues:
    """Values of all plays of many decisions, end to end in flat arrays; `values[i]` is decision number i."""

    wins: NDArray[np.float32]
    """Win chance of each play, 0 to 1."""
    scores: NDArray[np.float32]
    """Expected score of each play, in stakes."""
    starts: NDArray[np.int64]
    """Decision i has the plays starts[i] to starts[i + 1] - 1; one entry more than decisions."""

    def __len__(self) -> int:
        """Number of decisions."""
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Win chances and scores of the plays of one decision. IndexError: there is no such decision."""
        if not 0 <= index < len(self):
            raise IndexError(f"decision {index}, expected 0 to {len(self) - 1}")
        part = slice(self.starts[index], self.starts[index + 1])
        return self.wins[part], self.scores[part]


class Evaluator:
    """Judges plays by the networks. Safe to share between threads; one decision takes well under a millisecond."""

    def __init__(self, weights: Weights) -> None:
        """An evaluator of these weights, for every rules with their seats and decks."""
        self.weights = weights
        self.judge = Judge(Rules.parse(weights.rules[0]).compiled, weights.networks)

    @classmethod
    def load(cls, source: RulesLike | Path = "classic") -> Evaluator:
        """The shipped evaluator for some rules, or the one in a weights file.

        WeightsError: no weights ship for rules of this size, or the file is damaged or foreign.
        """
        if isinstance(source, Path):
            return cls(load_weights(source))
        rules = Rules.of(source)
        return _shipped(rules.players, rules.decks)

    def evaluate(
        self, observation: Observation, plays: Sequence[Play], objective: Objective = "win"
    ) -> tuple[list[float], list[float]]:
        """Win chances (0..1) and expected scores (stakes, with doublings) of plays, for the seat's side.

        `objective` is what all seats are taken to play for: to win, or for the score.
        ValueError: other rules than the weights', no landlord yet, or a play that the seat does not hold.
        """
        return self.judge.evaluate(compile_observation(observation), plays, objective == "score")

    def evaluate_many(
        self,
        observations: Sequence[Observation],
        plays: Sequence[Sequence[Play]] | None = None,
        objective: Objective = "win",
        threads: int = 1,
    ) -> BatchValues:
        """Values of the plays (by default all legal ones) of many decisions, as arrays.

        `threads` share the work. Raises ValueError as `evaluate` does, or for less than one thread.

        >>> from ddz_solver import Game
        >>> games = [Game.from_hands([hand, "45", "66"], "douzero") for hand in ("33", "34", "3")]
        >>> values = Evaluator.load().evaluate_many([game.observation(0) for game in games])
        >>> values.starts
        array([0, 2, 4, 5])
        >>> values.wins.shape, values.scores.dtype, len(values[0][0])
        ((5,), dtype('float32'), 2)
        """
        choices = [seen.legal_plays for seen in observations] if plays is None else plays
        if len(choices) != len(observations):
            raise ValueError(
                f"plays of {len(choices)} decisions for {len(observations)} observations: expected as many"
            )
        if threads < 1:
            raise ValueError(f"{threads} threads, expected at least 1")
        seen = [compile_observation(observation) for observation in observations]
        starts = np.cumsum([0, *(len(some) for some in choices)])
        wins, scores = np.empty(starts[-1], np.float32), np.empty(starts[-1], np.float32)
        cuts = [len(seen) * part // threads for part in range(threads + 1)]

        def work(first: int, last: int) -> None:
            part = slice(starts[first], starts[last])
            self.judge.evaluate_many(
                seen[first:last], choices[first:last], wins[part], scores[part], objective == "score"
            )

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, cuts[:-1], cuts[1:]))
        return BatchValues(wins, scores, starts)

    def best(self, observation: Observation, plays: Sequence[Play] | None = None, objective: Objective = "win") -> Play:
        """The play with the highest value, by default of all legal ones. TurnError: there is none to choose from."""
        choices = observation.legal_plays if plays is None else plays
        if not choices:
            raise TurnError("no play to choose from: it is not this seat's turn")
        values = self.judge.values(compile_observation(observation), choices, objective == "score")
        return choices[max(range(len(choices)), key=values.__getitem__)]


def has_weights(rules: Rules) -> bool:
    """Whether weights ship for rules of this size."""
    return _has_weights(rules.players, rules.decks)


@cache
def _has_weights(players: int, decks: int) -> bool:
    return shipped_file(SHIPPED, players, decks) is not None


@cache
def _shipped(players: int, decks: int) -> Evaluator:
    resource = shipped_file(SHIPPED, players, decks)
    if resource is None:
        raise WeightsError(f"no weights ship for {players} players with {decks} deck(s)")
    with as_file(resource) as path:
        return Evaluator(load_weights(path))
