"""An observation from what a seat can tell: for protocols and adapters that never see a whole deal.

The hidden cards are laid out in some way that agrees with everything told, the game is played through on that layout,
and the result is what the seat observes; by design an observation does not depend on the layout.
"""

from __future__ import annotations

from collections.abc import Iterable

from ddz_solver.core.moves import Play
from ddz_solver.game.auction import Auction
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import parse_play
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DealError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import Rules, RulesLike


def observe(
    rules: RulesLike,
    seat: int,
    hand: Hand,
    *,
    calls: Iterable[int] = (),
    first_bidder: int = 0,
    face_up: str | None = None,
    landlord: int | None = None,
    bid: int = 1,
    bottom: Hand | None = None,
    plays: Iterable[Play | str] = (),
) -> Observation:
    """What `seat` knows, holding `hand` now, after these calls and plays in a hand that was dealt under the rules.

    `calls` begin at `first_bidder` (0 passes); if they are not known, `landlord` and `bid` tell how the auction went.
    `plays` begin with the landlord's lead, passes included. `bottom` must be told once there is a landlord if the seat
    has seen it. DealError where this cannot be one hand of the game, and the errors of `Game` for what is not legal.
    """
    rules = Rules.of(rules)
    calls, plays = list(calls), list(plays)
    auction = Auction(rules, first_bidder)
    auctioned = landlord is None and rules.auction != "none"
    if auctioned:
        for call in calls:
            auction.call(call)
        landlord = auction.landlord
    elif landlord is None:
        landlord = auction.landlord
    if landlord is not None and bottom is None and (rules.bottom_shown or seat == landlord):
        raise DealError("no bottom cards: expected those that the landlord has taken")
    played = _cards_played(rules, landlord, plays)
    deal = _some_deal(rules, seat, hand, landlord, bottom, played, first_bidder, face_up)
    game = Game(rules, deal) if auctioned else Game(rules, deal, landlord=landlord, bid=bid)
    for call in calls if auctioned else ():
        game.call(call)
    for play in plays:
        game.push(play)
    return game.observation(seat)


def _cards_played(rules: Rules, landlord: int | None, plays: list[Play | str]) -> list[Hand]:
    """What each seat has played in all."""
    played = [Hand()] * rules.players
    if plays and landlord is None:
        raise DealError(f"{len(plays)} plays before there is a landlord: expected none")
    for index, play in enumerate(plays):
        cards = play.cards if isinstance(play, Play) else parse_play(play, rules).cards
        who = ((landlord or 0) + index) % rules.players
        played[who] += Hand(cards)
    return played


def _some_deal(
    rules: Rules,
    seat: int,
    hand: Hand,
    landlord: int | None,
    bottom: Hand | None,
    played: list[Hand],
    first_bidder: int,
    face_up: str | None,
) -> Deal:
    """Some deal that agrees with all this; DealError where none does."""
    if not 0 <= seat < rules.players:
        raise DealError(f"seat {seat}: expected 0 to {rules.players - 1}")
    turned = Hand.parse(face_up or "")
    sizes = [rules.hand_size + (rules.bottom_size if who == landlord else 0) for who in range(rules.players)]
    needed = []
    for who, cards in enumerate(played):
        known = turned if who == first_bidder else Hand()
        if who == landlord and bottom is not None:
            known = known + bottom
        needed.append(cards + hand if who == seat else _union(cards, known))
    if len(needed[seat]) != sizes[seat]:
        raise DealError(
            f"seat {seat} holds {len(hand)} cards and has played {len(played[seat])}: expected {sizes[seat]} together"
        )
    try:
        rest = list(rules.pack - sum(needed, Hand()))
        hands = []
        for cards, size in zip(needed, sizes, strict=True):
            fill = size - len(cards)
            if fill < 0:
                raise DealError(f"{len(cards)} cards known of a hand of {size}: expected no more")
            hands.append(cards + Hand.parse("".join(rest[:fill])))
            del rest[:fill]
        if landlord is None:
            return Deal(tuple(hands), Hand.parse("".join(rest)), first_bidder, face_up)
        if bottom is None:
            spare = list(hands[landlord] - (turned if landlord == first_bidder else Hand()))
            bottom = Hand.parse("".join(spare[: rules.bottom_size]))
        hands[landlord] -= bottom
    except DealError:
        raise
    except ValueError as error:
        raise DealError(f"these cards do not come from one deal: {error}") from None
    return Deal(tuple(hands), bottom, first_bidder, face_up)


def _union(one: Hand, other: Hand) -> Hand:
    """The smallest hand that contains both."""
    return Hand.from_counts(map(max, one.counts, other.counts))
