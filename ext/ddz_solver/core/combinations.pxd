"""Combinations: the only place that knows them.

A move is identified by (kind, rank, length, cards): one set of cards may have several readings.
"""

from libc.stdint cimport uint8_t, uint32_t

from ddz_solver.core.hand cimport hand_t

cpdef enum Kind:
    PASS = 0
    SOLO = 1
    PAIR = 2
    TRIO = 3
    TRIO_SOLO = 4
    TRIO_PAIR = 5
    STRAIGHT = 6
    PAIR_STRAIGHT = 7
    PLANE = 8
    PLANE_SOLOS = 9
    PLANE_PAIRS = 10
    QUAD_SOLOS = 11         # four of a kind and two solos
    QUAD_PAIRS = 12         # four of a kind and two pairs
    QUAD_RUN = 13           # two or more consecutive fours (an ordinary play, not a bomb)
    QUAD_RUN_SOLOS = 14     # with two solos a four
    QUAD_RUN_PAIRS = 15     # with two pairs a four
    BOMB = 16               # four or more of a kind
    JOKER_BOMB = 17         # two or three jokers, where the rules make them a bomb
    ROCKET = 18             # all jokers of the pack

cdef enum: KINDS = 19

cdef extern from *:
    """
    #include <stdint.h>
    typedef struct { uint8_t copies, shortest, longest, kickers, kicker; } ddz_shape_t;
    static inline const ddz_shape_t* ddz_shape_of(int kind) {
        static const ddz_shape_t shapes[16] = {             /* by Kind, SOLO to QUAD_RUN_PAIRS */
            {0, 0, 0, 0, 0},
            {1, 1, 1, 0, 0}, {2, 1, 1, 0, 0}, {3, 1, 1, 0, 0}, {3, 1, 1, 1, 1}, {3, 1, 1, 1, 2},
            {1, 5, 12, 0, 0}, {2, 3, 12, 0, 0}, {3, 2, 12, 0, 0}, {3, 2, 12, 1, 1}, {3, 2, 12, 1, 2},
            {4, 1, 1, 2, 1}, {4, 1, 1, 2, 2}, {4, 2, 12, 0, 0}, {4, 2, 12, 2, 1}, {4, 2, 12, 2, 2},
        };
        return &shapes[kind];
    }
    """
    ctypedef struct shape_t "ddz_shape_t":
        uint8_t copies      # cards of each group: solo 1, pair 2, trio 3, four 4
        uint8_t shortest    # fewest groups
        uint8_t longest     # most groups
        uint8_t kickers     # kickers a group
        uint8_t kicker      # cards a kicker: 1 solos, 2 pairs
    const shape_t* shape_of "ddz_shape_of" (int kind) noexcept nogil    # of an ordinary kind, SOLO to QUAD_RUN_PAIRS

ctypedef struct move_t:     # 16 bytes
    hand_t cards            # all cards of the play; 0 for a pass
    uint8_t kind            # Kind
    uint8_t rank            # lowest rank of the run or group; the number of jokers less 1 for JOKER_BOMB
    uint8_t length          # groups in the run; 1 for a single group; 0 for a pass
    uint8_t size            # number of cards
    uint8_t power           # 0 for ordinary plays; bombs of every kind are ordered by it

ctypedef struct rules_t:
    uint32_t kinds          # bit k set: plays of Kind k exist
    uint8_t players         # seats, 2..4
    uint8_t decks           # 1 or 2
    uint8_t kicker_copies   # bit m set: m equal cards may stand among solo kickers (bits 1..4)
    uint8_t kicker_beside   # three or four equal solo kickers may have the rank next to the run
    uint8_t kicker_jokers   # jokers of both colours may stand among solo kickers together
    uint8_t kicker_quad     # four of a kind may be two pair kickers
    uint8_t bomb_factor[9]  # [n] what a played bomb of n cards multiplies the payoff by
    uint8_t rocket_factor
    uint8_t joker_power[4]  # [n] power of n jokers as JOKER_BOMB; 0 where they are no bomb
    uint8_t joker_factor[4]
    uint8_t spring          # 0: no spring; 1: spring and anti-spring double, once; 2: each doubles

cdef enum:
    FACTOR_LIMIT = 1 << 24  # doublings beyond this product do not count: no score leaves 32 bits
    MAX_READINGS = 16       # more than any set of cards has

cdef int generate(hand_t hand, const move_t* last, const rules_t* rules, move_t* out, int capacity) noexcept nogil
cdef int classify(hand_t cards, const rules_t* rules, move_t* out, int capacity) noexcept nogil
cdef int move_factor(const move_t* move, const rules_t* rules) noexcept nogil
cdef uint32_t doubled(uint32_t factor, const move_t* move, const rules_t* rules) noexcept nogil


cdef inline bint move_beats(const move_t* move, const move_t* last) noexcept nogil:
    """Whether `move` may be played over `last`. Rules are not needed: the power of bombs is part of a move."""
    if move.power or last.power:
        return move.power > last.power
    return move.kind == last.kind and move.length == last.length and move.rank > last.rank
