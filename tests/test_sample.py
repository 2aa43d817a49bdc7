"""Worlds: exactly the deals that agree with an observation, each as likely as its deals are many."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import dataclass

import pytest

from ddz_solver.ai.agents import make_agent
from ddz_solver.ai.evaluator import compile_observation
from ddz_solver.core.hand import contains, pack, size, unpack
from ddz_solver.core.moves import Play, readings
from ddz_solver.core.observation import Observation
from ddz_solver.core.sample import Worlds, one_world
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_position, parse_position
from ddz_solver.game.rules import Rules


def bits(cards: str) -> int:
    return Hand.parse(cards).bits


def play(cards: str, rules: Rules) -> Play:
    return readings(bits(cards), rules.compiled)[0]


def observation(case: Case) -> Observation:
    rules = Rules.parse(case.preset)
    return Observation(
        rules.compiled, seat=case.seat, hand=bits(case.hand), landlord=case.landlord, counts=case.counts,
        bottom=bits(case.bottom), history=[(who, play(cards, rules)) for who, cards in case.history],
        unseen=bits(case.unseen),
    )  # fmt: skip


def bottom_of(case: Case) -> str:
    """The bottom cards that a hidden landlord was given."""
    return case.bottom if case.landlord != case.seat else ""


def brute_force(case: Case) -> dict[tuple[int, ...], float]:
    """Every deal of the hidden cards told apart, by what each seat holds now, as shares of all deals."""
    players = len(case.counts)
    hidden = [other for other in range(players) if other != case.seat]
    played = {other: "".join(cards for who, cards in case.history if who == other) for other in hidden}
    pack_left = list(case.unseen + "".join(played.values()))
    given = bottom_of(case)
    for card in given:
        pack_left.remove(card)
    rooms = {
        other: case.counts[other] + len(played[other]) - (len(given) if other == case.landlord else 0)
        for other in hidden
    }
    found: Counter[tuple[int, ...]] = Counter()

    def deal(left: tuple[int, ...], seats: list[int], hands: dict[int, str]) -> None:
        if not seats:
            now = []
            for other in range(players):
                if other == case.seat:
                    now.append(bits(case.hand))
                    continue
                dealt = Counter(hands[other] + (given if other == case.landlord else ""))
                rest = dealt.copy()
                rest.subtract(played[other])
                if min(rest.values(), default=0) < 0:
                    return
                now.append(bits("".join(rest.elements())))
            found[tuple(now)] += 1
            return
        for chosen in itertools.combinations(left, rooms[seats[0]]):
            rest = tuple(index for index in left if index not in chosen)
            deal(rest, seats[1:], hands | {seats[0]: "".join(pack_left[index] for index in chosen)})

    deal(tuple(range(len(pack_left))), hidden, {})
    total = sum(found.values())
    return {world: number / total for world, number in found.items()}


@dataclass(frozen=True)
class Case:
    """What a seat has seen, in text."""

    seat: int
    hand: str
    unseen: str
    counts: tuple[int, ...]
    history: tuple[tuple[int, str], ...] = ()
    bottom: str = ""
    landlord: int = 0
    preset: str = "classic"


CASES = {
    "no history": Case(seat=1, hand="39", unseen="3445677X", counts=(5, 2, 3)),
    "plays rule deals out": Case(
        seat=1, hand="39", unseen="34467X", counts=(4, 2, 2), history=((0, "44"), (2, "77"), (0, "5"))
    ),
    "bottom cards": Case(
        seat=2, hand="9", unseen="3447XD", counts=(4, 2, 1), history=((0, "4"), (1, "7"), (0, "8")), bottom="48D"
    ),
    "the landlord looks": Case(
        seat=0, hand="9", unseen="34477", counts=(1, 3, 2), history=((0, "4"), (1, "7"), (0, "8")), bottom="489"
    ),
    "four seats": Case(
        seat=3, hand="9", unseen="334455X", counts=(3, 2, 2, 1), history=((0, "3"), (1, "4"), (0, "55")), bottom="5",
        preset="classic4",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_deal_that_agrees_is_equally_likely(name: str) -> None:
    expected = brute_force(CASES[name])
    worlds = Worlds(observation(CASES[name]))
    listed = dict(worlds.all())
    assert listed.keys() == expected.keys()
    assert worlds.count == len(expected)
    assert not one_world(observation(CASES[name]))
    assert listed == pytest.approx(expected)
    number = 20_000
    drawn = Counter(worlds.draw(number, seed=5))
    assert drawn.keys() <= expected.keys()
    for world, share in expected.items():
        assert abs(drawn[world] / number - share) < 5 * (share * (1 - share) / number) ** 0.5 + 1e-9


@pytest.mark.parametrize("preset", ["classic", "classic4", "classic,bottom_shown=no"])
def test_worlds_agree_with_random_games(preset: str) -> None:
    rules = Rules.parse(preset)
    for seed in range(20):
        game = Game(rules, Deal.random(rules, seed), landlord=seed % rules.players)
        while not game.over:
            seen = game.observation()
            core = Observation(
                rules.compiled, seat=seen.seat, hand=seen.hand.bits, landlord=seen.landlord, counts=seen.counts,
                bottom=seen.bottom.bits if seen.bottom else 0, history=seen.history,
            )  # fmt: skip
            worlds = Worlds(core)
            assert one_world(core) == (worlds.count == 1)
            for world in worlds.draw(5, seed):
                others = [hand for seat, hand in enumerate(world) if seat != seen.seat]
                assert world[seen.seat] == seen.hand.bits
                assert sum(others) == seen.unseen.bits
                assert tuple(map(size, world)) == seen.counts
                if seen.bottom and seen.landlord != seen.seat:
                    gone = unpack(seen.played_by(seen.landlord).bits)
                    kept = [max(0, b - g) for b, g in zip(unpack(seen.bottom.bits), gone, strict=True)]
                    assert contains(world[seen.landlord], pack(kept))
            game.push(game.legal_plays[(seed * 7 + len(game.history)) % len(game.legal_plays)])


def test_games_that_start_in_the_middle_ask_nothing_of_the_bottom_cards() -> None:
    """They may be gone: the true hands are among the worlds, for every seat, as for a game known from its deal."""
    for seed in range(10):
        game, rng, count = Game(seed=seed, landlord=seed % 3), random.Random(seed), math.inf
        while count > 2_000:
            game.push(rng.choice(game.legal_plays[1:] or game.legal_plays))
            if len(game.history) >= 10:
                worlds = Worlds(compile_observation(parse_position(format_position(game)).observation()))
                count = worlds.count
        position = game.position
        assert position is not None
        assert position.hands in [hands for hands, _ in worlds.all()]
    game = parse_position("33456K/6789J/99TQA turn=1 bottom=XD2")
    assert make_agent("quick", worlds=8).play(game.observation()) in game.legal_plays


def test_contradictions_are_named() -> None:
    wrong = observation(Case(seat=1, hand="39", unseen="3445", counts=(2, 2, 2), bottom="K"))
    for ask in (Worlds, one_world):
        with pytest.raises(ValueError, match="no deal agrees"):
            ask(wrong)


ONE = {
    "one rank left": Case(seat=1, hand="39", unseen="444", counts=(2, 2, 1)),
    "all at one seat": Case(seat=1, hand="39", unseen="3457", counts=(4, 2, 0), history=((2, "J"),)),
    "the rest is of one rank": Case(seat=2, hand="9", unseen="44K", counts=(2, 1, 1), history=((0, "8"),), bottom="8K"),
}


@pytest.mark.parametrize("name", ONE)
def test_one_world(name: str) -> None:
    assert one_world(observation(ONE[name]))
    assert Worlds(observation(ONE[name])).count == 1
