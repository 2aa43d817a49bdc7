"""Everything a new user can get wrong when asking for a hint: one clear line that names it, and exit code 2."""

from typing import Any

import pytest

from ddz_solver.ai.hints import hint
from ddz_solver.ai.playouts import deal_worlds
from ddz_solver.cli import main
from ddz_solver.game.combos import classify, readings, replies
from ddz_solver.game.errors import DdzError, PlayError, TurnError
from ddz_solver.game.game import Game

#: (keywords beside the hand, parts of the message): what is wrong, and what was expected.
MISUSES: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("334z", {}, ("'Z'", "'334z'", "expected 3-9")),
    ("3 4 11", {}, ("'1'", "expected")),
    ("", {}, ("0 cards", "expected 1 to 20")),
    ("33333", {}, ("5 cards of rank 3", "one pack has 4")),
    ("XX", {}, ("2 cards of rank X", "one pack has 1")),
    ("333444555666777888999", {}, ("21 cards", "expected 1 to 20")),
    ("333444555666777888", {"role": "down"}, ("18 cards", "landlord_down", "at most 17")),
    ("345", {"rules": "clasic"}, ("'clasic'", "did you mean classic")),
    ("345", {"rules": "classic,sprung=yes"}, ("'sprung=yes'", "did you mean spring")),
    ("345", {"rules": "classic,spring=maybe"}, ("spring=maybe", "expected no or once or each")),
    ("345", {"role": "dealer"}, ("'dealer'", "expected landlord")),
    ("345", {"role": 3}, ("role 3", "0 to 2")),
    ("345", {"role": "across"}, ("'across'", "landlord_down, landlord_up")),
    ("345", {"to_beat": "3457"}, ("'3457'", "no combination", "classic")),
    ("345", {"to_beat": "33344455"}, ("'33344455'", "no combination")),
    ("345", {"to_beat": "3q4"}, ("no combination",)),
    ("345", {"to_beat": "3+w"}, ("'W'",)),
    ("3333", {"to_beat": "3"}, ("5 cards of rank 3",)),
    ("345", {"to_beat": "9", "to_beat_by": "landlord", "role": "landlord"}, ("to_beat_by=landlord", "another seat")),
    ("345", {"to_beat": "9", "to_beat_by": 7}, ("role 7", "0 to 2")),
    ("345", {"to_beat_by": "up"}, ("to_beat_by=up", "without a play to beat")),
    ("345", {"counts": [3]}, ("counts 3", "expected 2 numbers")),
    ("345", {"counts": [3, 2, 3]}, ("counts 3,2,3", "expected 2 numbers")),
    ("345", {"counts": [0, 3]}, ("0 cards of landlord_down", "expected 1 to 17")),
    ("345", {"counts": [18, 3]}, ("18 cards of landlord_down", "expected 1 to 17")),
    ("345", {"role": "up", "counts": [21, 3]}, ("21 cards of landlord", "expected 1 to 20")),
    ("345", {"played": "3333"}, ("5 cards of rank 3", "345")),
    ("345", {"played": "99", "to_beat": "TT"}, ("'99'", "TT", "expected all cards played")),
    ("345", {"played": "66", "counts": [3, 4]}, ("counts 3,4", "expected 49 in all")),
    ("345", {"played": "66", "unseen": "77"}, ("played together with unseen",)),
    ("345", {"unseen": "3333"}, ("5 cards of rank 3", "unseen 3333")),
    ("345", {"unseen": "3366", "counts": [3, 2]}, ("counts 3,2", "expected 4 in all")),
    ("345", {"unseen": "6"}, ("1 cards neither held nor played", "one or more for each")),
    ("345", {"bottom": "33"}, ("2 bottom cards", "expected 3")),
    ("3333", {"role": "down", "bottom": "345"}, ("5 cards of rank 3", "bottom cards 345")),
    ("33445566778899TTJJQQ", {"bottom": "KKA"}, ("'KKA'", "landlord's hand")),
    ("345", {"history": "345678 -", "counts": [3, 3]}, ("history together with", "expected the history alone")),
    ("345", {"history": "345678 44"}, ("play 2 of the history", "44", "does not beat 345678")),
    ("345", {"history": "-"}, ("play 1 of the history", "leader")),
    ("345", {"history": "345679"}, ("play 1 of the history", "'345679'")),
    ("345", {"history": "33 44 55 33 44 55"}, ("play 4 of the history", "33 (pair)", "does not beat 55")),
    ("345", {"history": "3333 4444 5555 - - 3"}, ("5 cards of rank 3", "play 6")),
    ("345", {"history": "33"}, ("3 cards in the hand", "expected 17 after 0 played")),
    ("3456789TJQKA22XD4", {"history": "33", "role": "up"}, ("role landlord_up", "expected landlord_down")),
    ("3456789TJQKA22XD4", {"history": "33", "to_beat": "44"}, ("44", "expected 33")),
    ("3456789TJQKA22XD4", {"history": "33", "to_beat_by": "up"}, ("to_beat_by=up", "expected landlord")),
    ("345", {"bid": 4}, ("bid=4", "expected 1 to 3")),
    ("345", {"factor": 0}, ("factor=0", "1 to 16777216")),
    ("345", {"factor": 16777217}, ("factor=16777217", "1 to 16777216")),
    ("345", {"objective": "glory"}, ("'glory'", "expected win or score")),
    ("34", {"rules": "classic4", "counts": [3, 3]}, ("expected 3 numbers",)),
    ("33", {"rules": "classic4", "to_beat": "3334"}, ("'3334'", "no combination", "classic4")),
]
OPTIONS = {"to_beat": "last", "to_beat_by": "by"}


@pytest.mark.parametrize(("hand", "facts", "parts"), MISUSES)
def test_misuse_in_python_is_one_clear_line(hand: str, facts: dict[str, Any], parts: tuple[str, ...]) -> None:
    with pytest.raises(DdzError) as caught:
        hint(hand, **facts)
    message = str(caught.value)
    assert all(part in message for part in parts), message
    assert "\n" not in message


@pytest.mark.parametrize(("hand", "facts", "parts"), MISUSES)
def test_misuse_on_the_command_line_exits_with_2(
    hand: str, facts: dict[str, Any], parts: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["hint", hand]
    for name, value in facts.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        words.append(f"--{OPTIONS.get(name, name)}={text}")
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("ddz: ")
    assert shown.err.count("\n") == 1


def test_plays_of_other_rules_are_refused() -> None:
    trio_solo = classify("3334", "classic")
    joker_bomb, stronger = (readings("XX", f"classic4,joker_bombs={power}")[1] for power in ("4/5", "7/8"))
    assert joker_bomb != stronger and joker_bomb < stronger
    for facts in ({"to_beat": trio_solo}, {"history": [trio_solo]}):
        with pytest.raises(PlayError, match=r"3334 .* of other rules: expected a combination under the rules classic"):
            hint("66678", rules="classic,trio_solo=no", **facts)
    assert replies("66678", trio_solo, "classic,trio_solo=no") == []
    hands = ["44444", "33", "55", "66"]
    with pytest.raises(PlayError, match=r"XX .joker bomb. of other rules"):
        Game.from_hands(hands, "classic4,joker_bombs=7/8", turn=0, landlord=3, to_beat=joker_bomb)
    game = Game.from_hands(hands, "classic4,joker_bombs=7/8", turn=0, landlord=3, to_beat=stronger)
    assert "44444" not in game.legal_plays


def test_misuse_of_observations() -> None:
    game = Game(seed=1)
    with pytest.raises(DdzError, match="expected the seat to play"):
        hint(game.observation())
    with pytest.raises(TurnError, match="no landlord"):
        deal_worlds(game.observation(), 1, 0)
    game = Game(seed=1, landlord=0)
    with pytest.raises(DdzError, match="expected the seat to play"):
        hint(game.observation(1))
    with pytest.raises(DdzError, match="beside an observation"):
        hint(game.observation(0), role="up")


@pytest.mark.parametrize(
    "words",
    [["hint", "345", "--counts", "3;4"], ["hint", "345", "--top", "0"]],
)
def test_misuse_of_options(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert words[-1] in capsys.readouterr().err
