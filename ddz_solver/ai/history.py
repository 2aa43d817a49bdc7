"""The plays of a hand so far as a person tells them, read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from ddz_solver.core import moves
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import check_play, explain_illegal, parse_play
from ddz_solver.game.errors import CardsError, IllegalPlay, PlayError
from ddz_solver.game.rules import Rules

HistoryLike: TypeAlias = str | Iterable[Play | str]
"""Plays with blanks or semicolons between them, or one by one; the landlord's first."""


def read_history(rules: Rules, history: HistoryLike) -> tuple[tuple[tuple[int, Play], ...], Play | None, int]:
    """The plays of a history with their seats, the play to beat at its end and who made it.

    CardsError, PlayError, IllegalPlay: the first play that cannot be, by its number.
    """
    players = rules.players
    items = re.split(r"[\s;]+", history.strip()) if isinstance(history, str) else history
    line: list[tuple[int, Play]] = []
    beaten: Play | None = None
    owner = 0
    gone = Hand()
    for number, item in enumerate(item for item in items if item != ""):
        turn = number % players
        if beaten is not None and turn == owner:
            beaten = None
        try:
            play = parse_play(item, rules, beaten) if isinstance(item, str) else check_play(item, rules)
        except (CardsError, PlayError) as error:
            raise type(error)(f"play {number + 1} of the history: {error}") from None
        if (not play and beaten is None) or (play and beaten is not None and not moves.beats(play, beaten)):
            held = Hand.pack(rules.decks)
            raise IllegalPlay(f"play {number + 1} of the history: {explain_illegal(play, held, beaten, rules)}")
        if play:
            beaten, owner = play, turn
            gone += Hand(play.cards)
            gone.check(rules.decks, f"the history up to play {number + 1}, {play}")
        line.append((turn, play))
    if beaten is not None and len(line) % players == owner:
        beaten = None
    return tuple(line), beaten, owner
