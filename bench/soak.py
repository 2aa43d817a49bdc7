"""Hours of use: random commands to `ddz engine` and matches of all kinds of engines, watched for growth and mistakes.

python -m bench.soak                       one hour, result in bench/results/soak.json
python -m bench.soak --minutes 2 --json /tmp/soak.json

Every record of the matches is judged again and read back from its text; after every match nothing that it started may
be left. The memory of the two processes that last, this one with the matches and the engine, is sampled; after a
warm-up of a quarter of the time a straight line through the samples must not rise by more than ALLOWED_GROWTH.
Linux only: memory and processes are read from /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.chatter import Chatter
from ddz_solver import __version__
from ddz_solver.ai.agents import LEVELS
from ddz_solver.engine.client import Timing
from ddz_solver.engine.match import Match
from ddz_solver.engine.memory import keep_small
from ddz_solver.engine.records import Record
from ddz_solver.engine.replay import rejudge
from ddz_solver.game.rules import PRESETS

ENGINES = pathlib.Path(__file__).parent.parent / "tests" / "engines"
RESULTS = pathlib.Path(__file__).parent / "results" / "soak.json"
#: An argument that tells the programs of this run from all others.
MARK = f"of-soak-{os.getpid()}"
TIMING = Timing(start=10.0, margin=1.0, grace=1.0, stall=3.0, reply=3.0, quit=0.5)
#: MB that the fitted line may rise between warm-up and end.
ALLOWED_GROWTH = 4.0
WARM_UP = 0.25
#: `polite` is what the others have in common; `slow_start` only waits.
NOT_PLAYED = {"plain", "polite", "slow_start"}


class Soak:
    """What is counted and sampled while it runs."""

    def __init__(self, seed: int) -> None:
        """Nothing has happened yet."""
        self.rng = random.Random(seed)
        self.endings: Counter[str] = Counter()
        """Hands by how they ended."""
        self.pairings: Counter[str] = Counter()
        """Hands by kinds of engines."""
        self.decisions = 0
        self.samples: dict[str, list[tuple[float, float]]] = {"matches": [], "engine": []}
        """Seconds since the start and MB of resident memory."""
        self.files: list[int] = []
        self.said: Counter[str] = Counter()
        """Commands to the engine by verb."""
        self.short_sessions = 0
        self.seconds = 0.0

    def run(self, seconds: float, on_round: Callable[[], None]) -> None:
        """Talk and play for so long; `on_round` is called after every match. Whatever is wrong is raised."""
        start = time.monotonic()
        with Chatter(self.rng) as chatter:
            self.said = chatter.said
            while self.seconds < seconds:
                match_start = time.monotonic()
                self._match()
                match_end = time.monotonic()
                while time.monotonic() - match_end < match_end - match_start:  # half of the time for each
                    chatter.exchange()
                self._check_processes({chatter.pid})
                if self.rng.random() < 0.1:
                    self._short_session()
                self.seconds = time.monotonic() - start
                self.samples["matches"].append((self.seconds, resident(os.getpid())))
                self.samples["engine"].append((self.seconds, resident(chatter.pid)))
                self.files.append(len(os.listdir("/proc/self/fd")))
                on_round()
            chatter.quit()

    def report(self) -> dict[str, Any]:
        """What has happened so far, as JSON values."""
        memory = {name: growth(samples) for name, samples in self.samples.items()}
        return {
            "date": time.strftime("%Y-%m-%d"),
            "version": __version__,
            "python": platform.python_version(),
            "minutes": round(self.seconds / 60, 1),
            "commands": dict(sorted(self.said.items())),
            "sessions_of_their_own": self.short_sessions,
            "matches": dict(sorted(self.pairings.items())),
            "hands": dict(sorted(self.endings.items())),
            "decisions_judged_again": self.decisions,
            "open_files": {"first": self.files[0], "last": self.files[-1]},
            "memory": memory,
            "allowed_growth_mb": ALLOWED_GROWTH,
            "steady": all(found["growth_mb"] <= ALLOWED_GROWTH for found in memory.values()),
        }

    def _match(self) -> None:
        """One deal in all its seatings between two engines of any kind; every record is judged again."""
        kinds = self.rng.choices(["level", "program", "hostile"], [8, 3, 2], k=2)
        rules = "douzero" if "hostile" in kinds else self.rng.choice(list(PRESETS))
        engines = [self._engine(kind) for kind in kinds]
        policy = self.rng.choice(["forfeit", "fallback", "void"])
        Match(
            engines,
            rules,
            deals=1,
            seed=self.rng.getrandbits(32),
            policy=policy,  # type: ignore[arg-type]
            timing=TIMING,
            on_hand=lambda record, results: self._check_record(record),
        ).run()
        self.pairings[" against ".join(sorted(kinds))] += 1

    def _engine(self, kind: str) -> str:
        """A specification of an engine of this kind."""
        if kind == "level":
            level = self.rng.choice(LEVELS)
            return f"{level} time=10" if level in ("quick", "planner") else level
        names = ["plain"] if kind == "program" else hostile()
        name = self.rng.choice(names)
        limit = " time=100" if name == "late" else ""
        return f'cmd="{sys.executable} {ENGINES / name}.py {MARK}" name={name}{limit}'

    def _check_record(self, record: Record) -> None:
        rejudge(record)
        if Record.parse(record.to_text()) != record:
            raise AssertionError(f"a record that is not read back as written:\n{record.to_text()}")
        self.endings[str(record.termination)] += 1
        self.decisions += len(record.calls) + len(record.plays)

    def _short_session(self) -> None:
        """An engine that is asked a little and then told to quit."""
        with Chatter(self.rng) as chatter:
            for _ in range(3):
                chatter.exchange()
            chatter.quit()
        self.short_sessions += 1

    def _check_processes(self, lasting: set[int]) -> None:
        """AssertionError where a program of a match is still there, or has not been waited for."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                arguments = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
                state, parent = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            ours = int(parent) == os.getpid() and int(pid) not in lasting
            if MARK in arguments or (ours and state == "Z"):
                raise AssertionError(f"process {pid} was left behind: {arguments!r}, state {state}")


def hostile() -> list[str]:
    """Names of the programs that misbehave."""
    return sorted({path.stem for path in ENGINES.glob("*.py")} - NOT_PLAYED)


def resident(pid: int) -> float:
    """Resident memory of a process, MB."""
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def growth(samples: list[tuple[float, float]]) -> dict[str, float]:
    """How memory went after the warm-up: first, last and highest MB, and what a straight line through it rises."""
    times, sizes = np.array(samples).T
    late = times >= times[-1] * WARM_UP
    times, sizes = times[late], sizes[late]
    slope = float(np.polyfit(times, sizes, 1)[0]) if len(times) > 1 else 0.0
    return {
        "samples": len(times),
        "first_mb": round(float(sizes[0]), 1),
        "last_mb": round(float(sizes[-1]), 1),
        "peak_mb": round(float(sizes.max()), 1),
        "growth_mb": round(slope * float(times[-1] - times[0]), 2),
    }


def write(path: pathlib.Path, report: dict[str, Any]) -> None:
    """The report so far, in the file at once: a run that is cut off has a result too."""
    path.write_text(json.dumps(report, indent=1) + "\n")


def main() -> int:
    """Runs it and writes the result; 1 where memory grew."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="how long (60)")
    parser.add_argument("--seed", type=int, default=1, help="of everything random (1)")
    parser.add_argument("--json", type=pathlib.Path, default=RESULTS, help=f"where the result goes ({RESULTS.name})")
    options = parser.parse_args()
    keep_small()  # as `ddz match` does
    soak = Soak(options.seed)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    soak.run(options.minutes * 60, lambda: write(options.json, soak.report()))
    report = soak.report()
    print(json.dumps(report, indent=1))
    return 0 if report["steady"] else 1


if __name__ == "__main__":
    sys.exit(main())
