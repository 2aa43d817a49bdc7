"""Open hands over the API: every legal play won or lost, with a line, from the exact solver."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

from ddz_solver.ai.solver import Limits, OpenHandSolver, Solution
from ddz_solver.core.position import Position
from ddz_solver.core.solver import rules_of
from ddz_solver.game.errors import TurnError
from ddz_solver.game.rules import Rules
from ddz_solver.web.games import brief_play, describe_play, read_game

#: Nodes of the first answer; each further one has ten times as many, until the time is up.
_FIRST = 100_000
_GROWTH = 10
_TABLE = 32 << 20


class _Stopped(Exception):
    """The page asks for nothing more."""


def answer_solve(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """Every legal play of the seat to move, won, lost or not decided (null), and a line of best play."""
    game = read_game(body["game"])
    position = game.position
    if position is None or position.over:
        raise TurnError(f"the game in the phase {game.phase.value}: expected one in the play")
    seconds = body.get("seconds", 10.0)
    end = time.monotonic() + seconds
    solver = OpenHandSolver(rules_of(position), _TABLE)
    nodes = _FIRST

    def watch(_: int, __: float) -> None:
        if stop.is_set():
            raise _Stopped

    while (left := end - time.monotonic()) > 0:
        limits = Limits(nodes=nodes, seconds=left, table=_TABLE)
        try:
            solution = solver.solve(position, "win", limits, progress=watch)
        except _Stopped:
            return
        yield _describe(solution, position, game.rules)
        if solution.proven and solution.complete:
            return
        nodes *= _GROWTH


def _describe(solution: Solution, position: Position, rules: Rules) -> dict[str, Any]:
    seats = range(position.turn, position.turn + len(solution.line))
    wins, undecided = set(solution.plays), set(solution.undecided)

    def verdict(play: Any) -> str | None:
        return "win" if play in wins else None if play in undecided else "loss"

    return {
        "rules": str(rules),
        "turn": position.turn,
        "wins": solution.wins,
        "decided": solution.proven and solution.complete,
        "plays": [describe_play(play, rules) | {"verdict": verdict(play)} for play in position.legal()],
        "line": [
            {"seat": seat % rules.players, **brief_play(play, rules)}
            for seat, play in zip(seats, solution.line, strict=True)
        ],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 4),
    }
