"""Nodes of the open-hand search: positions reduced to what still matters, and their keys.

Two positions with the same key have the same value. A node differs from a position in three ways:

* Forced passes are made: the seat to move can answer the play to beat, or leads. (For kinds with kickers "can answer" is
  a necessary condition only; a seat that has nothing but the pass is still right, just not shortened.)
* The play to beat is raised as far as the seats that may still answer it cannot tell the difference.
* For the score objective the doublings so far are folded into the goal.

The key squeezes out ranks that nobody holds. What adjacency of ranks still means is kept as links: rank i is linked to the
next where somebody holds a straight, a pair straight or consecutive trios across the two.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from ddz_solver.core.hand cimport MAX_SEATS, hand_t
from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.position cimport position_t
from ddz_solver.core.table cimport key_t

ctypedef struct node_t:
    hand_t hands[MAX_SEATS]
    int32_t goal            # g > 0: the landlord wins with a factor of at least g from here on;
                            # g < 0: he wins, or loses with a factor of at most -g
    uint8_t turn            # seat to move
    uint8_t owner           # seat that made the play to beat; `turn` where it leads
    uint8_t kind            # the play to beat as in move_t; PASS: `turn` leads
    uint8_t rank
    uint8_t length
    uint8_t power
    uint8_t landlord_plays  # plays of the landlord, 2 stands for more; only kept where spring matters
    uint8_t peasant_plays   # 1: a peasant has played; only kept where spring matters

ctypedef enum outcome_t:
    UNDECIDED = 0
    REACHED = 1             # the landlord reaches the goal
    MISSED = 2              # he does not

cdef void node_from_position(const position_t* position, const rules_t* rules, int32_t goal, node_t* node) noexcept nogil
cdef outcome_t node_play(
    const node_t* node, const move_t* move, const rules_t* rules, int landlord, node_t* after,
) noexcept nogil
cdef void node_settle(node_t* node, const rules_t* rules) noexcept nogil
cdef int32_t most_factor(const node_t* node, const rules_t* rules) noexcept nogil
cdef void node_key(const node_t* node, const rules_t* rules, uint64_t salt, key_t* key) noexcept nogil
cdef void node_last(const node_t* node, move_t* last) noexcept nogil
cdef uint64_t rules_salt(const rules_t* rules, int landlord) noexcept nogil
