"""Values of all plays of one decision: one network a role, the state's part of the first layer computed once."""

from libc.math cimport exp
from libc.stdint cimport uint16_t

from ddz_solver.core.features cimport MAX_ADDED, MAX_STATE, MAX_TAKEN, layout_t, scene_t
from ddz_solver.core.hand cimport MAX_SEATS
from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.net cimport net_t
from ddz_solver.core.observation cimport Observation, observation_t

cdef enum:
    CHUNK = 64                      # plays pushed through the network together
    MOST_PLAYS = 16384              # plays considered in one decision; no hand dealt under a preset has as many
    MOST_STAKES = 16                # stakes beyond it are trained as it

ctypedef struct scratch_t:          # one a thread
    scene_t scene
    int states                      # columns in `state` of the last decision, own cards left out
    uint16_t state[MAX_STATE]
    uint16_t hand[MAX_STATE]
    uint16_t added[MAX_ADDED]
    uint16_t taken[MAX_TAKEN]
    float* base                     # [hidden1]
    float* x1                       # [CHUNK][hidden1]
    float* x2                       # [CHUNK][hidden2]
    float* stakes                   # the caller's, or NULL: stakes if won and if lost of each play

cdef int make_scratch(scratch_t* scratch, int hidden1, int hidden2) except -1
cdef void free_scratch(scratch_t* scratch) noexcept nogil
cdef void evaluate_plays(const net_t* net, const layout_t* layout, const observation_t* seen, const rules_t* rules,
                         int objective, const move_t* moves, int count, htg_t* memo, scratch_t* scratch,
                         float* wins, float* scores) noexcept nogil


cdef inline int role_of(int seat, int landlord, int players) noexcept nogil:
    """Which network plays a seat: 0 the landlord, then by distance after the landlord."""
    return (seat - landlord + players) % players


cdef inline double chance_of(float win) noexcept nogil:
    """The win chance, 0..1, of a logit."""
    return 1.0 / (1.0 + exp(-win))


cdef inline double points_of(double chance, double score, unsigned int factor) noexcept nogil:
    """What to choose by when playing for points: the mean of the score and of the stakes so far won or lost.

    The score alone is the noisier judge of two near plays: by this mean the net loses 0.008 of win rate to choosing by win
    chance and gains 0.21 a deal, by the score alone 0.020 and 0.17 (4000 deals in both seatings).
    """
    return 0.5 * score + 0.5 * factor * (2.0 * chance - 1.0)


cdef inline int best_of(const float* values, int count) noexcept nogil:
    """The place of the highest value, the first of several."""
    cdef int best = 0, k
    for k in range(1, count):
        if values[k] > values[best]:
            best = k
    return best


cdef class Judge:
    cdef tuple networks
    cdef net_t nets[MAX_SEATS]
    cdef layout_t layout
    cdef scratch_t scratch
    cdef dict memos
    cdef object lock
    cdef htg_t* memo(self, rules) except NULL
    cdef int read(self, Observation seen, plays, move_t* moves) except -1
