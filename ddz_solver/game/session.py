"""Sessions: any number of hands, a running account, and a winner."""

from __future__ import annotations

import os

from ddz_solver.core.rng import SplitMix64
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import TurnError
from ddz_solver.game.game import Game
from ddz_solver.game.rules import Rules, RulesLike


class Session:
    """Hands played one after another by the same seats.

    The first dealer is drawn at random and the deal passes to the next seat each hand; a hand that nobody bids for is
    dealt again by the same dealer and does not count. The same seed gives the same deals on every platform.
    """

    def __init__(self, rules: RulesLike = "classic", seed: int | None = None) -> None:
        """A session without hands. RulesError for rules that have no deal."""
        self.rules = Rules.of(rules)
        self.results: list[tuple[int, ...]] = []
        """Points of every seat, one entry a hand."""
        self._rng = SplitMix64(int.from_bytes(os.urandom(8), "big") if seed is None else seed)
        self._dealer = self._rng.below(self.rules.players)
        self._game = self._deal()

    @property
    def game(self) -> Game:
        """The current hand."""
        return self._game

    @property
    def account(self) -> tuple[int, ...]:
        """What each seat has won and lost in the hands that are settled."""
        return tuple(sum(result[seat] for result in self.results) for seat in range(self.rules.players))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats that have won most so far: one, or several that are level."""
        account = self.account
        return tuple(seat for seat, points in enumerate(account) if points == max(account))

    @property
    def winner(self) -> int | None:
        """The seat that has won most; None where several are level."""
        return self.leaders[0] if len(self.leaders) == 1 else None

    def next_hand(self) -> Game:
        """Book the current hand and deal the next one. TurnError while the current one is not over."""
        if not self._game.over:
            raise TurnError(f"the hand is in the phase {self._game.phase.value}: expected its end before it is settled")
        if not self._game.redeal:
            self.results.append(self._game.payoffs)
            self._dealer = (self._dealer + 1) % self.rules.players
        self._game = self._deal()
        return self._game

    def __repr__(self) -> str:
        return f"<Session {self.rules}: {len(self.results)} hands, account {' '.join(map(str, self.account))}>"

    def _deal(self) -> Game:
        return Game(self.rules, Deal.random(self.rules, self._rng.next_u64(), self._dealer))
