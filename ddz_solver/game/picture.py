"""Pictures of tables as SVG, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand

_WIDTH, _HEIGHT, _GAP, _STEP, _LEFT = 22, 32, 3, 44, 150
_RED: Final = "#b3261e"
_CARD_BACK: Final = "#c8d3e6"


def table_svg(
    hands: Sequence[Hand | None],
    counts: Sequence[int],
    *,
    landlord: int | None = None,
    turn: int | None = None,
    to_beat: Play | None = None,
    to_beat_by: int | None = None,
) -> str:
    """A table, one row a seat: its cards, backs where the hand is None, whose turn it is and the play to beat."""
    parts: list[str] = []
    widest = max([len(hand) if hand is not None else count for hand, count in zip(hands, counts, strict=True)] or [1])
    for seat, (hand, count) in enumerate(zip(hands, counts, strict=True)):
        top = _GAP + seat * _STEP
        role = " landlord" if seat == landlord else ""
        mark = "▶ " if seat == turn else ""
        parts.append(
            f'<text x="4" y="{top + 20}" font-weight="{"bold" if mark else "normal"}">{mark}seat {seat}{role}</text>'
        )
        parts += _cards(list(hand) if hand is not None else [""] * count, _LEFT, top)
    height = len(hands) * _STEP + 2 * _GAP
    if to_beat is not None:
        parts.append(f'<text x="4" y="{height + 20}">to beat, by seat {to_beat_by}</text>')
        parts += _cards([*Hand(to_beat.cards)], _LEFT, height)
        height += _STEP
    return _svg(_LEFT + widest * (_WIDTH + _GAP) + _GAP, height, parts)


def _cards(ranks: Iterable[str], left: int, top: int) -> list[str]:
    """Cards side by side; an empty rank is a card that lies face down."""
    parts = []
    for index, rank in enumerate(ranks):
        x = left + index * (_WIDTH + _GAP)
        fill = "white" if rank else _CARD_BACK
        colour = _RED if rank == "D" else "black"
        parts.append(
            f'<rect x="{x}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" rx="3" fill="{fill}" stroke="#777"/>'
            f'<text x="{x + _WIDTH / 2}" y="{top + 21}" text-anchor="middle" fill="{colour}">{rank}</text>'
        )
    return parts


def _svg(width: int, height: int, parts: Iterable[str]) -> str:
    size = f'width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="14">'
    return "\n".join([head, *parts, "</svg>"])
