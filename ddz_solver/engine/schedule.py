"""What is played in a match: pairs of engines, deals, and every seating of a deal."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ddz_solver.core.rng import SplitMix64
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError, DealError
from ddz_solver.game.rules import Rules

Format: TypeAlias = Literal["round-robin", "gauntlet"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

_GOLDEN: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1


class Task(NamedTuple):
    """One hand to be played: the engine of each seat, by its number, and the deal."""

    number: int
    """Number of the deal, from 0."""
    pair: tuple[int, int]
    seating: tuple[int, ...]
    deal: str | None = None
    """Text of a given deal; None for the deal of that number."""

    @property
    def key(self) -> str:
        """What tells this hand from all others of the match: `0:0-1:011`, or `0:0-10:0-10-10` from ten engines on."""
        seats = ("-" if max(self.pair) > 9 else "").join(map(str, self.seating))
        return f"{self.number}:{self.pair[0]}-{self.pair[1]}:{seats}"


def pairs_of(engines: int, format: Format) -> list[tuple[int, int]]:
    """Who meets whom: everybody everybody, or the first engine each of the others."""
    everybody = itertools.combinations(range(engines), 2)
    return [pair for pair in everybody if format == "round-robin" or pair[0] == 0]


def seatings_of(rules: Rules, pair: tuple[int, int]) -> list[tuple[int, ...]]:
    """Every way to seat two engines that makes a contest.

    Without an auction seat 0 is the landlord: both ways to give one engine the landlord and the other the peasants.
    With an auction anybody may become landlord: all seatings with at least one seat for each engine.
    """
    if rules.auction == "none":
        first, second = pair
        peasants = rules.players - 1
        return [(first, *[second] * peasants), (second, *[first] * peasants)]
    return [seats for seats in itertools.product(pair, repeat=rules.players) if len(set(seats)) == 2]


def deal_seed(match_seed: int, number: int) -> int:
    """The seed of a deal of a match: the output number `number` of SplitMix64(match_seed), counted from 0."""
    return SplitMix64((match_seed + number * _GOLDEN) & _MASK).next_u64()


def match_deal(rules: Rules, match_seed: int, number: int) -> Deal:
    """The deal of that number, the same on every platform and in every version."""
    return Deal.random(rules, deal_seed(match_seed, number))


def tasks_of(
    rules: Rules, pairs: Sequence[tuple[int, int]], numbers: range, deals: Sequence[Deal] | None = None
) -> Iterator[Task]:
    """Every hand of a match, deal by deal."""
    for number in numbers:
        text = None if deals is None else str(deals[number])
        for pair in pairs:
            for seating in seatings_of(rules, pair):
                yield Task(number, pair, seating, text)


def read_deals(path: str | Path, rules: Rules) -> list[Deal]:
    """The deals of a file, one a line, `#` for comments. OSError; DdzError with the number of the wrong line."""
    deals = []
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DealError(f"{path}: no text, expected UTF-8") from None
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            deal = Deal.parse(text)
            deal.check(rules)
        except DdzError as error:
            raise DealError(f"{path}, line {number}: {error}") from None
        deals.append(deal)
    if not deals:
        raise DealError(f"{path}: no deals: expected one a line")
    return deals
