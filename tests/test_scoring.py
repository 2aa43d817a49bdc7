"""Points: bids, bombs, rocket, spring and anti-spring under every preset."""

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_rules, random_step, small_hands

from ddz_solver import PRESETS, Game, Rules
from ddz_solver.ai.situation import situation
from ddz_solver.core.moves import MAX_FACTOR, factor_after
from ddz_solver.engine.lines import ProtocolError
from ddz_solver.engine.positions import parse_hands
from ddz_solver.game.combos import parse_play
from ddz_solver.game.errors import DealError
from ddz_solver.game.scoring import payoffs
from ddz_solver.web.facts import FACTS
from ddz_solver.web.schema import RequestError, check


def played(position: str, rules: str, plays: str, bid: int = 1) -> tuple[int, ...]:
    """Points after these plays, hands between slashes."""
    game = Game.from_hands(position.split("/"), rules, bid=bid)
    for play in plays.split():
        game.push(play)
    return game.payoffs


ONE_PLAY_EACH = ("34/5/67", "3 5")  # the landlord played once, a peasant wins
SPRING = ("38/5/67", "3 pass pass 8")
PLAIN = ("359/46/78", "3 4 pass 5 6")
BOMB = ("333359/46/78", "3333 pass pass 5 6 8 9")


@pytest.mark.parametrize(
    ("hand", "rules", "bid", "points"),
    [
        (ONE_PLAY_EACH, "classic", 1, (-2, 1, 1)),
        (ONE_PLAY_EACH, "openspiel", 2, (-8, 4, 4)),
        (ONE_PLAY_EACH, "botzone", 2, (-8, 4, 4)),
        (ONE_PLAY_EACH, "tencent", 3, (-12, 6, 6)),
        (ONE_PLAY_EACH, "rlcard", 1, (0, 1, 1)),
        (ONE_PLAY_EACH, "douzero", 1, (-2, 1, 1)),
        (SPRING, "classic", 3, (6, -3, -3)),
        (SPRING, "openspiel", 3, (12, -6, -6)),
        (SPRING, "botzone", 1, (4, -2, -2)),
        (SPRING, "rlcard", 1, (1, 0, 0)),
        (PLAIN, "openspiel", 1, (-2, 1, 1)),
        (BOMB, "classic", 2, (8, -4, -4)),
        (BOMB, "douzero", 1, (4, -2, -2)),
        (BOMB, "openspiel", 2, (8, -4, -4)),
        (BOMB, "rlcard", 1, (1, 0, 0)),
    ],
)
def test_points(hand: tuple[str, str], rules: str, bid: int, points: tuple[int, ...]) -> None:
    assert played(hand[0], rules, hand[1], bid) == points


@pytest.mark.parametrize(
    ("rules", "bomb", "points"),
    [
        ("classic4", "3333", (3, -1, -1, -1)),
        ("classic4", "33333", (3, -1, -1, -1)),
        ("classic4", "333333", (6, -2, -2, -2)),
        ("classic4", "33333333", (6, -2, -2, -2)),
        ("classic4", "XXDD", (6, -2, -2, -2)),
        ("classic4,bomb_factors=1/1/2/2/3", "33333333", (9, -3, -3, -3)),
        ("classic4,rocket_factor=3", "XXDD", (9, -3, -3, -3)),
        ("classic4,joker_bombs=6/7,joker_factors=2/4", "XXD", (12, -4, -4, -4)),
    ],
)
def test_points_of_bombs_in_the_four_player_game(rules: str, bomb: str, points: tuple[int, ...]) -> None:
    game = Game.from_hands([bomb + "48", "57", "66", "9T"], rules)
    for play in f"{bomb} pass pass pass 4 7 pass pass 8".split():
        game.push(play)
    assert game.payoffs == points


def test_one_play_is_spring_and_anti_spring() -> None:
    """A landlord who gets rid of everything at once: each doubling counts where the rules double for each."""
    assert played("3/5/6", "openspiel", "3") == (4, -2, -2)
    assert played("3/5/6", "botzone", "3") == (8, -4, -4)
    assert played("3/5/6", "classic", "3") == (2, -1, -1)


@given(st.data())
def test_points_add_up_to_zero(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    landlord = data.draw(st.integers(0, rules.players - 1))
    stake, factor = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 512))
    points = payoffs(rules, landlord, data.draw(st.booleans()), stake, factor)
    if rules.payoff == "points":
        assert sum(points) == 0
    else:
        assert sorted(points) in ([0] * (rules.players - 1) + [1], [0] + [1] * (rules.players - 1))


@given(st.data(), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_points_like_reference(data: st.DataObject, seed: int, rng) -> None:  # type: ignore[no-untyped-def]
    """Random endings, the factor multiplied up by the oracle."""
    rules = data.draw(any_rules())
    hands = small_hands(seed, rules.players, 6, rules.decks, ranks=6)
    bid = data.draw(st.integers(1, 3))
    game = Game.from_hands(hands, rules, bid=bid)
    state, factor = reference.State(tuple(hands), 0), 1
    while not game.over:
        random_step(game, rng)
        move = reference.move_of(game.history[-1][1])
        state, factor = reference.play(state, move), factor * reference.factor(move, rules)
    ended = reference.result(state, rules)
    assert ended is not None
    assert game.factor == factor * abs(ended)
    assert game.landlord_won == (ended > 0)
    if rules.payoff == "points":
        assert game.payoffs[0] == bid * factor * ended * (rules.players - 1)


def test_presets_and_their_schemes() -> None:
    assert {name for name, rules in PRESETS.items() if rules.payoff == "win"} == {"rlcard"}
    assert {name for name, rules in PRESETS.items() if rules.spring != "no"} == {"openspiel", "botzone", "tencent"}
    assert Rules.parse("rlcard,payoff=points").rocket_factor == 2


def test_doublings_stop_at_their_limit() -> None:
    """Eight bombs at nine times each; more of them would leave 32 bits."""
    rules = Rules.parse("classic,bomb_factors=9/9/9/9/9,rocket_factor=9,players=2")
    game = Game.from_hands(["33335555777799992", "444466668888TTTTXD"], rules, bid=3)
    for bomb in "3456789":
        game.push(bomb * 4)
    assert game.factor == 9**7
    game.push("TTTT")
    assert game.factor == MAX_FACTOR < 9**8
    game.pop()
    assert game.factor == 9**7
    assert factor_after(9**7, [parse_play("TTTT", rules), parse_play("XD", rules)], rules.compiled) == MAX_FACTOR
    game.push("TTTT")
    game.push("pass")
    game.push("XD")
    assert game.payoffs == (-3 * MAX_FACTOR, 3 * MAX_FACTOR)


@pytest.mark.parametrize("factor", [0, -1, MAX_FACTOR + 1, 1 << 31, 1 << 40])
def test_impossible_doublings_are_refused_everywhere_alike(factor: int) -> None:
    complaint = rf"factor={factor}: expected .* 1 to {MAX_FACTOR}"
    with pytest.raises(DealError, match=complaint):
        Game.from_hands(["3", "4", "5"], factor=factor)
    with pytest.raises(DealError, match=complaint):
        situation("345", factor=factor)
    with pytest.raises(ProtocolError, match=rf"factor={factor}: expected .* 1 to {MAX_FACTOR}"):
        parse_hands({"rules": "classic", "hands": "3/4/5", "factor": str(factor)})
    with pytest.raises(RequestError, match=f"factor: expected a whole number from 1 to {MAX_FACTOR}"):
        check({"hand": "345", "factor": factor}, FACTS)
