"""What each seat gets at the end of a hand."""

from __future__ import annotations

from ddz_solver.game.rules import Rules


def payoffs(rules: Rules, landlord: int, landlord_won: bool, stake: int, factor: int) -> tuple[int, ...]:
    """Points of every seat.

    Under `payoff=points` the landlord settles `stake * factor` with each peasant, so the points add up to zero; `stake`
    is the bid and `factor` the product of all doublings (bombs, rockets, spring, anti-spring). Under `payoff=win` each
    winner gets 1 and each loser 0.
    """
    seats = range(rules.players)
    if rules.payoff == "win":
        return tuple(int((seat == landlord) == landlord_won) for seat in seats)
    amount = stake * factor if landlord_won else -stake * factor
    return tuple(amount * (rules.players - 1) if seat == landlord else -amount for seat in seats)
