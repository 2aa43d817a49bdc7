from collections.abc import Iterable, Sequence

from ddz_solver.core.moves import CompiledRules, Play

class Observation:
    def __init__(
        self,
        rules: CompiledRules,
        *,
        seat: int,
        hand: int,
        landlord: int,
        counts: Sequence[int],
        bottom: int = 0,
        history: Iterable[tuple[int, Play]] = (),
        unseen: int | None = None,
        to_beat: Play | None = None,
        to_beat_by: int | None = None,
        factor: int | None = None,
        plays: Sequence[int] | None = None,
    ) -> None: ...
    def record(self, seat: int, play: Play) -> None: ...
    @property
    def seat(self) -> int: ...
    @property
    def hand(self) -> int: ...
    @property
    def unseen(self) -> int: ...
    @property
    def to_beat(self) -> Play: ...
    @property
    def compiled_rules(self) -> CompiledRules: ...
