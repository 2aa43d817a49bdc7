"""Hints: what is assumed, the ranking, reasons, and the commands that show them."""

import copy
import json
import operator
import pickle
import re
import shlex
from importlib import import_module
from typing import Any

import pytest

from ddz_solver.ai.analysis import analyse
from ddz_solver.ai.evaluator import has_weights
from ddz_solver.ai.hints import best_move, hint, hint_many
from ddz_solver.ai.notes import Note
from ddz_solver.ai.playouts import deal_worlds
from ddz_solver.ai.review import review
from ddz_solver.ai.roles import Role
from ddz_solver.ai.situation import situation
from ddz_solver.cli import COMMANDS, main
from ddz_solver.game.cards import Hand
from ddz_solver.game.game import Game
from ddz_solver.game.rules import PRESETS, Rules

LEAD = "33445566789TJQKA22XD"


def test_defaults_for_a_hand_as_dealt() -> None:
    lead = situation(LEAD)
    assert (lead.seat, lead.counts, lead.to_beat) == (0, (20, 17, 17), None)
    assert lead.complete
    reply = situation("3445667789TTJQKA2", to_beat="99")
    assert (reply.seat, reply.counts, reply.to_beat_by) == (1, (18, 17, 17), 0)
    assert reply.complete
    four = situation(Game("classic4", seed=1, landlord=0).hands[0], rules="classic4")
    assert (four.counts, four.complete) == ((33, 25, 25, 25), True)


def test_defaults_in_the_middle() -> None:
    middle = situation("34557")
    assert middle.counts == (5, 5, 5)
    assert not middle.complete
    assert {len(view.unseen) for view in middle.observations(4)} == {10}
    told = situation("34557", played=Hand.pack() - Hand.parse("34557") - Hand.parse("66789"))
    assert (told.counts, told.complete) == ((5, 3, 2), True)


def test_history_tells_everything() -> None:
    known = situation("99TJJQQKAA22XD", history="345678 - 56789T - - 7", bottom="345")
    assert (known.seat, known.counts) == (0, (14, 17, 10))
    assert (str(known.to_beat), known.to_beat_by) == ("7", 2)
    assert known.complete and not known.assumed


def test_situation_of_an_observation_keeps_what_it_tells() -> None:
    game = Game(seed=5, landlord=2)
    game.push(game.legal_plays[0])
    found = hint(game.observation())
    assert found.situation.seat == 1
    assert found.situation.counts[0] == len(game.hands[2])
    assert {choice.play for choice in found} == set(game.legal_plays)


def test_plays_before_the_history_begins_are_known() -> None:
    game = Game.from_hands(["5", "3", "4"], "tencent", landlord=1, turn=0, plays=[3, 1, 2])
    found = hint(game.observation())
    assert found.situation.plays == (1, 2, 3)
    assert found.situation.observations(1)[0].plays == (1, 2, 3)
    game = Game.from_hands(["5", "3", "4"], "tencent", plays=[3, 2, 2])
    assert (hint(game.observation()).best.score, hint(game.observation()).best.proven) == (2.0, True)
    told = situation("4455667788TTKKAAX", history="345678 - - 9 J - Q 2", rules="tencent")
    assert told.plays == (3, 2, 0)


def test_plays_of_told_facts_are_likely_and_named() -> None:
    def told(hand: str, **facts: Any) -> tuple[tuple[int, ...], list[str]]:
        found = situation(hand, **{"rules": "tencent", **facts})
        return found.plays, [note.key for note in found.assumed if note.key == "assumed_plays"]

    assert told(LEAD) == ((0, 0, 0), [])
    assert told("3445667789TTJQKA2", to_beat="99") == ((1, 0, 0), [])
    assert told("3445667789TTJQKA2", role="up", to_beat="99", counts=[18, 17]) == ((2, 1, 0), ["assumed_plays"])
    assert told("5", unseen="34", counts=[1, 1]) == ((2, 1, 1), [])
    assert told("56", role="down", to_beat="3", to_beat_by="landlord", counts=[17, 2]) == ((2, 1, 0), [])
    assert told("56", role="down", counts=[2, 2]) == ((2, 1, 1), ["assumed_plays"])
    assert told("56", role="down", counts=[2, 2], rules="classic") == ((2, 1, 1), [])
    assert told("56", role="peasant", to_beat="3", counts=[2], rules="openspiel,players=2") == ((1, 0), [])
    assert hint("5", unseen="34", counts=[1, 1], rules="tencent").best.score == 2.0
    note = Note("assumed_plays", role=Role(0, 3))
    assert (str(note), note.text("zh")) == ("landlord has played more than once", "地主不止出过一手")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_decision_of_a_game_has_a_hint(preset: str) -> None:
    rules = Rules.parse(preset)
    game = Game(rules, seed=4, landlord=0)
    step = 5 if has_weights(rules) else 25
    while not game.over:
        if len(game.history) % step == 0:
            seen = game.observation()
            found = hint(seen)
            assert {choice.play for choice in found} == set(game.legal_plays)
            assert best_move(seen) == found.best.play
            assert all(choice.reasons is not None for choice in found[:3])
            line = found.best.line
            assert line[:1] in (((found.situation.seat, found.best.play),), ())
            assert len({seat for seat, _ in line}) <= rules.players
        game.push(game.legal_plays[len(game.legal_plays) // 3])


def test_what_may_follow_leaves_the_landlord_the_bottom_cards() -> None:
    for seed in range(8):
        game = Game("classic", seed=seed, landlord=0)
        game.push(game.legal_plays[0])
        assert game.bottom is not None
        played = Hand(game.history[0][1].cards).counts
        held = [max(count - gone, 0) for count, gone in zip(game.bottom.counts, played, strict=True)]
        for world in deal_worlds(game.observation(), 20, seed):
            assert all(map(operator.le, held, Hand(world.hands[0]).counts))


def test_many_hints_at_once() -> None:
    games = [Game(seed=seed, landlord=0) for seed in range(3)]
    found = hint_many([game.observation() for game in games])
    assert [len(one) for one in found] == [len(game.legal_plays) for game in games]


def test_ranking_and_seed() -> None:
    found = hint(LEAD, seed=3)
    assert [choice.score for choice in found] == sorted((choice.score for choice in found), reverse=True)
    by_win = hint(LEAD, seed=3, objective="win")
    assert [choice.win for choice in by_win] == sorted((choice.win for choice in by_win), reverse=True)
    assert list(found) == list(hint(LEAD, seed=3))
    assert all(0 <= choice.win <= 1 for choice in found)


def keys(hand: str, play: str, **facts: object) -> list[str]:
    found = hint(hand, **facts)  # type: ignore[arg-type]
    return [note.key for choice in found if str(choice.play) == play for note in choice.reasons]


def test_reasons_follow_from_the_cards() -> None:
    assert keys("34567", "34567", counts=[3, 3]) == ["sure_win", "goes_out"]
    assert "unbeatable" in keys("3XD", "DX"[::-1])
    assert keys("3D", "D", counts=[4, 5]) == ["unbeatable_but_bombs", "one_play_left"]
    assert keys("3D", "D", counts=[2, 3]) == ["sure_win", "unbeatable", "one_play_left", "enemy_two_cards"]
    assert "breaks_bomb" in keys("33335", "333")
    assert "keeps_bomb" in keys("33335", "5")
    assert "spends_bomb" in keys("33335", "3333")
    assert "partner_one_card" in keys("33445", "5", role="down", counts=[1, 5])
    assert "enemy_one_card" in keys("33445", "5", role="up", counts=[1, 5])
    assert keys("33445", "pass", role="up", to_beat="2", to_beat_by="down") == ["only_play"]
    assert keys("3344X", "pass", role="up", to_beat="2", to_beat_by="down") == ["partner_holds_trick", "plays_left"]
    assert keys("3333X", "pass", role="up", to_beat="D", to_beat_by="landlord") == ["needs_bomb", "plays_left"]


def test_sure_wins_come_first() -> None:
    found = hint("3D", counts=[2, 3])
    assert (str(found.best.play), found.best.win, found.best.proven) == ("D", 1.0, True)
    assert found.best.score == 2.0
    bombs = hint("3333D5", counts=[2, 3], objective="win")
    assert bombs.best.win == 1.0
    assert {"3333", "D"} <= {str(choice.play) for choice in bombs if choice.proven}
    assert hint("3333D5", counts=[2, 3]).best.score >= 4.0


def test_notes_speak_both_languages() -> None:
    note = Note("unbeatable")
    assert (str(note), note.text("zh")) == ("cannot be beaten", "无人能压")
    assert note == Note("unbeatable") and hash(note) == hash(Note("unbeatable"))
    one, other = Note("keeps_bomb", cards="3333", count=1), Note("keeps_bomb", count=1, cards="3333")
    assert one == other and hash(one) == hash(other)


def test_what_is_found_can_be_kept_and_copied() -> None:
    found = hint("34557")
    assert found.best.reasons and found.situation.assumed
    for twin in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert list(twin) == list(found)
        assert (twin.situation, twin.best.reasons) == (found.situation, found.best.reasons)
    told = [analyse("34557"), *review(Game.from_hands(["3", "44"], "classic,players=2"))]
    assert pickle.loads(pickle.dumps(told)) == copy.deepcopy(told) == told


def examples() -> list[str]:
    """Every example in the help of the commands that print and end."""
    found = []
    for command in COMMANDS:
        if command in {"hint", "analyse", "bid"}:
            text = import_module(f"ddz_solver.cli.{command}").__doc__ or ""
            found += re.findall(r"^  (ddz .*?)(?:   .*)?$", text, re.MULTILINE)
    return found


@pytest.mark.parametrize("line", examples())
def test_examples_in_the_help_run(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "--worlds" in line and not has_weights(Rules.parse("classic")):
        pytest.skip("no networks ship")
    assert main(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out


def test_hint_as_json_and_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", "小王", "大王", "3", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["hand"] == "3XD"
    assert {play["play"] for play in shown["plays"]} == {"3", "X", "D", "XD"}
    assert main(["hint", "3XD", "--lang", "zh", "--top", "1"]) == 0
    text = capsys.readouterr().out
    assert "胜率" in text
    assert "地主" in text


def test_public_names() -> None:
    import ddz_solver

    for name in ddz_solver.__all__:
        assert getattr(ddz_solver, name) is not None
    with pytest.raises(AttributeError):
        ddz_solver.nothing  # noqa: B018
