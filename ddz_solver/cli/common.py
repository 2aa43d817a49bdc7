"""What several commands share: arguments, and output as tables or JSON."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ddz_solver.game.errors import DdzError
from ddz_solver.game.rules import PRESETS


def printable(text: str) -> str:
    """A text with escapes in place of what cannot be printed, line ends aside: nothing in it can steer a terminal."""
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )


def steady_streams() -> None:
    """Let no character and no closed stream end a command: what cannot be read or written becomes an escape."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
        elif isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def read_text(name: str | Path) -> str:
    """The text of a file, of standard input for `-`, without a byte order mark. DdzError: no file, or no text."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise DdzError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DdzError(f"cannot read {name}: no text, expected UTF-8") from None


def check_seed(seed: int) -> int:
    """The same number. DdzError: it is no seed."""
    if not 0 <= seed < 1 << 64:
        raise DdzError(f"--seed {seed}: expected 0 to 2**64 - 1")
    return seed


def add_rules(parser: argparse.ArgumentParser, default: str = "classic") -> None:
    """Adds --rules."""
    parser.add_argument(
        "--rules",
        default=default,
        metavar="RULES",
        help=f"a preset ({', '.join(PRESETS)}) and switches, such as classic,spring=each (default {default})",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds --option, which may be given several times."""
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="set an option")


def read_options(texts: Sequence[str]) -> dict[str, str]:
    """The options of an engine, by name. DdzError: a text that is not NAME=VALUE."""
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise DdzError(f"--option {text}: expected NAME=VALUE")
        options[name] = value
    return options


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
