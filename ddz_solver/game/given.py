"""Positions from given hands: what does not fit together is named."""

from __future__ import annotations

from collections.abc import Iterable

from ddz_solver.core.moves import MAX_FACTOR, Play
from ddz_solver.core.position import Position
from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.combos import check_play, parse_play
from ddz_solver.game.errors import AuctionError, DealError, SeatError
from ddz_solver.game.rules import MAX_BID, Rules
from ddz_solver.game.whole import whole


def given_position(
    hands: Iterable[HandLike],
    rules: Rules,
    landlord: int,
    turn: int | None,
    to_beat: Play | str | None,
    to_beat_by: int | None,
    factor: int,
    plays: Iterable[int] | None,
) -> Position:
    """The compiled position of these facts; `Game.from_hands` says what they mean and what is raised."""
    cards = tuple(map(Hand.of, hands))
    if len(cards) != rules.players:
        raise DealError(f"{len(cards)} hands: expected {rules.players} under the rules {rules}")
    for seat, hand in enumerate(cards):
        if not hand:
            raise DealError(f"no cards in the hand of seat {seat}: expected cards in every hand")
    sum(cards, Hand()).check(rules.decks)
    landlord = rules.check_seat("landlord", landlord)
    turn = landlord if turn is None else rules.check_seat("turn", turn)
    if to_beat is not None:
        to_beat = parse_play(to_beat, rules) if isinstance(to_beat, str) else check_play(to_beat, rules)
    owner = None
    if to_beat:
        owner = (turn - 1) % rules.players if to_beat_by is None else rules.check_seat("to_beat_by", to_beat_by)
        if owner == turn:
            raise SeatError(f"to_beat_by={owner}: expected another seat than the one to move")
        (sum(cards, Hand()) + Hand(to_beat.cards)).check(rules.decks)
    elif to_beat_by is not None:
        raise SeatError(f"to_beat_by={to_beat_by} without a play to beat: expected both or neither")
    made = (0,) * rules.players if plays is None else tuple(plays)
    if len(made) != rules.players or not all(whole(count) in range(101) for count in made):
        raise DealError(f"plays={made}: expected {rules.players} numbers, 0 to 100")
    return Position(
        rules.compiled,
        [hand.bits for hand in cards],
        turn=turn,
        landlord=landlord,
        last=to_beat or None,
        owner=owner,
        factor=check_factor(factor),
        plays=made,
    )


def check_bid(bid: int) -> int:
    """The bid, if there is such a bid. AuctionError: there is none."""
    number = whole(bid)
    if number is None or not 1 <= number <= MAX_BID:
        raise AuctionError(f"bid={bid}: expected 1 to {MAX_BID}")
    return number


def check_bottom(bottom: HandLike | None, rules: Rules) -> Hand | None:
    """The bottom cards as a hand, None where they are not known. CardsError: no cards, or more than the pack has."""
    if bottom is None:
        return None
    hand = Hand.of(bottom)
    hand.check(rules.decks)
    return hand


def check_factor(factor: int) -> int:
    """The same number. DealError if it is no product of doublings."""
    number = whole(factor)
    if number is None or not 1 <= number <= MAX_FACTOR:
        raise DealError(f"factor={factor}: expected the product of all doublings so far, 1 to {MAX_FACTOR}")
    return number
