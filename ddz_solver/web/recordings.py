"""Records over the API: texts of games read and written, every step of a game, and the engine's opinion of each."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ddz_solver.ai.bidding import evaluate_bid
from ddz_solver.ai.hints import hint
from ddz_solver.ai.review import decisions_of
from ddz_solver.core.moves import Play
from ddz_solver.engine.replay import read_hand
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_game
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.web.games import brief_play, describe_frame, describe_game, describe_play, read_game

#: How many plays of a decision a review tells.
_BEST = 4


def describe_spec(game: Game) -> dict[str, Any]:
    """The description from which `read_game` makes the same game."""
    start = beginning(game)
    spec: dict[str, Any] = {"rules": str(game.rules)}
    if game.deal is not None:
        spec["deal"] = str(game.deal)
        if start.phase is Phase.PLAY:
            spec |= {"landlord": start.landlord, "bid": start.bid}
    else:
        spec |= {"hands": [str(hand) for hand in start.hands], "landlord": start.landlord, "turn": start.turn}
        spec |= {"bid": start.bid, "factor": start.factor}
        if start.to_beat is not None:
            spec |= {"to_beat": describe_play(start.to_beat, start.rules)["play"], "to_beat_by": start.to_beat_by}
        if start.bottom is not None:
            spec["bottom"] = str(start.bottom)
        if start.position is not None and any(start.position.plays):
            spec["made"] = list(start.position.plays)
    spec["calls"] = [bid for _, bid in game.calls]
    spec["plays"] = [describe_play(play, game.rules)["play"] for _, play in game.history]
    return spec


def beginning(game: Game) -> Game:
    """The same game before anything was called or played."""
    start = game.copy()
    for _ in range(len(game.calls) + len(game.history)):
        start.pop()
    return start


def frames(game: Game) -> list[dict[str, Any]]:
    """The table before the first call or play, and after each."""
    steps = beginning(game)
    found = [describe_frame(steps)]
    for _, bid in game.calls:
        steps.call(bid)
        found.append(describe_frame(steps))
    for _, play in game.history:
        steps.push(play)
        found.append(describe_frame(steps))
    return found


def answer_read(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """A game with every step of it, from a text or a description."""
    if ("text" in body) == ("game" in body):
        raise DdzError("the request: expected either text or game")
    game, names = read_hand(body["text"]) if "text" in body else (read_game(body["game"]), body.get("names", []))
    yield {
        "game": describe_spec(game),
        "names": names,
        "state": describe_game(game),
        "frames": frames(game),
    }


def answer_write(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """The text of a game, which `read`, `ddz show` and `ddz review` read again."""
    tags = {f"Seat{seat}": name for seat, name in enumerate(body.get("names", []))}
    yield {"text": format_game(read_game(body["game"]), tags)}


def answer_review(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """What the engine thinks of every decision: `decisions` grows from part to part."""
    game = read_game(body["game"])
    decisions: list[dict[str, Any]] = []
    total = len(game.calls) + len(game.history)
    for decision in review(game, body.get("seed", 0)):
        decisions.append(decision)
        if stop.is_set():
            break
        yield {"total": total, "decisions": [decision] if body.get("parts") else list(decisions)}


def _review_call(seen: Observation, bid: int) -> dict[str, Any]:
    advice = evaluate_bid(seen)
    made = next(choice for choice in advice if choice.call == bid)
    return {
        "call": bid,
        "best_call": advice.best.call,
        "points": round(made.points, 4),
        "best_points": round(advice.best.points, 4),
    }


def _review_play(seen: Observation, play: Play, seed: int) -> dict[str, Any]:
    found, rules = hint(seen, seed=seed), seen.rules
    made = next(choice for choice in found if choice.play == play)
    return {
        "landlord_win": round(found.best.win if seen.is_landlord else 1 - found.best.win, 4),
        "best": describe_play(found.best.play, rules),
        "plays": [brief_play(choice.play, rules) | {"win": round(choice.win, 4)} for choice in found[:_BEST]],
        "best_win": round(found.best.win, 4),
        "best_score": round(found.best.score, 4),
        "win": round(made.win, 4),
        "score": round(made.score, 4),
    }


def review(game: Game, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Every call and play of a game compared with the best one, as the seat saw it.

    Calls in expected points; plays in points and in win chances of the seat's side, 0..1.
    """
    for step, (seen, what) in enumerate(decisions_of(game)):
        if isinstance(what, int):
            with suppress(DdzError):  # no model of bids ships for these rules
                yield {"step": step, "seat": seen.seat} | _review_call(seen, what)
        else:
            yield {"step": step, "seat": seen.seat} | _review_play(seen, what, seed)
