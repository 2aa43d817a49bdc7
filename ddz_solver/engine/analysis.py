"""The analysis commands of the protocol: what is known about a position, as lines. PROTOCOL.md, "Analysis".

Some are answered at once, from the position alone. The others check their command and return the `Work` to be done in
the background.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from ddz_solver.ai.objective import OBJECTIVES, Objective
from ddz_solver.core.moves import Play
from ddz_solver.core.position import Position
from ddz_solver.engine.engine import Job
from ddz_solver.engine.limits import Limits, read_number
from ddz_solver.engine.lines import ProtocolError
from ddz_solver.engine.options import Options
from ddz_solver.engine.positions import join, position_fields
from ddz_solver.game.combos import format_play
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import Rules

if TYPE_CHECKING:
    from ddz_solver.ai.hints import Hint

MAX_PERFT_DEPTH: Final = 60
MAX_HINTS: Final = 100_000
_PERFT_WHOLE: Final = 3


@dataclass(frozen=True)
class Answer:
    """The fields of the `info` lines and of the final `ok` line."""

    final: Mapping[str, object]
    infos: Iterable[Mapping[str, object]] = field(default_factory=list)


@dataclass(frozen=True)
class Work:
    """What is to be done in the background: `do` gets the job that it runs as, and tells it how it can be stopped.

    `rescue` gives an answer at once where `do` is stopped before it has one; None: there is none to give.
    """

    do: Callable[[Job], Answer]
    rescue: Callable[[], Answer] | None = None


Known: TypeAlias = Observation | Game


def moves(position: Known) -> Answer:
    """Legal plays or calls."""
    calls, plays = position.legal_calls, tuple(position.legal_plays)
    if calls:
        return Answer({"count": len(calls), "calls": join(calls)})
    return Answer({"count": len(plays), "plays": plays_text(plays, position.rules)})


def hint(position: Known, fields: Mapping[str, str], options: Options) -> Work:
    """The best plays, ranked; better ones the longer it may think."""
    number = read_number("n", fields.get("n", "3"), 1, MAX_HINTS)
    limits = Limits.parse(fields)
    seen = _observation(position)
    if not seen.legal_plays:
        raise ProtocolError("not-my-turn", f"seat {seen.seat} is not to play: expected a position where it is")

    def answer(found: Hint) -> Answer:
        best = found[:number]
        infos = [
            {"rank": rank, "play": format_play(choice.play, seen.rules), "win": choice.win,
             "score": choice.score}
            for rank, choice in enumerate(best, 1)
        ]  # fmt: skip
        return Answer({"count": len(best)}, infos)

    def think(seconds: float, stopped: Event | None = None) -> Iterator[Hint]:
        from ddz_solver.ai.hints import hints

        return hints(seen, seconds=seconds, objective=_objective(options), seed=options.number("seed"), stopped=stopped)

    def work(job: Job) -> Answer:
        latest: Hint | None = None
        for latest in think(0.0 if limits.time is None else limits.time / 1000, job.stopped):
            job.rescue = partial(answer, latest)
        assert latest is not None
        return answer(latest)

    return Work(work, lambda: answer(next(think(0.0))))


def bids(position: Known, fields: Mapping[str, str], options: Options) -> Work:
    """What each legal call is worth."""
    seen = _observation(position)
    if not seen.legal_calls:
        raise ProtocolError("not-my-turn", f"seat {seen.seat} is not to call: expected a position where it is")
    worlds = read_number("worlds", fields.get("worlds", "0"), 0, 1_000_000)

    def answer(number: int, stopped: Event | None = None) -> Answer:
        from ddz_solver.ai.bidding import evaluate_bid

        advice = evaluate_bid(seen, worlds=number, seed=options.number("seed"), stopped=stopped)
        played = advice.sampled
        infos = [
            {"call": one.call, "win": played.win if played and one.call else one.win, "score": one.points}
            for one in advice
        ]
        return Answer({"count": len(advice), "best": advice.best.call}, infos)

    return Work(lambda job: answer(worlds, job.stopped), lambda: answer(0))


def solve(position: Known, fields: Mapping[str, str], options: Options) -> Work:
    """Who wins with open hands, with which plays, for how much."""
    game = _open_hands(position)
    limits = Limits.parse(fields)
    objective = _objective(options)
    wanted = fields.get("objective", objective or "win")
    if wanted not in OBJECTIVES:
        raise ProtocolError("bad-value", f"objective={wanted[:40]}: expected win or score")

    def work(job: Job) -> Answer:
        from ddz_solver.ai.solver import Limits as SolverLimits
        from ddz_solver.ai.solver import OpenHandSolver

        start = _position(game)
        table = options.number("table") << 20
        solver = OpenHandSolver(game.rules.compiled, table)
        job.stop_with(solver.stop)

        def watch(nodes: int, seconds: float) -> None:
            if job.stopped.is_set():  # perhaps from before the search began, when `stop` has no effect
                solver.stop()

        seconds = None if limits.time is None else limits.time / 1000
        costs = SolverLimits(nodes=limits.nodes, seconds=seconds, table=table)
        found = solver.solve(start, cast("Objective", wanted), costs, progress=watch)
        wins = {True: "yes", False: "no", None: None}[found.wins]
        return Answer(
            {
                "proven": "yes" if found.proven else "no",
                "wins": wins,
                "value": found.value,
                "lower": None if found.proven else found.lower,
                "upper": None if found.proven else found.upper,
                "count": len(found.plays),
                "plays": plays_text(found.plays, game.rules) or None,
                "line": plays_text(found.line, game.rules) or None,
                "nodes": found.nodes,
            }
        )

    return Work(work)


def perft(position: Known, fields: Mapping[str, str], options: Options) -> Work:
    """Number of lines of play of a length."""
    depth = read_number("depth", fields.get("depth", "1"), 0, MAX_PERFT_DEPTH)
    game = _open_hands(position)
    return Work(lambda job: Answer({"depth": depth, "nodes": _count(_position(game), depth, job)}))


def display(position: Known) -> Answer:
    """The position for people."""
    if isinstance(position, Game):
        shown: dict[str, object] = {
            "hands": "/".join(map(str, position.hands)),
            "landlord": position.landlord,
            "turn": position.turn,
            "beat": position.to_beat and format_play(position.to_beat, position.rules),
        }
    else:
        shown = position_fields(position)
    infos = [{"text": f"{name:8} {value}"} for name, value in shown.items() if value is not None]
    return Answer({}, infos)


#: The commands, in the order in which an engine names them.
COMMANDS: Final = ("moves", "hint", "bids", "solve", "perft", "display")

#: Those that are answered before the next command is read.
AT_ONCE: Final[Mapping[str, Callable[[Known], Answer]]] = {"moves": moves, "display": display}

#: Those that run in the background.
BACKGROUND: Final[Mapping[str, Callable[[Known, Mapping[str, str], Options], Work]]] = {
    "hint": hint,
    "bids": bids,
    "solve": solve,
    "perft": perft,
}


def plays_text(plays: Iterable[Play], rules: Rules) -> str:
    """Plays with commas."""
    return join(format_play(play, rules) for play in plays)


def _count(position: Position, depth: int, job: Job) -> int:
    """`position.perft(depth)`, in pieces small enough to be stopped."""
    if depth <= _PERFT_WHOLE or position.over:
        return position.perft(depth)
    total = 0
    for play in position.legal():
        if job.stopped.is_set():
            raise ProtocolError("busy", "stopped before the count was complete")
        position.play(play)
        total += _count(position, depth - 1, job)
        position.undo()
    return total


def _objective(options: Options) -> Objective | None:
    return None if options["objective"] == "auto" else cast("Objective", options["objective"])


def _observation(position: Known) -> Observation:
    if isinstance(position, Game):
        if position.over:
            raise ProtocolError("not-my-turn", "the hand is over: expected a position with somebody to move")
        return position.observation()
    return position


def _open_hands(position: Known) -> Game:
    if not isinstance(position, Game):
        raise ProtocolError("bad-value", "hidden hands: expected a position with hands=HAND/HAND/HAND")
    return position


def _position(game: Game) -> Position:
    position = game.position
    if position is None or position.over:
        raise DdzError("the hand is over: expected a position with somebody to move")
    return position
