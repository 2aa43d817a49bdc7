"""Shall I bid? What each call is worth with a hand as dealt, after the calls so far.

>>> advice = evaluate_bid("3445567899TQKA2XD", bids="pass 1")
>>> [choice.call for choice in advice]
[0, 2, 3]
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from ddz_solver.ai.bid_model import Output, auction_inputs, card_inputs, shipped
from ddz_solver.ai.hands import read_cards, single_cards
from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.moves import CompiledRules
from ddz_solver.game.auction import Auction, parse_call
from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.errors import AuctionError, CardsError, DdzError, TurnError
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.game.rules import Rules, RulesLike

CallsLike: TypeAlias = str | Iterable[int]

_DEALS_AT_ONCE: Final = 64
"""Deals that are played before it is looked at whether to stop; some hundredths of a second."""


@dataclass(frozen=True)
class CallValue:
    """One call that may be made now."""

    call: int
    """0 passes, 1 to 3 bids."""
    points: float
    """Expected points of the hand after this call, whoever becomes the landlord."""
    win: float
    """Chance to win: as the landlord for a bid, as a peasant of another landlord for the pass."""
    points_if: float
    """Expected points should that come to be: the landlord at this bid, or a peasant at the highest bid so far."""


@dataclass(frozen=True)
class Sampled:
    """Hands played out as the landlord."""

    hands: int
    win: float
    interval: tuple[float, float]
    """95 % interval of the win chance."""
    score: float
    """Mean stakes, doublings included, won from each peasant."""


@dataclass(frozen=True)
class BidAdvice:
    """What every legal call is worth; iterates over them in ascending order."""

    rules: Rules
    hand: Hand
    bids: tuple[int, ...]
    """The calls so far, from the first bidder on."""
    choices: tuple[CallValue, ...]
    landlord_score: float
    """Expected stakes as the landlord, doublings included: points a peasant and a bid of 1."""
    peasant_score: float
    """The same as a peasant of another landlord."""
    sampled: Sampled | None = None
    """Present where the landlord's hands were played out."""

    @property
    def best(self) -> CallValue:
        """The call with the most expected points, the lowest of equals."""
        return max(self.choices, key=lambda choice: choice.points)

    def __iter__(self) -> Iterator[CallValue]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)


def evaluate_bid(
    hand: HandLike | Observation,
    bids: CallsLike = (),
    rules: RulesLike = "classic",
    *,
    worlds: int = 0,
    seed: int = 0,
    stopped: threading.Event | None = None,
) -> BidAdvice:
    """What each legal call is worth to the seat that is to call.

    `hand` is a hand as dealt, with the calls so far from the first bidder on (`"pass 1"` or `[0, 1]`), or the
    `Observation` of a seat that is to call. With `worlds` the hand is also played out as the landlord in that many
    random deals, or in fewer once `stopped` is set: `sampled` tells what came of it. Scores are those of the plain
    game, without doublings for spring; under `payoff=win` all values are win chances. CardsError: not a hand as dealt;
    AuctionError: calls that cannot be, or rules without an auction; TurnError: an observation of another moment;
    DdzError: no model for such rules.
    """
    if isinstance(hand, Observation):
        if hand.phase is not Phase.AUCTION or hand.turn != hand.seat:
            raise TurnError(f"seat {hand.seat} in the phase {hand.phase.value}: expected the seat that is to call")
        rules, bids, hand = hand.rules, [bid for _, bid in hand.calls], hand.hand
    if worlds < 0:
        raise DdzError(f"worlds={worlds}: expected 0 or more")
    rules = Rules.of(rules)
    (advice,) = evaluate_bids([hand], bids, rules)
    if not worlds:
        return advice
    return replace(advice, sampled=play_as_landlord(advice.hand, rules, worlds, seed, stopped))


def evaluate_bids(hands: Sequence[HandLike], bids: CallsLike = (), rules: RulesLike = "classic") -> list[BidAdvice]:
    """`evaluate_bid` of many hands after the same calls, at a fraction of the cost each."""
    rules = Rules.of(rules)
    cards = [_read_hand(hand, rules) for hand in hands]
    auction = read_auction(bids, rules)
    model = shipped(rules.players, rules.decks)
    inputs = np.concatenate(
        [
            card_inputs([hand.bits for hand in cards], rules, _to_go(rules.compiled)),
            np.repeat(_auction_row(auction), len(cards), axis=0),
        ],
        axis=1,
    )
    outputs = model(inputs.astype(np.float32)).astype(float)
    calls = tuple(bid for _, bid in auction.calls)
    return [_advice(rules, hand, calls, auction, row.tolist()) for hand, row in zip(cards, outputs, strict=True)]


def play_as_landlord(
    hand: Hand, rules: RulesLike, worlds: int, seed: int = 0, stopped: threading.Event | None = None
) -> Sampled:
    """A hand as dealt, played as the landlord in so many random deals (1 or more), all seats by the shipped networks.

    Once `stopped` is set it ends after the next few. WeightsError: no networks ship for such rules.
    """
    from ddz_solver.ai.evaluator import Evaluator
    from ddz_solver.core.evaluate import Judge
    from ddz_solver.core.outcomes import play_deals

    rules = Rules.of(rules)
    judge = Judge(rules.compiled, Evaluator.load(rules).weights.networks)
    rng = random.Random(seed)
    rest = single_cards(rules.pack - hand)
    played = won = stakes = 0
    while played < worlds and not (played and stopped is not None and stopped.is_set()):
        tables, bottoms = [], []
        for _ in range(min(_DEALS_AT_ONCE, worlds - played)):
            rng.shuffle(rest)
            bottom = sum(rest[: rules.bottom_size])
            stops = range(rules.bottom_size, len(rest), rules.hand_size)
            tables.append([hand.bits + bottom, *(sum(rest[stop : stop + rules.hand_size]) for stop in stops)])
            bottoms.append(bottom if rules.bottom_shown else 0)
        wins, factors = play_deals(judge, rules.compiled, tables, bottoms)
        played += len(tables)
        won += sum(wins)
        stakes += sum(factor if one else -factor for one, factor in zip(wins, factors, strict=True))
    return Sampled(played, won / played, wilson(won / played, played), stakes / played)


def wilson(share: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a chance that was seen as `share` of `n` trials (Wilson 1927)."""
    z = 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def read_auction(bids: CallsLike, rules: Rules) -> Auction:
    """The auction after these calls, still going on. AuctionError for calls that cannot be."""
    if rules.auction == "none":
        raise AuctionError(f"the rules {rules} have no auction: expected rules with one, such as classic")
    auction = Auction(rules)
    for call in map(parse_call, bids.replace(",", " ").split()) if isinstance(bids, str) else bids:
        auction.call(call)
    if auction.outcome is not None:
        text = " ".join(str(bid) if bid else "pass" for _, bid in auction.calls)
        raise AuctionError(f"the auction has ended with the calls {text}: expected one that goes on")
    return auction


@lru_cache(maxsize=8)
def _to_go(rules: CompiledRules) -> HandsToGo:
    return HandsToGo(rules)


def _read_hand(hand: HandLike, rules: Rules) -> Hand:
    cards = read_cards(hand, rules)
    if len(cards) != rules.hand_size:
        raise CardsError(f"{len(cards)} cards in the hand {str(cards)!r}: expected {rules.hand_size}, as dealt")
    return cards


def _auction_row(auction: Auction) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """The auction inputs of the seat to call."""
    players, turn = auction.rules.players, auction.turn or 0
    last = np.full((1, players), -1, np.int8)
    holder = 0
    for seat, bid in auction.calls:
        last[0, (seat - turn) % players] = bid
        holder = (seat - turn) % players if bid else holder
    return auction_inputs(auction.rules, last, np.array([auction.highest], np.int8), np.array([holder], np.int8))


def _advice(rules: Rules, hand: Hand, calls: tuple[int, ...], auction: Auction, row: list[float]) -> BidAdvice:
    landlord, peasant = row[Output.LANDLORD_SCORE], row[Output.PEASANT_SCORE]
    wins = [1 / (1 + math.exp(-row[output])) for output in (Output.PEASANT_WIN, Output.LANDLORD_WIN)]
    if rules.payoff == "win":
        choices = tuple(CallValue(call, *[wins[call > 0]] * 3) for call in auction.legal_calls)
        return BidAdvice(rules, hand, calls, choices, landlord, peasant)
    choices = tuple(
        CallValue(
            call,
            row[Output.VALUES + call],
            wins[call > 0],
            call * landlord * (rules.players - 1) if call else max(auction.highest, 1) * peasant,
        )
        for call in auction.legal_calls
    )
    return BidAdvice(rules, hand, calls, choices, landlord, peasant)
