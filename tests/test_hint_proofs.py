"""Where the hidden cards can lie in one way only, hints are the solver's: always."""

import random
from dataclasses import replace

import pytest

from ddz_solver.ai.hints import Hint, hint, hints
from ddz_solver.ai.solver import solve
from ddz_solver.core.position import Position
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import leads, replies
from ddz_solver.game.game import Game
from ddz_solver.game.rules import Rules

PRESETS = ["classic", "tencent", "botzone", "classic4"]


def ending(rules: Rules, rng: random.Random, cards: int) -> Game:
    """A random ending in which the seat to move can tell every hand: the others hold cards of one rank or are one."""
    while True:
        pack = list(rules.pack)
        rng.shuffle(pack)
        sizes = [rng.randint(1, cards) for _ in range(rules.players)]
        hands = [Hand.parse("".join(pack.pop() for _ in range(size)), rules.decks) for size in sizes]
        turn = rng.randrange(rules.players)
        if rules.players > 2:
            common = rng.choice("3579JK2")
            others = [seat for seat in range(rules.players) if seat != turn]
            copies = rules.pack.counts["3456789TJQKA2".index(common)]
            split = sorted(rng.sample(range(1, copies), len(others) - 1))
            for seat, start, stop in zip(others, [0, *split], [*split, copies], strict=True):
                hands[seat] = Hand.parse(common * (stop - start), rules.decks)
            hands[turn] = Hand.parse("".join(card for card in hands[turn] if card != common) or "4", rules.decks)
        beat = None
        if rng.random() < 0.5:
            spare = Hand.parse("".join(pack[:6]), rules.decks)
            beat = rng.choice(leads(spare, rules))
            if not replies(hands[turn], beat, rules):
                continue
        try:
            plays = [rng.randint(0, 2) for _ in hands]
            landlord = rng.randrange(rules.players)
            return Game.from_hands(hands, rules, landlord=landlord, turn=turn, to_beat=beat, plays=plays)
        except ValueError:
            continue


def check(game: Game) -> Hint:
    """The hint of an ending against the solver's answer."""
    position = game.position
    assert position is not None
    found = hint(game.observation(), seconds=20)
    assert found.source == "solver"
    assert {choice.play for choice in found} == set(game.legal_plays)
    sign = 1 if position.turn == position.landlord else -1
    solution = solve(position, "score")
    assert solution.value is not None
    scale = game.bid * (game.rules.players - 1 if sign > 0 else 1)
    assert found.best.score == sign * solution.value * scale
    assert found.best.win == (sign * solution.value > 0)
    assert found.best.play in solution.plays
    best = {choice.play for choice in found if choice.score == found.best.score}
    assert best == set(solution.plays)
    wins = hint(game.observation(), objective="win", seconds=20)
    assert {choice.play for choice in wins if choice.win == 1} == set(solve(position, "win").plays)
    return found


def run(preset: str, players: int, number: int, cards: int) -> None:
    rules = replace(Rules.parse(preset), players=players)
    rng = random.Random(f"{preset} {players}")
    for _ in range(number):
        check(ending(rules, rng, cards))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hints_agree_with_the_solver(preset: str, players: int) -> None:
    run(preset, players, 12, 6)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hints_agree_with_the_solver_in_many_endings(preset: str, players: int) -> None:
    run(preset, players, 250, 8)


def test_a_line_of_best_play() -> None:
    game = Game.from_hands(["QQTT", "3A"], "classic,players=2")
    found = hint(game.observation())
    assert found.best.proven
    assert str(found.best.reasons[0]) == "wins against best play"
    position: Position | None = game.position
    assert position is not None
    for seat, play in found.best.line:
        assert position.turn == seat
        position.play(play)
    assert position.winner == 0


def test_anytime_hints_improve_and_stop() -> None:
    stream = hints("33445566789TJQKA22XD", seconds=0.2)
    first = next(stream)
    if first.source == "playouts":
        pytest.skip("no networks ship")
    assert first.source == "network"
    later = next(stream)
    assert later.source == "planner"
    assert later.best.worlds > 0
    low, high = later.best.interval or (0.0, 0.0)
    assert low <= later.best.score <= high
    stream.close()
    *_, last = hints("34557", seconds=0.2)
    assert last.source == "planner"
    assert len(last) == len(first) or len(last) == 5


def test_hints_do_not_peek() -> None:
    """Observations that are equal give equal hints, whatever the hidden cards are."""
    one = Game.from_hands(["3459JQ", "67", "8K"], landlord=0)
    other = Game.from_hands(["3459JQ", "8K", "67"], landlord=0)
    assert one.observation() == other.observation()
    assert list(hint(one.observation())) == list(hint(other.observation()))
