"""What is likely about the other seats where nobody said: how many cards they hold, how often they have played."""

from __future__ import annotations

from ddz_solver.ai.notes import Note
from ddz_solver.ai.roles import Role
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand
from ddz_solver.game.errors import DealError
from ddz_solver.game.rules import Rules


def dealt(rules: Rules, seat: int) -> int:
    """The most cards that a seat can hold: a peasant's hand as dealt, the landlord's with the bottom cards."""
    if not has_deal(rules):
        return len(rules.pack) - rules.players + 1
    return rules.hand_size + (rules.bottom_size if seat == 0 else 0)


def has_deal(rules: Rules) -> bool:
    """Whether hands under these rules are dealt, or only given."""
    return (rules.players, rules.decks) in {(3, 1), (4, 2)}


def likely_counts(
    rules: Rules, seat: int, cards: Hand, beaten: Play | None, by: int | None, hidden: int | None
) -> list[int]:
    """Cards of the other seats where nobody said: as dealt for a hand as dealt, else about as many as this hand."""
    others = [(seat + step) % rules.players for step in range(1, rules.players)]
    if hidden is not None:
        if hidden < len(others):
            raise DealError(f"{hidden} cards neither held nor played: expected one or more for each other player")
        share, extra = divmod(hidden, len(others))
        return [share + (index < extra) for index in range(len(others))]
    as_dealt = len(cards) == dealt(rules, seat) and has_deal(rules)
    sizes = [dealt(rules, other) if as_dealt else min(len(cards), dealt(rules, other)) for other in others]
    if as_dealt and beaten and by is not None:
        sizes[others.index(by)] -= beaten.size
    return [max(size, 1) for size in sizes]


def likely_plays(
    rules: Rules, seat: int, counts: tuple[int, ...], beaten: Play | None, by: int | None, assumed: list[Note]
) -> tuple[int, ...]:
    """How often each seat has played, as far as it decides on springs: never, once, or more than once.

    Cards that are gone beside the play to beat are taken for one play of a peasant, for several of the landlord.
    """
    plays = [int(other == by) for other in range(rules.players)]
    if not has_deal(rules):
        return tuple(plays)
    gone = [dealt(rules, other) - count for other, count in enumerate(counts)]
    if beaten is not None and by is not None:
        gone[by] -= beaten.size
    for other, count in enumerate(gone):
        if count > 0:
            plays[other] = 2 if other == 0 else plays[other] + 1
    told = by == 0 or (seat == 0 and beaten is None)
    if gone[0] > 0 and not told and rules.spring != "no":
        assumed.append(Note("assumed_plays", role=Role(0, rules.players)))
    return tuple(plays)
