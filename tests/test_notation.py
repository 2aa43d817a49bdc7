"""Text of positions and games."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, games, random_step, small_hands

from ddz_solver import (
    DdzError,
    Game,
    NotationError,
    Phase,
    Rules,
    format_game,
    format_position,
    parse_game,
    parse_position,
)
from ddz_solver.game.notation import parse_tags, tricks


def same(one: Game, other: Game) -> bool:
    """Whether two games are the same in everything that decides how they go on and end."""

    def facts(game: Game) -> tuple[object, ...]:
        plays = game.observation(0).plays if game.rules.spring != "no" else None
        return (
            game.rules,
            game.hands,
            game.phase,
            game.turn,
            game.landlord,
            game.to_beat,
            game.to_beat_by,
            game.bid,
            game.factor,
            plays,
            game.bottom,
        )

    return facts(one) == facts(other)


# --- positions --------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(games())
def test_positions_round_trip(game: Game) -> None:
    if game.phase is not Phase.PLAY:
        with pytest.raises(NotationError, match=f"in the phase {game.phase.value} has no position"):
            format_position(game)
        return
    text = format_position(game)
    assert "\n" not in text
    again = parse_position(text)
    assert same(again, game)
    assert format_position(again) == text


@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_endings_round_trip(data: st.DataObject, seed: int, rng: random.Random) -> None:
    """Two to four hands under mixed rules, whatever there is to beat."""
    rules = data.draw(any_rules(players=data.draw(st.sampled_from([2, 3, 4]))))
    landlord = data.draw(st.integers(0, rules.players - 1))
    hands = small_hands(seed, rules.players, 9, rules.decks, ranks=9)
    game = Game.from_hands(hands, rules, landlord=landlord, bid=data.draw(st.integers(1, 3)))
    for _ in range(data.draw(st.integers(0, 8))):
        random_step(game, rng)
        if game.over:
            return
        text = format_position(game)
        assert same(parse_position(text), game)
        assert format_position(parse_position(text)) == text


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("33344456/3456", "33344456/3456"),
        ("65444333/6543", "33344456/3456"),
        ("QQTT5/A3/88", "5TTQQ/3A/88"),
        ("QQTT5/A3/88 rules=rlcard landlord=1 turn=2 beat=77 by=1 bid=3 factor=2", None),
        ("3/4/5 turn=1 beat=3 by=0", "3/4/5 turn=1 beat=3"),
        ("3/4/5/6", "3/4/5/6"),
        ("3/4/5/6 rules=classic4", "3/4/5/6"),
        ("3/4/5 rules=openspiel plays=1/0/2", "3/4/5 rules=openspiel plays=1/0/2"),
        ("3/4/5 bottom=6,7,小王", "3/4/5 bottom=67X"),
        ("99/4/5 rules=tencent turn=1 beat=333444555+666 by=2", "99/4/5 rules=tencent turn=1 beat=333444555+666 by=2"),
    ],
)
def test_positions_by_example(text: str, again: str | None) -> None:
    if again is None:
        again = "5TTQQ/3A/88 rules=rlcard landlord=1 turn=2 beat=77 bid=3 factor=2"
    assert format_position(parse_position(text)) == again


def test_two_hands_under_any_rules() -> None:
    assert parse_position("3/4").rules == Rules.parse("classic,players=2")
    assert parse_position("3/4", "rlcard").rules == Rules.parse("rlcard,players=2")
    assert parse_position("3/4/5", "tencent").rules == Rules.parse("tencent")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty line is no position"),
        ("3", "1 hands in '3': expected two to four"),
        ("3/4/5/6/7", "5 hands"),
        ("3/4 frog=1", "unknown part 'frog=1' of a position: expected key=value with a key of rules"),
        ("3/4 turn", "unknown part 'turn'"),
        ("3/4 turn=", "unknown part 'turn='"),
        ("3/4 turn=1 turn=0", "turn twice"),
        ("3/4 turn=x", "turn=x: expected a number"),
        ("3/4 turn=²", "turn=²: expected a number"),
        ("3/4 turn=2", "turn=2: expected a seat, 0 to 1"),
        ("3/4 rules=chess", "unknown rules 'chess'"),
        ("3/4/5 rules=classic4", "3 hands: expected 4"),
        ("3/4 beat=34", "'34' is no combination"),
        ("3/4 beat=pass by=1", "without a play to beat"),
        ("3//5", "no cards in the hand of seat 1"),
        ("3z/4", "unknown card 'Z'"),
        ("33333/4", "5 cards of rank 3"),
        ("3/4 plays=1", r"plays=\(1,\)"),
        ("3/4 bid=9", "bid=9"),
        ("3/4 factor=99999999999", "factor=99999999999: expected a number"),
    ],
)
def test_broken_positions(text: str, message: str) -> None:
    with pytest.raises(DdzError, match=message):
        parse_position(text)


@given(st.text(alphabet="3456XD/ =turnbeaylsdof0129-", max_size=40) | st.text(max_size=20))
def test_any_text_is_a_position_or_an_error(text: str) -> None:
    try:
        game = parse_position(text)
    except DdzError:
        return
    assert same(parse_position(format_position(game)), game)


# --- games ------------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(games())
def test_games_round_trip(game: Game) -> None:
    text = format_game(game, TAGS)
    again = parse_game(text)
    assert (again.rules, again.deal, again.calls, again.history) == (game.rules, game.deal, game.calls, game.history)
    assert again.phase == game.phase
    assert again.hands == game.hands
    if game.over:
        assert again.payoffs == game.payoffs
    assert format_game(again, TAGS) == text
    assert parse_tags(text).items() >= TAGS.items()


@settings(max_examples=40)
@given(st.data(), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_games_from_positions_round_trip(data: st.DataObject, seed: int, rng: random.Random) -> None:
    rules = data.draw(any_rules(players=data.draw(st.sampled_from([2, 3, 4]))))
    game = Game.from_hands(small_hands(seed, rules.players, 7, rules.decks, ranks=8), rules, turn=1)
    for _ in range(data.draw(st.integers(0, 20))):
        if game.over:
            break
        random_step(game, rng)
    again = parse_game(format_game(game))
    assert again.history == game.history
    assert again.hands == game.hands
    assert format_game(again) == format_game(game)


def test_a_game_without_auction() -> None:
    game = Game("classic", seed=4, landlord=2, bid=3)
    random_step(game, random.Random(1))
    again = parse_game(format_game(game))
    assert (again.landlord, again.bid, again.has_auction, again.history) == (2, 3, False, game.history)


TAGS = {"Event": "test # 1", "Seats": "a, b, c"}
GAME = """
[Rules "classic"]
[Position "3456/77/89 turn=2 beat=6"]
# whoever reads this: comments are fine
1. 2:8 0:pass 1:pass   # and here
2. 2:9
"""


def test_a_game_by_example() -> None:
    game = parse_game(GAME)
    assert game.payoffs == (-2, 1, 1)
    assert [[f"{seat}:{play}" for seat, play in trick] for trick in tricks(game)] == [
        ["2:8", "0:pass", "1:pass"],
        ["2:9"],
    ]
    assert parse_game(format_game(game)).history == game.history


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('[Rules "classic"]', "", "expected Rules and either Deal or Position"),
        ('[Rules "classic"]', '[Rules "x"]', "unknown rules 'x'"),
        ('[Rules "classic"]', "[Rules classic]", "line 2, '.Rules classic.': expected a tag"),
        ('[Rules "classic"]', '[Rules "classic"]\n[Rules "classic"]', "line 3: the tag Rules twice"),
        (
            '[Rules "classic"]',
            '[Rules "classic"]\n[Result "2 -1 -1"]',
            "'2 -1 -1' does not follow from the game: expected '-2 1 1'",
        ),
        ("2. 2:9", '[Result "-2 1 1"]', "of a game that has not ended"),
        ("2. 2:9", "2. 2:9 0:pass", "line 6, '0:pass': expected nothing, the hand has ended"),
        ("2. 2:9", "2. 0:3", "line 6, '0:3': expected seat 2 to act"),
        ("2. 2:9", "2. 2:pass", "line 6, '2:pass': a pass is not legal for the leader"),
        ("2. 2:9", "2. 2:T", r"line 6, '2:T': T \(solo\) is not in the hand '9'"),
        ("2. 2:9", "2. 2:q9", "line 6, '2:q9'"),
        ("2. 2:9", "2. nine", "line 6, 'nine': expected SEAT:CALL or SEAT:PLAY"),
        ("2. 2:9", "auction 2:1", "line 6, '2:1': the call 1 in the phase play"),
        ("2. 2:9", "then 2:9", "line 6, 'then 2:9': expected a tag, the auction or a numbered trick"),
        ('[Position "', '[Deal "', "is no deal|unknown part"),
        ('[Position "', '[Deal "x"]\n[Position "', "expected Rules and either Deal or Position"),
    ],
)
def test_broken_games(old: str, new: str, message: str) -> None:
    assert old in GAME
    with pytest.raises(DdzError, match=message):
        parse_game(GAME.replace(old, new))


def test_tags_must_be_readable() -> None:
    game = parse_game(GAME)
    for tags in ({"a b": "c"}, {"Event": 'say "hi"'}, {"Event": "two\nlines"}, {"": "x"}):
        with pytest.raises(NotationError, match="is no tag"):
            format_game(game, tags)


def test_tags_say_nothing_of_the_game_that_it_does_not() -> None:
    ended, running = parse_game(GAME), Game("classic", seed=1)
    for game, key, value in [
        (ended, "Landlord", "2"), (ended, "Position", "3/4/5"), (ended, "Rules", "douzero"), (ended, "Result", "0 0 0"),
        (running, "Deal", "34/5/6"), (running, "Bid", "3"), (running, "Result", "*"),
    ]:  # fmt: skip
        with pytest.raises(NotationError, match=f"tag {key} .*does not follow from the game"):
            format_game(game, {key: value})
    assert format_game(ended, parse_tags(format_game(ended, TAGS))) == format_game(ended, TAGS)


@settings(max_examples=100)
@given(games(), st.randoms(use_true_random=False))
def test_damaged_games_are_games_or_errors(game: Game, rng: random.Random) -> None:
    text = list(format_game(game))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        text[at : at + rng.randint(0, 2)] = rng.choice(["", "3", "X", ":", " ", "\n", "[", "pass", "/", '"', "9"])
    try:
        again = parse_game("".join(text))
    except DdzError:
        return
    assert parse_game(format_game(again)).history == again.history
