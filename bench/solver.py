"""How fast are published puzzles solved, complete winning sets included? Beside `doudizhu-resolver` in the same run.

The clock is CPU time. The peer gets each puzzle in a process of its own and at most a minute; only puzzles that it
finishes are compared. It knows two hands and no rule switches.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from bench.report import Row
from ddz_solver.ai.solver import Limits, solve
from ddz_solver.core.position import Position
from ddz_solver.game.game import Game
from ddz_solver.game.notation import parse_position

DATA = Path(__file__).parent.parent / "tests" / "data" / "solved"
PEER = "doudizhu-resolver"
PEER_SECONDS = 60
TABLE = 64 << 20

#: Run in a child process: prints the CPU seconds that the peer needs for one puzzle; killed after so many of them.
PEER_PROGRAM = """
import json, resource, sys, time
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
from doudizhu_resolver.play import Card, try_win
hands = [Card.card_ints_from_string(text) if text else [] for text in json.loads(sys.argv[1])]
start = time.process_time()
try_win(0, *hands)
print(time.process_time() - start)
"""


def puzzles() -> list[dict[str, object]]:
    """Every published puzzle once, with the answers under the rules that it was published for."""
    found: dict[str, dict[str, object]] = {}
    for name in ("two_hands", "three_hands"):
        for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            puzzle = json.loads(line)
            found.setdefault(puzzle["id"], puzzle)
    return list(found.values())


def solved(puzzle: dict[str, object]) -> tuple[float, int]:
    """CPU seconds and nodes that one puzzle costs us; its answer is checked."""
    position = position_of(parse_position(str(puzzle["position"])))
    start = process_time()
    solution = solve(position, limits=Limits(table=TABLE), line=False)
    seconds = process_time() - start
    if solution.value != puzzle["value"] or sorted(map(str, solution.plays)) != sorted(puzzle["plays"]):  # type: ignore[call-overload]
        raise AssertionError(f"wrong answer to {puzzle['position']}")
    return seconds, solution.nodes


def position_of(game: Game) -> Position:
    """The position of a game in the play."""
    assert game.position is not None
    return game.position


def peer_text(cards: str) -> str:
    """Cards as the peer writes them: ranks with suits, between dashes."""
    names = {"T": "10", "X": "BJ", "D": "CJ"}
    seen: dict[str, int] = {}
    words = []
    for card in cards:
        suit = "" if card in "XD" else "shdc"[seen.get(card, 0)]
        seen[card] = seen.get(card, 0) + 1
        words.append(names.get(card, card) + suit)
    return "-".join(words)


def peer_seconds(puzzle: dict[str, object], limit: float) -> float | None:
    """CPU seconds that the peer needs; None where it is not installed, fails, or does not finish."""
    game = parse_position(str(puzzle["position"]))
    texts = [peer_text(str(hand)) for hand in game.hands]
    texts.append(peer_text(str(game.to_beat)) if game.to_beat else "")
    program = [sys.executable, "-c", PEER_PROGRAM, json.dumps(texts), str(max(1, round(limit)))]
    child = subprocess.run(program, capture_output=True, text=True, check=False)
    return float(child.stdout) if child.returncode == 0 else None


def compared(found: Sequence[dict[str, object]], limit: float) -> list[tuple[float, float]]:
    """Our seconds and the peer's for the puzzles of two hands that it finishes."""
    pairs = []
    for puzzle in found:
        if str(puzzle["position"]).split()[0].count("/") == 1:
            theirs = peer_seconds(puzzle, limit)
            if theirs is not None:
                pairs.append((min(solved(puzzle)[0] for _ in range(3)), theirs))
    return pairs


def rows(seconds: float) -> list[Row]:
    """Puzzles and nodes a second, and the comparison; the peer gets 5 times `seconds`, at most 60, a puzzle."""
    found = puzzles()
    costs = [solved(puzzle) for puzzle in found]
    total, nodes = sum(cost for cost, _ in costs), sum(count for _, count in costs)
    rows = [
        Row(f"all {len(found)} puzzles with complete winning sets", len(found) / total, "puzzles/s"),
        Row("the same, nodes", nodes / total, "nodes/s"),
    ]
    pairs = compared(found, min(PEER_SECONDS, 5 * seconds))
    question = "two-hand puzzles with complete winning sets"
    if pairs:
        ours, theirs = (sum(side) for side in zip(*pairs, strict=True))
        question += f", the {len(pairs)} that the peer finishes"
        rows.append(Row(question, len(pairs) / ours, "puzzles/s", PEER, len(pairs) / theirs, 1000))
    else:
        rows.append(Row(question, len(found) / total, "puzzles/s", PEER, None, 1000))
    return rows
