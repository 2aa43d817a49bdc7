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


def expected_points(rules: Rules, bid: int, is_landlord: bool, win: float, stakes: float) -> float:
    """Points that a seat expects, from its side's win chance and stakes.

    Stakes are what each peasant wins or loses for a bid of 1, doublings included; above 0 where the seat's side gains.
    """
    if rules.payoff == "win":
        return win
    return float(stakes * bid * (rules.players - 1 if is_landlord else 1))
