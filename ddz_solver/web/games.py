"""Games as JSON: from their description to a `Game`, and from a `Game` to everything that a page shows of it.

A description is complete (rules, deal or hands, calls, plays), so a server keeps no games and a page loses none.
"""

from __future__ import annotations

from typing import Any

from ddz_solver.core.moves import MAX_FACTOR, Play
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import extras_of, format_play, kind_name
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError, DealError
from ddz_solver.game.game import Game
from ddz_solver.game.rules import MAX_BID, Rules
from ddz_solver.web.schema import many, record, text, whole

#: The largest seed: JSON numbers are exact up to there in every language.
MAX_SEED = (1 << 53) - 1
_MAX_PLAYS = 500

RULES = text("A preset and switches, such as classic or rlcard,spring=each.", default="classic")

GAME = record(
    "A hand of the game: `deal`, or `seed`, or `hands` for a start in the middle; then what was called and played.",
    rules=RULES,
    seed=whole("Deal the cards of this seed.", 0, MAX_SEED),
    deal=text("The deal as one line: HAND/HAND/HAND/BOTTOM first=SEAT up=CARD dealer=SEAT.", 400),
    hands=many(text("Cards of a seat."), 4, "Open hands, one a seat; the play starts with them."),
    landlord=whole("With a deal: no auction, this seat is the landlord. With hands: the landlord (0).", 0, 3),
    turn=whole("With hands: the seat to move (the landlord).", 0, 3),
    to_beat=text("With hands: the play to beat."),
    to_beat_by=whole("With hands: who made it (the seat before).", 0, 3),
    bottom=text("With hands: the bottom cards as dealt."),
    bid=whole("What the hand is worth without doublings, where there is no auction.", 1, MAX_BID),
    factor=whole("With hands: doublings so far, multiplied.", 1, MAX_FACTOR),
    made=many(whole("Plays.", 0, 100), 4, "With hands: how often each seat has played, for spring."),
    calls=many(whole("0 passes.", 0, MAX_BID), 16, "Every call so far, from the first bidder on."),
    plays=many(text("A play or pass."), _MAX_PLAYS, "Every play so far, passes included."),
)

_HANDS_ONLY = ("turn", "to_beat", "to_beat_by", "bottom", "factor", "made")


def read_game(described: dict[str, Any]) -> Game:
    """The game of a checked description. DdzError of the fitting sort names the call or play that cannot be."""
    game = _start(described)
    for number, bid in enumerate(described.get("calls", ()), 1):
        try:
            game.call(bid)
        except DdzError as error:
            raise type(error)(f"call {number}: {error}") from None
    for number, play in enumerate(described.get("plays", ()), 1):
        try:
            game.push(play)
        except DdzError as error:
            raise type(error)(f"play {number}: {error}") from None
    return game


def _start(described: dict[str, Any]) -> Game:
    rules = Rules.parse(described.get("rules", "classic"))
    given = [name for name in ("seed", "deal", "hands") if name in described]
    if len(given) > 1:
        raise DealError(f"{' and '.join(given)} together: expected one of them")
    if given == ["hands"]:
        return Game.from_hands(
            described["hands"],
            rules,
            landlord=described.get("landlord", 0),
            turn=described.get("turn"),
            to_beat=described.get("to_beat"),
            to_beat_by=described.get("to_beat_by"),
            bottom=described.get("bottom"),
            bid=described.get("bid", 1),
            factor=described.get("factor", 1),
            plays=described.get("made"),
        )
    for name in _HANDS_ONLY:
        if name in described:
            raise DealError(f"{name} without hands: expected it only where the hands are given")
    deal = Deal.parse(described["deal"]) if "deal" in described else None
    return Game(
        rules, deal, seed=described.get("seed"), landlord=described.get("landlord"), bid=described.get("bid", 1)
    )


def describe_game(game: Game, seat: int | None = None) -> dict[str, Any]:
    """Everything that stands in a game; with `seat` only what that seat knows, other hands as null."""
    shows_legal = seat is None or seat == game.turn
    return {
        **describe_frame(game, seat),
        "history": [[player, describe_play(play, game.rules)] for player, play in game.history],
        "legal_calls": list(game.legal_calls),
        "legal_plays": [describe_play(play, game.rules) for play in game.legal_plays] if shows_legal else [],
        "redeal": game.redeal,
        "winner": game.winner,
        "winners": list(game.winners),
        "payoffs": list(game.payoffs) if game.over else None,
    }


def describe_frame(game: Game, seat: int | None = None) -> dict[str, Any]:
    """What stands on the table and in the hands, without what was played before and what may be played now."""
    rules = game.rules
    hands = [str(hand) for hand in game.hands]
    seen = None if seat is None else game.observation(seat)
    bottom = game.bottom if seen is None else seen.bottom
    return {
        "rules": str(rules),
        "players": rules.players,
        "decks": rules.decks,
        "deal": None if game.deal is None or seen is not None else str(game.deal),
        "phase": game.phase.value,
        "turn": game.turn,
        "landlord": game.landlord,
        "hands": [hand if seen is None or owner == seat else None for owner, hand in enumerate(hands)],
        "counts": [len(hand) for hand in game.hands],
        "bottom": None if bottom is None else str(bottom),
        "first_bidder": game.deal.first_bidder if game.deal is not None else None,
        "face_up": game.deal.face_up if game.deal is not None else None,
        "bid": game.bid,
        "factor": game.factor,
        "to_beat": None if game.to_beat is None else describe_play(game.to_beat, rules),
        "to_beat_by": game.to_beat_by,
        "calls": [list(call) for call in game.calls],
    }


def describe_play(play: Play, rules: Rules) -> dict[str, Any]:
    """A play as JSON values: its text, its cards, its kind and that kind's names."""
    return {
        **brief_play(play, rules),
        "extras": str(extras_of(play)),
        "kind": play.kind.name.lower(),
        "name": {"en": kind_name(play.kind), "zh": kind_name(play.kind, True)},
        "bomb": play.is_bomb,
    }


def brief_play(play: Play, rules: Rules) -> dict[str, str]:
    """A play as JSON values, its text and its cards alone."""
    return {"play": format_play(play, rules) if play else "pass", "cards": str(Hand(play.cards))}
