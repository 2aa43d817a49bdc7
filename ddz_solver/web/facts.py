"""Hints over the API: the facts of a decision as JSON, and ranked plays as JSON."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from ddz_solver.ai.hints import Choice, Hint
from ddz_solver.ai.hints import hints as better_hints
from ddz_solver.ai.notes import LANGUAGES, Note
from ddz_solver.ai.roles import Role
from ddz_solver.ai.situation import Situation, situation
from ddz_solver.core.moves import MAX_FACTOR
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import MAX_BID, Rules
from ddz_solver.web.games import MAX_SEED, RULES, brief_play, describe_play
from ddz_solver.web.schema import many, record, text, whole

#: How many plays get a likely continuation.
_LINES = 5

_FACTS: dict[str, Any] = {
    "rules": RULES,
    "hand": text("The cards of the hand, such as 33445566TJQKA2X."),
    "role": text("landlord, down, across, up or 地主, 下家, ...; guessed where it is left out."),
    "to_beat": text("The play to beat; left out for the leader of a trick."),
    "to_beat_by": text("The role that made it (the player before)."),
    "counts": many(whole("Cards.", 1, 54), 3, "Cards of the other players, in playing order after this one."),
    "played": text("All cards that are gone."),
    "history": text("All plays so far, from the landlord's first lead, such as 33 44 - AA.", 4000),
    "bottom": text("The bottom cards."),
    "bid": whole("What the hand is worth without doublings (1).", 1, MAX_BID, default=1),
    "factor": whole("Doublings so far, multiplied (1).", 1, MAX_FACTOR, default=1),
}

OBJECTIVE = text("What to rank by; the payoff of the rules decides where it is left out.", enum=["win", "score"])
TOP = whole("How many plays to describe (all).", 1, 5000)
SECONDS = {
    "type": "number",
    "minimum": 0,
    "maximum": 25,
    "default": 0,
    "description": "How long to think (0: answer at once).",
}

FACTS = record(
    "A decision in the play, from a hand alone up to everything that a seat has seen.",
    ("hand",),
    **_FACTS,
    objective=OBJECTIVE,
    top=TOP,
    seconds=SECONDS,
    seed=whole("Seed of everything that is drawn at random (0).", 0, MAX_SEED, default=0),
)


def read_facts(body: dict[str, Any]) -> Situation:
    """The decision of a checked request. DdzError for facts that cannot be."""
    facts = {name: body[name] for name in _FACTS if name in body and name != "hand"}
    return situation(body["hand"], **{name: value for name, value in facts.items() if value != ""})


def hints(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """The plays of a decision, best first."""
    yield from hint_parts(read_facts(body), body, stop)


def hint_parts(of: Situation | Observation, body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """Hints that get better, the last one with the likely continuations of the best plays."""
    found: Hint | None = None
    options = {"seconds": body.get("seconds", 0), "objective": body.get("objective"), "seed": body.get("seed", 0)}
    with closing(better_hints(of, **options, stopped=stop)) as thinking:
        for found in thinking:
            yield describe_hint(found, body.get("top"))
            if stop.is_set():
                return
    assert found is not None
    described = describe_hint(found, body.get("top"))
    plays = described["plays"]
    for place, choice in enumerate(found[: min(_LINES, len(plays))]):
        plays[place]["line"] = _describe_line(choice, found.situation.rules)
    yield described


def _describe_line(choice: Choice, rules: Rules) -> list[dict[str, str]]:
    return [{"role": str(Role(seat, rules.players)), **brief_play(play, rules)} for seat, play in choice.line]


def describe_hint(found: Hint, top: int | None = None) -> dict[str, Any]:
    """A hint as JSON values, its words in every language."""
    of = found.situation
    role = Role(of.seat, of.rules.players)
    by = None if of.to_beat_by is None else Role(of.to_beat_by, of.rules.players)
    return {
        "rules": str(of.rules),
        "hand": str(of.hand),
        "role": str(role),
        "to_beat": describe_play(of.to_beat, of.rules) if of.to_beat else None,
        "to_beat_by": by and str(by),
        "counts": list(of.counts),
        "objective": found.objective,
        "source": found.source,
        "assumed": [describe_note(note) for note in of.assumed],
        "legal_plays": len(found),
        "plays": [_describe_choice(choice, of) for choice in found[:top]],
    }


def describe_note(note: Note) -> dict[str, Any]:
    """A remark: its key and its text in every language."""
    return {"key": note.key} | {lang: note.text(lang) for lang in LANGUAGES}


def _describe_choice(choice: Choice, of: Situation) -> dict[str, Any]:
    return {
        **describe_play(choice.play, of.rules),
        "win": round(choice.win, 4),
        "score": round(choice.score, 4),
        "proven": choice.proven,
        "interval": choice.interval and [round(bound, 4) for bound in choice.interval],
        "worlds": choice.worlds,
        "reasons": [describe_note(note) for note in choice.reasons],
    }
