"""What a hand is made of: the least number of plays, a good way to split it, what cannot be beaten, bombs.

>>> found = analyse("3344556789TJQKA222XD")
>>> [str(play) for play in found.partition]
['334455', '6222', '789TJQKA', 'XD']
>>> found.leads_needed
1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from ddz_solver.ai.situation import Situation, situation
from ddz_solver.core import moves
from ddz_solver.core.moves import CompiledRules, Play
from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.combos import leads

_Cost: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Analysis:
    """A hand taken apart."""

    of: Situation
    partition: tuple[Play, ...]
    """A split into as few plays as can be; of those splits one with the most unbeatable plays and bombs."""
    bombs: tuple[Play, ...]
    """Every bomb and rocket in the hand, ascending."""
    winners: tuple[Play, ...]
    """Plays that no enemy's cards can beat, one for each kind, rank and length, with the lowest extras."""

    @property
    def hand(self) -> Hand:
        """The hand."""
        return self.of.hand

    @property
    def least_plays(self) -> int:
        """The least number of plays that empties the hand, exactly."""
        return len(self.partition)

    @property
    def sure(self) -> tuple[Play, ...]:
        """The plays of the partition that cannot be beaten."""
        return tuple(play for play in self.partition if unbeatable(self.of, play))

    @property
    def leads_needed(self) -> int:
        """How many plays of the partition can be beaten: each may cost the lead."""
        return self.least_plays - len(self.sure)

    @property
    def sure_win(self) -> bool:
        """Whether leading the partition wins against any cards: at most one of its plays can be beaten, played last."""
        return self.leads_needed <= 1

    def _repr_html_(self) -> str:
        """The partition for a notebook, one line a play, unbeatable ones marked."""
        sure = self.sure
        lines = (
            f"{Hand(play.cards)._repr_html_()} {play.kind.name.lower()}{' ✓' if play in sure else ''}"
            for play in self.partition
        )
        return "<br>".join(lines)


def analyse(hand: HandLike | Situation, **facts: Any) -> Analysis:
    """A hand taken apart. `facts` are the keywords of `situation.situation`: rules, counts, cards played and so on.

    A play to beat does not matter here. DdzError for facts that cannot be.
    """
    of = hand if isinstance(hand, Situation) else situation(hand, **facts)
    is_sure = unbeatable_in(of)
    plays = leads(of.hand, of.rules)
    winners: dict[tuple[int, int, int], Play] = {}
    for play in plays:
        if is_sure(play):
            winners.setdefault((play.kind, play.rank, play.length), play)
    return Analysis(
        of=of,
        partition=partition(of.hand, of.rules.compiled, is_sure),
        bombs=tuple(sorted((play for play in plays if play.is_bomb), key=lambda play: play.power)),
        winners=tuple(winners.values()),
    )


def least_plays(hand: HandLike, rules: CompiledRules) -> int:
    """The least number of plays that empties a hand when nobody answers, exactly."""
    return len(partition(Hand.of(hand), rules))


def partition(
    hand: Hand, rules: CompiledRules, is_sure: Callable[[Play], bool] = lambda play: False
) -> tuple[Play, ...]:
    """A split of the hand into as few plays as can be, exactly; of those the one with most sure plays, then bombs.

    Some play holds the lowest card, so trying each of those first covers every split; answers are kept by hand.
    """
    known: dict[int, tuple[_Cost, tuple[Play, ...]]] = {0: ((0, 0, 0), ())}

    def split(cards: int) -> tuple[_Cost, tuple[Play, ...]]:
        if cards in known:
            return known[cards]
        lowest = 15 << ((cards & -cards).bit_length() - 1) // 4 * 4
        best: tuple[_Cost, tuple[Play, ...]] | None = None
        for play in moves.leads(cards, rules):
            if not play.cards & lowest:
                continue
            (number, weak, ordinary), rest = split(cards - play.cards)
            cost = (number + 1, weak + (not is_sure(play)), ordinary + (not play.is_bomb))
            if best is None or cost < best[0]:
                best = cost, (play, *rest)
        assert best is not None, "every card is a solo"
        known[cards] = best
        return best

    return split(hand.bits)[1]


def unbeatable_in(of: Situation) -> Callable[[Play], bool]:
    """`unbeatable` in one situation; plays that differ in their extras alone are looked at once."""
    known: dict[tuple[int, int, int, int], bool] = {}

    def is_unbeatable(play: Play) -> bool:
        key = (play.kind, play.rank, play.length, play.power)
        if key not in known:
            known[key] = unbeatable(of, play)
        return known[key]

    return is_unbeatable


def unbeatable(of: Situation, play: Play) -> bool:
    """Whether no enemy can hold cards that beat a play."""
    return not beaten_by(of, play)


def beaten_by(of: Situation, play: Play) -> tuple[Play, ...]:
    """Every play of hidden cards that would beat this one and fits in an enemy's hand."""
    most = max(count for seat, count in enumerate(of.counts) if (seat == 0) != (of.seat == 0))
    return tuple(reply for reply in moves.replies(of.hidden.bits, play, of.rules.compiled) if reply.size <= most)
