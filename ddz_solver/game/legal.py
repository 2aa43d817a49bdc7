"""What the seat to move may play, as a lazy sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from ddz_solver.core.moves import Play
from ddz_solver.core.position import Position
from ddz_solver.game.combos import parse_play
from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import Rules


class LegalPlays(Sequence[Play]):
    """What the seat to move may play now: a live view of a game with `len`, indexing, iteration and `in`.

    The order is fixed: the pass first where it is allowed, then by kind, length, rank and extras. `in` takes a play or
    text. Iteration runs over the plays as they were when it began.
    """

    __slots__ = ("_position", "_rules")

    def __init__(self, position: Position | None, rules: Rules) -> None:
        self._position = position
        self._rules = rules

    def _follow(self, position: Position | None) -> None:
        """Show the plays of another position from here on; of none outside the play."""
        self._position = position

    def __len__(self) -> int:
        return self._position.legal_count if self._position is not None else 0

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> list[Play]: ...
    def __getitem__(self, index: int | slice) -> Play | list[Play]:
        position = self._position
        if position is None or isinstance(index, slice):
            return list(self)[index]
        count = position.legal_count
        if not -count <= index < count:
            raise IndexError(f"legal play {index} of {count}")
        return position.nth(index if index >= 0 else index + count)

    def __iter__(self) -> Iterator[Play]:
        return iter(self._position.legal() if self._position is not None else ())

    def __contains__(self, play: object) -> bool:
        position = self._position
        if position is None:
            return False
        if isinstance(play, str):
            try:
                play = parse_play(play, self._rules, position.last)
            except DdzError:
                return False
        return isinstance(play, Play) and position.is_legal(play)

    def __repr__(self) -> str:
        return f"<LegalPlays {len(self)}: {', '.join(map(str, self[:8]))}{', ...' if len(self) > 8 else ''}>"
