"""A game as one self-contained page: the modules and styles of the board inside it, no server needed."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ddz_solver.game.game import Game
from ddz_solver.web.games import describe_game
from ddz_solver.web.recordings import frames, review

_STATIC: Final = Path(__file__).parent / "static"
_STYLES: Final = ("base.css", "cards.css", "table.css", "parts.css")
_ENTRY: Final = "standalone.js"
_IMPORT: Final = re.compile(r'(from|import) "\./([\w-]+\.js)"')


def game_page(game: Game, names: Sequence[str] = (), *, analyse: bool = True, seed: int = 0) -> str:
    """HTML of a page that steps through a game, with the engine's opinion of every decision if `analyse`."""
    data: dict[str, Any] = {
        "names": list(names),
        "state": describe_game(game) | {"legal_plays": []},
        "frames": frames(game),
        "decisions": list(review(game, seed)) if analyse else [],
    }
    modules = {name: _data_url(text) for name, text in _modules(_ENTRY).items()}
    styles = "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in _STYLES)
    imports = json.dumps({"imports": {f"ddz/{name}": url for name, url in modules.items()}})
    title = html.escape(f"Dou Dizhu 斗地主: {', '.join(name for name in names if name) or game.rules}")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{styles}</style>
<script type="importmap">{imports}</script>
<script type="application/json" id="game">{_script_safe(data)}</script>
<script type="module">import "ddz/{_ENTRY}";</script>
</head>
<body>
<header class="top"><span class="brand"><span class="seal" aria-hidden="true">斗</span>{title}</span>
<div class="switches" id="switches"></div></header>
<main id="main"></main>
<p class="sr-only" id="live" aria-live="polite"></p>
</body>
</html>
"""


def _modules(entry: str) -> dict[str, str]:
    """A module and all that it imports, by name, with the imports made bare names for the import map."""
    found: dict[str, str] = {}
    wanted = [entry]
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        text = (_STATIC / name).read_text(encoding="utf-8")
        wanted += [match[2] for match in _IMPORT.finditer(text)]
        found[name] = _IMPORT.sub(r'\1 "ddz/\2"', text)
    return found


def _data_url(text: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"


def _script_safe(value: Any) -> str:
    """JSON in which no text can end the script element that holds it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
