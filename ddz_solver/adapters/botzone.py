"""Botzone's FightTheLandlord and FightTheLandlord2: our AI as a bot there.

The judge asks for each decision with one line of JSON, `{"requests": [...], "responses": [...]}`: everything it has
asked this bot in the hand and what the bot answered; the last request is open. The answer is one line,
`{"response": ...}`: a call 0..3, or a list of cards, empty for a pass. A bot that prints KEEP_RUNNING after an answer
is not ended and gets each further request bare.

Cards are 0..53: four of each rank from 3 to 2, then the black and the red joker. A seat learns what the two seats
before it did from `history`. In FightTheLandlord seat 0 is the landlord, with 20 cards, and a seat knows itself by the
empty lists of its first history; FightTheLandlord2 has an auction and tells `pos` and `landlord`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ddz_solver.adapters.views import View
from ddz_solver.ai.agents import Agent
from ddz_solver.core.moves import PASS_PLAY, Play
from ddz_solver.game.auction import Auction
from ddz_solver.game.cards import RANKS, Hand
from ddz_solver.game.combos import leads
from ddz_solver.game.errors import DdzError, NotationError
from ddz_solver.game.rules import Rules

KEEP_RUNNING: Final = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"

#: The games and their rules. FightTheLandlord takes one extra for each quad of a run where the rules here, like
#: FightTheLandlord2, take two: our bot plays none of these there.
GAMES: Final[Mapping[str, Rules]] = {
    "FightTheLandlord": Rules.parse("botzone,auction=none,spring=no,quad_run_solos=no,quad_run_pairs=no"),
    "FightTheLandlord2": Rules.parse("botzone"),
}

_CARDS: Final = 54
_SEATS: Final = 3


def hand_of(cards: Iterable[int]) -> Hand:
    """The ranks of Botzone's cards."""
    return Hand.parse("".join(RANKS[rank_of(card)] for card in cards))


def rank_of(card: int) -> int:
    """Rank of a Botzone card, 0 (a three) to 14 (the red joker)."""
    return card // 4 if card < _CARDS - 1 else len(RANKS) - 1


def pick(cards: Iterable[int], wanted: Hand) -> list[int]:
    """The lowest of these Botzone cards that make up a hand; fewer where they are not all there."""
    left = list(wanted.counts)
    found = []
    for card in sorted(cards):
        rank = rank_of(card)
        if left[rank]:
            left[rank] -= 1
            found.append(card)
    return found


# --- reading what the judge says --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """What the judge has told a bot: the view of its seat, and its own cards by their Botzone numbers."""

    view: View
    cards: tuple[int, ...]
    history: tuple[tuple[int, ...], ...]
    """What the two seats before this one did last, the nearer one last."""


def read(requests: Sequence[Any], responses: Sequence[Any]) -> Told:
    """What the requests and responses of a hand tell. NotationError: they are none of these games'."""
    if len(requests) != len(responses) + 1:
        raise NotationError(f"{len(requests)} requests and {len(responses)} responses: expected one response fewer")
    first = _mapping(requests[0])
    if "bid" not in first:
        return _read_plays(requests, responses, ())
    before = tuple(_call(call) for call in _list(first, "bid"))
    if len(before) >= _SEATS:
        raise NotationError(f"{len(before)} bids before this one: expected at most {_SEATS - 1}")
    if len(requests) > 1:
        return _read_plays(requests[1:], responses[1:], (*before, _call(responses[0])))
    own = _cards(_list(first, "own"))
    view = View(GAMES["FightTheLandlord2"], len(before), hand_of(own), calls=before)
    return Told(view, own, ())


def _read_plays(requests: Sequence[Any], responses: Sequence[Any], calls: tuple[int, ...]) -> Told:
    """What the requests of the play tell; `calls` are those up to this seat's own, if it was asked."""
    first = _mapping(requests[0])
    own, bottom = _cards(_list(first, "own")), _cards(_list(first, "publiccard"))
    histories = [tuple(map(_cards, _list(_mapping(request), "history"))) for request in requests]
    if any(len(history) != 2 for history in histories):
        raise NotationError("a history of another length: expected what the two seats before this one did")
    if "landlord" in first:
        rules, bid = GAMES["FightTheLandlord2"], max(_number(first, "finalbid", 0, 3), 1)
        seat, landlord = _number(first, "pos", 0, _SEATS - 1), _number(first, "landlord", 0, _SEATS - 1)
    else:
        rules, bid, landlord = GAMES["FightTheLandlord"], 1, 0
        seat = 2 if histories[0][0] else 1 if histories[0][1] else 0
    plays = list(histories[0][2 - (seat - landlord) % _SEATS :])
    made = [_cards(response) for response in responses]
    for play, history in zip(made, histories[1:], strict=True):
        plays += [play, *history]
    held = {*own, *(bottom if seat == landlord else ())}
    view = View(
        rules,
        seat,
        hand_of(held - {*bottom} if seat == landlord else held),
        hand_of(bottom),
        landlord,
        calls=_all_calls(calls, landlord, bid, rules),
        bid=bid,
        plays=tuple(map(hand_of, plays)),
    )
    return Told(view, tuple(sorted(held.difference(*made))), histories[-1])


def _all_calls(known: tuple[int, ...], landlord: int, bid: int, rules: Rules) -> tuple[int, ...]:
    """All calls of an auction of which a seat has seen the first ones; none where they are not known to fit.

    Botzone does not tell the calls after a seat's own, only the landlord and the stake: the rest counts as passes.
    """
    if rules.auction == "none" or (not known and bid < 3):
        return ()
    auction = Auction(rules)
    for call in known:
        auction.call(call)
    while auction.turn is not None:
        auction.call(bid if auction.turn == landlord else 0)
    return tuple(call for _, call in auction.calls) if (auction.landlord, auction.stake) == (landlord, bid) else ()


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise NotationError(f"{json.dumps(value)[:60]} is no request: expected a JSON object")
    return value


def _list(request: Mapping[str, Any], key: str) -> list[Any]:
    value = request.get(key)
    if not isinstance(value, list):
        raise NotationError(f"{key!r} is {json.dumps(value)[:60]}: expected a list")
    return value


def _cards(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(card) is int and 0 <= card < _CARDS for card in value):
        raise NotationError(f"{json.dumps(value)[:60]} is no list of cards: expected numbers 0 to {_CARDS - 1}")
    if len({*value}) != len(value):
        raise NotationError(f"{value} has a card twice: expected different numbers")
    return tuple(value)


def _number(request: Mapping[str, Any], key: str, least: int, most: int) -> int:
    value = request.get(key)
    if type(value) is not int or not least <= value <= most:
        raise NotationError(f"{key!r} is {json.dumps(value)[:60]}: expected {least} to {most}")
    return value


def _call(value: Any) -> int:
    """A call; some bots write it as text."""
    if isinstance(value, str) and value.isdecimal() and len(value) == 1:
        value = int(value)
    if type(value) is not int or not 0 <= value <= 3:
        raise NotationError(f"{json.dumps(value)[:60]} is no bid: expected 0 to 3")
    return value


# --- our AI as a bot --------------------------------------------------------------------------------------------------


class BotzoneBot:
    """Our AI as a Botzone bot, for one hand: a line in, a line out."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._requests: list[Any] = []
        self._responses: list[Any] = []

    def answer(self, line: str) -> str:
        """The answer to a line of the judge, whole or bare, as JSON. NotationError: the line is not one of a judge."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise NotationError(f"{line.strip()[:60]!r} is no JSON: {error}") from None
        if isinstance(message, dict) and "requests" in message:
            self._requests, self._responses = [*_list(message, "requests")], [*_list(message, "responses")]
        else:
            self._requests.append(message)
        response, remark = self._decide(read(self._requests, self._responses))
        self._responses.append(response)
        return json.dumps({"response": response} | ({"debug": remark} if remark else {}))

    def _decide(self, told: Told) -> tuple[int | list[int], str]:
        """The response, and a remark where the hand so far cannot have happened by the rules as we know them."""
        try:
            observation = told.view.observation()
        except DdzError as error:
            return pick(told.cards, Hand(_safe_play(told).cards)), f"{type(error).__name__}: {error}"
        if observation.landlord is None:
            return self._agent.bid(observation), ""
        return pick(told.cards, Hand(self._agent.play(observation).cards)), ""


def _safe_play(told: Told) -> Play:
    """A pass where there may be something to beat, else the first lead."""
    following = any(told.history)
    return PASS_PLAY if following else leads(hand_of(told.cards), told.view.rules)[0]


def serve(agent: Agent, lines: Iterable[str], write: Callable[[str], None], keep_running: bool = True) -> None:
    """Answer the judge's lines of one hand until they end, or once without `keep_running`."""
    bot = BotzoneBot(agent)
    for line in lines:
        if not line.strip():
            continue
        write(bot.answer(line))
        if not keep_running:
            return
        write(KEEP_RUNNING)
