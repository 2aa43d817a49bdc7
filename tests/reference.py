"""The rules once more, plain and slow, written from their text alone: the oracle that everything else is held against.

Cards are strings such as "334XD", plays are `Move` tuples. Nothing here is shared with the package but `Rules` values,
which are read as data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from ddz_solver import Play, Rules

ORDER = "3456789TJQKA2XD"
RUN = "3456789TJQKA"
JOKERS = "XD"
#: Single ranks, and all stretches of neighbours from 3 to A.
RUNS = [*ORDER, *(RUN[i:j] for i in range(len(RUN)) for j in range(i + 2, len(RUN) + 1))]
#: Cards a group that one group may take along: none; a solo or pair with three, two of them with four.
EXTRAS = {1: (0,), 2: (0,), 3: (0, 1, 2), 4: (0, 2, 4)}
#: For each number of cards, the (copies, ranks) that a play of so many cards may be built on.
GROUPS_BY_SIZE: dict[int, list[tuple[int, str]]] = {}
for _copies, _extras in EXTRAS.items():
    for _ranks, _extra in product(RUNS, _extras):
        GROUPS_BY_SIZE.setdefault(len(_ranks) * (_copies + _extra), []).append((_copies, _ranks))


class Move(NamedTuple):
    """One reading of some cards; `rank` is the lowest rank of its run or group as an index into ORDER."""

    kind: str
    rank: int
    length: int
    cards: str


PASS = Move("pass", 0, 0, "")


def move_of(play: Play) -> Move:
    """The package's play in the oracle's terms."""
    return Move(play.kind.name.lower(), play.rank, play.length, str(play) if play else "")


def in_order(cards: str | Counter[str]) -> str:
    """The same cards, ascending."""
    return "".join(sorted(Counter(cards).elements(), key=ORDER.index))


# --- combinations -----------------------------------------------------------------------------------------------------


def readings(cards: str, rules: Rules) -> set[Move]:
    """Everything that exactly these cards can be."""
    held = Counter(cards)
    names = set()
    for copies, ranks in GROUPS_BY_SIZE.get(len(cards), ()):
        if all(held[rank] >= copies for rank in ranks):
            for name in kinds_of(copies, ranks, held - Counter(ranks * copies), rules):
                names.add((name, ORDER.index(ranks[0]), len(ranks)))
    if len(held) == 1 and 4 <= len(cards) <= 4 * rules.decks and cards[0] not in JOKERS:
        names.add(("bomb", ORDER.index(cards[0]), 1))
    if held == Counter(JOKERS * rules.decks):
        names.add(("rocket", ORDER.index("X"), 1))
    exist = {kind.name.lower() for kind in rules.kinds}
    found = {Move(name, rank, length, in_order(cards)) for name, rank, length in names if name in exist}
    if held and set(held) <= set(JOKERS) and joker_bomb_class(len(cards), rules):
        found.add(Move("joker_bomb", len(cards) - 1, 1, in_order(cards)))
    return found


def kinds_of(copies: int, ranks: str, extras: Counter[str], rules: Rules) -> Iterator[str]:
    """What `copies` cards of each of these ranks are, together with these extras."""
    alone = len(ranks) == 1
    jokers = ranks[0] in JOKERS
    if not extras:
        if copies == 1:
            if alone:
                yield "solo"
            elif len(ranks) >= 5:
                yield "straight"
        if copies == 2:
            if alone and (not jokers or rules.decks == 2):
                yield "pair"
            elif len(ranks) >= 3:
                yield "pair_straight"
        if copies == 3 and not jokers:
            yield "trio" if alone else "plane"
        if copies == 4 and not alone:
            yield "quad_run"
        return
    if copies < 3 or jokers or set(extras) & set(ranks):
        return
    wanted = len(ranks) if copies == 3 else 2 * len(ranks)
    if copies == 3:
        names = ("trio_solo", "trio_pair") if alone else ("plane_solos", "plane_pairs")
    else:
        names = ("quad_solos", "quad_pairs") if alone else ("quad_run_solos", "quad_run_pairs")
    if extras.total() == wanted and solos_allowed(extras, ranks, rules):
        yield names[0]
    if extras.total() == 2 * wanted and pairs_allowed(extras, rules):
        yield names[1]


def solos_allowed(extras: Counter[str], ranks: str, rules: Rules) -> bool:
    """Whether these cards may be the single extras of that run."""
    if extras["X"] and extras["D"] and not rules.joker_kickers:
        return False
    switches = {1: True, 2: rules.equal_kickers, 3: rules.trio_kickers, 4: rules.quad_kickers}
    for rank, number in extras.items():
        if not switches.get(number, False):
            return False
        near = rank in RUN and (RUN.index(rank) + 1 == RUN.find(ranks[0]) or RUN.index(rank) - 1 == RUN.find(ranks[-1]))
        if number >= 3 and near and ranks[-1] in RUN and not rules.adjacent_kickers:
            return False
    return True


def pairs_allowed(extras: Counter[str], rules: Rules) -> bool:
    """Whether these cards may be extra pairs."""
    return all(number == 2 or (number == 4 and rules.quad_pair_kickers) for number in extras.values())


def joker_bomb_class(number: int, rules: Rules) -> int:
    """Where a bomb of so many jokers stands: just above bombs of so many cards; 0 where it is none."""
    return dict(zip((2, 3), rules.joker_bombs, strict=True)).get(number, 0)


def strength(move: Move, rules: Rules) -> tuple[int, int]:
    """Orders bombs of every kind; (0, 0) for ordinary plays."""
    if move.kind == "rocket":
        return (99, 0)
    if move.kind == "joker_bomb":
        return (joker_bomb_class(len(move.cards), rules), 99)
    return (len(move.cards), move.rank) if move.kind == "bomb" else (0, 0)


def beats(move: Move, last: Move, rules: Rules) -> bool:
    """Whether a play may follow another one."""
    if strength(move, rules) > (0, 0) or strength(last, rules) > (0, 0):
        return strength(move, rules) > strength(last, rules)
    return (move.kind, move.length) == (last.kind, last.length) and move.rank > last.rank


# --- enumeration ------------------------------------------------------------------------------------------------------


def sub_multisets(cards: str) -> Iterator[str]:
    """Every choice of one or more of these cards."""
    held = Counter(cards)
    ranks = [rank for rank in ORDER if held[rank]]
    for numbers in product(*(range(held[rank] + 1) for rank in ranks)):
        if any(numbers):
            yield "".join(rank * number for rank, number in zip(ranks, numbers, strict=True))


@lru_cache(maxsize=200_000)
def readings_cached(cards: str, rules: Rules) -> tuple[Move, ...]:
    return tuple(sorted(readings(cards, rules)))


@lru_cache(maxsize=200_000)
def leads(cards: str, rules: Rules) -> tuple[Move, ...]:
    """All plays of these cards, by trying every choice of them."""
    return tuple(move for part in sub_multisets(cards) for move in readings_cached(part, rules))


def legal_moves(cards: str, last: Move | None, rules: Rules) -> list[Move]:
    """All leads, or the pass and every play over `last`."""
    if last is None:
        return list(leads(cards, rules))
    return [PASS] + [move for move in leads(cards, rules) if beats(move, last, rules)]


def factor(move: Move, rules: Rules) -> int:
    """What playing it multiplies the points by."""
    number = len(move.cards)
    if move.kind == "rocket":
        return rules.rocket_factor
    if move.kind == "bomb":
        return rules.bomb_factors[number - 4]
    return rules.joker_factors[number - 2] if move.kind == "joker_bomb" else 1


# --- open hands -------------------------------------------------------------------------------------------------------


class State(NamedTuple):
    """A position with all hands known. `plays` counts each seat's plays, for spring; they may be capped at 2."""

    hands: tuple[str, ...]
    turn: int
    landlord: int = 0
    last: Move | None = None
    owner: int | None = None
    plays: tuple[int, ...] = (0, 0, 0, 0)


def play(state: State, move: Move) -> State:
    """The position after a move."""
    seats = len(state.hands)
    hands, plays, last, owner = list(state.hands), list(state.plays), state.last, state.owner
    if move != PASS:
        hands[state.turn] = in_order(Counter(hands[state.turn]) - Counter(move.cards))
        plays[state.turn] = min(plays[state.turn] + 1, 2)
        last, owner = move, state.turn
    turn = (state.turn + 1) % seats
    if turn == owner:
        last = owner = None
    return State(tuple(hands), turn, state.landlord, last, owner, tuple(plays))


def result(state: State, rules: Rules) -> int | None:
    """What each peasant pays the landlord for stake 1, bombs aside (below 0: gets); None while play goes on."""
    empty = [seat for seat, hand in enumerate(state.hands) if not hand]
    if not empty:
        return None
    landlord_won = empty == [state.landlord]
    peasants_played = any(state.plays[seat] for seat in range(len(state.hands)) if seat != state.landlord)
    spring = landlord_won and not peasants_played
    anti_spring = state.plays[state.landlord] == 1 and (not landlord_won or not peasants_played)
    doublings = {"no": 0, "once": int(spring or anti_spring), "each": spring + anti_spring}[rules.spring]
    return (1 if landlord_won else -1) * 2**doublings


class Minimax:
    """Exact values of small positions by trying everything."""

    def __init__(self, rules: Rules, score: bool = False) -> None:
        """With `score` values are points (doublings count), else 1 where the landlord wins and -1 where not."""
        self.rules = rules
        self.score = score
        self.values: dict[State, int] = {}

    def value(self, state: State) -> int:
        """The value for the landlord with best play of both sides."""
        if state not in self.values:
            ended = result(state, self.rules)
            if ended is not None:
                self.values[state] = ended if self.score else (1 if ended > 0 else -1)
            else:
                best = max if state.turn == state.landlord else min
                self.values[state] = best(self.values_of_moves(state).values())
        return self.values[state]

    def values_of_moves(self, state: State) -> dict[Move, int]:
        """Every legal move with its value for the landlord."""
        moves = legal_moves(state.hands[state.turn], state.last, self.rules)
        return {move: self.gain(move) * self.value(play(state, move)) for move in moves}

    def best_moves(self, state: State) -> set[Move]:
        """Every move that keeps the value."""
        value = self.value(state)
        return {move for move, its_value in self.values_of_moves(state).items() if its_value == value}

    def gain(self, move: Move) -> int:
        return factor(move, self.rules) if self.score else 1
