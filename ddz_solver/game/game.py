"""One hand from the deal to the payoffs: auction, play, over; every step can be taken back.

    >>> game = Game("classic", seed=7)
    >>> game.phase, game.turn
    (<Phase.AUCTION: 'auction'>, 0)
    >>> game.call(3)
    >>> game.phase, game.turn, game.landlord
    (<Phase.PLAY: 'play'>, 0, 0)
    >>> len(game.legal_plays), "AAA3" in game.legal_plays
    (73, True)
    >>> game.push("AAA3")
    >>> game.pop()
    <Play 3AAA trio_solo>

Illegal input raises a `DdzError` and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from ddz_solver.core.moves import Play
from ddz_solver.core.position import Position
from ddz_solver.game.auction import Auction, Outcome
from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.combos import explain_illegal, parse_play
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import TurnError
from ddz_solver.game.given import check_bid, check_bottom, given_position
from ddz_solver.game.legal import LegalPlays
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.game.rules import Rules, RulesLike
from ddz_solver.game.scoring import payoffs


class Game:
    """One hand: deal, auction, play, payoffs.

    `Game(rules, seed=...)` deals from a seed (a fresh one where none is given), `Game(rules, deal)` takes a deal,
    `Game.from_hands` starts in the middle. With `landlord` the auction is left out and the stake is `bid`.
    """

    __slots__ = ("_auction", "_bid", "_bottom", "_deal", "_legal", "_past", "_plays", "_position", "_rules", "_start")
    _auction: Auction | None
    _plays: list[Play]
    _past: tuple[tuple[int, Play], ...]  # as much of the history as somebody has asked for

    def __init__(
        self,
        rules: RulesLike = "classic",
        deal: Deal | None = None,
        *,
        seed: int | None = None,
        landlord: int | None = None,
        bid: int = 1,
    ) -> None:
        """Deal a hand. RulesError, DealError: rules without a deal, or a deal that does not fit them.

        SeatError, AuctionError: a landlord or a bid that cannot be.
        """
        rules = Rules.of(rules)
        if deal is None:
            deal = Deal.random(rules, int.from_bytes(os.urandom(8), "big") if seed is None else seed)
        else:
            deal.check(rules)
        self._begin(rules, deal, deal.bottom, None, 0)
        if landlord is None and rules.auction != "none":
            self._auction = Auction(rules, deal.first_bidder)
        else:
            self._start_play(rules.check_seat("landlord", landlord or 0), check_bid(bid))

    @classmethod
    def from_hands(
        cls,
        hands: Iterable[HandLike],
        rules: RulesLike = "classic",
        *,
        landlord: int = 0,
        turn: int | None = None,
        to_beat: Play | str | None = None,
        to_beat_by: int | None = None,
        bottom: HandLike | None = None,
        bid: int = 1,
        factor: int = 1,
        plays: Iterable[int] | None = None,
    ) -> Game:
        """A game that starts in the play, with these hands, one a seat.

        The landlord moves unless `turn` says otherwise; without `to_beat` that seat leads. `to_beat` was made by the
        seat before the one to move unless `to_beat_by` says otherwise. `factor` is the product of earlier doublings and
        `plays` how often each seat has played (for spring). CardsError, DealError, PlayError, SeatError, AuctionError:
        what does not fit.
        """
        rules = Rules.of(rules)
        position = given_position(hands, rules, landlord, turn, to_beat, to_beat_by, factor, plays)
        game = cls.__new__(cls)
        game._begin(rules, None, check_bottom(bottom, rules), position, check_bid(bid))
        return game

    # --- what stands ------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of this hand."""
        return self._rules

    @property
    def deal(self) -> Deal | None:
        """What was dealt; None for a game that started from given hands."""
        return self._deal

    @property
    def phase(self) -> Phase:
        """Auction, play or over."""
        if self._position is not None:
            return Phase.OVER if self._position.over else Phase.PLAY
        return Phase.AUCTION if self._auction is not None and self._auction.outcome is None else Phase.OVER

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        if self._position is not None:
            return self._position.over
        return self._auction is None or self._auction.outcome is not None

    @property
    def redeal(self) -> bool:
        """Whether nobody bid and the rules ask for a new deal."""
        return self._auction is not None and self._auction.outcome is Outcome.REDEAL

    @property
    def turn(self) -> int | None:
        """The seat to call or to play; None once the hand is over."""
        if self._position is not None:
            return None if self._position.over else self._position.turn
        return self._auction.turn if self._auction is not None else None

    @property
    def landlord(self) -> int | None:
        """The landlord's seat; None before there is one."""
        return self._position.landlord if self._position is not None else None

    @property
    def hands(self) -> tuple[Hand, ...]:
        """All hands as they are now, one a seat; before there is a landlord the bottom cards are in none of them."""
        if self._position is not None:
            return tuple(map(Hand, self._position.hands))
        assert self._deal is not None
        return self._deal.hands

    @property
    def bottom(self) -> Hand | None:
        """The bottom cards as dealt; None where they are not known."""
        return self._bottom

    @property
    def bid(self) -> int:
        """What the hand is worth without doublings; the highest bid while the auction goes on."""
        return self._bid if self._position is not None or self._auction is None else self._auction.highest

    @property
    def factor(self) -> int:
        """Product of all doublings so far; at the end spring and anti-spring too."""
        return self._position.factor if self._position is not None else 1

    @property
    def to_beat(self) -> Play | None:
        """The play to beat; None where the seat to move leads, and outside the play."""
        return self._position.last if self._position is not None and not self._position.over else None

    @property
    def to_beat_by(self) -> int | None:
        """The seat that made `to_beat`."""
        return self._position.owner if self._position is not None and self.to_beat is not None else None

    @property
    def calls(self) -> tuple[tuple[int, int], ...]:
        """Every call so far: (seat, bid), 0 for a pass."""
        return self._auction.calls if self._auction is not None else ()

    @property
    def history(self) -> tuple[tuple[int, Play], ...]:
        """Every play so far, passes included: (seat, play)."""
        past, plays = self._past, self._plays
        if len(past) < len(plays) and self._start is not None:
            first, players = self._start.turn, self._rules.players
            past += tuple([((first + index) % players, plays[index]) for index in range(len(past), len(plays))])
            self._past = past
        return past

    @property
    def has_auction(self) -> bool:
        """Whether this hand has or had an auction; without one the landlord was given."""
        return self._auction is not None

    @property
    def start(self) -> Position | None:
        """A copy of the compiled position in which the play began; None before the play."""
        return self._start.copy() if self._start is not None else None

    @property
    def position(self) -> Position | None:
        """A copy of the compiled position, without its past; None before the play."""
        return self._position.copy() if self._position is not None else None

    # --- what may be done -------------------------------------------------------------------------------------------

    @property
    def legal_plays(self) -> LegalPlays:
        """What the seat to move may play: a live, lazy sequence; empty outside the play."""
        return self._legal

    @property
    def legal_calls(self) -> tuple[int, ...]:
        """What the seat to call may call: 0 for the pass and bids; empty outside the auction."""
        return self._auction.legal_calls if self._auction is not None else ()

    def verify_push(self, play: Play | str) -> Play:
        """The play that `push` would make. TurnError, CardsError, PlayError and its subclasses: why it would not."""
        position = self._running(f"the play {play}")
        if not isinstance(play, Play):
            play = parse_play(play, self._rules, position.last)
        if not position.is_legal(play):
            raise explain_illegal(play, Hand(position.hands[position.turn]), position.last, self._rules)
        return play

    def can_push(self, play: Play | str) -> bool:
        """Whether the seat to move may make this play."""
        return play in self._legal

    def push(self, play: Play | str) -> None:
        """Make a play or a pass for the seat to move. TurnError, CardsError, PlayError and its subclasses."""
        position = self._position
        if position is None or not isinstance(play, Play):
            play = self.verify_push(play)
            position = self._running(f"the play {play}")
        try:
            position.play(play)
        except ValueError:
            self.verify_push(play)
            raise
        self._plays.append(play)

    def verify_call(self, bid: int) -> int:
        """The call that `call` would make. TurnError outside the auction, AuctionError: why it would not."""
        if self._auction is None or self._position is not None:
            raise TurnError(f"the call {bid} in the phase {self.phase.value}: expected {self._expected()}")
        return self._auction.verify_call(bid)

    def can_call(self, bid: int) -> bool:
        """Whether the seat to call may make this call."""
        return self._auction is not None and self._auction.can_call(bid)

    def call(self, bid: int) -> None:
        """Make a call for the seat to call, 0 for a pass. TurnError outside the auction, AuctionError: not allowed."""
        self.verify_call(bid)
        auction = self._auction
        assert auction is not None
        auction.call(bid)
        landlord = auction.landlord
        if landlord is not None:
            self._start_play(landlord, auction.stake)

    def pop(self) -> Play | int:
        """Take back the last play or call and return it. TurnError where there is none."""
        if self._plays:
            assert self._position is not None
            self._position.undo()
            self._past = self._past[: len(self._plays) - 1]
            return self._plays.pop()
        if self._auction is None or not self._auction.calls:
            raise TurnError("nothing to take back: expected a play or a call before")
        self._set_start(None)
        return self._auction.undo()

    # --- how it ended -----------------------------------------------------------------------------------------------

    @property
    def winner(self) -> int | None:
        """The seat that got rid of its cards; None before that, and where nobody bid."""
        return self._position.winner if self._position is not None else None

    @property
    def landlord_won(self) -> bool | None:
        """Whether the landlord won; None before the end, and where nobody bid."""
        return None if self.winner is None else self.winner == self.landlord

    @property
    def winners(self) -> tuple[int, ...]:
        """Every seat of the side that won; empty before the end, and where nobody bid."""
        if self.winner is None:
            return ()
        return tuple(seat for seat in range(self._rules.players) if (seat == self.landlord) == self.landlord_won)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Points of every seat at the end, all 0 where nobody bid. TurnError before the end."""
        if not self.over:
            raise TurnError(f"payoffs in the phase {self.phase.value}: expected the end of the hand")
        if self.winner is None or self.landlord is None:
            return (0,) * self._rules.players
        return payoffs(self._rules, self.landlord, self.winner == self.landlord, self._bid, self.factor)

    # --- views ------------------------------------------------------------------------------------------------------

    def observation(self, seat: int | None = None) -> Observation:
        """What a seat knows, by default the seat to move. SeatError if that is no seat, TurnError if nobody moves."""
        if seat is None:
            seat = self.turn
            if seat is None:
                raise TurnError("the hand is over: expected a seat whose view to give")
        rules, position, auction, landlord = self._rules, self._position, self._auction, self.landlord
        rules.check_seat("seat", seat)
        if position is not None:
            own, hidden, counts, plays, to_beat, to_beat_by = position.view(seat)
        else:
            hands = self.hands
            own, counts, plays = hands[seat].bits, tuple(map(len, hands)), (0,) * rules.players
            hidden = sum(hand.bits for hand in hands) - own + (self._bottom.bits if self._bottom is not None else 0)
            to_beat = to_beat_by = None
        return Observation._of(
            {
                "rules": rules,
                "seat": seat,
                "phase": self.phase,
                "turn": self.turn,
                "hand": Hand(own),
                "unseen": Hand(hidden),
                "counts": counts,
                "landlord": landlord,
                "bottom": self._bottom if landlord is not None and (rules.bottom_shown or seat == landlord) else None,
                "bid": self.bid,
                "factor": self.factor,
                "to_beat": to_beat,
                "to_beat_by": to_beat_by,
                "plays": plays,
                "calls": self.calls,
                "history": self.history,
                "first_bidder": auction.first_bidder if auction is not None else None,
                "face_up": self._deal.face_up if auction is not None and self._deal is not None else None,
            }
        )

    def copy(self) -> Game:
        """The same game with its whole past, independent of this one."""
        twin = Game.__new__(Game)
        twin._begin(self._rules, self._deal, self._bottom, self._start, self._bid)
        twin._auction = self._auction.copy() if self._auction is not None else None
        for play in self._plays:
            twin._running("").play(play)
        twin._plays, twin._past = self._plays.copy(), self._past
        return twin

    __copy__ = copy

    def __repr__(self) -> str:
        hands = "/".join(str(hand) or "-" for hand in self.hands)
        return f"<Game {self._rules} {self.phase.value}: {hands}, turn {self.turn}, landlord {self.landlord}>"

    def _repr_svg_(self) -> str:
        """The table with open hands, for a notebook."""
        from ddz_solver.game.picture import table_svg

        return table_svg(
            self.hands, tuple(map(len, self.hands)), landlord=self.landlord, turn=self.turn,
            to_beat=self.to_beat, to_beat_by=self.to_beat_by,
        )  # fmt: skip

    def _begin(self, rules: Rules, deal: Deal | None, bottom: Hand | None, start: Position | None, bid: int) -> None:
        """Set everything to where the hand begins: without an auction, and in the play where there is a `start`."""
        self._rules, self._deal, self._bottom, self._bid = rules, deal, bottom, bid
        self._auction = None
        self._plays, self._past = [], ()
        self._legal = LegalPlays(None, rules)
        self._set_start(start)

    def _start_play(self, landlord: int, stake: int) -> None:
        """Give the landlord the bottom cards and the lead."""
        deal = self._deal
        assert deal is not None
        hands = [hand.bits for hand in deal.hands]
        hands[landlord] += deal.bottom.bits
        self._bid = stake
        self._set_start(Position(self._rules.compiled, hands, turn=landlord, landlord=landlord))

    def _set_start(self, start: Position | None) -> None:
        self._start = start
        self._position = start.copy() if start is not None else None
        self._legal._follow(self._position)

    def _running(self, wanted: str) -> Position:
        """The position while plays are made; TurnError at any other time."""
        if self._position is None or self._position.over:
            raise TurnError(f"{wanted} in the phase {self.phase.value}: expected {self._expected()}")
        return self._position

    def _expected(self) -> str:
        action = {Phase.AUCTION: "a call", Phase.PLAY: "a play", Phase.OVER: "nothing, the hand has ended"}[self.phase]
        return action if self.turn is None else f"{action} of seat {self.turn}"
