"""Roles: what a seat is to the landlord, by name in English and Chinese.

A role is the distance after the landlord in playing order: 0 is the landlord, 1 plays after the landlord.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ddz_solver.game.errors import SeatError

_NAMES: Final = {
    2: ("landlord", "peasant"),
    3: ("landlord", "landlord_down", "landlord_up"),
    4: ("landlord", "landlord_down", "landlord_across", "landlord_up"),
}
_CHINESE: Final = {
    "landlord": "地主",
    "peasant": "农民",
    "landlord_down": "地主下家",
    "landlord_across": "地主对家",
    "landlord_up": "地主上家",
}
_SHORT: Final = {"down": "landlord_down", "across": "landlord_across", "up": "landlord_up"} | {
    short: name for name, chinese in _CHINESE.items() for short in (chinese, chinese.removeprefix("地主")) if short
}


class Role(NamedTuple):
    """A role at a table of so many players; its text is its name."""

    number: int
    players: int

    def text(self, lang: str = "en") -> str:
        """Its name in English (`en`) or Chinese (`zh`)."""
        return role_name(self.number, self.players, lang == "zh")

    def __str__(self) -> str:
        return self.text()


def role_name(role: int, players: int, chinese: bool = False) -> str:
    """What a role is called."""
    name = _NAMES[players][role]
    return _CHINESE[name] if chinese else name


def parse_role(role: int | str, players: int) -> int:
    """The role that a name or a number means: `landlord`, `landlord_down` or `down`, `地主`, 0, ...

    SeatError for anything else.
    """
    if isinstance(role, str):
        word = role.strip().lower().replace("-", "_").replace(" ", "_")
        word = _SHORT.get(word, word)
        if word in _NAMES[players]:
            return _NAMES[players].index(word)
        if word.isdecimal() and len(word) == 1:
            role = int(word)
    if not isinstance(role, int) or not 0 <= role < players:
        raise SeatError(f"role {role!r}: expected {', '.join(_NAMES[players])}, or 0 to {players - 1}")
    return role
