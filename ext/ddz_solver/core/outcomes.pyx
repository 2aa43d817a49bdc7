"""Whole games played by networks from given deals: how they end."""

from libc.stdint cimport uint32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

from ddz_solver.core.evaluate cimport MOST_PLAYS, Judge, best_of, evaluate_plays, role_of
from ddz_solver.core.hand cimport hand_t, holds, is_hand
from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.moves cimport CompiledRules, move_t, rules_t
from ddz_solver.core.observation cimport deck_of, observation_t, observe_deal, observe_play
from ddz_solver.core.position cimport (
    NOBODY, do_move, landlord_won, legal_moves, payoff_factor, position_t, undo_t,
)

ctypedef struct game_t:
    position_t position
    hand_t bottom
    uint32_t factor                 # all doublings at the end
    uint8_t won                     # whether the landlord has won


cdef void play_out(Judge judge, game_t* game, const rules_t* rules, int objective, htg_t* memo, move_t* moves,
                   float* values) noexcept nogil:
    """Plays one game to its end, every seat by its network's best play."""
    cdef position_t* position = &game.position
    cdef observation_t seen
    cdef undo_t undo
    cdef float* wins = values
    cdef float* scores = values + MOST_PLAYS
    cdef float* ranked = scores if objective else wins
    cdef int count, best, seat
    observe_deal(&seen, position, game.bottom, rules)
    while position.winner == NOBODY:
        count = min(legal_moves(position, rules, moves, MOST_PLAYS), MOST_PLAYS)
        seat = position.turn
        best = 0
        if count > 1:
            seen.seat = <uint8_t>seat
            seen.hand = position.hands[seat]
            evaluate_plays(&judge.nets[role_of(seat, position.landlord, rules.players)], &judge.layout, &seen, rules,
                           objective, moves, count, memo, &judge.scratch, wins, scores)
            best = best_of(ranked, count)
        observe_play(&seen, seat, &moves[best], rules)
        do_move(position, &moves[best], rules, &undo)
    game.won = landlord_won(position)
    game.factor = payoff_factor(position, rules)


def play_deals(Judge judge not None, CompiledRules rules not None, hands, bottoms, *, bint for_points=True) -> tuple[
    list[bool], list[int]
]:
    """Plays each deal once with the judge's networks: whether the landlord won, and the product of all doublings.

    `hands` has the packed hands of each deal, the landlord's first, bottom cards included; `bottoms` the bottom cards
    (0 where they are not shown). The networks play for points or to win. The GIL is released.
    Raises ValueError for what is no hand or does not fit the rules.
    """
    cdef int n = len(hands), i, seat
    cdef hand_t left
    cdef game_t* games
    cdef move_t* moves
    cdef float* values
    cdef htg_t* memo
    if len(bottoms) != n:
        raise ValueError(f"{len(bottoms)} bottoms of {n} deals")
    if rules.c.players != judge.layout.players or 4 * rules.c.decks != judge.layout.depth:
        raise ValueError(f"rules for {rules.c.players} players and {rules.c.decks} decks do not fit the networks")
    games = <game_t*>calloc(n + 1, sizeof(game_t))
    moves = <move_t*>malloc(MOST_PLAYS * sizeof(move_t))
    values = <float*>malloc(2 * MOST_PLAYS * sizeof(float))
    try:
        if games == NULL or moves == NULL or values == NULL:
            raise MemoryError(f"{n} deals")
        for i in range(n):
            if len(hands[i]) != rules.c.players:
                raise ValueError(f"{len(hands[i])} hands in deal {i}, expected {rules.c.players}")
            left = deck_of(&rules.c)
            for seat in range(rules.c.players):
                games[i].position.hands[seat] = hands[i][seat]
                if not is_hand(games[i].position.hands[seat]) or games[i].position.hands[seat] == 0:
                    raise ValueError(f"{hands[i][seat]:#x} in deal {i}, expected a packed hand with cards")
                if not holds(left, games[i].position.hands[seat]):
                    raise ValueError(f"deal {i} has more cards than the pack")
                left -= games[i].position.hands[seat]
            games[i].bottom = bottoms[i]
            if not is_hand(games[i].bottom) or not holds(games[i].position.hands[0], games[i].bottom):
                raise ValueError(f"{bottoms[i]:#x} as the bottom of deal {i}, expected cards that the landlord holds")
            games[i].position.factor = 1
            games[i].position.winner = NOBODY
        with judge.lock:
            memo = judge.memo(rules)
            with nogil:
                for i in range(n):
                    play_out(judge, &games[i], &rules.c, for_points, memo, moves, values)
        return [games[i].won != 0 for i in range(n)], [games[i].factor for i in range(n)]
    finally:
        free(games)
        free(moves)
        free(values)
