"""How fast is training? Self-play games a second on one core, fitting included, for three and four players."""

from __future__ import annotations

import time

from bench.report import Row, rate
from ddz_solver.train import Trainer, TrainSettings


def rows(seconds: float) -> list[Row]:
    """Games a second, and learned choices a second, of one thread."""
    found = []
    for preset, games, required in (("douzero", 100, 1500), ("classic4", 20, None)):
        trainer = Trainer(TrainSettings(rules=((preset, 1.0),), batch=256, decay=0.8))
        trainer.run(games=20 * games, deals=0)  # past the first, clumsy games, which are long
        worker = trainer.workers[0]
        choices = 0.0
        played = 0

        def work(worker=worker, games=games) -> int:  # type: ignore[no-untyped-def]
            nonlocal choices, played
            choices += worker.run(games, rate=1e-3, epsilon=0.02, decay=0.8)["choices"]
            played += games
            return games

        speed = rate(work, seconds, time.process_time)
        found.append(Row(f"self-play and fitting, {preset}", speed, "games/s", "required", required, 1))
        found.append(Row(f"choices learned from, {preset}", speed * choices / played, "choices/s"))
    return found
