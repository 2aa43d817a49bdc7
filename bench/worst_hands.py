"""The hands with the most leads, found by hill climbing, and how long it takes to generate them.

python -m bench.worst_hands                   the worst hands of a few climbs
python -m bench worst_hands                   generation of the worst hands known, against a millisecond a hand
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from time import process_time

from bench.report import Row, rate
from ddz_solver.core.moves import count_leads, leads, repeat_leads
from ddz_solver.game.cards import Hand
from ddz_solver.game.rules import Rules

#: The landlord's first hands with the most leads that climbing has found, by rules.
WORST = {
    "classic": "344455566677789TJQKA",
    "classic4": "3344555666777888999TTTJJJQQKKAA22",
}
STEPS = 2000


def climb(rules: Rules, rng: random.Random, steps: int = STEPS) -> Hand:
    """A landlord's hand whose number of leads no exchange of one card that was tried makes higher."""
    deck = [1 << 4 * rank for rank, copies in enumerate(rules.pack.counts) for _ in range(copies)]
    rng.shuffle(deck)
    size = rules.hand_size + rules.bottom_size
    best = count_leads(sum(deck[:size]), rules.compiled)
    for _ in range(steps):
        inside, outside = rng.randrange(size), rng.randrange(size, len(deck))
        deck[inside], deck[outside] = deck[outside], deck[inside]
        count = count_leads(sum(deck[:size]), rules.compiled)
        if count < best:
            deck[inside], deck[outside] = deck[outside], deck[inside]
        else:
            best = count
    return Hand(sum(deck[:size]))


def work(cards: Hand, rules: Rules) -> Callable[[], int]:
    """Generates the leads of one hand over and over; counts the hands."""
    times = 100

    def generate() -> int:
        repeat_leads([cards.bits], rules.compiled, times)
        return times

    return generate


def rows(seconds: float) -> list[Row]:
    """Hands a second for the worst hands known, where a thousand are required."""
    found = []
    for name, text in WORST.items():
        rules = Rules.parse(name)
        cards = Hand.parse(text, rules.decks)
        plays = leads(cards.bits, rules.compiled)
        if len(set(plays)) != len(plays) or leads(cards.bits, rules.compiled) != plays:
            raise AssertionError(f"leads of {text} that repeat, or come in another order")
        speed = rate(work(cards, rules), seconds, process_time)
        question = f"worst hand known of {name}, {len(plays)} leads"
        found.append(Row(question, speed, "hands/s", "bar", 1000, 1))
    return found


def main() -> int:
    """Climbs from random hands and prints the best of them."""
    parser = argparse.ArgumentParser(prog="python -m bench.worst_hands", description=__doc__.splitlines()[0])
    parser.add_argument("--climbs", type=int, default=10, help="from how many random hands (10)")
    parser.add_argument("--seed", type=int, default=1, help="of everything random (1)")
    options = parser.parse_args()
    for name in WORST:
        rules = Rules.parse(name)
        rng = random.Random(options.seed)
        worst = max(
            (climb(rules, rng) for _ in range(options.climbs)), key=lambda hand: count_leads(hand.bits, rules.compiled)
        )
        print(f"{name}: {worst} has {count_leads(worst.bits, rules.compiled)} leads")
    return 0


if __name__ == "__main__":
    sys.exit(main())
