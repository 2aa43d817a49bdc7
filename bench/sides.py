"""Where points are won and lost under DouZero's rules: each landlord against each pair of peasants, and bombs.

    python -m bench.sides --opponents FOLDER [--against douzero] [--deals 1000] [--net FILE] [--objective score]

Needs what `bench.strength` needs. Every deal is played by all four pairs of sides. The second table tells what became
of the bombs that the sides were dealt: played, kept to the end, broken up, or played with kickers (`quad`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.strength import POSITIONS, NetAgent, match_parser, net_judge, referee_in
from ddz_solver.ai.evaluator import Evaluator
from ddz_solver.game.rules import PRESETS

FATES: Final = ("played", "kept", "broken", "quad")
ROCKET: Final = (20, 30)


class Recorder:
    """An agent, and what it has played in this game."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.played: list[Counter[int]] = []

    def act(self, infoset: Any) -> list[int]:
        """The agent's action."""
        action: list[int] = self.agent.act(infoset)
        self.played.append(Counter(action))
        return action


def bombs_of(cards: list[int]) -> Iterator[Counter[int]]:
    """The bombs and the rocket of a hand of DouZero's cards."""
    counts = Counter(cards)
    yield from (Counter({card: 4}) for card, count in counts.items() if count == 4)
    if all(counts[joker] for joker in ROCKET):
        yield Counter(ROCKET)


def fate(bomb: Counter[int], played: list[Counter[int]]) -> str:
    """What became of a bomb, one of `FATES`."""
    if bomb in played:
        return "played"
    if any(bomb <= cards for cards in played):
        return "quad"
    return "broken" if any(bomb & cards for cards in played) else "kept"


def points(scores: list[float]) -> str:
    """The mean with its 95 % interval."""
    return f"{np.mean(scores):+.3f} ± {1.96 * np.std(scores) / np.sqrt(len(scores)):.3f}"


def stakes(scores: list[float], sign: int) -> str:
    """The mean stakes of the games that the landlord won (1) or lost (-1)."""
    found = [abs(score) for score in scores if score * sign > 0]
    return f"{np.mean(found):.3f}" if found else ""


def main() -> None:
    """Plays all pairs of sides and prints both tables."""
    options = match_parser("sides", __doc__).parse_args()
    referee = referee_in(options.opponents)
    judge = net_judge(Evaluator.load(options.net or PRESETS["douzero"]).weights)
    other = referee.factory(options.against)
    players = {
        "ours": {position: NetAgent(position, judge, options.objective == "score") for position in POSITIONS},
        options.against: {position: other(position) for position in POSITIONS},
    }
    scores: dict[tuple[str, str], list[float]] = {(first, second): [] for first in players for second in players}
    fates: dict[tuple[str, str, bool], Counter[str]] = {}
    rng = random.Random(options.seed)
    for _ in track(range(options.deals), "deals"):
        cards = referee.deal(rng)
        for first, second in scores:
            owners = dict(zip(POSITIONS, (first, second, second), strict=True))
            recorders = {position: Recorder(players[owner][position]) for position, owner in owners.items()}
            landlord_won, bombs = referee.play(recorders, cards)
            scores[first, second].append((1 if landlord_won else -1) * 2**bombs)
            for position, owner in owners.items():
                side = "landlord" if position == "landlord" else "peasants"
                counter = fates.setdefault((owner, side, landlord_won == (side == "landlord")), Counter())
                counter.update(fate(bomb, recorders[position].played) for bomb in bombs_of(cards[position]))

    table = Table("landlord", "peasants", "landlord wins", "landlord's points a deal", "stakes if won", "if lost")
    for (first, second), all_scores in scores.items():
        wins = np.mean([score > 0 for score in all_scores])
        table.add_row(first, second, f"{wins:.3f}", points(all_scores), stakes(all_scores, 1), stakes(all_scores, -1))
    bombs_table = Table("player", "side", "game", "bombs dealt", *FATES)
    for (owner, side, won), counter in sorted(fates.items()):
        total = counter.total()
        shares = (f"{counter[name] / max(total, 1):.2f}" for name in FATES)
        bombs_table.add_row(owner, side, "won" if won else "lost", str(total), *shares)
    for one in (table, bombs_table):
        Console(width=120).print(one)


if __name__ == "__main__":
    main()
