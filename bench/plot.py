"""Plots as SVG, written by hand so that they need no library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

_COLOURS = ("#1f6feb", "#d1242f", "#1a7f37")
_SIZE, _LEFT, _TOP = 400, 60, 40


def reliability_svg(title: str, curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """A reliability plot: what was predicted (`chance`) against what happened (`won`); areas tell how often (`n`)."""
    most = max(point["n"] for curve in curves.values() for point in curve)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE + 90} {_SIZE + 100}" font-family="sans-serif" '
        f'font-size="13"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="24" font-size="16">{escape(title)}</text>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#888"/>',
        f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" stroke="#bbb" stroke-dasharray="4"/>',
    ]
    for tick in range(0, 11, 2):
        share = tick / 10
        parts.append(f'<text x="{_x(share)}" y="{_y(0) + 18}" text-anchor="middle">{share:.1f}</text>')
        parts.append(f'<text x="{_LEFT - 8}" y="{_y(share) + 4}" text-anchor="end">{share:.1f}</text>')
    parts.append(f'<text x="{_x(0.5)}" y="{_y(0) + 38}" text-anchor="middle">predicted win chance</text>')
    middle = _y(0.5)
    parts.append(f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">won</text>')
    for colour, (index, (name, curve)) in zip(_COLOURS, enumerate(curves.items()), strict=False):
        line = " ".join(f"{_x(point['chance']):.1f},{_y(point['won']):.1f}" for point in curve)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        parts += (
            f'<circle cx="{_x(point["chance"]):.1f}" cy="{_y(point["won"]):.1f}" '
            f'r="{2 + 6 * (point["n"] / most) ** 0.5:.1f}" fill="{colour}" fill-opacity="0.6"/>'
            for point in curve
        )
        parts.append(f'<text x="{_LEFT + 12}" y="{_TOP + 22 + 18 * index}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _x(share: float) -> float:
    return _LEFT + _SIZE * share


def _y(share: float) -> float:
    return _TOP + _SIZE * (1 - share)
