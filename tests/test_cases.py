"""Cases from public bug reports, test suites and published rules, each under the rules it names.

One JSON object a line in data/cases, of one of these forms:

- `cards` and `readings` (kind, lowest rank and, for runs, length): everything these cards can be; or an `error`
- `play`, `over`, `beats`: whether one play beats another
- `hand`, perhaps `over`, `kinds`, `most_cards`: the number of `plays` and, where it differs, of `card_sets`
- `first_bidder`, `calls`: how an auction ends
- `position`, `plays`: what stands after these plays, or which further play is `illegal`

Left out are cases about rules that no preset has (calling and robbing, runs with twos, tools of one site).
"""

import json
from pathlib import Path
from typing import Any

import pytest

from ddz_solver import (
    PASS_PLAY,
    Auction,
    DdzError,
    Hand,
    IllegalPlay,
    Play,
    PlayError,
    Rules,
    leads,
    parse_play,
    readings,
    replies,
)
from ddz_solver.core.moves import beats
from ddz_solver.game.cards import RANKS
from ddz_solver.game.notation import parse_position

CASES = Path(__file__).parent / "data" / "cases"


def cases(field: str) -> list[Any]:
    """All cases that have this field, as parameters with readable names."""
    lines = [json.loads(line) for path in sorted(CASES.glob("*.jsonl")) for line in path.read_text().splitlines()]
    chosen = [case for case in lines if field in case]
    assert chosen
    return [pytest.param(case, id=f"{case['id']}-{index}") for index, case in enumerate(chosen)]


def rules_of(case: dict[str, Any]) -> list[Rules]:
    return list(map(Rules.parse, case["rules"]))


def describe(play: Play) -> str:
    """`kind rank` and, for runs, ` xlength`."""
    return f"{play.kind.name.lower()} {RANKS[play.rank]}" + (f" x{play.length}" if play.length > 1 else "")


@pytest.mark.parametrize("case", cases("readings"))
def test_readings(case: dict[str, Any]) -> None:
    for rules in rules_of(case):
        assert sorted(map(describe, readings(case["cards"], rules))) == sorted(case["readings"]), rules
        if not case["readings"]:
            with pytest.raises(PlayError):
                parse_play(case["cards"], rules)


@pytest.mark.parametrize("case", cases("error"))
def test_no_such_cards(case: dict[str, Any]) -> None:
    for rules in rules_of(case):
        with pytest.raises(DdzError, match=case["error"]):
            parse_play(case["cards"], rules)


@pytest.mark.parametrize("case", cases("beats"))
def test_beats(case: dict[str, Any]) -> None:
    for rules in rules_of(case):
        last = parse_play(case["over"], rules)
        play = parse_play(case["play"], rules)
        assert beats(play, last) == case["beats"], rules
        assert (play in replies(Hand(play.cards), last, rules)) == case["beats"], rules


@pytest.mark.parametrize("case", cases("hand"))
def test_enumeration(case: dict[str, Any]) -> None:
    for rules in rules_of(case):
        hand = rules.pack if case["hand"] == "pack" else Hand.parse(case["hand"])
        found = replies(hand, parse_play(case["over"], rules), rules) if "over" in case else leads(hand, rules)
        if "kinds" in case:
            found = [play for play in found if play.kind.name.lower() in case["kinds"]]
        found = [play for play in found if play.size <= case.get("most_cards", 108)]
        assert len(found) == case["plays"], rules
        assert len({play.cards for play in found}) == case.get("card_sets", case["plays"]), rules


@pytest.mark.parametrize("case", cases("calls"))
def test_auctions(case: dict[str, Any]) -> None:
    for rules in rules_of(case):
        auction = Auction(rules, case["first_bidder"])
        for bid in case["calls"]:
            assert auction.outcome is None
            auction.call(bid)
        assert auction.outcome is not None
        assert (auction.outcome.value, auction.landlord, auction.stake) == (
            case["outcome"],
            case["landlord"],
            case["stake"],
        )


@pytest.mark.parametrize("case", cases("position"))
def test_flow_and_scoring(case: dict[str, Any]) -> None:
    game = parse_position(case["position"])
    for play in case["plays"]:
        assert not game.over
        game.push(play)
    for name in ("turn", "to_beat", "winner", "factor"):
        if name in case:
            assert getattr(game, name) == case[name], name
    for name in ("winners", "payoffs"):
        if name in case:
            assert list(getattr(game, name)) == case[name], name
    if "legal" in case:
        assert list(map(str, game.legal_plays)) == case["legal"]
    if "illegal" in case:
        with pytest.raises(IllegalPlay):
            game.push(case["illegal"])


def test_an_empty_play_is_no_play() -> None:
    with pytest.raises(DdzError, match="no cards"):
        parse_play("", "classic")
    for last in ("444", "4444"):
        assert not beats(PASS_PLAY, parse_play(last, "classic"))
