"""A position with all hands known, as bytes that copy: play, take back, key, perft, random playouts."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ddz_solver.core.hand cimport MAX_SEATS, hand_t
from ddz_solver.core.combinations cimport move_t, rules_t
from ddz_solver.core.rng cimport rng_t

cdef enum: NOBODY = 255

ctypedef struct position_t:
    hand_t hands[MAX_SEATS]
    move_t last             # the play to beat; kind PASS: the seat to move leads
    uint32_t factor         # product of all doublings of bombs and rockets played so far
    uint8_t turn            # seat to move
    uint8_t owner           # seat that made `last`
    uint8_t landlord        # seat of the landlord
    uint8_t winner          # seat that has no cards left, or NOBODY
    uint8_t plays[MAX_SEATS]    # plays made by each seat, passes not counted (for spring)

ctypedef struct undo_t:
    move_t last
    move_t made
    uint32_t factor
    uint8_t turn
    uint8_t owner

cdef int legal_moves(const position_t* position, const rules_t* rules, move_t* out, int capacity) noexcept nogil
cdef void do_move(position_t* position, const move_t* move, const rules_t* rules, undo_t* undo) noexcept nogil
cdef void undo_move(position_t* position, const undo_t* undo) noexcept nogil
cdef uint64_t position_key(const position_t* position) noexcept nogil
cdef int payoff_factor(const position_t* position, const rules_t* rules) noexcept nogil
cdef bint exists(const move_t* move, const rules_t* rules) noexcept nogil
cdef long long count_lines(
    position_t* position, const rules_t* rules, int depth, move_t* arena, long long capacity,
) noexcept nogil
cdef int playout(position_t* position, const rules_t* rules, rng_t* rng, move_t* buffer, int capacity) noexcept nogil

cdef inline bint landlord_won(const position_t* position) noexcept nogil:
    """Whether the landlord has won; only meaningful once there is a winner."""
    return position.winner == position.landlord
