"""solve open hands exactly: who wins, with which plays, for how much

A position is the hands of all seats between slashes, the landlord's first unless landlord=SEAT, and what differs from
the landlord leading: turn=SEAT beat=PLAY by=SEAT rules=RULES. Two hands are a duel of the first against the second.
--file takes positions one a line, or JSON lines with a "position"; - is standard input.
Exit code 1: the limits were reached before an answer was proven.

Examples:
  ddz solve QQTT/A3 --all
  ddz solve 9AA/5577TTQQ2 beat=3
  ddz solve 7/99/335555 turn=2 --objective score --all
  ddz solve --file puzzles.txt --limit 10 --threads 2 --json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ddz_solver.ai.objective import OBJECTIVES
from ddz_solver.ai.solver import Limits, Progress, Solution, solve, solve_many
from ddz_solver.cli.common import add_json, print_json, read_text
from ddz_solver.core.moves import Play
from ddz_solver.core.position import Position
from ddz_solver.game.combos import format_play
from ddz_solver.game.errors import DdzError, NotationError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_position, parse_position

_STOPPED = {"nodes": "the node limit", "stop": "the time limit"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz solve`."""
    parser.add_argument("position", nargs="*", metavar="POSITION", help="hands between slashes, then key=value")
    parser.add_argument("--file", metavar="FILE", help="solve the positions of a file, one a line")
    parser.add_argument("--all", action="store_true", help="find all plays that keep the value, not just one")
    parser.add_argument(
        "--objective", choices=OBJECTIVES, default="win", help="who wins, or what each peasant pays the landlord (win)"
    )
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="time for each position (none)")
    parser.add_argument("--nodes", type=int, metavar="N", help="nodes for each position (none)")
    parser.add_argument("--table", type=int, default=256, metavar="MIB", help="size of the table of each thread (256)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="positions of a file at the same time (1)")
    parser.add_argument("--rules", metavar="RULES", help="for positions that name none (classic, or classic4)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz solve`."""
    if bool(args.position) == bool(args.file):
        raise NotationError("expected a position such as QQTT/A3, or --file FILE")
    limits = Limits(nodes=args.nodes, seconds=args.limit, table=args.table << 20 if args.table > 0 else args.table)
    if args.file:
        games = _read(args.file, args.rules)
        positions = [_position(game) for game in games]
        solutions = solve_many(positions, args.objective, limits, threads=args.threads, all_plays=args.all)
        found = _shown_while_solving(zip(games, solutions, strict=True), len(games), args.json)
        return 0 if all(solution.proven for solution in found) else 1
    game = parse_position(" ".join(args.position), args.rules)
    with _progress() as progress:
        solution = solve(_position(game), args.objective, limits, all_plays=args.all, progress=progress)
    if args.json:
        print_json(_as_json(game, solution))
    else:
        print(_as_text(game, solution))
    return 0 if solution.proven else 1


def _position(game: Game) -> Position:
    position = game.position
    if position is None or position.over:
        raise NotationError("the game is over: expected a position in which somebody is to move")
    return position


def _read(name: str, rules: str | None) -> list[Game]:
    """The positions of a file. DdzError: it cannot be read; NotationError names the line that is none."""
    games = []
    for number, line in enumerate(read_text(name).splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            games.append(parse_position(_position_text(line), rules))
        except DdzError as error:
            raise NotationError(f"{name}, line {number}: {error}") from None
    if not games:
        raise NotationError(f"--file {name}: expected at least one position")
    return games


def _position_text(line: str) -> str:
    if not line.startswith("{"):
        return line
    try:
        value = json.loads(line)["position"]
    except (ValueError, KeyError, TypeError):
        value = None
    if not isinstance(value, str):
        raise NotationError(f'{line[:60]!r}: expected a JSON object with a "position"')
    return value


def _shown_while_solving(found: Iterator[tuple[Game, Solution]], number: int, as_json: bool) -> list[Solution]:
    """Prints each solution as it comes, with a bar on the terminal in the meantime."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    solutions = []
    for game, solution in track(
        found, f"{number} positions", total=number, console=console, transient=True, disable=not console.is_terminal
    ):
        solutions.append(solution)
        if as_json:
            print(json.dumps(_as_json(game, solution), ensure_ascii=False), flush=True)
        else:
            print(_as_text(game, solution), end="\n\n", flush=True)
    return solutions


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A line on the terminal that tells how far a long search has come."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with console.status("solving") as status:
        yield lambda nodes, seconds: status.update(f"solving: {nodes:,} nodes, {seconds:.0f} s")


def _texts(game: Game, plays: tuple[Play, ...]) -> list[str]:
    return [format_play(play, game.rules) for play in plays]


def _as_json(game: Game, solution: Solution) -> dict[str, Any]:
    return {
        "position": format_position(game),
        "objective": solution.objective,
        "proven": solution.proven,
        "value": solution.value,
        "bounds": [solution.lower, solution.upper],
        "mover_wins": solution.wins,
        "plays": _texts(game, solution.plays),
        "complete": solution.complete,
        "undecided": _texts(game, solution.undecided),
        "line": _texts(game, solution.line),
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
    }


def _as_text(game: Game, solution: Solution) -> str:
    """A few lines: the position, the value, the plays, the line, the cost."""
    lines = [format_position(game), _verdict(game, solution)]
    if solution.plays:
        name = "winning" if solution.wins else "best"
        plays = ", ".join(_texts(game, solution.plays))
        lines.append(f"{f'all {name} plays' if solution.complete else f'a {name} play'}: {plays}")
    if solution.undecided and solution.proven:
        lines.append(f"not decided: {', '.join(_texts(game, solution.undecided))}")
    if solution.line:
        lines.append(f"line: {_line(game, solution.line)}")
    lines.append(f"{solution.nodes:,} nodes, {solution.seconds:.3f} s")
    return "\n".join(lines)


def _verdict(game: Game, solution: Solution) -> str:
    seat = f"seat {game.turn}{' (landlord)' if game.turn == game.landlord else ''}"
    if solution.wins is None:
        return f"not proven within {_STOPPED.get(solution.stopped, 'the limits')}: {seat} to move"
    result = f"{seat} to move {'wins' if solution.wins else 'loses'}"
    if solution.objective == "win":
        return result
    if solution.value is None:
        return f"{result}; each peasant pays the landlord between {solution.lower} and {solution.upper}"
    pays = "each peasant pays the landlord" if solution.value > 0 else "the landlord pays each peasant"
    return f"{result}: {pays} {abs(solution.value)} times the stake"


def _line(game: Game, line: tuple[Play, ...]) -> str:
    """The plays of a line, each with its seat."""
    position = _position(game).copy()
    words = []
    for play in line:
        words.append(f"{position.turn}:{format_play(play, game.rules)}")
        position.play(play)
    return " ".join(words)
