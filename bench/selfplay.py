"""How fast is training, and what memory does it take? One core, fitting included, for three and four players.

Beside DouZero's own actor loop (packages `douzero` and `torch`), which only plays: its fitting is left out.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any, Final

from bench.report import Row, rate
from ddz_solver.core.selfplay import Worker
from ddz_solver.train import Trainer, TrainSettings

PRESETS: Final = (("douzero", 100), ("classic4", 20))
"""Rules, and games between two looks at the clock."""


def trainer(preset: str, games: int) -> Trainer:
    """A run on one thread, past the first, clumsy games, which are long."""
    made = Trainer(TrainSettings(rules=((preset, 1.0),), batch=256, decay=0.8))
    made.run(games=20 * games, deals=0)
    return made


def megabytes(preset: str, games: int) -> float:
    """Resident memory that a run adds to a fresh Python with the package imported."""
    code = (
        "import os; from bench.selfplay import trainer; from bench.soak import resident;"
        f"before = resident(os.getpid()); run = trainer({preset!r}, {games}); print(resident(os.getpid()) - before)"
    )
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout)


def douzero_actor(seconds: float) -> tuple[float, float] | None:
    """Games and decisions a second of DouZero's actor with fresh networks on one core, if installed."""
    try:
        import torch
        from douzero.dmc import utils
        from douzero.dmc.arguments import parser
        from douzero.dmc.models import Model
    except ImportError:
        return None
    torch.set_num_threads(1)
    games = decisions = 0
    end = time.process_time() + seconds

    class Counting(utils.Environment):  # type: ignore[misc]
        def step(self, action: list[int]) -> Any:
            nonlocal games, decisions
            answer = super().step(action)
            decisions += 1
            if answer[2]["done"]:
                games += 1
                if time.process_time() > end:
                    raise KeyboardInterrupt  # what ends the loop of the actor
            return answer

    class Slot:
        """A queue of one buffer that is always free."""

        def get(self) -> int:
            return 0

        def put(self, index: int) -> None:
            """Samples are not fitted."""

    flags = parser.parse_args(["--num_buffers", "1"])
    slots = {position: Slot() for position in ("landlord", "landlord_up", "landlord_down")}
    original, utils.Environment = utils.Environment, Counting
    start = time.process_time()
    try:
        utils.act(0, "cpu", slots, slots, Model("cpu"), utils.create_buffers(flags, ["cpu"])["cpu"], flags)
    finally:
        utils.Environment = original
    spent = time.process_time() - start
    return games / spent, decisions / spent


def rows(seconds: float) -> list[Row]:
    """Games a second, learned choices a second and memory of one thread."""
    peers = douzero_actor(5 * seconds)
    found = []
    for preset, games in PRESETS:
        worker = trainer(preset, games).workers[0]
        choices = 0.0
        played = 0

        def work(worker: Worker = worker, games: int = games) -> int:
            nonlocal choices, played
            choices += worker.run(games, rate=1e-3, epsilon=0.02, decay=0.8)["choices"]
            played += games
            return games

        speed = rate(work, seconds, time.process_time)
        peer = "DouZero, only playing" if preset == "douzero" else ""
        their_games, their_decisions = peers if peers and peer else (None, None)
        if preset == "douzero":
            found.append(Row(f"self-play and fitting, {preset}, beside the bar", speed, "games/s", "bar", 1500, 1))
        found += [
            Row(f"self-play and fitting, {preset}", speed, "games/s", peer, their_games),
            Row(f"choices learned from, {preset}", speed * choices / played, "choices/s", peer, their_decisions),
        ]
        found.append(Row(f"memory of self-play and fitting, {preset}", megabytes(preset, games), "MB"))
    return found
