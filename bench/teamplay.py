"""Do peasants play together? Positions of three kinds from games of the network, every choice judged with open cards.

    python -m bench.teamplay --positions 200 --levels greedy net planner --worlds 128

A position counts where some of the seat's plays win and some lose with all cards open; an agent sees only its own.
Kinds: `spare` (a partner's play stands, the pass wins and overtaking may lose), `feed` (a partner has one card and the
seat leads, a solo wins and other leads may lose), `block` (the landlord has one card, and not every play stops it).
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ddz_solver.ai.agents import make_agent
from ddz_solver.ai.solver import Limits, OpenHandSolver
from ddz_solver.core.moves import Kind, Play
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import Rules

_CARDS: Final = 30
"""Most cards in all hands of a position, so that the solver is done in moments."""


@dataclass(frozen=True)
class Case:
    """A decision of a peasant, and the plays that win it with open cards."""

    kind: str
    seen: Observation
    winning: frozenset[Play]


def _spare(seen: Observation) -> bool:
    by = seen.to_beat_by
    return by is not None and seen.same_side(by)


def _feed(seen: Observation) -> bool:
    mates = [seat for seat in range(seen.rules.players) if seat != seen.seat and seen.same_side(seat)]
    return seen.to_beat is None and any(seen.counts[seat] == 1 for seat in mates)


def _block(seen: Observation) -> bool:
    assert seen.landlord is not None
    return seen.counts[seen.landlord] == 1


def _wins_as_told(kind: str, winning: frozenset[Play]) -> bool:
    """Whether what the kind asks for is among the winning plays."""
    if kind == "spare":
        return any(play.is_pass for play in winning)
    return kind != "feed" or any(play.kind is Kind.SOLO for play in winning)


KINDS: Final[dict[str, Callable[[Observation], bool]]] = {"spare": _spare, "feed": _feed, "block": _block}


def cases(kind: str, rules: Rules, seed: int = 1) -> Iterator[Case]:
    """Endless cases of a kind, at most one a game, from games of the network with some random plays."""
    rng = random.Random(seed)
    solver = OpenHandSolver(rules.compiled, 1 << 22)
    agent = make_agent("net", objective="win")
    for number in range(1 << 30):
        game = Game(rules, seed=seed * 1_000_003 + number, landlord=0)
        while not game.over:
            seen = game.observation()
            if not seen.is_landlord and sum(seen.counts) <= _CARDS and len(seen.legal_plays) > 1 and KINDS[kind](seen):
                assert game.position is not None
                solution = solver.solve(game.position, limits=Limits(nodes=20_000), line=False)
                winning = frozenset(solution.plays)
                if solution.complete and 0 < len(winning) < len(seen.legal_plays) and _wins_as_told(kind, winning):
                    yield Case(kind, seen, winning)
                    break
            game.push(rng.choice(seen.legal_plays) if rng.random() < 0.05 else agent.play(seen))


def rate(level: str, found: list[Case], **options: object) -> float:
    """Share of the cases in which an agent of the level makes a winning play."""
    agent = make_agent(level, seed=1, objective="win", **options)
    return sum(agent.play(case.seen) in case.winning for case in found) / len(found)


def main() -> None:
    """Prints one JSON line a kind and level."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.teamplay", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=200, help="of each kind (200)")
    parser.add_argument("--levels", nargs="+", default=["random", "greedy", "net", "planner"])
    parser.add_argument("--worlds", type=int, default=128, help="for planners (128)")
    parser.add_argument("--rules", type=Rules.parse, default=Rules.parse("douzero"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for kind in KINDS:
        source = cases(kind, options.rules, options.seed)
        found = [next(source) for _ in range(options.positions)]
        for level in options.levels:
            share = rate(level, found, worlds=options.worlds)
            error = (share * (1 - share) / len(found)) ** 0.5
            row = {
                "kind": kind,
                "level": level,
                "positions": len(found),
                "wins": round(share, 4),
                "se": round(error, 4),
            }
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
