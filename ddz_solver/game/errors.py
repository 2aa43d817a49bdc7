"""Everything that can be wrong with input, as exceptions.

Each is a `ValueError`; its message quotes the offending text and says what was expected.
"""


class DdzError(ValueError):
    """Bad input of any sort; catch this to catch them all."""


class CardsError(DdzError):
    """Text that is no cards, too many cards of a rank, or cards that a hand does not hold."""


class RulesError(DdzError):
    """An unknown preset or switch, or switches that make no game."""


class DealError(DdzError):
    """Hands and bottom cards that are no deal under the rules."""


class SeatError(DdzError):
    """A number that is no seat, or a wrong seat."""


class PlayError(DdzError):
    """Cards that are no combination under the rules."""


class AmbiguousPlay(PlayError):
    """Cards with several readings of which none is the default; the message names them all."""


class IllegalPlay(PlayError):
    """A combination, but not one that may be played now."""


class AuctionError(DdzError):
    """A call that is not allowed now."""


class TurnError(DdzError):
    """Something that does not belong to this phase of the game or to this seat."""


class NotationError(DdzError):
    """Text of a position, a deal or a game that cannot be read."""
