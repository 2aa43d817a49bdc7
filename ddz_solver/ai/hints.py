"""Hints: the plays of one decision, ranked, with win chance, expected score and the reasons for them.

>>> found = hint("33445566789TJQKA22XD")
>>> 0 <= found.best.win <= 1
True
>>> [str(note) for note in hint("3D", counts=[2, 3]).best.reasons]
['wins whatever the others hold', 'cannot be beaten', 'one play left then', 'landlord_down has two cards']
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from queue import SimpleQueue
from typing import Any, Literal, TypeAlias, overload

from ddz_solver.ai.continuation import continuation
from ddz_solver.ai.evaluator import Evaluator, has_weights
from ddz_solver.ai.notes import Note
from ddz_solver.ai.objective import OBJECTIVES, Objective, natural_objective
from ddz_solver.ai.planner import Planner
from ddz_solver.ai.plans import Plan, RankedPlay, Settings
from ddz_solver.ai.playouts import evaluate_by_playouts
from ddz_solver.ai.proof import only_world, prove
from ddz_solver.ai.reasons import reasons
from ddz_solver.ai.situation import Situation, of_observation, situation
from ddz_solver.ai.sure import most_doublings, sure_wins
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.combos import legal_plays
from ddz_solver.game.errors import DdzError
from ddz_solver.game.observation import Observation
from ddz_solver.game.scoring import expected_points

Source: TypeAlias = Literal["playouts", "network", "planner", "solver"]
Values: TypeAlias = tuple[list[float], list[float]]

_VIEWS = 4
_LINE = 8
_WORLDS = 1000
_PROOF_SECONDS = 0.25


@dataclass(frozen=True)
class Choice:
    """One play and what it is worth to the seat that is to play."""

    play: Play
    win: float
    """Chance that this seat's side wins, 0..1."""
    score: float
    """Expected points of this seat, bid and doublings included; without doublings still to come where the solver proved
    a hint for the win."""
    proven: bool = False
    """Whether the win chance is certain: decided by the solver, or a win that no layout of the cards can stop."""
    interval: tuple[float, float] | None = None
    """95 % interval of the value that plays are ranked by; None where it was not measured, or is exact."""
    worlds: int = 0
    """In how many layouts of the hidden cards the play was tried."""
    of: Situation = field(kw_only=True, repr=False, compare=False)
    objective: Objective = field(kw_only=True, repr=False, compare=False)
    proof: tuple[Play, ...] = field(kw_only=True, default=(), repr=False, compare=False)

    @cached_property
    def reasons(self) -> tuple[Note, ...]:
        """What speaks for or against the play, as far as it was computed; the weightiest first."""
        decided: tuple[Note, ...] = ()
        if self.proof:
            decided = (Note("proven_win" if self.win > 0.5 else "proven_loss"),)
        elif self.proven:
            decided = (Note("sure_win"),)
        return decided + reasons(self.of, self.play)

    @cached_property
    def line(self) -> tuple[tuple[int, Play], ...]:
        """How it may go on, this play first: (seat, play), seats counted from the landlord.

        Best play of all where the play is proven, else what the networks would play in one likely layout of the hidden
        cards; empty where no network was trained for such rules.
        """
        if self.proof:
            players = self.of.rules.players
            return tuple(((self.of.seat + step) % players, play) for step, play in enumerate(self.proof[:_LINE]))
        return continuation(self.of.observations(1)[0], self.play, self.objective, _LINE)


class Hint(Sequence[Choice]):
    """All legal plays of a decision, best first by `objective`: `win` or `score`."""

    def __init__(self, of: Situation, choices: Iterable[Choice], objective: Objective, source: Source) -> None:
        self.situation = of
        self.objective = objective
        self.source = source
        """What the values rest on."""
        self._choices = sorted(
            choices,
            key=lambda choice: (choice.win, choice.score) if objective == "win" else (choice.score, choice.win),
            reverse=True,
        )

    @property
    def best(self) -> Choice:
        """The first choice."""
        return self._choices[0]

    def __len__(self) -> int:
        return len(self._choices)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> list[Choice]: ...
    def __getitem__(self, index: int | slice) -> Choice | list[Choice]:
        return self._choices[index]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self._choices)

    def __repr__(self) -> str:
        rows = (f"{choice.play or 'pass'} win {choice.win:.0%} score {choice.score:+.2f}" for choice in self[:3])
        return f"<Hint {len(self)} plays: {'; '.join(rows)}>"

    def _repr_html_(self) -> str:
        """The five best plays for a notebook."""
        rows = (
            f"<tr><td>{Hand(choice.play.cards)._repr_html_() if choice.play else 'pass'}</td><td>{choice.win:.1%}</td>"
            f"<td>{choice.score:+.2f}</td><td style='text-align:left'>{', '.join(map(str, choice.reasons))}</td></tr>"
            for choice in self[:5]
        )
        return f"<table><tr><th>play</th><th>win</th><th>points</th><th>why</th></tr>{''.join(rows)}</table>"


def hint(
    hand: HandLike | Observation | Situation,
    *,
    seconds: float = 0.0,
    objective: Objective | None = None,
    seed: int = 0,
    **facts: Any,
) -> Hint:
    """The legal plays of a decision, best first.

    `hand` is a hand, with whatever else is known as the keywords of `situation.situation` (`role`, `to_beat`,
    `to_beat_by`, `counts`, `played`, `unseen`, `history`, `bottom`, `rules`, `bid`, `factor`); or an `Observation`,
    which tells everything. Without `seconds` the network answers at once, with them the planner goes on for so long;
    where only one layout of the cards is possible the solver decides (in a quarter of a second, or not at all).
    `objective` is `score` where the rules play for points, else `win`. DdzError for facts that cannot be.
    """
    found = list(hints(hand, seconds=seconds, objective=objective, seed=seed, **facts))
    return found[-1]


def hints(
    hand: HandLike | Observation | Situation,
    *,
    seconds: float = 1.0,
    objective: Objective | None = None,
    seed: int = 0,
    stopped: threading.Event | None = None,
    **facts: Any,
) -> Generator[Hint, None, None]:
    """`hint`, again and again as it gets better: at once, then whenever more is known, until time is up.

    Closing the iterator ends the thinking; so does `stopped` once it is set, from any thread.
    """
    of = _situation(hand, facts)
    if objective is None:
        objective = natural_objective(of.rules)
    if objective not in OBJECTIVES:
        raise DdzError(f"objective {objective!r}: expected win or score")
    if not 0 <= seconds < float("inf"):
        raise DdzError(f"seconds={seconds}: expected 0 or more")
    if not 0 <= seed < 1 << 64:
        raise DdzError(f"seed={seed}: expected 0 to 2**64 - 1")
    stopped = stopped or threading.Event()
    first = _at_once(of, objective, seed)
    yield first
    start = time.monotonic()
    proven = _proven(first, max(seconds / 2, _PROOF_SECONDS), stopped)
    if proven is not None:
        yield proven
    elif seconds and len(first) > 1 and first.source == "network" and not stopped.is_set():
        left = seconds - (time.monotonic() - start)
        yield from _planned(first, max(left, seconds / 10), seed, stopped)


def best_move(observation: Observation, *, seconds: float = 0.0, objective: Objective | None = None) -> Play:
    """The play to make for the seat that observes. TurnError: it is not that seat's turn to play."""
    return hint(observation, seconds=seconds, objective=objective).best.play


def hint_many(
    decisions: Iterable[Observation], *, seconds: float = 0.0, objective: Objective | None = None
) -> list[Hint]:
    """`hint` of many observations, `seconds` for each."""
    return [hint(decision, seconds=seconds, objective=objective) for decision in decisions]


def _at_once(of: Situation, objective: Objective, seed: int) -> Hint:
    """What the network says, or random games where none was trained."""
    plays = legal_plays(of.hand, of.to_beat, of.rules)
    evaluate, source = _evaluator(of, objective, seed)
    views = [evaluate(view, plays) for view in of.observations(_VIEWS, seed)]
    wins, scores = (_mean([view[row] for view in views]) for row in (0, 1))
    choices = [
        Choice(play, win, points(of, win, score), of=of, objective=objective)
        for play, win, score in zip(plays, wins, scores, strict=True)
    ]
    return Hint(of, _with_sure_wins(of, choices), objective, source)


def _proven(found: Hint, seconds: float, stopped: threading.Event) -> Hint | None:
    """Exact values, where only one layout of the cards is possible; the order among equals is that of `found`."""
    of, objective = found.situation, found.objective
    position = only_world(of.observations(1)[0]) if of.complete else None
    if position is None:
        return None
    proofs = prove(position, [choice.play for choice in found], objective, seconds, stopped=stopped.is_set)
    if proofs is None:
        return None
    choices = [
        Choice(
            choice.play,
            float(proof.wins),
            points(of, float(proof.wins), proof.stakes),
            proven=True,
            worlds=1,
            of=of,
            objective=objective,
            proof=proof.line,
        )
        for choice, proof in zip(found, proofs, strict=True)
    ]
    return Hint(of, choices, objective, "solver")


def _planned(first: Hint, seconds: float, seed: int, stopped: threading.Event) -> Iterator[Hint]:
    """What the planner finds, each time it knows more."""
    of, objective = first.situation, first.objective
    views = of.observations(_VIEWS, seed)
    done: list[Plan] = []
    for view in views:
        planner = Planner(
            Evaluator.load(of.rules),
            Settings(time=seconds / len(views), worlds=_WORLDS),
            objective=objective,
            seed=seed,
            stopped=stopped,
        )
        plan = None
        for plan in _plans(planner, view):
            if len(views) == 1:
                yield _merge(first, [plan])
        if plan is not None:
            done.append(plan)
    if len(views) > 1:
        yield _merge(first, done)


def _plans(planner: Planner, view: Observation) -> Iterator[Plan]:
    """Every plan that a planner reports, the final one last; leaving ends the planner."""
    plans: SimpleQueue[Plan | None] = SimpleQueue()

    def work() -> None:
        try:
            plans.put(planner.plan(view, plans.put))
        finally:
            plans.put(None)

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(work)
        try:
            while (plan := plans.get()) is not None:
                yield plan
            running.result()
        finally:
            planner.stop()


def _merge(first: Hint, plans: Sequence[Plan]) -> Hint:
    """One hint from the plans of several views of the same decision."""
    of, objective = first.situation, first.objective
    scale = abs(points(of, 1.0, 1.0)) if objective == "score" else 1.0
    found: dict[Play, list[RankedPlay]] = {}
    for plan in plans:
        for ranked in plan.plays:
            found.setdefault(ranked.play, []).append(ranked)
    # The best play's error is that of its difference to the next one.
    to_next = next((ranked.error for ranked in plans[0].plays if ranked.error), 0.0)
    choices = []
    for play, rows in found.items():
        win = sum(row.win for row in rows) / len(rows)
        score = points(of, win, sum(row.score for row in rows) / len(rows))
        half = 1.96 * scale * math.hypot(*(row.error or to_next for row in rows)) / len(rows)
        value = score if objective == "score" else win
        low, high = value - half, value + half
        if objective == "win":
            low, high = max(low, 0.0), min(high, 1.0)
        worlds = sum(row.worlds for row in rows)
        interval = (low, high) if worlds else None
        choices.append(Choice(play, win, score, interval=interval, worlds=worlds, of=of, objective=objective))
    return Hint(of, _with_sure_wins(of, choices), objective, "planner")


def _with_sure_wins(of: Situation, choices: list[Choice]) -> list[Choice]:
    """The choices, with what is certain put right: wins that nothing can stop, and scores beyond all doublings."""
    sure = sure_wins(of, [choice.play for choice in choices])
    if not sure:
        return choices
    most = points(of, 1.0, most_doublings(of))
    return [
        replace(
            choice,
            win=1.0,
            score=min(max(choice.score, points(of, 1.0, sure[choice.play])), most),
            proven=True,
            interval=None,
        )
        if choice.play in sure
        else replace(choice, score=min(choice.score, most))
        for choice in choices
    ]


def points(of: Situation, win: float, stakes: float) -> float:
    """Points of the seat from its side's win chance and stakes: what one peasant wins or loses, doublings included."""
    return expected_points(of.rules, of.bid, of.seat == 0, win, stakes)


def _evaluator(
    of: Situation, objective: Objective, seed: int
) -> tuple[Callable[[Observation, Sequence[Play]], Values], Source]:
    """What values plays at once: the network for such rules, or random games where none was trained."""
    if not has_weights(of.rules):
        return lambda view, plays: evaluate_by_playouts(view, plays, seed), "playouts"
    evaluator = Evaluator.load(of.rules)
    return lambda view, plays: evaluator.evaluate(view, plays, objective), "network"


def _mean(rows: list[list[float]]) -> list[float]:
    return rows[0] if len(rows) == 1 else [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def _situation(hand: HandLike | Observation | Situation, facts: dict[str, Any]) -> Situation:
    if not isinstance(hand, (Observation, Situation)):
        return situation(hand, **facts)
    if facts:
        raise DdzError(f"{', '.join(facts)} beside an observation: expected the observation alone, it tells everything")
    return of_observation(hand) if isinstance(hand, Observation) else hand
