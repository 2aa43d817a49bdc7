"""What a seat knows, rebuilt from what another program tells that seat, and the other way round.

Foreign programs tell a player its cards and what everybody did. A `View` replays that on a deal which completes the
hidden cards in some possible way. The replay checks every step against the rules; the `Observation` taken from it shows
nothing of the completion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from ddz_solver.core.moves import Play
from ddz_solver.core.rng import SplitMix64
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import CardsError, DealError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import Rules

#: A play, or its bare cards where the other program names no reading; no cards are a pass.
Move: TypeAlias = Play | Hand


@dataclass(frozen=True)
class View:
    """What one seat was told of one hand.

    `dealt` are the seat's own cards, bottom cards not included. `bottom` is None where the seat has not seen them,
    `landlord` where there is none yet. Where there were calls they decide the stake, else `bid` is it. `plays` begin
    with the landlord's lead.
    """

    rules: Rules
    seat: int
    dealt: Hand
    bottom: Hand | None = None
    landlord: int | None = None
    calls: tuple[int, ...] = ()
    bid: int = 1
    plays: tuple[Move, ...] = ()
    first_bidder: int = 0
    face_up: str | None = None

    @classmethod
    def of(cls, observation: Observation) -> View:
        """The view that an observation of a hand from the deal on tells."""
        seat, landlord, bottom = observation.seat, observation.landlord, observation.bottom
        dealt = observation.hand + observation.played_by(seat)
        if seat == landlord and bottom is not None:
            dealt -= bottom
        return cls(
            rules=observation.rules,
            seat=seat,
            dealt=dealt,
            bottom=bottom,
            landlord=landlord,
            calls=tuple(bid for _, bid in observation.calls),
            bid=max(observation.bid, 1),
            plays=tuple(play for _, play in observation.history),
            first_bidder=observation.first_bidder or 0,
            face_up=observation.face_up,
        )

    def observation(self) -> Observation:
        """What the seat knows. DdzError and its subclasses: this cannot have happened."""
        return self.game(self.deal()).observation(self.seat)

    def game(self, deal: Deal) -> Game:
        """The hand up to now with these cards. DdzError and its subclasses: this cannot have happened with them."""
        game = Game(self.rules, deal, landlord=None if self.calls else self.landlord, bid=self.bid)
        for call in self.calls:
            game.call(call)
        for move in self.plays:
            game.push(move if isinstance(move, Play) else str(move) or "pass")
        return game

    def deal(self, seed: int | None = None) -> Deal:
        """One deal that may have been: the cards the seat has not seen go anywhere they can be.

        They go in ascending order, or shuffled where there is a seed. DealError: no deal is possible.
        """
        rules = self.rules
        if len(self.dealt) != rules.hand_size:
            raise DealError(f"{len(self.dealt)} cards dealt, {str(self.dealt)!r}: expected {rules.hand_size}")
        needed = self._needed()
        rest = list(_less(rules.pack, sum(needed, Hand())))
        if seed is not None:
            SplitMix64(seed).shuffle(rest)
        piles = []
        for pile, cards in enumerate(needed):
            missing = self._size(pile) - len(cards)
            if missing < 0:
                whose = f"seat {pile}" if pile < rules.players else "the bottom cards"
                raise DealError(f"{whose} cannot have held {str(cards)!r}: expected at most {self._size(pile)} cards")
            piles.append(cards + Hand.parse("".join(rest[:missing])))
            del rest[:missing]
        *hands, bottom = piles
        holder = self._holds_bottom
        if holder is not None:
            shown = self._face_up if holder == self.first_bidder else Hand()
            bottom = self.bottom or Hand.parse(str(_less(hands[holder], shown))[: rules.bottom_size])
            hands[holder] = _less(hands[holder], bottom)
        return Deal(tuple(hands), bottom, self.first_bidder, self.face_up)

    @property
    def _holds_bottom(self) -> int | None:
        """The other seat that holds the bottom cards; None where they lie apart or are this seat's."""
        return self.landlord if self.landlord != self.seat else None

    @property
    def _face_up(self) -> Hand:
        return Hand.parse(self.face_up or "")

    def _size(self, pile: int) -> int:
        """Cards of a pile: the seats' piles, then the bottom cards that are in none of them."""
        rules = self.rules
        if pile == rules.players:
            return rules.bottom_size if self._holds_bottom is None else 0
        return rules.hand_size + rules.bottom_size * (pile == self._holds_bottom)

    def _needed(self) -> list[Hand]:
        """The cards that are known to lie in each seat's pile, then the bottom cards that are in none of them."""
        piles = [Hand() for _ in range(self.rules.players + 1)]
        first = self.landlord or 0
        for index, move in enumerate(self.plays):
            seat = (first + index) % self.rules.players
            piles[seat] += move if isinstance(move, Hand) else Hand(move.cards)
        known = [Hand() for _ in piles]
        known[self.first_bidder] = self._face_up
        known[-1 if self._holds_bottom is None else self._holds_bottom] += self.bottom or Hand()
        piles = [_either(played, cards) for played, cards in zip(piles, known, strict=True)]
        piles[self.seat] = self.dealt
        return piles


def _either(one: Hand, other: Hand) -> Hand:
    """The fewest cards that hold both hands."""
    return Hand.from_counts(map(max, one.counts, other.counts))


def _less(cards: Hand, part: Hand) -> Hand:
    try:
        return cards - part
    except CardsError:
        raise DealError(f"{str(part)!r} were seen: expected cards out of {str(cards)!r}") from None


def same_plays(rules: Rules, other: Rules) -> bool:
    """Whether two sets of rules differ in the deal, the auction and the scoring at most."""
    scored_alike = replace(
        rules, spring=other.spring, bomb_factors=other.bomb_factors, rocket_factor=other.rocket_factor
    )
    return scored_alike.compiled == other.compiled
