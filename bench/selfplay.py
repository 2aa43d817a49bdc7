"""How fast is training? Self-play games a second on one core, fitting included, for three and four players.

    python bench/selfplay.py [--games 3000] [--hidden 256 64]
"""

from __future__ import annotations

import argparse
import resource
import time

from ddz_solver.train import Trainer, TrainSettings


def main() -> None:
    """Prints one line a preset: games a second, choices a game, microseconds a choice, memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--hidden", type=int, nargs=2, default=(256, 64))
    options = parser.parse_args()
    for preset in ("douzero", "classic4"):
        trainer = Trainer(TrainSettings(rules=((preset, 1.0),), hidden=tuple(options.hidden), batch=256, decay=0.8))
        trainer.run(games=options.games // 4, deals=0)       # past the first clumsy games, which are long
        start = time.process_time()
        choices = 0.0
        worker = trainer.workers[0]
        for _ in range(10):
            choices += worker.run(options.games // 10, rate=1e-3, epsilon=0.02, decay=0.8)["choices"]
        seconds = time.process_time() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{preset:9} {options.games / seconds:7.0f} games/s of one core   {choices / options.games:5.1f} choices "
            f"a game   {seconds / choices * 1e6:6.1f} us a choice   {memory:.0f} MiB"
        )


if __name__ == "__main__":
    main()
