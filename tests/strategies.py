"""Hypothesis strategies: hands, rules, positions and games."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from hypothesis import strategies as st

from ddz_solver import PRESETS, Game, Hand, Kind, Rules
from ddz_solver.game.rules import SWITCHABLE_KINDS

RANKS = "3456789TJQKA2XD"

presets = st.sampled_from(list(PRESETS.values()))
seeds = st.integers(0, 2**64 - 1)


@st.composite
def any_rules(draw: st.DrawFn, players: int | None = None) -> Rules:
    """Presets and arbitrary mixtures of switches."""
    base = draw(presets)
    decks = base.decks
    booleans = ("equal_kickers", "trio_kickers", "quad_kickers", "adjacent_kickers", "joker_kickers")
    changes = {name: draw(st.booleans()) for name in (*booleans, "quad_pair_kickers", "bottom_shown")}
    factors = st.integers(1, 4)
    ranks = st.sampled_from([0, 4, 5, 6, 7, 8]) if decks == 2 else st.just(0)
    return replace(
        base,
        **changes,
        players=base.players if players is None else players,
        kinds=draw(st.frozensets(st.sampled_from(SWITCHABLE_KINDS), min_size=8)) | {Kind.SOLO},
        spring=draw(st.sampled_from(["no", "once", "each"])),
        bomb_factors=draw(st.tuples(*[factors] * 5)),
        rocket_factor=draw(factors),
        joker_bombs=draw(st.tuples(ranks, ranks)),
        joker_factors=draw(st.tuples(factors, factors)),
    )


@st.composite
def card_texts(draw: st.DrawFn, decks: int, max_size: int, min_size: int = 1) -> str:
    """Cards that come from `decks` packs, in order; few ranks, so that combinations are common."""
    ranks = draw(st.lists(st.sampled_from(RANKS), min_size=1, max_size=7, unique=True))
    start = draw(st.integers(0, 11))
    ranks += RANKS[start : start + draw(st.integers(0, 5))]
    limits = Counter({rank: decks * (1 if rank in "XD" else 4) for rank in ranks})
    cards: list[str] = []
    for rank in sorted(limits, key=RANKS.index):
        room = min(limits[rank], max_size - len(cards))
        cards += rank * draw(st.integers(0, room))
    if len(cards) < min_size:
        rest = [card for card in (RANKS[:13] * 4 * decks + "XD" * decks) if cards.count(card) < decks]
        cards += rest[: min_size - len(cards)]
    return "".join(sorted(cards, key=RANKS.index))


def small_hands(seed: int, seats: int, most: int, decks: int = 1, ranks: int = 15) -> list[str]:
    """One random hand of 1 to `most` cards a seat, out of one pack cut down to some ranks."""
    rng = random.Random(seed)
    kept = sorted(rng.sample(range(15), ranks))
    pack = [RANKS[rank] for rank in kept for _ in range(decks * (4 if rank < 13 else 1))]
    rng.shuffle(pack)
    hands = []
    for _ in range(seats):
        size = rng.randint(1, most)
        hands.append(str(Hand.parse("".join(pack[:size]))))
        del pack[:size]
    return hands


def random_step(game: Game, rng: random.Random) -> None:
    """One random call or play."""
    if game.legal_calls:
        game.call(rng.choice(game.legal_calls))
    else:
        game.push(game.legal_plays[rng.randrange(len(game.legal_plays))])


@st.composite
def games(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = presets) -> Game:
    """A game after some random steps: in the auction, in the play or over."""
    rng = random.Random(draw(seeds))
    game = Game(draw(rules), seed=draw(seeds))
    for _ in range(draw(st.integers(0, 200))):
        if game.over:
            break
        random_step(game, rng)
    return game
