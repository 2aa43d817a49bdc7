"""What one seat knows, in the form that the compiled core reads."""

from collections.abc import Iterable, Sequence

from ddz_solver.core.moves import CompiledRules, Play

class Observation:
    """What `seat` knows when it is to move.

    `hand` and `unseen` are packed hands: the seat's own cards, and all cards that the others hold together (by default
    the rest of the pack). `counts` are the cards left of every seat, `bottom` the bottom cards where they were shown.
    `history` holds (seat, Play) of every turn so far, passes included. Where play began in the middle, `to_beat` by the
    seat `to_beat_by`, the doublings `factor` and the `plays` of each seat so far may say what the history does not.
    Raises ValueError where these do not fit together.
    """

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
    def record(self, seat: int, play: Play) -> None:
        """Takes note of a play or a pass. Raises ValueError where `seat` cannot have made it."""
    @property
    def seat(self) -> int:
        """The observing seat."""
    @property
    def hand(self) -> int:
        """Its cards, packed."""
    @property
    def unseen(self) -> int:
        """All cards the other seats hold together, packed."""
    @property
    def to_beat(self) -> Play:
        """The play to beat; a pass where the seat leads."""
    @property
    def compiled_rules(self) -> CompiledRules:
        """The rules it was made for."""
