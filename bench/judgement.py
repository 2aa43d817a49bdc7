"""How well does the planner judge plays, beside the bare net? Judged by how the real deals go on.

    python -m bench.judgement --rules classic4 --games 200 --settings worlds=48
    python -m bench.judgement --rules douzero --games 500 --others greedy --settings steps=0,recall=12 --settings ""

At a few decisions of each game the planner's plays are made in the real deal, and the game is played on a few times by
the networks, made a little unsure. What a play has over the network's favourite there is the truth. It is compared with
what the network and the planner expected: the share of its variance that each explains (1 would be certainty about
hidden cards), and what the planner's own choice gains a decision. All `--settings` are judged on the same decisions.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ddz_solver.ai.agents import LEVELS, Agent, NetAgent, make_agent
from ddz_solver.ai.evaluator import Evaluator
from ddz_solver.ai.planner import Planner
from ddz_solver.ai.plans import Settings
from ddz_solver.core.moves import Play
from ddz_solver.game.game import Game
from ddz_solver.game.rules import Rules

DECISIONS = 3  # a game
CANDIDATES = 6
PLAYED_ON = 4  # times


def settings_of(text: str) -> tuple[str, Settings]:
    """A text as `steps=0,keen=0.05/0.02`, and its settings. ValueError, TypeError: there are none such."""
    values: dict[str, Any] = {"candidates": CANDIDATES}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        numbers = [float(number) if "." in number else int(number) for number in value.split("/")]
        values[name] = tuple(numbers) if len(numbers) > 1 else numbers[0]
    return text, Settings(**values)


@dataclass(frozen=True)
class Case:
    """A decision: differences of win chance from the network's favourite, play by play."""

    truth: NDArray[np.float64]
    net: NDArray[np.float64]
    planners: tuple[NDArray[np.float64], ...]


class Trial:
    """Plays games and judges decisions in them."""

    def __init__(self, rules: Rules, others: str, settings: Sequence[Settings], seed: int) -> None:
        """The side that is judged is played by the net, the other side by a level."""
        self.rules = rules
        self.settings = settings
        self.evaluator = Evaluator.load(rules)
        self.net = make_agent("net", objective="win")
        self.unsure = NetAgent(self.evaluator, objective="win", looseness=0.01, seed=seed)
        self.others: Agent | None = None if others == "net" else make_agent(others, seed=seed)
        self.rng = random.Random(seed)

    def move(self, game: Game, landlord: bool, own: Agent) -> None:
        """One play: of the judged side's agent, or of the others'."""
        seen = game.observation()
        agent = own if seen.is_landlord == landlord or self.others is None else self.others
        game.push(agent.play(seen))

    def truth(self, game: Game, play: Play, landlord: bool) -> float:
        """How often the judged side wins the real deal after a play."""
        wins = 0
        for _ in range(PLAYED_ON):
            twin = game.copy()
            twin.push(play)
            while not twin.over:
                self.move(twin, landlord, self.unsure)
            wins += twin.landlord_won == landlord
        return wins / PLAYED_ON

    def case(self, game: Game, landlord: bool) -> Case:
        """One decision, judged."""
        seen = game.observation()
        wins, _ = self.evaluator.evaluate(seen, seen.legal_plays, "win")
        near = sorted(zip(wins, seen.legal_plays, strict=True), key=lambda pair: -pair[0])[:CANDIDATES]
        near = [pair for index, pair in enumerate(near) if index < 2 or pair[0] >= near[0][0] - Settings.margin]
        plays = [play for _, play in near]
        found = []
        for settings in self.settings:
            plan = Planner(self.evaluator, settings, seed=len(seen.history)).plan(seen)
            ranked = {choice.play: choice.win for choice in plan.plays}
            found.append(np.array([ranked[play] - ranked[plays[0]] for play in plays]))
        truth = np.array([self.truth(game, play, landlord) for play in plays])
        return Case(truth - truth[0], np.array([win - near[0][0] for win, _ in near]), tuple(found))

    def game(self, number: int) -> list[Case]:
        """Some decisions of a game; the judged side is the landlord in every second."""
        landlord = number % 2 == 0
        game, choices = Game(self.rules, seed=self.rng.randrange(1 << 40), landlord=0), []
        while not game.over:
            if (game.turn == game.landlord) == landlord and len(game.legal_plays) > 1:
                choices.append(game.copy())
            self.move(game, landlord, self.net)
        return [self.case(choice, landlord) for choice in self.rng.sample(choices, min(DECISIONS, len(choices)))]


def explained(truth: NDArray[np.float64], expected: NDArray[np.float64]) -> float:
    """Share of the truth's variance about 0 that the best multiple of what was expected explains."""
    return float((truth @ expected) ** 2 / ((truth @ truth) * (expected @ expected)))


def gain(cases: Sequence[Case], index: int) -> tuple[float, float]:
    """Mean gain of a planner's choices in win chance, and its standard error."""
    gains = np.array([case.truth[int(case.planners[index].argmax())] for case in cases])
    return float(gains.mean()), float(gains.std() / len(gains) ** 0.5)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.judgement", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", type=Rules.parse, default=Rules.parse("douzero"))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--others", choices=LEVELS, default="net", help="level of the side that is not judged")
    parser.add_argument(
        "--settings", action="append", type=settings_of, help="of the planner, like steps=0,keen=0.05/0.02; repeat"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    texts, settings = zip(*(options.settings or [settings_of("")]), strict=True)
    trial = Trial(options.rules, options.others, settings, options.seed)
    cases = [case for number in track(range(options.games), "games") for case in trial.game(number)]
    truth = np.concatenate([case.truth[1:] for case in cases])
    table = Table(title=f"{len(cases)} decisions, {options.rules}, against {options.others}")
    for column in ("judge", "variance explained", "gain a decision"):
        table.add_column(column, justify="left" if column == "judge" else "right")
    table.add_row("net", f"{explained(truth, np.concatenate([case.net[1:] for case in cases])):.3f}", "")
    for index, text in enumerate(texts):
        expected = np.concatenate([case.planners[index][1:] for case in cases])
        mean, error = gain(cases, index)
        name = f"planner {text}".strip()
        table.add_row(name, f"{explained(truth, expected):.3f}", f"{mean:+.4f} +- {1.96 * error:.4f}")
    Console().print(table)


if __name__ == "__main__":
    main()
