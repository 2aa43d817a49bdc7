"""Hands to go: the least number of plays that empties a hand when nobody answers.

Near-exact: straights, pair straights and their sub-runs are searched in hands of up to 33 cards, the most that are dealt;
planes, kickers and bombs are then counted greedily.
Never less than 1 for a hand with cards, and 0 only for none.
"""

from libc.stdint cimport uint64_t

from ddz_solver.core.hand cimport hand_t
from ddz_solver.core.moves cimport rules_t

ctypedef struct htg_t:      # caller-owned memo; an entry is the hand, with the answer in the four bits no hand uses
    uint64_t* entries
    uint64_t mask           # entries - 1, a power of two less one
    const rules_t* rules

cdef int hands_to_go(hand_t hand, htg_t* memo) noexcept nogil

cdef class HandsToGo:
    cdef htg_t c
    cdef object rules
