"""The engine: positions in, decisions out through callbacks, searches in the background. No input, no output.

    engine = Engine()
    engine.go(observation, Limits(time=100), on_done=lambda decision: ...)
    engine.stop()

One search runs at a time; every `go` is answered by exactly one call of `on_done`, from the thread of the search or,
after `stop`, perhaps from the thread that stopped it.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ddz_solver.ai.agents import LEVELS, MOST, PlannerAgent, make_agent
from ddz_solver.core.moves import Play
from ddz_solver.engine.limits import Limits
from ddz_solver.engine.lines import ProtocolError
from ddz_solver.engine.options import Option, Options
from ddz_solver.engine.positions import position_line
from ddz_solver.game.combos import format_play
from ddz_solver.game.errors import AuctionError, CardsError, DdzError, DealError, PlayError, SeatError, TurnError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.game.rules import RulesLike
from ddz_solver.game.scoring import expected_points

if TYPE_CHECKING:
    from ddz_solver.ai.plans import Plan

_STOP_WAIT: Final = 0.05
#: Part of a time limit after which a search is ended; agents are told nine tenths of the limit.
_TIME_SHARE: Final = 0.95
_FALLBACK_LEVEL: Final = "greedy"


@dataclass(frozen=True)
class Decision:
    """What the engine would do: `call` in the auction, `play` in the play; with what it expects of it, if it knows."""

    call: int | None = None
    play: Play | None = None
    win: float | None = None
    """Chance that this side wins, 0 to 1."""
    score: float | None = None
    """Expected points of this seat."""


OnInfo: TypeAlias = Callable[[Mapping[str, object]], None]
OnDone: TypeAlias = Callable[[Any], None]


@dataclass
class Job:
    """One piece of background work; `finish` calls `on_done` the first time and does nothing after that.

    Work looks at `stopped`, or says what ends it with `stop_with`; `rescue` gives its answer when it does not come.
    """

    on_done: OnDone
    rescue: Callable[[], object] | None
    stopped: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None
    timer: threading.Timer | None = None
    _open: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stopper: Callable[[], None] | None = None

    @property
    def open(self) -> bool:
        """Whether it is not answered yet."""
        return self._open

    def tell(self, report: Callable[[], object]) -> None:
        """Make an intermediate report, unless the job is answered already."""
        with self._lock:
            if self._open:
                report()

    def stop_with(self, stopper: Callable[[], None]) -> None:
        """Call `stopper` when the job is stopped; at once, where it has been already."""
        self._stopper = stopper
        if self.stopped.is_set():
            stopper()

    def stop(self) -> None:
        """Tell the work to end."""
        self.stopped.set()
        if self._stopper is not None:
            self._stopper()

    def finish(self, answer: Callable[[], object]) -> None:
        """Answer the job, with what `answer` gives or with the exception that it raises."""
        with self._lock:
            if not self._open:
                return
            self._open = False
        if self.timer is not None:
            self.timer.cancel()
        try:
            outcome = answer()
        except Exception as error:
            outcome = error
        self.on_done(outcome)


class Engine:
    """Decides and analyses under every rules preset, at the level that its options say.

    `options` has them with types and ranges. Methods raise ProtocolError, whose `code` is one of the fixed codes.
    """

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        """An engine at its default options, but for those given."""
        self.options = Options(
            (
                Option("level", "combo", LEVELS[-1], values=tuple(LEVELS)),
                Option("seed", "spin", "0", 0, (1 << 53) - 1),
                Option("objective", "combo", "auto", values=("auto", "win", "score")),
                Option("threads", "spin", "1", 1, 64),
                Option("table", "spin", "64", 1, 1 << 20),
                Option("weights", "string", ""),
            )
        )
        self.options.set(options or {})
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """Whether a search runs."""
        return self._job is not None and self._job.open

    def set_options(self, changes: Mapping[str, str]) -> None:
        """Set options by name. ProtocolError: `busy`, `bad-option`, `bad-value`; then none is changed."""
        self.check_idle()
        self.options.set(changes)

    def go(
        self, observation: Observation, limits: Limits, on_done: OnDone, on_info: OnInfo = lambda info: None
    ) -> None:
        """Think about a position in the background; `on_done` gets a Decision, or the exception of a broken search.

        ProtocolError: `busy`, or `not-my-turn` where the seat of the observation is not to move.
        """
        self.check_idle()
        if observation.phase is Phase.OVER or observation.turn != observation.seat:
            whose = "the hand is over" if observation.turn is None else f"seat {observation.turn} is to move"
            raise ProtocolError("not-my-turn", f"{whose}: expected a position with seat {observation.seat} to move")

        def think(job: Job) -> Decision:
            decision = self._decide(
                observation, self.options["level"], limits, job, lambda info: job.tell(partial(on_info, info))
            )
            if limits.infinite:
                job.stopped.wait()
            return decision

        job = self.run(think, on_done, lambda: self._decide(observation, _FALLBACK_LEVEL, Limits(), None, on_info))
        if limits.time is not None:
            timer = threading.Timer(min(limits.time * _TIME_SHARE / 1000, MOST["time"]), self._end, [job])
            timer.daemon = True
            job.timer = timer
            timer.start()
            if not job.open:
                timer.cancel()

    def prepare(self, rules: RulesLike = "classic") -> None:
        """Load whatever the level needs for these rules, so that the first decision takes no longer than others."""
        game = Game(rules, seed=0, landlord=0)
        self._decide(game.observation(), self.options["level"], Limits(time=20), None, lambda info: None)

    def run(self, work: Callable[[Job], object], on_done: OnDone, rescue: Callable[[], object] | None = None) -> Job:
        """Do some work in the background. ProtocolError `busy`. `rescue` gives the answer if `stop` gets none."""
        self.check_idle()
        job = Job(on_done, rescue)

        def body() -> None:
            try:
                outcome = work(job)
            except Exception as error:  # the caller gets it as the answer
                outcome = error
            job.finish(lambda: outcome)

        job.thread = threading.Thread(target=body, name="search", daemon=True)
        self._job = job
        job.thread.start()
        return job

    def stop(self) -> None:
        """End the search that runs, if any; its answer comes within moments."""
        if self._job is not None:
            self._end(self._job)

    def _end(self, job: Job) -> None:
        """Make a job come to its answer now."""
        if not job.open:
            return
        job.stop()
        if job.thread is not None and job.thread is not threading.current_thread():
            job.thread.join(_STOP_WAIT)
        if job.rescue is not None:
            job.finish(job.rescue)
        elif job.open:
            job.finish(lambda: ProtocolError("busy", "stopped before there was an answer"))

    def close(self) -> None:
        """Stop for good."""
        self.stop()

    def check_idle(self) -> None:
        """ProtocolError `busy` while a search runs."""
        if self.busy:
            raise ProtocolError("busy", "a search is running: expected stop, ping or quit")

    def _decide(
        self, observation: Observation, level: str, limits: Limits, job: Job | None, on_info: OnInfo
    ) -> Decision:
        """Let an agent of a level decide."""
        options = self.options
        try:
            agent = make_agent(
                level,
                seed=decision_seed(observation, options.number("seed")),
                objective=None if options["objective"] == "auto" else options["objective"],
                threads=options.number("threads"),
                weights=options["weights"] or None,
                **limits.of_agent(),
            )
        except DdzError as error:
            raise ProtocolError("bad-value", str(error)) from None
        if job is not None and isinstance(agent, PlannerAgent):
            job.stop_with(agent.stop)
        try:
            if observation.phase is Phase.AUCTION:
                return Decision(call=agent.bid(observation))
            if isinstance(agent, PlannerAgent):
                return _plan(agent, observation, on_info)
            return Decision(play=agent.play(observation))
        except DdzError as error:
            if level != _FALLBACK_LEVEL and not options["weights"] and _no_networks(error):
                on_info({"text": f"{error}: the level {_FALLBACK_LEVEL} decides"})
                return self._decide(observation, _FALLBACK_LEVEL, limits, job, on_info)
            raise ProtocolError(code_of(error), f"level {level}: {error}") from None


def decision_seed(observation: Observation, seed: int) -> int:
    """The seed of an agent for one decision, from that of the engine: the same question has the same answer."""
    key = seed.to_bytes(8, "big")
    return int.from_bytes(hashlib.blake2b(position_line(observation).encode(), key=key, digest_size=7).digest(), "big")


def code_of(error: DdzError) -> str:
    """The protocol's code where a decision or an analysis cannot be had: the position is wrong, or the rules are."""
    facts = (AuctionError, CardsError, DealError, PlayError, SeatError, TurnError)
    return "bad-value" if isinstance(error, facts) else "unsupported-rules"


def _plan(agent: PlannerAgent, seen: Observation, on_info: OnInfo) -> Decision:
    """What a planner decides; `on_info` gets what it knows on the way."""
    start = time.monotonic()

    def decision(plan: Plan) -> Decision:
        best = plan.plays[0]
        score = expected_points(seen.rules, seen.bid, seen.seat == seen.landlord, best.win, best.score)
        return Decision(play=best.play, win=best.win, score=score)

    def report(plan: Plan) -> None:
        best, taken = decision(plan), round((time.monotonic() - start) * 1000)
        info = {"play": format_play(plan.best, seen.rules), "win": best.win, "score": best.score}
        on_info(info | {"worlds": plan.worlds, "nodes": plan.nodes, "time": taken})

    return decision(agent.plan(seen, report))


def _no_networks(error: DdzError) -> bool:
    """Whether an agent could not decide because no networks ship for the rules."""
    from ddz_solver.ai.weights import WeightsError

    return isinstance(error, WeightsError)
