"""The questions that the server answers: each a name, a request schema and a function, over HTTP and WebSocket alike.

An answer function gets the checked request and an event that asks it to stop, and yields JSON values that get better;
the last one is the answer. Nothing is kept between requests.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from ddz_solver import __version__
from ddz_solver.ai.agents import LEVELS, make_agent
from ddz_solver.ai.evaluator import has_weights
from ddz_solver.ai.roles import role_name
from ddz_solver.core.moves import Play
from ddz_solver.engine.engine import decision_seed
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import explain_illegal, legal_plays, parse_play, readings
from ddz_solver.game.errors import DdzError, TurnError
from ddz_solver.game.observation import Phase
from ddz_solver.game.rules import PRESETS, SWITCHES, Rules
from ddz_solver.web.bids import answer_bid
from ddz_solver.web.facts import FACTS, OBJECTIVE, SECONDS, TOP, hint_parts, hints, read_facts
from ddz_solver.web.games import GAME, MAX_SEED, RULES, describe_game, describe_play, read_game
from ddz_solver.web.recordings import answer_read, answer_review, answer_write
from ddz_solver.web.schema import Schema, flag, many, record, text, whole
from ddz_solver.web.solving import answer_solve

Answer: TypeAlias = Callable[[dict[str, Any], threading.Event], Iterator[dict[str, Any]]]

_SEED: Final = whole("Seed of everything that is drawn at random (0).", 0, MAX_SEED, default=0)
#: Levels that need no network.
PLAIN_LEVELS: Final = ("random", "greedy")
_LEVEL: Final = text("How strong to play; the strongest that there is for the rules if left out.", enum=list(LEVELS))


@dataclass(frozen=True)
class Question:
    """Something that can be asked: its request schema, and what answers it."""

    name: str
    summary: str
    request: Schema
    answer: Answer


def answer_about(_: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """The presets, levels and roles that the other questions know."""
    presets = {
        name: {
            "players": rules.players,
            "decks": rules.decks,
            "hand_size": rules.hand_size,
            "bottom_size": rules.bottom_size,
            "auction": rules.auction,
            "payoff": rules.payoff,
            "levels": list(LEVELS) if has_weights(rules) else [level for level in LEVELS if level in PLAIN_LEVELS],
            "roles": [
                {"id": role_name(role, rules.players), "zh": role_name(role, rules.players, True)}
                for role in range(rules.players)
            ],
        }
        for name, rules in PRESETS.items()
    }
    yield {
        "version": __version__,
        "questions": list(QUESTIONS),
        "levels": list(LEVELS),
        "presets": presets,
        "switches": dict(SWITCHES),
    }


def answer_legal(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """The legal plays of a hand."""
    rules = Rules.parse(body.get("rules", "classic"))
    hand = Hand.parse(body["hand"], rules.decks)
    to_beat = parse_play(body["to_beat"], rules) if body.get("to_beat") else None
    plays = legal_plays(hand, to_beat, rules)
    yield {"hand": str(hand), "count": len(plays), "plays": [describe_play(play, rules) for play in plays]}


def answer_check(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """What cards are, and whether a hand may play them; if not, why, as a code and in words."""
    rules = Rules.parse(body.get("rules", "classic"))
    hand = Hand.parse(body["hand"], rules.decks)
    to_beat = parse_play(body["to_beat"], rules) if body.get("to_beat") else None
    cards = Hand.parse(body["cards"], rules.decks)
    found = readings(cards, rules)
    legal = [play for play in legal_plays(hand, to_beat, rules) if play and Hand(play.cards) == cards]
    problem, message = (None, None) if legal else _problem(cards, hand, found, to_beat, rules)
    yield {
        "cards": str(cards),
        "legal": bool(legal),
        "plays": [describe_play(play, rules) for play in legal],
        "readings": [describe_play(play, rules) for play in found],
        "to_beat": describe_play(to_beat, rules) if to_beat else None,
        "problem": problem,
        "message": message,
    }


def _problem(cards: Hand, hand: Hand, found: list[Play], to_beat: Play | None, rules: Rules) -> tuple[str, str]:
    """Why cards may not be played: a code and words."""
    if not cards:
        return "no_cards", "no cards: expected the cards of a play"
    if cards not in hand:
        return "not_held", f"{cards} is not in the hand {hand}: expected cards of that hand"
    if not found:
        return "no_combination", f"{cards} is no combination under the rules {rules}"
    same_kind = to_beat is not None and any(play.kind == to_beat.kind for play in found)
    code = "too_low" if same_kind else "other_kind"
    return code, str(explain_illegal(found[0], hand, to_beat, rules))


def answer_game(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """Everything that stands in a game."""
    game = read_game(body["game"])
    yield describe_game(game, body.get("seat"))


def answer_move(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """What an engine level would call or play, from what the seat to move knows."""
    if ("game" in body) == ("facts" in body):
        raise DdzError("the request: expected either game or facts")
    if "facts" in body:
        seen = read_facts(body["facts"]).observations(1, body.get("seed", 0))[0]
    else:
        game = read_game(body["game"])
        if game.turn is None:
            raise TurnError("the hand is over: expected a game in which a seat has to call or to play")
        seen = game.observation()
    strongest = LEVELS[-1] if has_weights(seen.rules) else PLAIN_LEVELS[-1]
    agent = make_agent(body.get("level", strongest), seed=decision_seed(seen, body.get("seed", 0)))
    if seen.phase is Phase.AUCTION:
        yield {"seat": seen.seat, "call": agent.bid(seen), "play": None}
    else:
        yield {"seat": seen.seat, "call": None, "play": describe_play(agent.play(seen), seen.rules)}


def answer_advice(body: dict[str, Any], stop: threading.Event) -> Iterator[dict[str, Any]]:
    """The plays of the seat to move of a game, best first."""
    game = read_game(body["game"])
    if game.phase is not Phase.PLAY:
        raise TurnError(f"the game in the phase {game.phase.value}: expected a seat to play")
    yield from hint_parts(game.observation(), body, stop)


_NAMES: Final = many(text("Who plays the seat.", 60), 4, "Names of the seats.")
_CARDS_TO_PLAY: Final = {
    "rules": RULES,
    "hand": text("The cards of the hand, such as 33445566TJQKA2X."),
    "to_beat": text("The play to beat; left out for the leader of a trick."),
}

QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType(
    {
        question.name: question
        for question in (
            Question("about", "Presets, levels and roles", record("Nothing."), answer_about),
            Question(
                "legal",
                "The legal plays of a hand",
                record("A hand and what it has to beat.", ("hand",), **_CARDS_TO_PLAY),
                answer_legal,
            ),
            Question(
                "check",
                "What cards are and whether they may be played, and why not",
                record("Cards of a hand.", ("hand", "cards"), **_CARDS_TO_PLAY, cards=text("The cards to play.")),
                answer_check,
            ),
            Question("hint", "The plays of a decision, best first, with win chances and reasons", FACTS, hints),
            Question(
                "game",
                "A whole game as it stands: hands, turn, legal calls and plays, payoffs",
                record(
                    "A game, and whose view of it (everything).",
                    ("game",),
                    game=GAME,
                    seat=whole("Only what this seat knows.", 0, 3),
                ),
                answer_game,
            ),
            Question(
                "bid",
                "What each call is worth with a hand as dealt",
                record(
                    "A hand and the calls so far.",
                    ("hand",),
                    rules=RULES,
                    hand=text("The hand as dealt."),
                    calls=text("The calls so far, from the first bidder on, such as pass 1."),
                    worlds=whole("Play the hand out as the landlord in so many deals (0).", 0, 10_000),
                    seed=_SEED,
                ),
                answer_bid,
            ),
            Question(
                "solve",
                "Open hands: every legal play won or lost",
                record(
                    "A game, all hands open.",
                    ("game",),
                    game=GAME,
                    seconds={"type": "number", "minimum": 0.01, "maximum": 25, "description": "How long to try (10)."},
                ),
                answer_solve,
            ),
            Question(
                "advice",
                "Hints for the seat to move of a game",
                record(
                    "A game, of which only what the seat to move knows is used.",
                    ("game",),
                    game=GAME,
                    objective=OBJECTIVE,
                    top=TOP,
                    seconds=SECONDS,
                    seed=_SEED,
                ),
                answer_advice,
            ),
            Question(
                "read",
                "A record with every step of it",
                record(
                    "The text of a record (a game's notation, or a match's record as text or JSON), or a game.",
                    text=text("The record.", 60_000),
                    game=GAME,
                    names=_NAMES,
                ),
                answer_read,
            ),
            Question(
                "write",
                "A game as the text of a record",
                record("A game.", ("game",), game=GAME, names=_NAMES),
                answer_write,
            ),
            Question(
                "review",
                "Every decision of a game compared with the engine's",
                record(
                    "A game.",
                    ("game",),
                    game=GAME,
                    seed=_SEED,
                    parts=flag("Over the WebSocket: each part has the newest decision alone."),
                ),
                answer_review,
            ),
            Question(
                "move",
                "The call or play of an engine level",
                record(
                    "A game, of which only what the seat to move knows is used; or the facts of a decision.",
                    game=GAME,
                    facts=FACTS,
                    level=_LEVEL,
                    seed=_SEED,
                ),
                answer_move,
            ),
        )
    }
)


def last(parts: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """The final answer of an answer function."""
    answer: dict[str, Any] = {}
    for part in parts:
        answer = part
    return answer
