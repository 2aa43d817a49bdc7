"""Draws docs/hint.svg: what `ddz hint` and `ddz solve` print, as a terminal shows it. Run `python docs/picture.py`."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from ddz_solver.cli import main

COMMANDS = (
    ["hint", "34567899TTJJQQKKA22X"],
    ["hint", "3345567899JJQKA2D", "--role", "up", "--last", "TT", "--by", "landlord", "--top", "3"],
    ["solve", "2Q999643/DAAJ43", "--all"],
)
WIDTH = 104
#: Fonts that the reader has, none to be fetched.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "font-family: Fira Code, monospace", "font-family: DejaVu Sans Mono, Menlo, Consolas, monospace"
)


def printed(words: list[str]) -> str:
    """What a command prints in a terminal, with its colours."""
    os.environ.update(FORCE_COLOR="1", COLUMNS=str(WIDTH))
    with contextlib.redirect_stdout(io.StringIO()) as output:
        assert main(words) == 0
    return output.getvalue()


def picture() -> str:
    """The commands and their output as SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for words in COMMANDS:
        console.print(Text.assemble(("$ ", "bold green"), ("ddz " + " ".join(words), "bold")))
        console.print(Text.from_ansi(printed(words).rstrip()))
        console.print()
    return console.export_svg(title="ddz", code_format=FORMAT)


if __name__ == "__main__":
    Path(__file__).with_name("hint.svg").write_text(picture(), encoding="utf-8")
