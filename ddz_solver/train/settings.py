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


MOST_RULES: Final = 16
"""Rules that one run can mix."""
#: Least and most of each setting that is a number. Seeds are those that the compiled core takes.
_RANGES: Final = (
    ("threads", 1, 256),
    ("batch", 1, 65536),
    ("rate", 1e-9, 1),
    ("final_rate", 1e-9, 1),
    ("settle", 0, 1),
    ("epsilon", 0, 1),
    ("decay", 0, 1),
    ("points", 0, 1),
    ("seed", 0, 2**31 - 1),
)


@dataclass(frozen=True)
class TrainSettings:
    """What decides the outcome of a run. DdzError: a value out of its range, or rules of different sizes or no deal."""

    rules: tuple[tuple[str, float], ...] = MIXTURES[3, 1]
    """Rules and the share of games that each gets; all with the same seats and decks."""
    hidden: tuple[int, int] = (256, 64)
    """Sizes of the hidden layers: multiples of 64 and of 32."""
    threads: int = 1
    """Self-play threads; with one, a run of a number of games repeats exactly (see `Trainer`)."""
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
        self._check_rules()
        first, second = self.hidden
        if not (_is_number(first, int, 64, 4096) and _is_number(second, int, 32, 1024)) or first % 64 or second % 32:
            raise DdzError(
                f"hidden layers of {first} and {second} units: expected multiples of 64 up to 4096 and of 32 up to 1024"
            )
        for name, least, most in _RANGES:
            value = getattr(self, name)
            if not _is_number(value, type(getattr(TrainSettings, name)), least, most):
                raise DdzError(f"training setting {name}={value}: expected {least}..{most}")

    def _check_rules(self) -> None:
        """Rules with a deal, of one size, and shares above 0."""
        rules = [Rules.parse(text) for text, _ in self.rules]
        if len({(one.players, one.decks, one.hand_size) for one in rules}) != 1:  # RulesError: rules without a deal
            names = [text for text, _ in self.rules]
            raise DdzError(f"rules to train together: {names}, expected one number of seats and decks")
        if len(rules) > MOST_RULES:
            raise DdzError(f"{len(rules)} rules to train together, expected at most {MOST_RULES}")
        if not all(0 < share < math.inf for _, share in self.rules):
            raise DdzError(f"shares of rules {self.rules}: expected numbers above 0")

    def rate_at(self, done: float) -> float:
        """The learning rate after the share `done` (0..1) of the run: constant, then falling exponentially."""
        done = min(done, 1.0)
        if done <= self.settle:
            return self.rate
        fallen = (done - self.settle) / (1.0 - self.settle)
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
        try:
            if "rules" in plain:
                plain["rules"] = tuple((str(text), float(share)) for text, share in plain["rules"])
            if "hidden" in plain:
                first, second = plain["hidden"]
                plain["hidden"] = first, second
        except (TypeError, ValueError) as error:
            raise DdzError(f"training settings {plain} cannot be read: {error}") from None
        return cls(**plain)


def _is_number(value: Any, kind: type[float], least: float, most: float) -> bool:
    """Whether a value is a whole number, or another one where `kind` is float, from `least` to `most`."""
    right: bool = isinstance(value, (int, kind)) and not isinstance(value, bool) and least <= value <= most
    return right
