"""How fast are plays enumerated? Leads of 20-card hands, plays a second, beside DouZero's and RLCard's generators."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from time import process_time

from bench.report import Row, rate, rates
from ddz_solver.core.hand import RANK_CHARS, pack
from ddz_solver.core.moves import CompiledRules, leads, leads_records, repeat_leads
from ddz_solver.core.position import Position
from ddz_solver.game.rules import Rules

#: The hands whose leads are counted in the rules, then random ones.
NAMED_HANDS = (
    "33344455566677789TQ2",
    "33344455566677788899",
    "33334444555566667777",
    "333444555666777888XD",
    "34567899TTJJQQKKA22X",
    "345556667778889TJQKA",
    "3456789TJJJQQQKKKAAA",
)
DECK = RANK_CHARS[:13] * 4 + RANK_CHARS[13:]


def hands(count: int = 1000, seed: int = 1) -> list[str]:
    """The named hands and `count` random 20-card hands, as ascending text."""
    rng = random.Random(seed)
    found = ["".join(rng.sample(DECK, 20)) for _ in range(count)]
    return [*NAMED_HANDS, *("".join(sorted(cards, key=RANK_CHARS.index)) for cards in found)]


def packed(cards: str) -> int:
    """The packed hand of card text."""
    return pack([cards.count(rank) for rank in RANK_CHARS])


def douzero_work(cards: list[str]) -> Callable[[], int] | None:
    """Enumerates with DouZero's generator; counts its repeated plays once."""
    try:
        from douzero.env.move_generator import MovesGener
    except ImportError:
        return None
    numbers = dict(zip(RANK_CHARS, [*range(3, 15), 17, 20, 30], strict=True))
    codes = [[numbers[card] for card in hand] for hand in cards]

    def work() -> int:
        return sum(len({tuple(play) for play in MovesGener(list(code)).gen_moves()}) for code in codes)

    return work


def rlcard_work(cards: list[str]) -> Callable[[], int] | None:
    """Enumerates with RLCard's judger."""
    try:
        from rlcard.games.doudizhu.judger import DoudizhuJudger
    except ImportError:
        return None
    names = [hand.replace("X", "B").replace("D", "R") for hand in cards]
    return lambda: sum(len(DoudizhuJudger.playable_cards_from_hand(hand)) for hand in names)


def records_work(numbers: list[int], rules: CompiledRules) -> int:
    """Enumerates into arrays of records."""
    return int(sum(leads_records(numbers, rules)[1]))


def objects_work(numbers: list[int], rules: CompiledRules) -> int:
    """Enumerates as Python objects."""
    return sum([len(leads(number, rules)) for number in numbers])


def rows(seconds: float) -> list[Row]:
    """Plays a second of all leads, and perft nodes a second."""
    cards = hands()
    numbers = [packed(hand) for hand in cards]
    found = []
    for peer, make, preset, from_c, from_python in (
        ("DouZero", douzero_work, "douzero", 300, 30),
        ("RLCard", rlcard_work, "rlcard", None, None),
    ):
        rules = Rules.parse(preset).compiled
        works: list[Callable[[], int]] = [
            partial(repeat_leads, numbers, rules, 10),
            partial(records_work, numbers, rules),
            partial(objects_work, numbers, rules),
        ]
        if work := make(cards):
            works.append(work)
        native, records, python, *theirs = rates(works, seconds, process_time)
        peers = theirs[0] if theirs else None
        found.append(Row(f"all leads, rules {preset}, from C", native, "plays/s", peer, peers, from_c))
        found.append(Row(f"all leads, rules {preset}, as records", records, "plays/s", peer, peers))
        found.append(Row(f"all leads, rules {preset}, as Python objects", python, "plays/s", peer, peers, from_python))
    deal = random.Random(3).sample(DECK, 54)
    position = Position(
        Rules.parse("classic").compiled, [packed("".join(deal[a:b])) for a, b in ((0, 20), (20, 37), (37, 54))]
    )
    found.append(Row("perft, depth 6", rate(lambda: position.perft(6), seconds, process_time), "nodes/s"))
    return found
