"""Fitting the bid model: auctions bid by the model itself on deals whose ends are known, every call a lesson.

A deal's outcomes say what each seat would get as the landlord, so any auction on it can be scored without playing a
card. The model bids (some calls at random, to see what they bring), each call's value is regressed on the points the
seat got, and the win chances on how the deal ended; then the better model bids again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ddz_solver.ai.bid_model import BidModel, Floats, Output, auction_inputs, card_inputs, column_count
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.game.rules import MAX_BID, Rules
from ddz_solver.train.bid_outcomes import Outcomes

Policy = Callable[[Floats, NDArray[np.int8]], NDArray[np.int8]]
"""Calls, (n,), from the model's inputs (n, columns) and the highest bids so far (n,)."""

_SCALE = np.array([1, 2, 1, 2, *[4] * (MAX_BID + 1)], np.float32)
"""What each output is divided by, so that all are learned about as fast."""
_SHAPE = (64, 32)


@dataclass(frozen=True)
class Lessons:
    """Calls made in auctions, and what came of them: one row a call."""

    rows: NDArray[np.int64]
    """Which deal and seat: deal * players + seat."""
    inputs: NDArray[np.uint8]
    calls: NDArray[np.int8]
    points: Floats
    """What the seat got at the end."""
    as_landlord: NDArray[np.int8]
    """Stakes of the seat, had it become the landlord."""
    as_peasant: NDArray[np.int8]
    """Stakes of the seat as a peasant; 0 where it became the landlord or nobody did."""


class Auctions:
    """Auctions on given deals. `cards` are the card inputs of all hands, (deals * players, columns)."""

    def __init__(self, outcomes: Outcomes, rules: Rules | None = None) -> None:
        """`rules` gives the auction, by default that of the outcomes."""
        self.rules = outcomes.rules if rules is None else rules
        self.scores = outcomes.scores
        to_go = HandsToGo(self.rules.compiled)
        self.cards = card_inputs([int(hand) for hand in outcomes.hands.ravel()], self.rules, to_go)

    def play(self, policies: list[Policy], rng: np.random.Generator) -> tuple[Lessons, Floats]:
        """Bids every deal once, seat s by `policies[s]`, a random seat first: lessons, and points (deals, players)."""
        players, deals = self.rules.players, len(self.scores)
        first = rng.integers(players, size=deals)
        last_calls = np.full((deals, players), -1, np.int8)
        highest, holder = np.zeros(deals, np.int8), first.astype(np.int8)
        passes = np.zeros(deals, np.int8)
        running = np.arange(deals)
        made: list[tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int8]]] = []
        step = 0
        while len(running):
            seats: NDArray[np.int64] = (first[running] + step) % players
            order = (seats[:, None] + np.arange(players)) % players
            seen = last_calls[running[:, None], order]
            away = (holder[running] - seats) % players
            rows = running * players + seats
            known = auction_inputs(self.rules, seen, highest[running], away.astype(np.int8))
            inputs = np.concatenate([self.cards[rows], known], axis=1)
            calls = np.zeros(len(running), np.int8)
            for number, policy in enumerate(policies):
                mine = seats == number
                if mine.any():
                    calls[mine] = policy(inputs[mine].astype(np.float32), highest[running[mine]])
            made.append((rows, inputs, calls))
            last_calls[running, seats] = calls
            bids = calls > 0
            highest[running[bids]], holder[running[bids]] = calls[bids], seats[bids]
            passes[running] = np.where(bids, 0, passes[running] + 1)
            step += 1
            running = running[~self._ended(step, highest[running], passes[running])]
        points, stakes = self._settle(highest, holder, first)
        rows, inputs, calls = (np.concatenate(parts) for parts in zip(*made, strict=True))
        deal, seat = rows // players, rows % players
        lessons = Lessons(rows, inputs, calls, points[deal, seat], self.scores[deal, seat], stakes[deal, seat])
        return lessons, points

    def _ended(self, step: int, highest: NDArray[np.int8], passes: NDArray[np.int8]) -> NDArray[np.bool_]:
        everybody = np.full(len(highest), step == self.rules.players)
        settled = everybody if self.rules.auction == "once" else (highest > 0) & (passes == self.rules.players - 1)
        ended: NDArray[np.bool_] = (highest == MAX_BID) | settled | (everybody & (highest == 0))
        return ended

    def _settle(
        self, highest: NDArray[np.int8], holder: NDArray[np.int8], first: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.int8]]:
        """Points of every seat, and the stakes of the peasants (0 for the landlord, and where there is none)."""
        players = self.rules.players
        bids = highest.copy()
        if self.rules.all_pass == "forced":
            bids, holder = np.maximum(highest, 1), np.where(highest > 0, holder, first).astype(np.int8)
        won = np.take_along_axis(self.scores, holder[:, None].astype(np.int64), axis=1)[:, 0]
        is_landlord = np.arange(players) == holder[:, None]
        each = (won * bids)[:, None]
        points = np.where(is_landlord, each * (players - 1), -each).astype(np.float32)
        stakes = np.where(is_landlord | (bids == 0)[:, None], 0, -won[:, None]).astype(np.int8)
        return points, stakes


def model_policy(model: BidModel, rng: np.random.Generator | None = None, explore: float = 0.0) -> Policy:
    """The call of the highest value; a random one with the chance `explore`."""

    def choose(inputs: Floats, highest: NDArray[np.int8]) -> NDArray[np.int8]:
        values = model(inputs)[:, Output.VALUES :].copy()
        choices = np.arange(MAX_BID + 1)
        allowed = (choices == 0) | (choices > highest[:, None])
        values[~allowed] = -np.inf
        calls = values.argmax(axis=1)
        if rng is not None and explore:
            chance = np.where(allowed, rng.random(values.shape), -1).argmax(axis=1)
            calls = np.where(rng.random(len(calls)) < explore, chance, calls)
        chosen: NDArray[np.int8] = calls.astype(np.int8)
        return chosen

    return choose


def fit(
    outcomes: Outcomes,
    variants: list[Rules],
    rounds: int,
    seed: int,
    progress: Callable[[int, float], None] = lambda round_, loss: None,
) -> BidModel:
    """A model fitted to outcomes, under each of `variants` (rules that differ in their auction) in turn.

    Each round bids every deal once and learns from all calls; exploring and the learning rate fall as it goes.
    `progress` hears the round and its mean loss.
    """
    rng = np.random.default_rng(seed)
    rules = outcomes.rules
    sizes = (column_count(rules.players, rules.decks), *_SHAPE, int(Output.COUNT))
    layers = [
        (rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32), np.zeros(b, np.float32)) for a, b in pairwise(sizes)
    ]
    layers[-1] = (layers[-1][0] * np.float32(0.1), layers[-1][1])
    model = BidModel(tuple(layers), rules.players, rules.decks, {})
    tables = [Auctions(outcomes, variant) for variant in variants]
    adam = Adam([array for layer in model.layers for array in layer])
    for number in range(rounds):
        share = number / rounds
        policy = model_policy(model, rng, explore=0.5 - 0.48 * share)
        lessons, _ = tables[number % len(tables)].play([policy] * rules.players, rng)
        rate = 1e-3 if share < 0.5 else 1e-3 * (2 - 2 * share) + 1e-5
        losses = [_step(model, adam, lessons, batch, rate) for batch in _batches(len(lessons.calls), rng)]
        progress(number + 1, float(np.mean(losses)))
    return model


def _batches(n: int, rng: np.random.Generator, size: int = 1024) -> Iterator[NDArray[np.int64]]:
    order = rng.permutation(n)
    for start in range(0, max(n - size, 0) + 1, size):  # a short batch only where there is no whole one
        yield order[start : start + size]


def _step(model: BidModel, adam: Adam, lessons: Lessons, batch: NDArray[np.int64], rate: float) -> float:
    """One step on some lessons; the mean loss before it."""
    activations = [lessons.inputs[batch].astype(np.float32)]
    for weights, bias in model.layers[:-1]:
        activations.append(np.maximum(activations[-1] @ weights + bias, 0))
    weights, bias = model.layers[-1]
    outputs = activations[-1] @ weights + bias
    error, loss = _errors(outputs, lessons, batch)
    gradients: list[Floats] = []
    for index in range(len(model.layers) - 1, -1, -1):
        gradients[:0] = [(activations[index].T @ error / len(batch)).astype(np.float32), error.mean(axis=0)]
        if index:
            error = (error @ model.layers[index][0].T) * (activations[index] > 0)
    adam.step(gradients, rate)
    return loss


def _errors(outputs: Floats, lessons: Lessons, batch: NDArray[np.int64]) -> tuple[Floats, float]:
    """The gradient of the loss by the outputs, and the loss itself."""
    rows = np.arange(len(batch))
    landlord, peasant = lessons.as_landlord[batch], lessons.as_peasant[batch]
    targets, known = np.zeros_like(outputs), np.zeros(outputs.shape, bool)
    for column, stakes in ((Output.LANDLORD_WIN, landlord), (Output.PEASANT_WIN, peasant)):
        targets[:, column], known[:, column] = stakes > 0, stakes != 0
        targets[:, column + 1], known[:, column + 1] = stakes, stakes != 0
    calls = Output.VALUES + lessons.calls[batch].astype(np.int64)
    targets[rows, calls], known[rows, calls] = lessons.points[batch], True
    chances = [Output.LANDLORD_WIN, Output.PEASANT_WIN]
    values = outputs.copy()
    values[:, chances] = 1 / (1 + np.exp(-outputs[:, chances]))
    error = np.where(known, values - targets, 0) / _SCALE**2
    loss = float((np.where(known, values - targets, 0) ** 2 / _SCALE**2).sum(axis=1).mean())
    return error.astype(np.float32), loss


class Adam:
    """Adam on a list of arrays, changed in place."""

    def __init__(self, arrays: list[Floats]) -> None:
        """Moments of 0."""
        self.arrays = arrays
        self.means = [np.zeros_like(array) for array in arrays]
        self.squares = [np.zeros_like(array) for array in arrays]
        self.steps = 0

    def step(self, gradients: list[Floats], rate: float) -> None:
        """One step against the gradients."""
        self.steps += 1
        correction = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for array, mean, square, gradient in zip(self.arrays, self.means, self.squares, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            array -= np.float32(rate * correction) * mean / (np.sqrt(square) + np.float32(1e-8))
