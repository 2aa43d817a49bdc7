"""Labels of the command line's output in English and Chinese."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ddz_solver.ai.notes import LANGUAGES
from ddz_solver.core.moves import Play
from ddz_solver.game.combos import format_play, kind_name
from ddz_solver.game.rules import RulesLike

_LABELS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "play": ("play", "出牌"),
        "kind": ("kind", "牌型"),
        "win": ("win", "胜率"),
        "score": ("points", "得分"),
        "why": ("why", "理由"),
        "pass": ("pass", "不出"),
        "hand": ("hand", "手牌"),
        "to_beat": ("to beat {play} of {role}", "要压{role}的{play}"),
        "leads": ("to lead", "先出"),
        "assumed": ("Assumed: {facts}.", "假设：{facts}。"),
        "more": ("{count} more plays; --top {all} shows all.", "另有{count}种出法，--top {all}全部列出。"),
        "and": (", ", "，"),
    }
)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Adds --lang."""
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the output: en or zh (en)")


class Words:
    """Everything that a command says, in one language."""

    def __init__(self, lang: str) -> None:
        """`lang` is one of `LANGUAGES`."""
        self.lang = lang
        self._column = LANGUAGES.index(lang)

    def __call__(self, key: str, **values: object) -> str:
        """A label, with its values filled in."""
        return _LABELS[key][self._column].format(**values)

    def play(self, play: Play, rules: RulesLike) -> str:
        """The text of a play."""
        return format_play(play, rules) if play else self("pass")

    def kind(self, play: Play) -> str:
        """What the kind of a play is called."""
        return kind_name(play.kind, self.lang == "zh")
