"""Bids over the API: what each call is worth with a hand as dealt."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

from ddz_solver.ai.bidding import BidAdvice, evaluate_bid
from ddz_solver.ai.evaluator import has_weights
from ddz_solver.game.rules import Rules


def answer_bid(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """What every call that may be made now is worth; with `worlds` and a network also hands played out."""
    rules = Rules.parse(body.get("rules", "classic"))
    calls, seed = body.get("calls", ""), body.get("seed", 0)
    yield describe_bid(evaluate_bid(body["hand"], calls, rules, seed=seed))
    if body.get("worlds") and has_weights(rules) and not stop.is_set():
        yield describe_bid(evaluate_bid(body["hand"], calls, rules, worlds=body["worlds"], seed=seed, stopped=stop))


def describe_bid(advice: BidAdvice) -> dict[str, Any]:
    """Advice as JSON values."""
    played = advice.sampled
    return {
        "hand": str(advice.hand),
        "rules": str(advice.rules),
        "calls": list(advice.bids),
        "best": advice.best.call,
        "choices": [
            {
                "call": choice.call,
                "points": round(choice.points, 4),
                "win": round(choice.win, 4),
                "points_if": round(choice.points_if, 4),
            }
            for choice in advice
        ],
        "landlord_score": round(advice.landlord_score, 4),
        "peasant_score": round(advice.peasant_score, 4),
        "sampled": played
        and {
            "hands": played.hands,
            "win": round(played.win, 4),
            "interval": [round(bound, 4) for bound in played.interval],
            "score": round(played.score, 4),
        },
    }
