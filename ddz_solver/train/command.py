"""`ddz train`: trains networks by self-play, from scratch or from where a run stopped."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rich.console import Console

from ddz_solver.ai.weights import load_weights
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import Rules
from ddz_solver.train.plot import plot_log
from ddz_solver.train.settings import MIXTURES, TrainSettings
from ddz_solver.train.trainer import CHECKPOINT, LOG, Progress, Trainer

_OWN = ("threads", "batch", "rate", "final_rate", "settle", "epsilon", "decay", "points", "seed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of `ddz train`."""
    parser.add_argument("folder", type=Path, help="where the checkpoint, the weights and the log go")
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument("--minutes", type=float, help="train for this long")
    budget.add_argument(
        "--games",
        type=int,
        help="train until this many games have been played in all, those before --resume or --start included",
    )
    begin = parser.add_mutually_exclusive_group()
    begin.add_argument("--resume", action="store_true", help="go on from the checkpoint in the folder")
    begin.add_argument(
        "--start",
        type=Path,
        metavar="WEIGHTS",
        help="begin with the networks of this file; --hidden may widen them",
    )
    parser.add_argument(
        "--rules",
        action="append",
        metavar="RULES[:SHARE]",
        help="rules to train; repeat for a mixture (default: all presets of one deck, mixed)",
    )
    parser.add_argument("--hidden", type=int, nargs=2, metavar=("FIRST", "SECOND"), help="sizes of the hidden layers")
    parser.add_argument("--every", type=float, default=60.0, help="seconds between two lines of the log")
    parser.add_argument("--save-every", type=float, default=300.0, help="seconds between two checkpoints")
    parser.add_argument("--plot", type=Path, metavar="IMAGE", help="draw the log at the end (needs matplotlib)")
    parser.add_argument("--deals", type=int, default=500, help="deals of each match in the log; 0 for none")
    defaults = TrainSettings()
    for name in _OWN:
        default = getattr(defaults, name)
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), help=f"default {default}")


def run(arguments: argparse.Namespace) -> int:
    """Trains as asked, printing a line of progress at a time; returns the exit status."""
    console = Console()
    try:
        trainer = _trainer(arguments)
    except OSError as error:
        raise DdzError(f"cannot begin: {error}") from error

    def show(progress: Progress) -> None:
        matches = "  ".join(f"{name} {rate:.3f}" for name, rate in progress.matches.items())
        console.print(
            f"{progress.games:>10,} games  {progress.games_per_second:>6.0f}/s  rate {progress.rate:.1e}  "
            f"loss {progress.win_loss:.4f} {progress.stake_loss:.3f}  landlord {progress.landlord_wins:.3f}  {matches}",
            highlight=False,
        )

    try:
        trainer.run(
            games=arguments.games,
            minutes=arguments.minutes,
            every=arguments.every,
            save_every=arguments.save_every,
            deals=arguments.deals,
            report=show,
        )
    except KeyboardInterrupt:
        console.print(f"stopped; go on with --resume ({trainer.games:,} games so far)")
        return 130
    if arguments.plot is not None:
        plot_log(arguments.folder / LOG, arguments.plot)
    return 0


def _trainer(arguments: argparse.Namespace) -> Trainer:
    """The run that the command line asks for: a new one, one that goes on, or one that begins with weights."""
    folder: Path = arguments.folder
    changes: dict[str, Any] = {name: getattr(arguments, name) for name in _OWN if getattr(arguments, name) is not None}
    if arguments.hidden is not None:
        changes["hidden"] = tuple(arguments.hidden)
    if arguments.rules:
        changes["rules"] = _mixture(arguments.rules)
    if arguments.resume:
        return Trainer.resume(folder, **changes)
    if (folder / CHECKPOINT).exists():
        raise DdzError(f"{folder} holds a run already: go on with --resume, or name another folder")
    if arguments.start:
        return _started(arguments.start, folder, changes)
    return Trainer(TrainSettings.from_dict(changes), folder)


def _started(source: Path, folder: Path, changes: dict[str, Any]) -> Trainer:
    """A run that begins with the networks of a weights file, and with its settings but for `changes`."""
    weights = load_weights(source)
    before = weights.info.get("settings", {"rules": [(text, 1.0) for text in weights.rules]})
    if not isinstance(before, dict):
        raise DdzError(f"{source} was trained with the settings {before!r}: expected names and values")
    settings = TrainSettings.from_dict({"hidden": weights.networks[0].shape[1:], **before, **changes})
    return Trainer.start(weights, settings, folder)


def _mixture(texts: list[str]) -> tuple[tuple[str, float], ...]:
    """Rules and shares from `RULES[:SHARE]` texts; `mixed` stands for all presets of one deck."""
    pairs: list[tuple[str, float]] = []
    for text in texts:
        name, _, share = text.partition(":")
        if name == "mixed" and not share:
            pairs.extend(MIXTURES[3, 1])
        else:
            pairs.append((str(Rules.parse(name)), _share(text, share)))
    return tuple(pairs)


def _share(text: str, share: str) -> float:
    try:
        return float(share or 1)
    except ValueError:
        raise DdzError(f"--rules {text}: expected RULES or RULES:SHARE, the share a number above 0") from None
