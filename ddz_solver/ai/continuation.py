"""How a game may go on after a play: everybody plays well in one layout of the hidden cards."""

from __future__ import annotations

from dataclasses import replace

from ddz_solver.ai.evaluator import Evaluator, has_weights
from ddz_solver.ai.objective import Objective
from ddz_solver.ai.playouts import deal_worlds
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand
from ddz_solver.game.observation import Observation


def continuation(
    seen: Observation, play: Play, objective: Objective, length: int, seed: int = 0
) -> tuple[tuple[int, Play], ...]:
    """The next `length` plays, passes included, from `play` on: (seat, play).

    The seed draws the layout. Empty where no network was trained for such rules.
    """
    if not has_weights(seen.rules):
        return ()
    evaluator = Evaluator.load(seen.rules)
    [position] = deal_worlds(seen, 1, seed)
    line: list[tuple[int, Play]] = []
    while True:
        line.append((position.turn, play))
        position.play(play)
        if position.over or len(line) == length:
            return tuple(line)
        plays = position.legal()
        if len(plays) > 1:
            seat, last = position.turn, position.last
            hands = tuple(map(Hand, position.hands))
            view = replace(
                seen,
                seat=seat,
                turn=seat,
                hand=hands[seat],
                unseen=sum((hand for other, hand in enumerate(hands) if other != seat), Hand()),
                counts=tuple(map(len, hands)),
                factor=position.factor,
                to_beat=last,
                to_beat_by=None if last is None else position.owner,
                plays=position.plays,
                history=(*seen.history, *line),
            )
            play = evaluator.best(view, plays, objective)
        else:
            play = plays[0]
