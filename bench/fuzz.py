"""Random input by the million: text, plays, undo. Anything but an answer or a `ValueError` stops it with a traceback.

python -m bench.fuzz                       a million inputs, about two minutes
python -m bench.fuzz --inputs 5000 --seed 7 --only text
bash bench/sanitize.sh                     the same and the tests of the core, under ASan and UBSan

Each input has a number; the same seed and number make the same input, and a failure names both.
"""

from __future__ import annotations

import argparse
import pickle
import random
import sys
import time
from collections.abc import Callable

from ddz_solver.core import hand as packed
from ddz_solver.core import moves
from ddz_solver.core.moves import PASS_PLAY, CompiledRules, Play
from ddz_solver.core.position import Position
from ddz_solver.game.auction import parse_call
from ddz_solver.game.cards import RANKS, Hand
from ddz_solver.game.combos import format_play, parse_play
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_game, format_position, parse_game, parse_position
from ddz_solver.game.rules import PRESETS, SWITCHES, Rules

WORDS = (
    *RANKS,
    *("10", "BJ", "RJ", "小王", "大王", "j", "q", " ", ",", "+", "=", "/", "-", "|", ":", "\n", "[", "]", '"'),
    *("pass", "first=", "up=", "dealer=", "yes", "no", "0", "1", "9", "=joker_bomb", "=plane_solos"),
    *("é", "\x00", "\ud800", "１", "🂡"),
    *PRESETS,
    *SWITCHES,
)
RULES = tuple(PRESETS.values())


def random_text(rng: random.Random) -> str:
    """Words of the notations in any order, or a right text with something changed."""
    if rng.random() < 0.5:
        return "".join(rng.choices(WORDS, k=rng.randrange(12)))
    text = rng.choice(right_texts(rng))
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(WORDS) + text[at + rng.randrange(3) :]
    return text


_TEXTS: list[str] = []


def right_texts(rng: random.Random) -> list[str]:
    """Texts that can be read: hands, plays, rules, deals, positions, games."""
    if not _TEXTS:
        for rules in RULES:
            game = Game(rules, seed=rng.getrandbits(32), landlord=0)
            for _ in range(9):
                if not game.over:
                    game.push(rng.choice(game.legal_plays))
            plays = [format_play(play, rules) for play in game.copy().legal_plays[:5]]
            switched = f"{rules},equal_kickers=no,spring=each"
            _TEXTS.extend([str(game.deal), format_position(game), format_game(game), switched, *plays])
            _TEXTS.extend(map(str, game.hands))
    return _TEXTS


READERS: tuple[Callable[[str], object], ...] = (
    Hand.parse,
    Deal.parse,
    Rules.parse,
    parse_call,
    parse_position,
    parse_game,
    *(lambda text, rules=rules: parse_play(text, rules) for rules in RULES),
)


def fuzz_text(rng: random.Random) -> None:
    """One text to one reader: a value whose text is read back as the same value, or a DdzError."""
    text = random_text(rng)
    try:
        value = rng.choice(READERS)(text)
    except DdzError:
        return
    if isinstance(value, (Hand, Rules, Deal)):
        assert type(value).parse(str(value)) == value, text


def random_rules(rng: random.Random) -> CompiledRules:
    """Any switches, also ones that no preset has."""
    return CompiledRules(
        kinds=rng.getrandbits(32) | 2,
        players=rng.randint(2, 4),
        decks=rng.randint(1, 2),
        kicker_copies=rng.getrandbits(8),
        kicker_beside=rng.random() < 0.5,
        kicker_jokers=rng.random() < 0.5,
        kicker_quad=rng.random() < 0.5,
        bomb_factor=[rng.randint(1, 9) for _ in range(9)],
        rocket_factor=rng.randint(1, 9),
        joker_power=[rng.choice((0, 15, 31, 79)) for _ in range(4)],
        joker_factor=[rng.randint(1, 9) for _ in range(4)],
        spring=rng.randrange(3),
    )


def random_hand(rng: random.Random, cards: int, decks: int = 8) -> int:
    """A packed hand of about so many cards, of few ranks or many; not more than so many decks have."""
    counts = [0] * 15
    ranks = rng.sample(range(15), rng.choice((2, 4, 7, 15)))
    for _ in range(cards):
        rank = rng.choice(ranks)
        counts[rank] += counts[rank] < (decks if rank > 12 else min(4 * decks, 8))
    return packed.pack(counts)


def fuzz_moves(rng: random.Random) -> None:
    """One hand under random rules: leads without repetition that classify back, replies that are leads that beat."""
    rules = random_rules(rng)
    hand = random_hand(rng, rng.randrange(1, 16))
    if rng.random() < 0.02:
        fuzz_numbers(rng, rules)
    leads = moves.leads(hand, rules)
    assert len({*leads}) == len(leads) == moves.count_leads(hand, rules)
    for play in rng.sample(leads, min(2, len(leads))):
        assert play in moves.readings(play.cards, rules)
        assert pickle.loads(pickle.dumps(play)) == play
        other = random_hand(rng, rng.randrange(1, 16))
        replies = moves.replies(other, play, rules)
        assert len(replies) == moves.count_replies(other, play, rules)
        assert sorted(replies) == sorted(reply for reply in moves.leads(other, rules) if moves.beats(reply, play))


def fuzz_numbers(rng: random.Random, rules: CompiledRules) -> None:
    """Numbers that are no hands: refused, whatever is asked."""
    number = rng.getrandbits(64) | 0xF << 4 * rng.randrange(15)
    for ask in (
        moves.leads,
        moves.count_leads,
        moves.readings,
        lambda hand, rules: moves.repeat_leads([hand], rules, 1),
    ):
        try:
            ask(number, rules)
        except ValueError:
            continue
        raise AssertionError(f"{number:#x} was taken for a hand")


def fuzz_undo(rng: random.Random) -> None:
    """One position under random rules: plays, illegal ones too, and everything taken back restores it."""
    rules = random_rules(rng)
    hands = [random_hand(rng, rng.randrange(1, 9), rules.decks) for _ in range(rules.players)]
    position = Position(rules, hands, turn=rng.randrange(rules.players), landlord=rng.randrange(rules.players))
    states: list[object] = []
    strange = moves.leads(random_hand(rng, 9), random_rules(rng))
    while not position.over and len(states) < 60:
        before = snapshot(position)
        wild: Play = rng.choice([*strange, PASS_PLAY])
        legal = position.legal()
        if wild not in legal:
            try:
                position.play(wild)
            except ValueError:
                assert snapshot(position) == before
            else:
                raise AssertionError(f"{wild!r} was played at {before}")
        states.append(before)
        position.play(rng.choice(legal)) if rng.random() < 0.5 else position.play_nth(rng.randrange(len(legal)))
    if rng.random() < 0.2:
        assert sum(position.copy().playouts(3, rng.getrandbits(64))) == 3
    while states:
        position.undo()
        assert snapshot(position) == states.pop()


def snapshot(position: Position) -> tuple[object, ...]:
    """All that a position shows."""
    return (
        position.hands,
        position.turn,
        position.last,
        position.owner,
        position.plays,
        position.factor,
        position.winner,
        position.key,
        position.legal_count,
    )


#: What is fuzzed, and its share of the inputs.
TARGETS = {"text": (fuzz_text, 0.6), "moves": (fuzz_moves, 0.25), "undo": (fuzz_undo, 0.15)}


def main() -> int:
    """Runs the inputs; 1 at the first failure."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=1_000_000, help="how many (1 000 000)")
    parser.add_argument("--seed", type=int, default=1, help="of all of them (1)")
    parser.add_argument("--start", type=int, default=0, help="number of the first one (0)")
    parser.add_argument("--only", choices=TARGETS, help="one target alone")
    options = parser.parse_args()
    names, shares = zip(*((name, share) for name, (_, share) in TARGETS.items()), strict=True)
    right_texts(random.Random(options.seed))
    start = time.perf_counter()
    for number in range(options.start, options.start + options.inputs):
        rng = random.Random(f"{options.seed}/{number}")
        name = options.only or rng.choices(names, shares)[0]
        try:
            TARGETS[name][0](rng)
        except BaseException:
            print(f"failed: {name}, --seed {options.seed} --start {number} --inputs 1", file=sys.stderr)
            raise
        if number % 100_000 == 99_999:
            print(f"{number + 1} inputs, {time.perf_counter() - start:.0f} s", flush=True)
    print(f"{options.inputs} inputs without a failure, {time.perf_counter() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
