"""Exact values of plays where the hidden cards can lie in one way only: the open-hand solver decides."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ddz_solver.ai.evaluator import compile_observation
from ddz_solver.ai.objective import Objective
from ddz_solver.ai.solver import Limits, OpenHandSolver
from ddz_solver.core.hand import size as packed_size
from ddz_solver.core.moves import Play
from ddz_solver.core.position import Position
from ddz_solver.core.sample import Worlds, one_world
from ddz_solver.core.solver import rules_of
from ddz_solver.game.cards import Hand
from ddz_solver.game.errors import DealError, TurnError
from ddz_solver.game.observation import Observation

_TABLE = 4 << 20


@dataclass(frozen=True)
class Proof:
    """What a play leads to with best play of both sides."""

    wins: bool
    """Whether this seat's side wins."""
    stakes: int
    """What each peasant pays or gets, doublings included, for a stake of 1; positive where this side wins."""
    line: tuple[Play, ...]
    """A game in which nobody gives anything away, the play first."""


def only_world(seen: Observation) -> Position | None:
    """The position, if everything seen leaves one layout of the cards; None where there are several.

    DealError: no layout agrees with what is said to have been seen.
    """
    compiled = compile_observation(seen)
    try:
        if not one_world(compiled):
            return None
    except ValueError as error:
        raise DealError(str(error)) from None
    (hands,) = Worlds(compiled).draw(1, 0)
    return position_with(seen, hands)


def position_with(seen: Observation, hands: Sequence[int]) -> Position:
    """The position where the seats hold these packed hands.

    DealError: they contradict what the seat knows. TurnError: there is no landlord yet.
    """
    if seen.landlord is None:
        raise TurnError(f"seat {seen.seat} in the phase {seen.phase.value}: expected a landlord")
    problem = None
    if len(hands) != seen.rules.players or hands[seen.seat] != seen.hand.bits:
        problem = f"expected {seen.rules.players}, {seen.hand} for seat {seen.seat}"
    elif sum(hands) - hands[seen.seat] != seen.unseen.bits:
        problem = f"expected the others to hold {seen.unseen} together"
    elif tuple(packed_size(hand) for hand in hands) != seen.counts:
        problem = f"expected {seen.counts} cards"
    if problem:
        raise DealError(f"hands {' / '.join(str(Hand(hand)) for hand in hands)}: {problem}")
    return Position(
        seen.rules.compiled,
        hands,
        turn=seen.seat,
        landlord=seen.landlord,
        last=seen.to_beat,
        owner=seen.to_beat_by,
        factor=seen.factor,
        plays=seen.plays,
    )


def prove(
    position: Position,
    plays: Sequence[Play],
    objective: Objective,
    seconds: float,
    nodes: int | None = None,
    *,
    stopped: Callable[[], bool] = lambda: False,
) -> list[Proof] | None:
    """What each play of the seat to move leads to; None where time or nodes do not suffice to decide them all.

    For the objective `win` only the winner is decided: `stakes` are 1 or -1 times the doublings so far. `stopped` is
    asked now and then whether to give up.
    """
    deadline = time.monotonic() + seconds
    solver = OpenHandSolver(rules_of(position), _TABLE)
    sign = 1 if position.turn == position.landlord else -1
    proofs = []

    def watch(nodes: int, seconds: float) -> None:
        if stopped():
            solver.stop()

    for play in plays:
        child = position.copy()
        child.play(play)
        if child.over:
            stakes = child.factor if (child.winner == position.landlord) == (sign > 0) else -child.factor
            proofs.append(Proof(stakes > 0, stakes, (play,)))
            continue
        if stopped() or (nodes is not None and nodes < 1):
            return None
        limits = Limits(nodes, max(deadline - time.monotonic(), 1e-3), _TABLE)
        solution = solver.solve(child, objective, limits, all_plays=False, progress=watch)
        if solution.value is None:
            return None
        nodes = None if nodes is None else nodes - solution.nodes
        stakes = sign * solution.value * (child.factor if objective == "win" else 1)
        proofs.append(Proof(stakes > 0, stakes, (play, *solution.line)))
    return proofs
