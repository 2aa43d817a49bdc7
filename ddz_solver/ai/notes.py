"""Short remarks that the engine makes on its choices, in English and Chinese.

A `Note` is a key and values, so programs can act on it and people can read it in their language.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Protocol, runtime_checkable

LANGUAGES: Final = ("en", "zh")

_TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        # what was assumed where nothing was said
        "assumed_role": ("you are the {role}", "你是{role}"),
        "assumed_count": ("{role} has {count} cards", "{role}有{count}张牌"),
        "assumed_plays": ("{role} has played more than once", "{role}不止出过一手"),
        "assumed_gone": ("any cards may be gone", "出过的牌未知"),
        # why a play
        "goes_out": ("plays the last cards", "出完手牌"),
        "proven_win": ("wins against best play", "必胜"),
        "proven_loss": ("loses against best play", "必败"),
        "sure_win": ("wins whatever the others hold", "必胜，无论别人有什么牌"),
        "unbeatable": ("cannot be beaten", "无人能压"),
        "unbeatable_but_bombs": ("only a bomb beats it", "只怕炸弹"),
        "one_play_left": ("one play left then", "之后一手出完"),
        "plays_left": ("{count} plays left then", "之后还剩{count}手"),
        "keeps_bomb": ("keeps the bomb {cards}", "留着炸弹{cards}"),
        "spends_bomb": ("spends a bomb", "用掉炸弹"),
        "breaks_bomb": ("breaks the bomb {cards}", "拆炸弹{cards}"),
        "partner_one_card": ("{role}, your partner, has one card", "队友{role}只剩一张"),
        "enemy_one_card": ("{role} has one card", "{role}只剩一张"),
        "enemy_two_cards": ("{role} has two cards", "{role}只剩两张"),
        "partner_holds_trick": ("your partner holds the trick", "队友占先"),
        "needs_bomb": ("only a bomb would beat it", "要压就得用炸弹"),
        "only_play": ("nothing else is legal", "别无选择"),
    }
)


@runtime_checkable
class Named(Protocol):
    """A value that has a name in each language."""

    def text(self, lang: str = "en") -> str:
        """The name in one of `LANGUAGES`."""


class Note:
    """One remark: a key, and the values that its text names. Immutable and comparable."""

    __slots__ = ("key", "values")

    key: str
    values: Mapping[str, Any]

    def __init__(self, key: str, **values: Any) -> None:
        self.key = key
        self.values = MappingProxyType(values)

    def text(self, lang: str = "en") -> str:
        """The remark in English (`en`) or Chinese (`zh`)."""
        named = {name: value.text(lang) if isinstance(value, Named) else value for name, value in self.values.items()}
        return _TEXTS[self.key][LANGUAGES.index(lang)].format_map(named)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Note({self.key!r}, {', '.join(f'{name}={value}' for name, value in self.values.items())})"

    def __eq__(self, other: object) -> bool:
        return (self.key, self.values) == (other.key, other.values) if isinstance(other, Note) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.key, frozenset(self.values.items())))

    def __reduce__(self) -> tuple[partial[Note], tuple[()]]:
        return partial(Note, self.key, **self.values), ()
