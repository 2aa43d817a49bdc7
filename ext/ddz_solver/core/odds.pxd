"""How likely it is that other seats hold something that matters, as if every unseen card were dealt by itself.

Chances come in steps: 0 never, STEPS - 1 surely, eight between. Seats are counted from the observer: 1 plays next.
"""

from libc.stdint cimport uint8_t

from ddz_solver.core.hand cimport MAX_SEATS, RANKS, hand_t
from ddz_solver.core.moves cimport move_t
from ddz_solver.core.observation cimport observation_t

cdef enum:
    GROUPS = 3          # solos, pairs, trios
    MOST_COPIES = 4     # cards of a rank that are asked for
    STEPS = 10

ctypedef struct odds_t:
    hand_t free                     # unseen cards that any other seat may hold
    hand_t known[MAX_SEATS]         # cards that a seat holds for sure
    uint8_t counts[MAX_SEATS]       # cards it holds in all
    double lacks[MAX_SEATS][MOST_COPIES + 1][9]     # [wanted][free]: chance to hold fewer than wanted of so many free ones
    uint8_t safe[MAX_SEATS][GROUPS][RANKS]          # step of the chance that it has no solo, pair, trio above a rank

cdef void find_odds(odds_t* odds, const observation_t* seen, hand_t unseen, hand_t bottom, int depth) noexcept nogil
cdef int safe_step(const odds_t* odds, int other, const move_t* move, hand_t starts) noexcept nogil
cdef int unarmed_step(const odds_t* odds, int other, int decks) noexcept nogil
