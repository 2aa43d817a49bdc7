"""What a seat knows. AI code is handed this and never a game, so it cannot see hidden hands by accident."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from ddz_solver.core.moves import Play
from ddz_solver.game.auction import calls_above
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import legal_plays
from ddz_solver.game.rules import Rules


class Phase(Enum):
    """Where a hand stands."""

    AUCTION = "auction"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True)
class Observation:
    """Everything that one seat may know at one moment; nothing in it leads to a hidden hand.

    Seats are numbers in playing order. `history` holds every play so far, passes included, as (seat, play), and
    `calls` every call as (seat, bid), 0 for a pass.
    """

    rules: Rules
    seat: int
    """The seat that looks."""
    phase: Phase
    turn: int | None
    """The seat to call or to play; None once the hand is over."""
    hand: Hand
    """The seat's own cards now."""
    unseen: Hand
    """All cards that lie in the other hands and, before there is a landlord, at the bottom."""
    counts: tuple[int, ...]
    """Number of cards in each hand now."""
    landlord: int | None
    bottom: Hand | None
    """The bottom cards as dealt; None where this seat has not seen them."""
    bid: int
    """What the hand is worth without doublings (at least 1 once there is a landlord); 0 before any bid."""
    factor: int
    """Product of all doublings so far; at the end of the hand spring and anti-spring too."""
    to_beat: Play | None
    """The play to beat; None for the leader of a trick and outside the play."""
    to_beat_by: int | None
    """The seat that made `to_beat`."""
    plays: tuple[int, ...]
    """Number of plays that each seat has made, passes not counted."""
    calls: tuple[tuple[int, int], ...]
    history: tuple[tuple[int, Play], ...]
    first_bidder: int | None
    """The seat that calls first; None where there is no auction."""
    face_up: str | None
    """The card that was turned before the deal and went to the first bidder, where the rules turn one."""

    @classmethod
    def _of(cls, fields: dict[str, object]) -> Observation:
        """An observation from all its fields at once; a frozen dataclass sets them one by one, ten times as slowly."""
        seen = cls.__new__(cls)
        seen.__dict__.update(fields)
        return seen

    @property
    def is_landlord(self) -> bool:
        """Whether this seat is the landlord."""
        return self.seat == self.landlord

    @cached_property
    def legal_plays(self) -> tuple[Play, ...]:
        """What this seat may play now, in the order of `Game.legal_plays`; empty where it is not its turn to play."""
        if self.phase is not Phase.PLAY or self.turn != self.seat:
            return ()
        return tuple(legal_plays(self.hand, self.to_beat, self.rules))

    @property
    def legal_calls(self) -> tuple[int, ...]:
        """What this seat may call now; empty where it is not its turn to call."""
        if self.phase is not Phase.AUCTION or self.turn != self.seat:
            return ()
        return calls_above(self.bid)

    def same_side(self, seat: int) -> bool:
        """Whether this seat and another win together."""
        return (seat == self.landlord) == self.is_landlord

    def played_by(self, seat: int) -> Hand:
        """All cards that a seat has played so far."""
        return sum((Hand(play.cards) for player, play in self.history if player == seat), Hand())

    def _repr_svg_(self) -> str:
        """The table as the seat sees it, for a notebook."""
        from ddz_solver.game.picture import table_svg

        hands = [self.hand if seat == self.seat else None for seat in range(self.rules.players)]
        return table_svg(
            hands,
            self.counts,
            landlord=self.landlord,
            turn=self.turn,
            to_beat=self.to_beat,
            to_beat_by=self.to_beat_by,
        )
