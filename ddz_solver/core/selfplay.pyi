"""Self-play and fitting in one loop, without the GIL."""

from collections.abc import Sequence

from ddz_solver.core.hands_to_go import HandsToGo
from ddz_solver.core.learner import Learner
from ddz_solver.core.moves import CompiledRules

class Worker:
    """Plays games with the learner's networks and trains them on the way. One a thread; workers share a Learner.

    `presets` are (CompiledRules, weight) pairs with the learner's numbers of seats and decks: each game draws one.
    `memos` are the HandsToGo of the presets. `points` is the share of games played for points rather than to win.
    """

    state: int
    """State of the random generator."""

    def __init__(
        self,
        learner: Learner,
        presets: Sequence[tuple[CompiledRules, float]],
        memos: Sequence[HandsToGo],
        *,
        seed: int,
        batch: int = 512,
        points: float = 0.35,
    ) -> None: ...
    def drop_pending(self) -> None:
        """Forgets samples that wait for a full batch."""
    def run(self, games: int, *, rate: float, epsilon: float, decay: float) -> dict[str, float]:
        """Plays `games` games and fits on the way; the GIL is released.

        `rate` is Adam's learning rate, `epsilon` the chance of a random play, `decay` the weight of what came later in
        a target (1: the result alone). Returns sums: games, choices, landlord_wins, samples, win_loss, stake_loss.
        """
