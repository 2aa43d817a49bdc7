"""Self-play and fitting in one loop, without the GIL: one Worker a thread."""

from libc.stdint cimport int64_t, uint8_t, uint16_t

from ddz_solver.core.evaluate cimport scratch_t
from ddz_solver.core.features cimport layout_t
from ddz_solver.core.hand cimport MAX_SEATS, hand_t
from ddz_solver.core.learner cimport Learner, batch_t, fitting_t
from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.position cimport position_t
from ddz_solver.core.rng cimport rng_t

cdef enum: MAX_DECISIONS = 400

ctypedef struct decision_t:     # one choice of the game being played
    uint8_t seat
    uint8_t explored            # whether the play was drawn at random
    int start                   # its columns in the game's list
    int length
    float win                   # value of the best play as the network saw it

cdef hand_t deal_cards(position_t* position, const rules_t* rules, rng_t* rng) noexcept nogil
