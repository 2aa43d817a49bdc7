"""Curves of a run's log as an image. Needs matplotlib, which is optional."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from ddz_solver.game.errors import DdzError

_PLOTTED: Final = {"games", "win_loss", "stake_loss", "matches", "games_per_second"}


def read_log(path: Path) -> list[dict[str, object]]:
    """The lines of a run's log. DdzError: it is no log, or there is nothing in it; OSError."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except ValueError as error:
        raise DdzError(f"{path} is no training log: {error}") from None
    if not lines or not all(isinstance(line, dict) and line.keys() >= _PLOTTED for line in lines):
        raise DdzError(f"{path} is no training log: expected JSON lines with {', '.join(sorted(_PLOTTED))}")
    return lines


def plot_log(log: Path, image: Path) -> None:
    """Draws loss, win rates and speed over the games of a log into an image file; its ending names the format.

    DdzError: no log, an image that cannot be written, or matplotlib is not installed.
    """
    lines = read_log(log)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise DdzError("the plot needs matplotlib: pip install matplotlib") from None
    games = [line["games"] for line in lines]
    figure = Figure(figsize=(8, 9), layout="constrained")
    loss, matches, speed = figure.subplots(3, 1, sharex=True)
    loss.plot(games, [line["win_loss"] for line in lines], label="win chance (log loss)")
    loss.plot(games, [line["stake_loss"] for line in lines], label="stakes (squared error)")
    for name in ("random", "greedy", "earlier"):
        points = [(line["games"], line["matches"].get(name)) for line in lines if isinstance(line["matches"], dict)]
        known = [(at, rate) for at, rate in points if rate is not None]
        if known:
            matches.plot(*zip(*known, strict=True), label=f"against {name}")
    speed.plot(games, [line["games_per_second"] for line in lines], label="games a second")
    for axes, title in ((loss, "loss"), (matches, "win rate"), (speed, "speed")):
        axes.set_ylabel(title)
        if axes.get_legend_handles_labels()[0]:
            axes.legend()
        axes.grid(alpha=0.3)
    speed.set_xlabel("games")
    try:
        figure.savefig(image)
    except (OSError, ValueError) as error:
        raise DdzError(f"the plot cannot be written to {image}: {error}") from None
