"""Self-play training: settings, the training loop, checkpoints, the log and its plot."""

from ddz_solver.train.settings import TrainSettings
from ddz_solver.train.trainer import Progress, Trainer, train

__all__ = ["Progress", "TrainSettings", "Trainer", "train"]
