"""The hands with the most leads that are known: all of them, in one order, within a millisecond."""

import random
from time import process_time

import pytest

from bench.worst_hands import WORST, climb
from ddz_solver.core.moves import count_leads, leads, readings, repeat_leads
from ddz_solver.game.cards import Hand
from ddz_solver.game.rules import Rules


@pytest.mark.parametrize(("preset", "number"), [("classic", 497), ("classic4", 1845)])
def test_worst_hands(preset: str, number: int) -> None:
    rules = Rules.parse(preset)
    cards = Hand.parse(WORST[preset], rules.decks).bits
    plays = leads(cards, rules.compiled)
    assert len(plays) == len(set(plays)) == count_leads(cards, rules.compiled) == number
    assert leads(cards, rules.compiled) == plays
    assert all(play in readings(play.cards, rules.compiled) for play in plays)
    spent = []
    for _ in range(5):
        start = process_time()
        repeat_leads([cards], rules.compiled, 20)
        spent.append((process_time() - start) / 20)
    assert min(spent) < 0.001


def test_climbing_finds_hands_with_many_leads() -> None:
    rules = Rules.parse("classic4")
    rng = random.Random(1)
    found = climb(rules, rng, 300)
    assert len(found) == 33
    assert count_leads(found.bits, rules.compiled) > 3 * count_leads(climb(rules, rng, 0).bits, rules.compiled)
