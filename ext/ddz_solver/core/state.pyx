"""Moves on a position with all hands known: legal moves, play and take back, key, perft, random playouts."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ddz_solver.core.combinations cimport MAX_READINGS, PASS, PLANE, classify, doubled, generate, move_t, rules_t
from ddz_solver.core.hand cimport MAX_SEATS
from ddz_solver.core.rng cimport below, rng_t

# The extern block gives pointer-free constants that are valid without the GIL.
cdef extern from *:
    """
    #define DDZ_MIX_A 0x9E3779B97F4A7C15ULL
    #define DDZ_MIX_B 0xD6E8FEB86659FD93ULL
    """
    uint64_t MIX_A "DDZ_MIX_A"
    uint64_t MIX_B "DDZ_MIX_B"


# --- moves on a position ----------------------------------------------------------------------------------------------

cdef inline bint leading(const position_t* position) noexcept nogil:
    return position.last.kind == PASS


cdef int legal_moves(const position_t* position, const rules_t* rules, move_t* out, int capacity) noexcept nogil:
    """All legal moves of the seat to move, the pass first where it is allowed; counts on beyond `capacity`.

    There are none once the game is over.
    """
    cdef int first = 0
    if position.winner != NOBODY:
        return 0
    if not leading(position):
        if capacity > 0:
            memset(out, 0, sizeof(move_t))
        first = 1
    if capacity <= first:
        return first + generate(position.hands[position.turn], &position.last, rules, NULL, 0)
    return first + generate(position.hands[position.turn], &position.last, rules, out + first, capacity - first)


cdef void do_move(position_t* position, const move_t* move, const rules_t* rules, undo_t* undo) noexcept nogil:
    """Plays a legal move and notes in `undo` how to take it back."""
    cdef int turn = position.turn
    undo.last = position.last
    undo.made = move[0]
    undo.factor = position.factor
    undo.turn = position.turn
    undo.owner = position.owner
    if move.kind != PASS:
        position.hands[turn] -= move.cards
        position.last = move[0]
        position.owner = <uint8_t>turn
        position.plays[turn] += 1
        if move.power:
            position.factor = doubled(position.factor, move, rules)
        if position.hands[turn] == 0:
            position.winner = <uint8_t>turn
    turn = turn + 1 if turn + 1 < rules.players else 0
    position.turn = <uint8_t>turn
    if turn == position.owner and position.winner == NOBODY:      # everybody else has passed: a new trick
        memset(&position.last, 0, sizeof(move_t))


cdef void undo_move(position_t* position, const undo_t* undo) noexcept nogil:
    """Takes back the move that filled `undo`."""
    position.turn = undo.turn
    position.owner = undo.owner
    position.last = undo.last
    position.factor = undo.factor
    if undo.made.kind != PASS:
        position.hands[undo.turn] += undo.made.cards
        position.plays[undo.turn] -= 1
        position.winner = NOBODY


cdef inline uint64_t mix(uint64_t key, uint64_t value) noexcept nogil:
    key = (key ^ value) * MIX_A
    return (key ^ (key >> 29)) * MIX_B


cdef uint64_t position_key(const position_t* position) noexcept nogil:
    """A 64-bit key of all that decides how play can go on: hands, turn, landlord, play to beat and who made it.

    The cards of the play to beat do not matter, only its kind, rank, length and power; nor do doublings.
    """
    cdef uint64_t key = position.turn | <uint64_t>position.landlord << 8
    cdef int seat
    if not leading(position):
        key |= (<uint64_t>position.owner << 16 | <uint64_t>position.last.kind << 24 | <uint64_t>position.last.rank << 32
                | <uint64_t>position.last.length << 40 | <uint64_t>position.last.power << 48)
    key = mix(0, key)
    for seat in range(MAX_SEATS):
        key = mix(key, position.hands[seat])
    return key ^ (key >> 32)


cdef int payoff_factor(const position_t* position, const rules_t* rules) noexcept nogil:
    """What the stake is multiplied by at the end of a game: bombs and rockets played, spring and anti-spring.

    Spring: the landlord won and no peasant played. Anti-spring: the landlord played once only; where each doubles, a
    landlord who wins with one play gets both.
    """
    cdef int seat
    cdef int factor = position.factor
    if rules.spring == 0 or position.winner == NOBODY:
        return factor
    if position.winner != position.landlord:
        return 2 * factor if position.plays[position.landlord] == 1 else factor
    for seat in range(rules.players):
        if seat != position.landlord and position.plays[seat]:
            return factor
    return 4 * factor if rules.spring == 2 and position.plays[position.landlord] == 1 else 2 * factor


cdef bint exists(const move_t* move, const rules_t* rules) noexcept nogil:
    """Whether the rules have this play; it may come from other rules, with other kickers, bombs or another rocket."""
    cdef move_t found[MAX_READINGS]
    cdef int i, count
    if not rules.kinds >> move.kind & 1:
        return False
    if move.kind <= PLANE:
        return True
    count = classify(move.cards, rules, found, MAX_READINGS)
    for i in range(min(count, MAX_READINGS)):
        if (found[i].kind == move.kind and found[i].rank == move.rank and found[i].length == move.length
                and found[i].power == move.power):
            return True
    return False


# --- walking the tree -------------------------------------------------------------------------------------------------

cdef int playout(position_t* position, const rules_t* rules, rng_t* rng, move_t* buffer, int capacity) noexcept nogil:
    """Plays uniformly random legal moves to the end; returns the winner's seat, or -1 where `capacity` is too small."""
    cdef undo_t undo
    cdef int count
    while position.winner == NOBODY:
        count = legal_moves(position, rules, buffer, capacity)
        if count > capacity:
            return -1
        do_move(position, buffer + (below(rng, <uint32_t>count) if count > 1 else 0), rules, &undo)
    return position.winner


cdef long long count_lines(
    position_t* position, const rules_t* rules, int depth, move_t* arena, long long capacity,
) noexcept nogil:
    """Lines of `depth` moves, shorter ones that end the game included; -1 where the arena is too small."""
    cdef undo_t undo
    cdef long long lines = 0, below_here
    cdef int i, count
    if depth == 0 or position.winner != NOBODY:
        return 1
    if depth == 1:
        return legal_moves(position, rules, NULL, 0)
    count = legal_moves(position, rules, arena, <int>min(capacity, 1 << 30))
    if count > capacity:
        return -1
    for i in range(count):
        do_move(position, arena + i, rules, &undo)
        below_here = count_lines(position, rules, depth - 1, arena + count, capacity - count)
        undo_move(position, &undo)
        if below_here < 0:
            return -1
        lines += below_here
    return lines
