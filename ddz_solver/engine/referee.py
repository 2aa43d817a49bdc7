"""One hand between players: asks each seat in turn, checks what it answers, and settles what goes wrong.

The policy says what a fault means: `forfeit` ends the hand, and the offender pays for its side; `fallback` makes a
decision in its place and goes on; `void` ends the hand without a result.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, get_args

from ddz_solver.core.moves import Play
from ddz_solver.engine.faults import EngineFault, Termination
from ddz_solver.engine.players import Player
from ddz_solver.engine.records import Fault, plain
from ddz_solver.game.combos import format_play
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Phase
from ddz_solver.game.rules import Rules

Policy: TypeAlias = Literal["forfeit", "fallback", "void"]
POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)


@dataclass
class Clock:
    """What a seat's decisions took in one hand, in seconds."""

    decisions: int = 0
    total: float = 0.0
    slowest: float = 0.0

    def add(self, seconds: float) -> None:
        """One more decision."""
        self.decisions += 1
        self.total += seconds
        self.slowest = max(self.slowest, seconds)


class Seats(Protocol):
    """Who sits where."""

    def player(self, seat: int) -> Player:
        """The player of a seat, who knows that the hand has begun. EngineFault where there is none."""

    def fail(self, seat: int) -> None:
        """The seat's player is of no more use; the next call of `player` gives a fresh one."""


@dataclass(frozen=True)
class Outcome:
    """How a hand went."""

    game: Game
    scores: tuple[int, ...]
    termination: Termination
    faults: tuple[Fault, ...]
    clocks: tuple[Clock, ...]


def play_hand(rules: Rules, deal: Deal, seats: Seats, policy: Policy) -> Outcome:
    """Play a deal to its end, whatever the players do."""
    game = Game(rules, deal)
    faults: list[Fault] = []
    clocks = tuple(Clock() for _ in range(rules.players))
    while not game.over:
        seat = game.turn
        assert seat is not None
        start = time.perf_counter()
        try:
            player = seats.player(seat)
            start = time.perf_counter()
            decision = player.decide(game.observation())
            clocks[seat].add(time.perf_counter() - start)
            make(game, decision)
        except EngineFault as fault:
            clocks[seat].add(time.perf_counter() - start)
            seats.fail(seat)
            ply = len(game.calls) + len(game.history)
            going_on = policy == "fallback"
            faults.append(Fault(ply, seat, fault.termination, plain(str(fault))[:300], going_on))
            if not going_on:
                scores = forfeit_scores(game, seat) if policy == "forfeit" else (0,) * rules.players
                return Outcome(game, scores, fault.termination, tuple(faults), clocks)
            make(game, substitute(game))
    termination = Termination.PASSED if game.winner is None else Termination.NORMAL
    return Outcome(game, game.payoffs, termination, tuple(faults), clocks)


def make(game: Game, decision: Play | int) -> None:
    """Make a call or a play. EngineFault `illegal` where the rules do not allow it."""
    try:
        if isinstance(decision, Play):
            game.push(decision)
        elif isinstance(decision, int):
            game.call(decision)
        else:
            raise EngineFault(Termination.ILLEGAL, f"{decision!r}: expected a play or a number")
    except DdzError as error:
        raise EngineFault(Termination.ILLEGAL, str(error)) from None


def substitute(game: Game) -> Play | int:
    """The decision in place of a failed one: the pass where it is allowed, else the first legal play."""
    return 0 if game.phase is Phase.AUCTION else game.legal_plays[0]


def forfeit_scores(game: Game, offender: int) -> tuple[int, ...]:
    """Points of every seat when a seat forfeits the hand at this moment.

    Its side has lost at the stake and with the doublings so far, and the offender pays all of it: its partners get 0.
    During the auction the others are one side against it, and the stake is the highest bid, at least 1. Under
    `payoff=win` the other side gets 1 each, everybody else 0.
    """
    rules = game.rules
    landlord = game.landlord
    others = [
        seat
        for seat in range(rules.players)
        if seat != offender and (landlord is None or (seat == landlord) != (offender == landlord))
    ]
    if rules.payoff == "win":
        return tuple(int(seat in others) for seat in range(rules.players))
    amount = max(game.bid, 1) * game.factor
    if landlord is not None and offender != landlord:
        amount *= rules.players - 1
    return tuple(
        -amount * len(others) if seat == offender else amount if seat in others else 0 for seat in range(rules.players)
    )


def plays_text(game: Game) -> tuple[tuple[int, str], ...]:
    """The plays of a game as records hold them."""
    return tuple((seat, format_play(play, game.rules)) for seat, play in game.history)
