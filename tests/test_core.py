"""The compiled core by itself: packed hands, plays as values, positions and their stack."""

import pickle
import random
import struct
import sys
import time
from collections.abc import Callable

import pytest

from ddz_solver.core import hand as hands
from ddz_solver.core.moves import (
    PASS_PLAY,
    CompiledRules,
    Kind,
    Play,
    beats,
    leads,
    leads_records,
    readings,
    repeat_leads,
    replies,
)
from ddz_solver.core.position import Position

CLASSIC = CompiledRules(
    kinds=sum(1 << kind for kind in range(1, 13)) | 1 << Kind.BOMB | 1 << Kind.ROCKET,
    players=3,
    decks=1,
    kicker_copies=0b10,
    kicker_beside=False,
    kicker_jokers=False,
    kicker_quad=False,
    bomb_factor=[1] * 4 + [2] * 5,
    rocket_factor=2,
    joker_power=[0] * 4,
    joker_factor=[1] * 4,
    spring=0,
)


def pack(text: str) -> int:
    return hands.pack([text.count(rank) for rank in hands.RANK_CHARS])


def deal(seed: int) -> list[int]:
    cards = list(hands.RANK_CHARS[:13] * 4 + "XD")
    random.Random(seed).shuffle(cards)
    return [pack("".join(part)) for part in (cards[:20], cards[20:37], cards[37:])]


def snapshot(position: Position) -> tuple[object, ...]:
    return (
        position.key,
        position.hands,
        position.turn,
        position.last,
        position.owner,
        position.factor,
        position.plays,
        position.winner,
    )


def test_hand_packs_and_unpacks() -> None:
    packed = pack("33345TXD")
    assert hands.text(packed) == "33345TXD"
    assert hands.size(packed) == 8
    assert hands.pack(hands.unpack(packed)) == packed
    assert hands.contains(packed, pack("33X")) and not hands.contains(packed, pack("44"))


@pytest.mark.parametrize("counts", [[1] * 14, [9] + [0] * 14, [-1] + [0] * 14])
def test_bad_counts_are_named(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="expected"):
        hands.pack(counts)


def test_numbers_that_are_no_hand_are_refused() -> None:
    for number in (0x9, 1 << 60, (1 << 64) - 1):
        with pytest.raises(ValueError, match="no packed hand"):
            leads(number, CLASSIC)
        with pytest.raises(ValueError, match="no packed hand"):
            Position(CLASSIC, [number, 1, 1])


def test_plays_are_values() -> None:
    first, second = (readings(pack("333444555666"), CLASSIC)[0] for _ in range(2))
    assert first == second and hash(first) == hash(second) and str(first) == "333444555666"
    assert pickle.loads(pickle.dumps(first)) == first
    assert first.kind is Kind.PLANE and first.length == 4 and first.size == 12 and first.rank == 0
    assert not PASS_PLAY and str(PASS_PLAY) == "pass"
    with pytest.raises(TypeError):
        Play()


def test_rules_pickle() -> None:
    assert pickle.loads(pickle.dumps(CLASSIC)) == CLASSIC


def test_beats_is_a_strict_partial_order() -> None:
    plays = random.Random(1).sample(leads(pack("3456789TJQKA2" * 4 + "XD"), CLASSIC), 250)
    above = {a: {b for b in plays if beats(b, a)} for a in plays}
    for a in plays:
        assert a not in above[a]
        for b in above[a]:
            assert a not in above[b] and above[b] <= above[a]


def test_replies_are_the_leads_that_beat() -> None:
    rng = random.Random(2)
    for seed in range(60):
        held, others, _ = deal(seed)
        for last in rng.sample(leads(others, CLASSIC), 8):
            assert sorted(replies(held, last, CLASSIC)) == sorted(p for p in leads(held, CLASSIC) if beats(p, last))


def test_records_hold_the_leads_of_many_hands() -> None:
    deck = pack("3456789TJQKA2" * 4 + "XD")
    many = [deal(1)[0], deck, deal(2)[1]] + [deck] * 8
    records, counts = leads_records(many, CLASSIC)
    plays = [play for held in many for play in leads(held, CLASSIC)]
    assert counts == [len(leads(held, CLASSIC)) for held in many] and len(records) == 16 * sum(counts)
    assert list(struct.iter_unpack("=QBBBBB3x", records)) == [
        (p.cards, p.kind, p.rank, p.length, p.size, p.power) for p in plays
    ]


def test_repeated_leads_are_counted_each_time() -> None:
    many = [deal(1)[0], pack("3456789TJQKA2" * 4 + "XD")]
    assert repeat_leads(many, CLASSIC, 3) == 3 * sum(len(leads(held, CLASSIC)) for held in many)
    assert repeat_leads([], CLASSIC, 3) == repeat_leads(many, CLASSIC, 0) == 0
    with pytest.raises(ValueError, match="no packed hand"):
        repeat_leads([9], CLASSIC, 1)


def test_undo_restores_everything() -> None:
    rng = random.Random(3)
    for seed in range(40):
        position = Position(CLASSIC, deal(seed))
        seen = []
        while not position.over:
            seen.append(snapshot(position))
            position.play_nth(rng.randrange(position.legal_count))
        assert position.legal() == []
        while seen:
            position.undo()
            assert seen.pop() == snapshot(position)
        with pytest.raises(IndexError):
            position.undo()


def test_positions_pickle_with_their_past() -> None:
    rng = random.Random(4)
    for seed in range(10):
        begun = Position(CLASSIC, deal(seed), turn=1, landlord=2, factor=4, plays=[1, 0, 2])
        while not begun.over:
            begun.play_nth(rng.randrange(begun.legal_count))
        for position in (begun, Position(CLASSIC, deal(seed))):
            twin = pickle.loads(pickle.dumps(position))
            assert snapshot(twin) == snapshot(position) and twin.made() == position.made()
            while position.made():
                assert twin.undo() == position.undo()
                assert snapshot(twin) == snapshot(position)
    replying = Position(CLASSIC, [pack("3"), pack("4"), pack("5")], last=readings(pack("3"), CLASSIC)[0], owner=1)
    assert snapshot(pickle.loads(pickle.dumps(replying))) == snapshot(replying)
    assert repr(replying) == "<Position 3/4/5, turn 0, landlord 0>"


def test_illegal_plays_are_refused() -> None:
    position = Position(CLASSIC, [pack("3345"), pack("44"), pack("6")])
    four = readings(pack("4"), CLASSIC)[0]
    with pytest.raises(ValueError, match="pass is not legal"):
        position.play(PASS_PLAY)
    position.play(four)
    with pytest.raises(ValueError, match="4 is not legal for seat 1"):
        position.play(four)
    position.play(PASS_PLAY)
    position.play(readings(pack("6"), CLASSIC)[0])
    assert position.winner == 2
    with pytest.raises(ValueError, match="the game is over"):
        position.play(four)


def test_perft_equals_a_plain_count() -> None:
    def count(position: Position, depth: int) -> int:
        if depth == 0 or position.over:
            return 1
        total = 0
        for play in position.legal():
            position.play(play)
            total += count(position, depth - 1)
            position.undo()
        return total

    for seed in range(3):
        position = Position(CLASSIC, deal(seed))
        assert position.perft(3) == count(position, 3)
        assert position.perft(0) == 1
    small = Position(CLASSIC, [pack("33"), pack("45"), pack("6")])
    assert small.perft(30) == count(small, 30)
    longer = Position(CLASSIC, [pack("3345"), pack("446"), pack("567")])
    before = snapshot(longer)
    assert [longer.perft(depth) for depth in (4, 5, 6, 7)] == [count(longer, depth) for depth in (4, 5, 6, 7)]
    assert snapshot(longer) == before and longer.made() == []


@pytest.mark.skipif(sys.platform == "win32", reason="has no signals for one thread")
def test_perft_can_be_interrupted(press_ctrl_c: Callable[[float], None]) -> None:
    press_ctrl_c(0.2)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Position(CLASSIC, deal(0)).perft(40)
    assert time.monotonic() - start < 20


def test_playouts_depend_on_the_seed_only() -> None:
    position = Position(CLASSIC, deal(5))
    assert position.playouts(500, 1) == position.playouts(500, 1)
    assert position.playouts(500, 1) != position.playouts(500, 2)
    assert sum(position.playouts(500, 1)) == 500
    assert position.turn == 0 and position.hands == tuple(deal(5))
