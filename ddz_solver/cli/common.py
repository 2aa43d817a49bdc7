"""What several commands share: arguments, and output as tables or JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from typing import Any

from ddz_solver.game.rules import PRESETS


def printable(text: str) -> str:
    """A text with escapes in place of what cannot be printed, line ends aside: nothing in it can steer a terminal."""
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )


def add_rules(parser: argparse.ArgumentParser, default: str = "classic") -> None:
    """Adds --rules."""
    parser.add_argument(
        "--rules",
        default=default,
        metavar="RULES",
        help=f"a preset ({', '.join(PRESETS)}) and switches, such as classic,spring=each (default {default})",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds --json."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def print_json(value: Any) -> None:
    """Prints a value as indented JSON, Chinese text left readable."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()) -> None:
    """Prints a table; `right` are the numbers of the columns to align right. As wide as needed when piped."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(markup=False, emoji=False, width=200)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(str, row))
    console.print(table)
