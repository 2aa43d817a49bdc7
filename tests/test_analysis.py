"""Hand analysis: least plays against brute force, partitions that add up, what cannot be beaten."""

import json
from functools import cache

import pytest

from ddz_solver.ai.analysis import analyse, beaten_by, least_plays, partition
from ddz_solver.cli import main
from ddz_solver.core.moves import CompiledRules, leads
from ddz_solver.game.cards import Hand
from ddz_solver.game.deal import Deal
from ddz_solver.game.game import Game
from ddz_solver.game.rules import PRESETS, Rules


def brute_force(hand: int, rules: CompiledRules) -> int:
    """Least plays by trying every order of every play."""

    @cache
    def least(cards: int) -> int:
        return 1 + min(least(cards - play.cards) for play in leads(cards, rules)) if cards else 0

    return least(hand)


@pytest.mark.parametrize("preset", PRESETS)
def test_least_plays_equal_brute_force(preset: str) -> None:
    rules = Rules.parse(preset)
    for seed in range(30):
        cards = [*Deal.random(rules, seed).hands[0]]
        hand = Hand.parse("".join(cards[: 9 + seed % 4]), rules.decks)
        assert least_plays(hand, rules.compiled) == brute_force(hand.bits, rules.compiled), hand


@pytest.mark.parametrize("preset", PRESETS)
def test_partitions_add_up(preset: str) -> None:
    rules = Rules.parse(preset)
    for seed in range(5):
        deal = Deal.random(rules, seed)
        hand = deal.hands[0] + deal.bottom
        parts = partition(hand, rules.compiled)
        assert sum((Hand(play.cards) for play in parts), Hand()) == hand
        legal = set(leads(hand.bits, rules.compiled))
        assert set(parts) <= legal


def test_known_hands() -> None:
    found = analyse("3344556789TJQKA222XD")
    assert [str(play) for play in found.partition] == ["334455", "6222", "789TJQKA", "XD"]
    assert [str(play) for play in found.bombs] == ["XD"]
    assert (found.least_plays, found.leads_needed, found.sure_win) == (4, 1, True)
    assert "D" in map(str, found.winners)
    weak = analyse("3456789TJQKA33579JK2")
    assert not weak.sure_win
    assert weak.bombs == ()
    assert len(analyse("XXDD3", rules="classic4").bombs) == 1


def test_unbeatable_depends_on_what_is_gone_and_on_counts() -> None:
    def beaters(play: str, **facts: object) -> list[str]:
        found = analyse("KK3", **facts)
        return [str(reply) for lead in leads(found.hand.bits, found.of.rules.compiled) if str(lead) == play
                for reply in beaten_by(found.of, lead)]  # fmt: skip

    assert "AA" in beaters("KK", counts=[4, 4])
    assert beaters("KK", counts=[1, 1]) == []
    assert set(beaters("KK", counts=[2, 2])) == {"AA", "22", "XD"}
    assert beaters("KK", role="up", counts=[1, 17]) == []  # only the partner could


def test_sure_wins_are_wins() -> None:
    """Led in any worlds, beatable play last, the partition of such a hand is never beaten."""
    seen = 0
    for seed in range(400):
        deal = Deal.random("classic", seed)
        hand = Hand.parse("".join([*(deal.hands[0] + deal.bottom)][-8:]))
        found = analyse(hand, counts=[5, 5])
        if not found.sure_win:
            continue
        seen += 1
        order = [*found.sure, *(play for play in found.partition if play not in found.sure)]
        for view in found.of.observations(20, seed):
            cards = "".join(view.unseen)
            game = Game.from_hands([hand, cards[::2], cards[1::2]])
            for play in order:
                game.push(play)
                if not game.over:
                    assert len(game.legal_plays) == 1
                    game.push("pass")
                    assert len(game.legal_plays) == 1
                    game.push("pass")
            assert game.landlord_won
    assert seen > 5


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "3344556789TJQKA222XD", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["least_plays"], shown["sure_win"], shown["bombs"]) == (4, True, ["XD"])
    assert main(["analyse", "3344556789TJQKA222XD", "--lang", "zh"]) == 0
    assert "最少手数：4" in capsys.readouterr().out
    assert main(["analyse", "33z"]) == 2
