"""Worlds: the ways the hidden cards can lie that agree with what a seat has seen.

A deal gives every hidden seat its cards at random; what was played, the bottom cards and the card counts then rule deals
out. All that are left are equally likely. A world names ranks only, so it stands for as many deals as its cards of equal
rank can be told apart: that number is its weight.
"""

from ddz_solver.core.hand cimport MAX_SEATS, RANKS, hand_t
from ddz_solver.core.observation cimport observation_t
from ddz_solver.core.rng cimport rng_t

cdef enum: SLOTS = MAX_SEATS - 1    # hidden seats, aligned to the last slot

ctypedef struct worlds_t:           # caller-owned; filled by prepare_worlds
    hand_t hand                     # the observing seat's cards
    hand_t held[SLOTS]              # bottom cards that the seat was given
    hand_t played[SLOTS]
    double* ways                    # [RANKS + 1][room[0] + 1][room[1] + 1] deals of the ranks from r up
    int capacity                    # numbers in `ways`
    int room[SLOTS]                 # cards that the seat was dealt from the free ones
    int seats[SLOTS]                # seat of a slot, -1: none
    int free[RANKS]                 # cards of each rank that lie in unknown hands of the deal
    int least[SLOTS][RANKS]         # of these, known to be the seat's since it played them
    int seat                        # the observing seat
    int first                       # first slot in use

ctypedef struct world_t:
    hand_t hands[MAX_SEATS]         # cards now

cdef int prepare_worlds(worlds_t* worlds, const observation_t* seen) except -2 nogil
cdef void free_worlds(worlds_t* worlds) noexcept nogil
cdef void draw_world(const worlds_t* worlds, rng_t* rng, world_t* world) noexcept nogil
cdef double count_worlds(const worlds_t* worlds) noexcept nogil
cdef int list_worlds(const worlds_t* worlds, world_t* out, double* weights, int capacity) noexcept nogil

cdef class Worlds:
    cdef worlds_t c
    cdef int players
