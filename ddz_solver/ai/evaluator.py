"""Win chances and expected scores of plays, from the networks that ship with the package or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final, Literal

from ddz_solver.ai.weights import Weights, WeightsError, load_weights
from ddz_solver.core.evaluate import Judge
from ddz_solver.core.moves import Play
from ddz_solver.core.observation import Observation as CompiledObservation
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import Rules, RulesLike

Objective = Literal["win", "score"]

SHIPPED: Final = {(3, 1): "net3.ddz", (4, 2): "net4.ddz"}
"""Files in the package's folder `data`, by (players, decks)."""


def compile_observation(seen: Observation) -> CompiledObservation:
    """The same knowledge in the form that the compiled core reads. ValueError: there is no landlord yet."""
    if seen.landlord is None:
        raise ValueError("an observation of the auction has no landlord: plays can be judged once there is one")
    return CompiledObservation(
        seen.rules.compiled,
        seat=seen.seat,
        hand=seen.hand.bits,
        landlord=seen.landlord,
        counts=seen.counts,
        bottom=seen.bottom.bits if seen.bottom is not None else 0,
        history=seen.history,
        unseen=seen.unseen.bits,
        to_beat=seen.to_beat,
        to_beat_by=seen.to_beat_by,
        factor=seen.factor,
        plays=seen.plays,
    )


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

    def best(self, observation: Observation, plays: Sequence[Play] | None = None, objective: Objective = "win") -> Play:
        """The play with the highest value, by default of all legal ones. ValueError: there is none to choose from."""
        choices = observation.legal_plays if plays is None else plays
        if not choices:
            raise ValueError("no play to choose from: it is not this seat's turn")
        values = self.judge.values(compile_observation(observation), choices, objective == "score")
        return choices[max(range(len(choices)), key=values.__getitem__)]


def has_weights(rules: Rules) -> bool:
    """Whether weights ship for rules of this size."""
    return _has_weights(rules.players, rules.decks)


@cache
def _has_weights(players: int, decks: int) -> bool:
    name = SHIPPED.get((players, decks))
    return name is not None and files("ddz_solver").joinpath("data", name).is_file()


@cache
def _shipped(players: int, decks: int) -> Evaluator:
    name = SHIPPED.get((players, decks))
    resource = files("ddz_solver").joinpath("data", name) if name else None
    if resource is None or not resource.is_file():
        raise WeightsError(f"no weights ship for {players} players with {decks} deck(s)")
    with as_file(resource) as path:
        return Evaluator(load_weights(path))
