"""Settings of a training run: frozen, checked, and stored with every checkpoint and weights file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Final

from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import Rules

#: Rules to train together for each (players, decks), with the share of games each gets.
MIXTURES: Final[Mapping[tuple[int, int], tuple[tuple[str, float], ...]]] = MappingProxyType(
    {
        (3, 1): (
            ("douzero", 0.5),
            ("classic", 0.2),
            ("rlcard", 0.06),
            ("openspiel", 0.06),
            ("botzone", 0.06),
            ("tencent", 0.12),
        ),
        (4, 2): (("classic4", 1.0),),
    }
)


@dataclass(frozen=True)
class TrainSettings:
    """What decides the outcome of a run. DdzError: a value out of its range, or rules of different sizes."""

    rules: tuple[tuple[str, float], ...] = MIXTURES[3, 1]
    """Rules and the share of games that each gets; all with the same seats and decks."""
    hidden: tuple[int, int] = (256, 64)
    """Sizes of the hidden layers: multiples of 64 and of 32."""
    threads: int = 1
    """Self-play threads; with one, a run repeats exactly."""
    batch: int = 512
    """Choices a step."""
    rate: float = 1e-3
    """Adam's learning rate."""
    final_rate: float = 5e-5
    """The learning rate at the end."""
    settle: float = 0.5
    """Share of the run after which the rate begins to fall."""
    epsilon: float = 0.02
    """Chance of a random play."""
    decay: float = 1.0
    """Weight of the result against the network's own later values in a target; 1: the result alone."""
    points: float = 0.35
    """Share of games played for points rather than to win."""
    seed: int = 1

    def __post_init__(self) -> None:
        """Checks every value."""
        sizes = {(Rules.parse(text).players, Rules.parse(text).decks) for text, _ in self.rules}
        if len(sizes) != 1:
            names = [text for text, _ in self.rules]
            raise DdzError(f"rules to train together: {names}, expected one number of seats and decks")
        for name, least, most in (
            ("threads", 1, 256),
            ("batch", 1, 65536),
            ("rate", 1e-9, 1),
            ("final_rate", 1e-9, 1),
            ("settle", 0, 1),
            ("epsilon", 0, 1),
            ("decay", 0, 1),
            ("points", 0, 1),
            ("seed", 0, 2**53),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise DdzError(f"training setting {name}={value}: expected {least}..{most}")
        if any(share <= 0 for _, share in self.rules):
            raise DdzError(f"shares of rules {self.rules}: expected numbers above 0")

    def rate_at(self, done: float) -> float:
        """The learning rate after the share `done` (0..1) of the run: constant, then falling exponentially."""
        if done <= self.settle:
            return self.rate
        fallen = (min(done, 1.0) - self.settle) / (1.0 - self.settle)
        return self.rate * math.exp(math.log(self.final_rate / self.rate) * fallen)

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TrainSettings:
        """Settings from `as_dict`. DdzError: unknown names or wrong values."""
        known = {item.name for item in fields(cls)}
        if unknown := set(values) - known:
            raise DdzError(f"unknown training settings {sorted(unknown)}: expected some of {sorted(known)}")
        plain = dict(values)
        if "rules" in plain:
            plain["rules"] = tuple((str(text), float(share)) for text, share in plain["rules"])
        if "hidden" in plain:
            plain["hidden"] = tuple(plain["hidden"])
        return cls(**plain)
