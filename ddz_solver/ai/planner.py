"""The planner: candidate plays compared in worlds that agree with everything seen.

1. The network picks the candidates.
2. Worlds are listed, where there are few, and weighed by how likely the others' past plays are in them; all of them
   where time allows, else more and more. Else some are drawn and weighed, and walks lead on from likely ones to others
   that are as likely.
3. Every candidate is played in the same worlds and the network plays on from there, or a seat's own style where its
   plays have shown another one; candidates that fall behind are left out, batch by batch.
4. Where the hidden cards can lie in one way only, the open-hand solver decides; among equals the rollouts do.
5. What the network said at once and what the rollouts say are averaged, each as far as it can be trusted.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ddz_solver.ai.evaluator import Evaluator, compile_observation
from ddz_solver.ai.objective import Objective
from ddz_solver.ai.plans import Plan, RankedPlay, Settings
from ddz_solver.ai.proof import Proof, only_world, position_with, prove
from ddz_solver.core.moves import Play
from ddz_solver.core.plan import Rollouts
from ddz_solver.core.position import Position
from ddz_solver.game.cards import Hand
from ddz_solver.game.errors import DealError, TurnError
from ddz_solver.game.observation import Observation

Values = NDArray[np.float64]
Spread = Callable[..., Iterable[Any]]
"""`map`, or what does the same with threads."""

_FIRST_STAGE: Final = 32
"""Worlds of the first stage; each further one has twice as many."""
_FIRST_BATCH: Final = 16
"""Worlds of a stage after which candidates are compared for the first time."""
_WALKS: Final = 16
"""Walks through the worlds, at the most; each yields worlds on its way, and keeps the place of the one it starts at."""
_WEIGHING: Final = 1e-3
"""Seconds that weighing a world takes at the most, about."""
_BEHIND: Final = 2.5
"""Standard errors behind the leader at which a candidate is left out."""
_PROOF_TIME: Final = 5.0
"""Most seconds for the solver."""


class Planner:
    """Plans one decision at a time; not for two threads at once. Deterministic but for time limits."""

    def __init__(
        self, evaluator: Evaluator, settings: Settings | None = None, *, objective: Objective = "win", seed: int = 0,
        stopped: threading.Event | None = None,
    ) -> None:  # fmt: skip
        """A planner on these networks; results depend on the seed and not on the number of threads.

        `stopped` is an event of the caller that does the same as `stop`.
        """
        self.evaluator = evaluator
        self.settings = settings or Settings()
        self.objective: Objective = objective
        self.seed = seed
        self._stops = [threading.Event()] if stopped is None else [threading.Event(), stopped]

    def stop(self) -> None:
        """End the running `plan`, and every later one, as soon as possible; from any thread."""
        self._stops[0].set()

    @property
    def stopped(self) -> bool:
        """Whether plans are to end at once."""
        return any(stop.is_set() for stop in self._stops)

    def plan(
        self,
        observation: Observation,
        report: Callable[[Plan], None] | None = None,
        *,
        open_hands: Sequence[Hand] | None = None,
    ) -> Plan:
        """All legal plays, ranked. `report` is called with every better plan on the way.

        With `open_hands`, the hands of all seats, the solver decides where time suffices; else they are not looked at.
        TurnError: it is not this seat's turn. DealError: no deal agrees with the observation, or the hands do not.
        """
        plays = observation.legal_plays
        if not plays:
            raise TurnError("no play to choose from: it is not this seat's turn")
        position = None
        if open_hands is not None:
            position = position_with(observation, [hand.bits for hand in open_hands])
        search = _Search(self, observation, plays)
        if search.candidates > 1:
            search.run(report)
        plan = search.plan()
        if position is None and plan.complete and search.rollouts.number == 1:
            position = only_world(observation)
        return plan if position is None else self._prove(position, plan)

    def _prove(self, position: Position, plan: Plan) -> Plan:
        """The plan with exact values, equal ones in its own order; the same plan where time does not suffice."""
        plays = [ranked.play for ranked in plan.plays]
        settings = self.settings
        left = None if settings.nodes is None else settings.nodes - plan.nodes
        seconds = min(settings.time, _PROOF_TIME)
        proofs = prove(position, plays, self.objective, seconds, left, stopped=lambda: self.stopped)
        if proofs is None:
            return plan

        def worth(index: int) -> tuple[bool, int]:
            return proofs[index].wins, proofs[index].stakes if self.objective == "score" else 0

        order = sorted(range(len(plays)), key=worth, reverse=True)
        ranked = [_exact(plan.plays[index], proofs[index]) for index in order]
        return replace(plan, plays=tuple(ranked), worlds=1, complete=True)


def _exact(ranked: RankedPlay, proof: Proof) -> RankedPlay:
    """A ranked play with its proven value."""
    return replace(
        ranked, win=float(proof.wins), score=float(proof.stakes), error=0.0, worlds=max(ranked.worlds, 1), proven=True
    )


class _Search:
    """The state of one decision. Rows of arrays are candidates in the network's order, columns are worlds."""

    def __init__(self, planner: Planner, observation: Observation, plays: tuple[Play, ...]) -> None:
        self.settings = settings = planner.settings
        self.planner = planner
        self.points = planner.objective == "score"
        self.started = time.monotonic()
        wins, scores = planner.evaluator.evaluate(observation, plays, planner.objective)
        prior = np.stack([wins, scores])
        self.unit = 2.0 * observation.factor if self.points else 1.0
        order = np.argsort(-prior[int(self.points)], kind="stable")
        self.plays = [plays[index] for index in order]
        self.prior: Values = prior[:, order]
        worth = self.prior[int(self.points)]
        near = int((worth >= worth[0] - settings.margin * self.unit).sum())
        self.candidates = min(max(near, 2), settings.candidates, len(plays))
        self.weights: Values = np.zeros(0)
        self.values: Values = np.zeros((2, self.candidates, 0))
        self.weighed = 0
        self.walks: list[int] = []
        """Where each walk is: a world."""
        self.free: list[int] = []
        """Places of worlds that walks may come to."""
        self.counted = 0
        self.complete = False
        if self.candidates > 1:
            try:
                self.rollouts = Rollouts(
                    planner.evaluator.judge, compile_observation(observation), observation.history,
                    self.plays[: self.candidates], worlds=settings.worlds * settings.drawn + _WALKS,
                    for_points=self.points,
                    **settings.rollouts(),
                    seed=(planner.seed + len(observation.history)) % (1 << 64),
                )  # fmt: skip
            except ValueError as error:
                raise DealError(str(error)) from None
            self.rng = np.random.default_rng(planner.seed % (1 << 64))
            self.order = self._order()

    def _order(self) -> Sequence[int]:
        """The order in which worlds are weighed; settles whether all of them can be.

        Listed worlds stand in the order of their cards, so some of them are a fair sample only in a random order.
        """
        settings, number = self.settings, self.rollouts.number
        if not self.rollouts.complete:
            return range(number)
        self.complete = number <= _FIRST_STAGE * settings.drawn or number * _WEIGHING <= settings.time / 2
        return range(number) if self.complete else self.rng.permutation(number).tolist()

    def run(self, report: Callable[[Plan], None] | None) -> None:
        """Compares the candidates in more and more worlds until one is left or a limit is reached."""
        alive = list(range(self.candidates))
        with ThreadPoolExecutor(self.settings.threads) as pool:
            spread: Spread = map if self.settings.threads == 1 else pool.map
            size = self.settings.worlds if self.complete else min(_FIRST_STAGE, self.settings.worlds)
            while len(alive) > 1 and size > 0 and not self._ended():
                first = self.weights.size
                chosen, counts = self._next_worlds(spread, size)
                self.weights = np.append(self.weights, counts)
                room = np.full((2, self.candidates, len(chosen)), np.nan)
                self.values = np.concatenate([self.values, room], axis=2)
                alive = self._compare(spread, alive, chosen, first)
                if report is not None:
                    report(self.plan())
                self.counted += size
                size = min(2 * size, self.settings.worlds - self.counted)
                if not chosen or self.weighed == self.rollouts.number:
                    size = 0

    @property
    def nodes(self) -> int:
        """Plays made in rollouts."""
        return self.rollouts.nodes if self.candidates > 1 else 0

    def _ended(self) -> bool:
        return self._interrupted() or (self.settings.nodes is not None and self.nodes >= self.settings.nodes)

    def _interrupted(self) -> bool:
        """Whether the caller has said so, or the time is over."""
        return self.planner.stopped or time.monotonic() - self.started > self.settings.time

    def _next_worlds(self, spread: Spread, size: int) -> tuple[list[int], Values]:
        """The next worlds to look at, `size` or fewer, and what each counts."""
        if not self.walks:
            begin = self.weighed
            weights = self._weigh(spread, size)
            if self.rollouts.complete or not self.settings.steps:
                return self._choose_worlds(weights, begin)
            self._start_walks(weights, size)
            if self._ended():
                starts, counts = np.unique(self.walks, return_counts=True)
                return starts.tolist(), counts.astype(np.float64)
        worlds = self._walk(spread, size)
        return worlds, np.ones(len(worlds))

    def _weigh(self, spread: Spread, size: int) -> Values:
        """Weights (sum 1) of the next worlds to choose `size` from; fewer where time is short."""
        workers, weighed, number = self.settings.threads, self.weighed, self.rollouts.number
        number = number if self.complete else min(weighed + size * self.settings.drawn, number)
        step = 8 * workers
        found: list[float] = []

        def weigh(worker: int, first: int, last: int) -> list[float]:
            return [self.rollouts.weigh(worker, world, world + 1)[0] for world in self.order[first:last]]

        while weighed < number and not (found and self._ended()):
            bounds = [min(weighed + step * part // workers, number) for part in range(workers + 1)]
            parts = spread(weigh, range(workers), bounds[:-1], bounds[1:])
            found += [weight for part in parts for weight in part]
            weighed = bounds[-1]
        self.weighed = weighed
        weights: Values = np.exp(np.array(found) - max(found))
        weights /= weights.sum()
        return weights

    def _choose_worlds(self, weights: Values, first: int) -> tuple[list[int], Values]:
        """The worlds to look at, of those from place `first` of the order on that weigh this, and what each counts."""
        if self.complete:
            wanted = self.settings.worlds
            order = np.argsort(-weights, kind="stable")[:wanted]
            order = order[weights[order] > 1e-4 * weights[order[0]]]
            return [int(index) for index in order], weights[order] * wanted
        counts = self._counts(weights, max(len(weights) // self.settings.drawn, 1))
        chosen = self.rng.permutation(np.flatnonzero(counts))
        return [self.order[first + int(index)] for index in chosen], counts[chosen].astype(np.float64)

    def _counts(self, weights: Values, number: int) -> NDArray[np.intp]:
        """How often each world is chosen when so many are, in proportion to their weights."""
        marks = (np.arange(number) + self.rng.random()) / number
        return np.bincount(np.searchsorted(np.cumsum(weights)[:-1], marks), minlength=len(weights))

    def _start_walks(self, weights: Values, number: int) -> None:
        """Lets walks begin at likely ones of the first worlds, which weigh this; the places of others become free."""
        counts = self._counts(weights, min(_WALKS, number))
        self.walks = np.repeat(np.arange(len(weights)), counts).tolist()
        self.free = np.flatnonzero(counts == 0).tolist() + list(range(len(weights), self.rollouts.number))

    def _walk(self, spread: Spread, number: int) -> list[int]:
        """So many worlds that the walks come to next, each some steps on; fewer where half of the time left is over."""
        threads, steps, walks = self.settings.threads, self.settings.steps, len(self.walks)
        places, self.free = self.free[:number], self.free[number:]
        now = time.monotonic()
        until = now + (self.started + self.settings.time - now) / 2

        def walk(worker: int) -> list[int]:
            done = []
            for turn, place in enumerate(places):
                index = turn % walks
                if index % threads != worker:
                    continue
                if self.planner.stopped or time.monotonic() > until:
                    break
                self.rollouts.copy_world(self.walks[index], place)
                self.rollouts.walk(worker, place, steps)
                self.walks[index] = place
                done.append(turn)
            return done

        return [places[turn] for turn in sorted(turn for part in spread(walk, range(threads)) for turn in part)]

    def _compare(self, spread: Spread, alive: list[int], chosen: list[int], column: int) -> list[int]:
        """Rolls out in these worlds, kept from a column on, batch by batch; the candidates that have not fallen behind.

        The network's favourite is always rolled out: the others are measured by it.
        """
        first, size = 0, _FIRST_BATCH
        while first < len(chosen) and len(alive) > 1 and not self._ended():
            last = min(first + size, len(chosen))
            self._batch(spread, sorted({0, *alive}), chosen[first:last], column + first)
            means, errors = self._differences()
            leader = max(alive, key=means.__getitem__)
            # differences are measured from the favourite: the leader's is also the favourite's from the leader
            errors[0] = errors[leader]
            alive = [c for c in alive if means[c] + _BEHIND * errors[c] >= means[leader]]
            first, size = last, 2 * size
        return alive

    def _batch(self, spread: Spread, candidates: list[int], worlds: list[int], column: int) -> None:
        """Rolls out the candidates in these worlds, world by world; each thread takes every n-th rollout.

        With a limit of nodes the threads share one world after the other, so that they end at the same one however many
        there are.
        """
        rollouts = [(index, candidate) for index in range(len(worlds)) for candidate in candidates]
        threads, step = self.settings.threads, len(rollouts) if self.settings.nodes is None else len(candidates)

        def work(worker: int, first: int) -> None:
            for index, candidate in rollouts[first + worker : first + step : threads]:
                if self._interrupted():
                    return
                self.values[:, candidate, column + index] = self.rollouts.roll(worker, candidate, worlds[index])

        for first in range(0, len(rollouts), step):
            if self._ended():
                return
            list(spread(work, range(threads), [first] * threads))

    # --- judging ----------------------------------------------------------------------------------------------------

    def _differences(self, row: int | None = None) -> tuple[Values, Values]:
        """Each candidate's value less the value of the network's favourite, and how sure that is."""
        settings = self.settings
        row = int(self.points) if row is None else row
        unit = self.unit if row == int(self.points) else 1.0
        prior = self.prior[row, : self.candidates] - self.prior[row, 0]
        means, errors = np.zeros(self.candidates), np.zeros(self.candidates)
        for c in range(1, self.candidates):
            gaps = self.values[row, c] - self.values[row, 0]
            known = ~np.isnan(gaps)
            spread = (settings.trust * unit) ** 2
            means[c], errors[c] = prior[c], spread**0.5
            if known.sum() < 2:
                continue
            weights = self.weights[known] / self.weights[known].sum()
            mean = float(weights @ gaps[known])
            share = float(weights @ weights)
            variance = float(weights @ (gaps[known] - mean) ** 2) * share / max(1 - share, 1e-9)
            if self.complete and known.all():
                variance = 0.0
            variance += (settings.bias * unit) ** 2
            means[c] = (prior[c] / spread + mean / variance) / (1 / spread + 1 / variance)
            errors[c] = (1 / (1 / spread + 1 / variance)) ** 0.5
        return means, errors

    def plan(self) -> Plan:
        """The ranking so far."""
        means, errors = self._differences()
        others = self._differences(1 - int(self.points))[0]
        known = ~np.isnan(self.values[0])
        bases = self.prior[:, 0].copy()
        if self.weights.size and known[0].any():
            bases = self.values[:, 0, known[0]] @ self.weights[known[0]] / self.weights[known[0]].sum()
        wins, scores = (others, means) if self.points else (means, others)
        best, *_ = order = sorted(range(self.candidates), key=lambda c: -means[c])
        ranked = [
            RankedPlay(
                self.plays[c],
                win=float(np.clip(bases[0] + wins[c], 0, 1)),
                score=float(bases[1] + scores[c]),
                error=float(np.hypot(errors[c], errors[best])) if c != best else 0.0,
                worlds=int(known[c].sum()) if known.size else 0,
            )
            for c in order
        ]
        # The other plays stay as far behind the network's favourite as the network says, wherever that was found to be.
        win_rest, score_rest = self.prior[:, self.candidates :] + (bases - self.prior[:, 0])[:, None]
        error = self.settings.trust * self.unit
        ranked += [
            RankedPlay(play, float(np.clip(win, 0, 1)), float(score), error, worlds=0)
            for play, win, score in zip(self.plays[self.candidates :], win_rest, score_rest, strict=True)
        ]
        return Plan(
            tuple(ranked),
            worlds=int(known.any(axis=0).sum()) if known.size else 0,
            complete=self.complete,
            nodes=self.nodes,
        )
