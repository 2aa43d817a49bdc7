"""Values of plays by random games: for rules that no network was trained for."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ddz_solver.ai.evaluator import compile_observation
from ddz_solver.ai.proof import position_with
from ddz_solver.core import moves
from ddz_solver.core.moves import Play
from ddz_solver.core.position import Position
from ddz_solver.core.sample import Worlds
from ddz_solver.game.errors import DealError
from ddz_solver.game.observation import Observation

_GAMES = 6000


def evaluate_by_playouts(seen: Observation, plays: Sequence[Play], seed: int = 0) -> tuple[list[float], list[float]]:
    """Win chances (0..1) and scores (stakes of this seat's side, doublings so far included) of plays.

    Every play meets the same worlds, drawn uniformly from those that agree with what was seen, and is played on in each
    with uniformly random legal plays.
    """
    rng = random.Random(seed)
    worlds = deal_worlds(seen, max(8, min(256, _GAMES // len(plays))), rng.getrandbits(64))
    wins = [sum(_won(seen, world, play, rng.getrandbits(64)) for world in worlds) / len(worlds) for play in plays]
    doublings = [moves.factor_after(seen.factor, [play], seen.rules.compiled) for play in plays]
    return wins, [(2 * win - 1) * factor for win, factor in zip(wins, doublings, strict=True)]


def deal_worlds(seen: Observation, number: int, seed: int) -> list[Position]:
    """Worlds that agree with what was seen: the unseen cards dealt to the other seats.

    TurnError: no landlord. DealError: no deal agrees.
    """
    compiled = compile_observation(seen)
    try:
        worlds = Worlds(compiled)
    except ValueError as error:
        raise DealError(str(error)) from None
    return [position_with(seen, hands) for hands in worlds.draw(number, seed)]


def _won(seen: Observation, world: Position, play: Play, seed: int) -> bool:
    """Whether this seat's side wins one random game after the play."""
    position = world.copy()
    position.play(play)
    winner = position.playouts(1, seed).index(1)
    return seen.same_side(winner)
