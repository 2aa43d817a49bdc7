"""The auction of every preset as one state machine over a list of calls.

A call is a number: 0 passes, 1 to 3 bids. How an auction ends is data of the rules: `auction` says whether a seat may
call again, `all_pass` what happens when nobody bids.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from ddz_solver.game.errors import AuctionError
from ddz_solver.game.rules import MAX_BID, Rules, RulesLike
from ddz_solver.game.whole import whole


class Outcome(Enum):
    """How an auction ended."""

    LANDLORD = "landlord"
    REDEAL = "redeal"  # nobody bid: the hand is dealt anew
    NO_SCORE = "no score"  # nobody bid: the hand is over and scores nothing


_ALL_PASSED: Final = {"redeal": Outcome.REDEAL, "end": Outcome.NO_SCORE, "forced": Outcome.LANDLORD}
_CALLS_ABOVE: Final = tuple((0, *range(highest + 1, MAX_BID + 1)) for highest in range(MAX_BID + 1))


class Auction:
    """Who bids what, from the first caller on, in seat order."""

    __slots__ = ("_calls", "_outcome", "_pairs", "first_bidder", "highest", "rules")

    highest: int
    """The highest bid so far; 0 without one."""

    def __init__(self, rules: RulesLike, first_bidder: int = 0) -> None:
        """An auction without calls. SeatError: `first_bidder` is no seat."""
        self.rules = Rules.of(rules)
        self.first_bidder = self.rules.check_seat("first_bidder", first_bidder)
        self._calls: list[int] = []
        self._settle()

    @property
    def calls(self) -> tuple[tuple[int, int], ...]:
        """Every call so far: (seat, bid), a bid of 0 for a pass."""
        return self._pairs

    @property
    def outcome(self) -> Outcome | None:
        """How the auction ended; None while it goes on."""
        return self._outcome

    @property
    def turn(self) -> int | None:
        """The seat to call; None once the auction has ended."""
        return self._seat(len(self._calls)) if self._outcome is None else None

    @property
    def landlord(self) -> int | None:
        """The landlord's seat; None while the auction goes on and where it ended without one.

        Without an auction seat 0 is the landlord; where all passed and the rules force one, the first bidder is.
        """
        if self._outcome is not Outcome.LANDLORD:
            return None
        if self.rules.auction == "none":
            return 0
        return self._seat(self._calls.index(self.highest)) if self.highest else self.first_bidder

    @property
    def stake(self) -> int:
        """What a hand without doublings is worth: the highest bid, at least 1."""
        return max(self.highest, 1)

    @property
    def legal_calls(self) -> tuple[int, ...]:
        """The calls that the seat to call may make: the pass, and every bid above the highest."""
        return calls_above(self.highest) if self._outcome is None else ()

    def verify_call(self, bid: int) -> int:
        """The call that `call` would make. AuctionError: why it would not."""
        number = whole(bid)
        if number in self.legal_calls:
            return number
        if self._outcome:
            raise AuctionError(f"call {bid} after the end of the auction: expected none")
        raise AuctionError(f"call {bid} of seat {self.turn}: expected {' or '.join(map(str, self.legal_calls))}")

    def can_call(self, bid: int) -> bool:
        """Whether the seat to call may make this call."""
        return whole(bid) in self.legal_calls

    def call(self, bid: int) -> None:
        """Make a call. AuctionError if it is not allowed now."""
        self._calls.append(self.verify_call(bid))
        self._settle()

    def undo(self) -> int:
        """Take back the last call and return it. AuctionError if there is none."""
        if not self._calls:
            raise AuctionError("no call to take back")
        bid = self._calls.pop()
        self._settle()
        return bid

    def copy(self) -> Auction:
        """The same auction, independent of this one."""
        twin = Auction(self.rules, self.first_bidder)
        twin._calls = self._calls.copy()
        twin._settle()
        return twin

    def __repr__(self) -> str:
        calls = " ".join(f"{seat}:{format_call(bid)}" for seat, bid in self._pairs) or "no call yet"
        return f"<Auction {self.rules}: {calls}, turn {self.turn}, landlord {self.landlord}>"

    def _settle(self) -> None:
        """Work out the highest bid and the outcome from the calls."""
        self.highest = max(self._calls, default=0)
        self._pairs = tuple([(self._seat(index), bid) for index, bid in enumerate(self._calls)])
        self._outcome = self._decide()

    def _decide(self) -> Outcome | None:
        calls, players, rules = self._calls, self.rules.players, self.rules
        if rules.auction == "none" or self.highest == MAX_BID:
            return Outcome.LANDLORD
        if self.highest == 0:
            return _ALL_PASSED[rules.all_pass] if len(calls) == players else None
        ended = len(calls) == players if rules.auction == "once" else not any(calls[1 - players :])
        return Outcome.LANDLORD if ended else None

    def _seat(self, index: int) -> int:
        return (self.first_bidder + index) % self.rules.players


def calls_above(highest: int) -> tuple[int, ...]:
    """The calls that are allowed over a bid: the pass and every higher bid."""
    return _CALLS_ABOVE[highest]


def parse_call(text: str) -> int:
    """A call from text: `pass`, `-`, `0` or a number. AuctionError for anything else."""
    word = text.strip().lower()
    if word in {"pass", "p", "-", "不叫"}:
        return 0
    if not word.isdecimal() or len(word) > 1:
        raise AuctionError(f"{text.strip()!r} is no call: expected pass, 1, 2 or 3")
    return int(word)


def format_call(bid: int) -> str:
    """Text of a call."""
    return str(bid) if bid else "pass"
