"""train networks by self-play, from scratch or from where a run stopped

The folder receives a checkpoint, a weights file that every command can use, and a log of JSON lines.

Examples:
  ddz train runs/mine --minutes 60 --threads 4
  ddz train runs/mine --minutes 60 --resume
  ddz train runs/wide --start runs/mine/weights.ddz --hidden 512 64 --games 20000000
  ddz train runs/four --rules classic4 --hidden 128 64 --games 1000000 --plot curves.png
"""

from ddz_solver.train.command import add_arguments, run

__all__ = ["add_arguments", "run"]
