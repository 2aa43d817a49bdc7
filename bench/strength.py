"""Strength against outside agents under DouZero's rules: each deal is played twice, roles swapped.

Needs the packages `douzero` and `rlcard` and a folder with the referee `duel.py` and DouZero's published agent
`douzero_adp.py`.

    python -m bench.strength --opponents FOLDER --against douzero --deals 1000 [--net FILE] [--objective score]
        [--worlds 128] [--record bench/results/strength.jsonl]

`python -m bench.strength_table` makes a table of the records.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import math
import sys
import time
from pathlib import Path
from typing import Any, Final

from bench.report import put_record
from ddz_solver.adapters.views import View
from ddz_solver.ai.evaluator import Evaluator
from ddz_solver.ai.planner import Planner
from ddz_solver.ai.plans import Settings
from ddz_solver.ai.weights import Weights
from ddz_solver.core.evaluate import Judge
from ddz_solver.core.moves import PASS_PLAY, Play, leads, readings, replies
from ddz_solver.core.observation import Observation
from ddz_solver.game.cards import Hand
from ddz_solver.game.observation import Observation as GameObservation
from ddz_solver.game.rules import PRESETS

RULES: Final = PRESETS["douzero"].compiled
POSITIONS: Final = ("landlord", "landlord_down", "landlord_up")
_RANKS: Final = {**{card: card - 3 for card in range(3, 15)}, 17: 12, 20: 13, 30: 14}


def packed(cards: list[int]) -> int:
    """A packed hand from DouZero's cards."""
    return sum(1 << 4 * _RANKS[card] for card in cards)


class NetAgent:
    """One seat played by the bare net. Counts decisions and the seconds they took."""

    decisions = 0
    seconds = 0.0

    def __init__(self, position: str, judge: Judge, for_points: bool) -> None:
        """`for_points` chooses by expected score instead of win chance."""
        self.seat = POSITIONS.index(position)
        self.judge = judge
        self.for_points = for_points

    def observe(self, infoset: Any) -> Observation:
        """What the net sees, from a DouZero InfoSet."""
        history: list[tuple[int, Play]] = []
        for turn, cards in enumerate(infoset.card_play_action_seq):
            play = readings(packed(cards), RULES)[0] if cards else PASS_PLAY
            history.append((turn % 3, play))
        return Observation(
            RULES,
            seat=self.seat,
            hand=packed(infoset.player_hand_cards),
            landlord=0,
            counts=tuple(infoset.num_cards_left_dict[position] for position in POSITIONS),
            bottom=packed(infoset.three_landlord_cards),
            history=history,
        )

    def act(self, infoset: Any) -> list[int]:
        """One of the legal actions."""
        if len(infoset.legal_actions) == 1:
            return list(infoset.legal_actions[0])
        seen = self.observe(infoset)
        start = time.perf_counter()
        last = seen.to_beat
        plays = leads(seen.hand, RULES) if last.is_pass else [PASS_PLAY, *replies(seen.hand, last, RULES)]
        values = self.judge.values(seen, plays, self.for_points)
        NetAgent.seconds += time.perf_counter() - start
        NetAgent.decisions += 1
        actions = {packed(action): action for action in infoset.legal_actions}
        for _, play in sorted(zip(values, plays, strict=True), key=lambda pair: -pair[0]):
            if play.cards in actions:
                return list(actions[play.cards])
        raise RuntimeError(f"no common play in {infoset.legal_actions}")


class PlannerAgent(NetAgent):
    """One seat played by the planner."""

    def __init__(self, position: str, planner: Planner) -> None:
        """All seats may share a planner."""
        self.seat = POSITIONS.index(position)
        self.planner = planner

    def view(self, infoset: Any) -> GameObservation:
        """What the seat knows. InfoSets drop bottom cards that the landlord has played: its first plays stand in."""
        plays = [Hand(packed(cards)) for cards in infoset.card_play_action_seq]
        own = sum(plays[self.seat :: len(POSITIONS)], Hand(packed(infoset.player_hand_cards)))
        left = Hand(packed(infoset.three_landlord_cards))
        spare = "".join(map(str, plays[:: len(POSITIONS)]))
        bottom = left + Hand.parse(spare[: PRESETS["douzero"].bottom_size - len(left)])
        dealt = own - bottom if self.seat == 0 else own
        return View(PRESETS["douzero"], self.seat, dealt, bottom, 0, plays=tuple(plays)).observation()

    def act(self, infoset: Any) -> list[int]:
        """One of the legal actions."""
        actions = {packed(action): list(action) for action in infoset.legal_actions}
        if len(actions) == 1:
            return next(iter(actions.values()))
        seen = self.view(infoset)
        start = time.perf_counter()
        plan = self.planner.plan(seen)
        NetAgent.seconds += time.perf_counter() - start
        NetAgent.decisions += 1
        return next(actions[ranked.play.cards] for ranked in plan.plays if ranked.play.cards in actions)


def net_judge(weights: Weights) -> Judge:
    """The compiled player of these weights."""
    return Judge(RULES, weights.networks)


def match_parser(name: str, description: str | None) -> argparse.ArgumentParser:
    """What every bench of our networks and an outside agent is told."""
    parser = argparse.ArgumentParser(
        prog=f"python -m bench.{name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--opponents", type=Path, required=True, help="folder with duel.py and the outside agents")
    parser.add_argument("--against", default="douzero", help="douzero, rlcard, random or module:factory")
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--net", type=Path, help="weights file; default: the shipped net")
    parser.add_argument("--objective", choices=("win", "score"), default="win")
    return parser


def referee_in(folder: Path) -> Any:
    """The module `duel` of a folder, which finds the outside agents beside it."""
    sys.path.insert(0, str(folder))
    return importlib.import_module("duel")


def main() -> None:
    """Plays the match and prints one JSON line."""
    parser = match_parser("strength", __doc__)
    parser.add_argument("--worlds", type=int, default=0, help="let the planner look at so many worlds; 0: the bare net")
    parser.add_argument("--time", type=float, default=math.inf, help="seconds a decision of the planner")
    parser.add_argument("--threads", type=int, default=1, help="of the planner")
    parser.add_argument("--record", type=Path, help="append the result to this file, a JSON object a line")
    options = parser.parse_args()
    evaluator = Evaluator.load(options.net or PRESETS["douzero"])
    judge = net_judge(evaluator.weights)

    referee = referee_in(options.opponents)
    settings = Settings(time=options.time, worlds=max(options.worlds, 1), threads=options.threads)
    planner = Planner(evaluator, settings, objective=options.objective, seed=options.seed)

    def make(position: str) -> NetAgent:
        if options.worlds:
            return PlannerAgent(position, planner)
        return NetAgent(position, judge, options.objective == "score")

    result = referee.duel(make, referee.factory(options.against), options.deals, options.seed)
    record = {
        "date": datetime.date.today().isoformat(),
        "against": options.against,
        "player": f"planner, {options.worlds} worlds" if options.worlds else "bare net",
        "objective": options.objective,
        "threads": options.threads,
        "seed": options.seed,
        **{key: round(value, 4) for key, value in result.items()},
        "net": evaluator.weights.sha256[:12],
        "games_trained": evaluator.weights.info.get("games"),
        "decisions_per_second": round(NetAgent.decisions / max(NetAgent.seconds, 1e-9), 1),
    }
    if math.isfinite(options.time):
        record["seconds_per_decision_at_most"] = options.time
    put_record(record, options.record)


if __name__ == "__main__":
    main()
