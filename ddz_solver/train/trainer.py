"""The training loop: threads of compiled self-play, checkpoints, matches against fixed opponents, a log."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ddz_solver.ai.weights import Weights, save_weights
from ddz_solver.core.arena import Arena
from ddz_solver.core.evaluate import Judge
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.learner import Learner
from ddz_solver.core.net import Network
from ddz_solver.core.selfplay import Worker
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import Rules
from ddz_solver.train.checkpoint import load_checkpoint, read_meta, save_checkpoint
from ddz_solver.train.settings import TrainSettings
from ddz_solver.train.units import carry_over, revive

CHECKPOINT = "checkpoint.npz"
LOG = "log.jsonl"
WEIGHTS = "weights.ddz"
_REVIVE_EVERY: Final = 500_000
"""Games after which units that died are put to use again."""
_SEEN: Final = 1e-20
"""A second moment of Adam that is not 0 and never matters."""


@dataclass(frozen=True)
class Progress:
    """Where a run stands; one line of the log."""

    games: int
    seconds: float
    """Time spent training, over all sessions of the run."""
    games_per_second: float
    rate: float
    win_loss: float
    """Mean log loss of the win chance against its targets since the last line."""
    stake_loss: float
    """Mean squared error of the stakes, those if won or those if lost, against their targets."""
    landlord_wins: float
    """Share of self-play games that the landlord won."""
    matches: dict[str, float]
    """Win rate of the averaged networks against each fixed opponent, sides swapped."""


class Trainer:
    """A run: networks, threads and their state. `run` trains, `checkpoint` saves, `Trainer.resume` goes on.

    With one thread and a number of games as the budget, the same settings give the same networks, resumed or not, as
    long as it is saved after the same games: each saving drops the samples that wait for a full batch.
    """

    def __init__(self, settings: TrainSettings, folder: Path | None = None) -> None:
        """Fresh networks; `folder` receives checkpoint and log. OSError where it cannot be made."""
        self.settings = settings
        self.folder = folder
        self.rules = [(Rules.parse(text).compiled, share) for text, share in settings.rules]
        self.learner = Learner(self.rules[0][0], *settings.hidden, seed=settings.seed)
        memos = [HandsToGo(rules, 18) for rules, _ in self.rules]
        self.workers = [
            Worker(
                self.learner,
                self.rules,
                memos,
                seed=settings.seed * 1000003 + thread,
                batch=settings.batch,
                points=settings.points,
            )
            for thread in range(settings.threads)
        ]
        self.games = 0
        self.seconds = 0.0
        self.done = 0.0
        """Share of the budget spent, 0..1; decides the learning rate."""
        self._earlier: Judge | None = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    @classmethod
    def resume(cls, folder: Path, **changes: Any) -> Trainer:
        """The run in `folder` as its checkpoint left it; `changes` replace settings.

        DdzError: no checkpoint, a damaged one, or one of another shape; OSError: it cannot be read.
        """
        path = folder / CHECKPOINT
        if not path.exists():
            raise DdzError(f"{folder} holds no {CHECKPOINT}")
        meta = read_meta(path)
        trainer = cls(TrainSettings.from_dict({**meta["settings"], **changes}), folder)
        load_checkpoint(path, trainer.learner)
        trainer.games, trainer.seconds, trainer.done = meta["games"], meta["seconds"], meta["done"]
        for worker, state in zip(trainer.workers, meta["states"], strict=False):
            worker.state = state
        return trainer

    @classmethod
    def start(cls, weights: Weights, settings: TrainSettings, folder: Path | None = None) -> Trainer:
        """A run that begins with the networks of a weights file, widened where `settings` ask for more hidden units.

        Counts on from the games those were trained for. DdzError: weights for other seats and decks, or wider ones.
        """
        games = weights.info.get("games", 0)
        if not isinstance(games, int) or games < 0:
            raise DdzError(f"weights trained for {games!r} games: expected a whole number")
        trainer = cls(settings, folder)
        learner = trainer.learner
        if len(weights.networks) != len(learner.networks):
            raise DdzError(f"weights for {weights.players} players, expected {len(learner.networks)}")
        for network, old, average, square in zip(
            learner.networks, weights.networks, learner.averages, learner.squares, strict=True
        ):
            carry_over(np.asarray(old.parameters), old.shape, network)
            numbers = np.asarray(network.parameters)
            np.asarray(average)[:] = numbers
            np.asarray(square)[numbers != 0] = _SEEN  # in use, as `averaged` tells by
        trainer.games = games
        return trainer

    def checkpoint(self) -> None:
        """Saves the run to its folder, and its weights as they would ship beside it.

        Samples that wait for a full batch are dropped, here as in a resumed run. DdzError: the run has no folder.
        """
        if self.folder is None:
            raise DdzError("this run has no folder to save to")
        for worker in self.workers:
            worker.drop_pending()
        save_checkpoint(
            self.folder / CHECKPOINT,
            self.learner,
            {
                "games": self.games,
                "seconds": self.seconds,
                "done": self.done,
                "states": [worker.state for worker in self.workers],
                "settings": self.settings.as_dict(),
            },
        )
        save_weights(self.folder / WEIGHTS, self.weights())

    def averaged(self) -> tuple[Network, ...]:
        """Copies of the averaged networks; rows of inputs that have never been on are 0."""
        networks = []
        for average, square in zip(self.learner.averages, self.learner.squares, strict=True):
            network = Network(*self.learner.networks[0].shape)
            numbers = np.asarray(network.parameters)
            numbers[:] = np.asarray(average)
            columns, width, _ = network.shape
            unused = ~np.asarray(square)[: columns * width].reshape(columns, width).any(axis=1)
            numbers[: columns * width].reshape(columns, width)[unused] = 0
            networks.append(network)
        return tuple(networks)

    def judge(self) -> Judge:
        """The averaged networks as they are now, as a player."""
        return Judge(self.rules[0][0], self.averaged())

    def weights(self) -> Weights:
        """The averaged networks with the settings and the length of the run, ready for `save_weights`."""
        info = {"games": self.games, "seconds": round(self.seconds), "settings": self.settings.as_dict()}
        return Weights(self.averaged(), tuple(text for text, _ in self.settings.rules), info)

    def matches(self, deals: int) -> dict[str, float]:
        """Win rates of the averaged networks against random, greedy and the networks at the last call."""
        judge = self.judge()
        arena = Arena(self.rules[0][0], seed=20240501)
        rates = {name: arena.match(judge, name, deals)["wp"] for name in ("random", "greedy")}
        if self._earlier is not None:
            rates["earlier"] = arena.match(judge, self._earlier, deals)["wp"]
        self._earlier = judge
        return rates

    def run(
        self,
        *,
        games: int | None = None,
        minutes: float | None = None,
        every: float = 60.0,
        save_every: float = 300.0,
        deals: int = 500,
        chunk: int = 1000,
        report: Callable[[Progress], None] | None = None,
    ) -> Progress:
        """Trains until the run has played `games` games in all, or for `minutes`; returns where it stands then.

        The rate falls as the budget is spent; a run that has spent one goes on at its last rate for `minutes` more.
        Reports and logs each `every` seconds with matches of `deals` deals (0: none), saves each `save_every` seconds.
        Ctrl-C saves and raises KeyboardInterrupt. DdzError: neither or both budgets, none left, or a number below 0.
        """
        self._check_budget(games, minutes)
        if not (every >= 0 and save_every >= 0 and deals >= 0):
            raise DdzError(f"every={every}, save_every={save_every}, deals={deals}: expected 0 or more")
        begun = said = saved = time.monotonic()
        done_before = self.done
        sums: dict[str, float] = {}
        try:
            with ThreadPoolExecutor(self.settings.threads) as pool:
                while True:
                    rate = self.settings.rate_at(self.done)
                    count = chunk if games is None else min(chunk, -(-(games - self.games) // len(self.workers)))
                    self._play(pool, count, rate, sums)
                    now = time.monotonic()
                    if games is not None:
                        spent = self.games / games
                        self.done = min(1.0, spent)
                    else:
                        assert minutes is not None
                        spent = (now - begun) / (60 * minutes)
                        self.done = done_before + (1 - done_before) * min(1.0, spent)
                    if now - said >= every or spent >= 1:
                        progress = self._say(sums, now - said, rate, deals, report)
                        sums, said = {}, now
                        if spent >= 1:
                            return progress
                    if self.folder is not None and now - saved >= save_every:
                        self.checkpoint()
                        saved = now
        finally:  # all threads have come to rest
            if self.folder is not None:
                self.checkpoint()

    def _check_budget(self, games: int | None, minutes: float | None) -> None:
        """DdzError where there is nothing to do, or it is not known when it is done."""
        if (games is None) == (minutes is None):
            raise DdzError("a run needs a number of games or of minutes, not both")
        if games is not None and games <= self.games:
            raise DdzError(
                f"{games:,} games in all: expected more than the {self.games:,} that have been played already"
            )
        if minutes is not None and not 0 < minutes < math.inf:
            raise DdzError(f"{minutes} minutes: expected more than 0")

    def _play(self, pool: ThreadPoolExecutor, games: int, rate: float, sums: dict[str, float]) -> None:
        """Self-play and fitting of `games` games a worker, added to `sums`; Ctrl-C is raised when they are done."""
        started = time.monotonic()
        how = {"rate": rate, "epsilon": self.settings.epsilon, "decay": self.settings.decay}
        parts = [pool.submit(worker.run, games, **how) for worker in self.workers]
        interrupt: KeyboardInterrupt | None = None
        try:
            wait(parts)
        except KeyboardInterrupt as stopped:
            interrupt = stopped
        for part in parts:
            for key, value in part.result().items():
                sums[key] = sums.get(key, 0) + value
        before, self.games = self.games, self.games + games * len(self.workers)
        if before // _REVIVE_EVERY != self.games // _REVIVE_EVERY:
            self._revive()
        self.seconds += time.monotonic() - started
        if interrupt is not None:
            raise interrupt

    def _revive(self) -> None:
        """Puts dead units of all networks to use again, drawn from the seed and the number of games."""
        rng = np.random.default_rng((self.settings.seed, self.games))
        learner = self.learner
        for network, *moments in zip(learner.networks, learner.means, learner.squares, learner.averages, strict=True):
            blocks = [np.asarray(network.parameters), *(np.asarray(moment) for moment in moments)]
            revive((blocks[0], blocks[1], blocks[2], blocks[3]), network.shape, rng)

    def _say(
        self, sums: dict[str, float], seconds: float, rate: float, deals: int, report: Callable[[Progress], None] | None
    ) -> Progress:
        """Tells and logs where the run stands; `sums` are the workers' of the last `seconds`."""
        samples = max(sums.get("samples", 0), 1)
        played = sums.get("games", 0)
        progress = Progress(
            games=self.games,
            seconds=round(self.seconds, 1),
            games_per_second=round(played / max(seconds, 1e-9), 1),
            rate=rate,
            win_loss=sums.get("win_loss", 0) / samples,
            stake_loss=sums.get("stake_loss", 0) / samples,
            landlord_wins=sums.get("landlord_wins", 0) / max(played, 1),
            matches=self.matches(deals) if deals else {},
        )
        if self.folder is not None:
            with open(self.folder / LOG, "a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(progress)) + "\n")
        if report is not None:
            report(progress)
        return progress


def train(
    settings: TrainSettings | None = None,
    *,
    folder: Path | None = None,
    games: int | None = None,
    minutes: float | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Trainer:
    """A finished run from scratch; see `Trainer.run` for the budget and the reports."""
    trainer = Trainer(settings or TrainSettings(), folder)
    trainer.run(games=games, minutes=minutes, report=report)
    return trainer
