"""The sparse inputs of the network: which columns a seat's knowledge and a play switch on. All inputs are 0 or 1.

State columns are read once a decision. A play adds a few columns and takes out the cards it spends from the block AFTER,
so the first layer is brought up to date by a few row additions a play.
"""

from libc.stdint cimport uint16_t

from ddz_solver.core.hand cimport hand_t
from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.observation cimport observation_t

cdef enum:
    LAYOUT_VERSION = 1
    MAX_STATE = 640         # most columns of a state, own cards included
    MAX_ADDED = 72          # most columns a play adds: its cards and nine more
    MAX_TAKEN = 56          # most columns a play takes out: seven fours in a row and 14 pairs, of two decks

ctypedef struct layout_t:   # first column of each block; docs in features.pyx
    int players
    int depth               # columns a rank: 4 a deck
    int most                # most cards of one hand
    int unseen
    int bottom
    int played
    int counts
    int beat_cards
    int beat_kind
    int beat_length
    int beat_owner
    int history
    int declined
    int idle
    int factor
    int bombs
    int objective
    int switches
    int after
    int cards
    int kind
    int length
    int to_go
    int left
    int control
    int boss
    int columns             # number of columns in all

ctypedef struct scene_t:    # facts of a decision that the columns of all its plays share
    hand_t unseen
    hand_t boss_solos       # ranks at or above the highest unseen card, as counts of 15
    hand_t boss_pairs       # the same for unseen pairs
    int enemy_most          # most cards of one enemy hand
    bint bombs              # whether the unseen cards hold a bomb

cdef void make_layout(layout_t* layout, const rules_t* rules) noexcept nogil
cdef int state_columns(const layout_t* layout, const observation_t* seen, const rules_t* rules, int objective,
                       scene_t* scene, uint16_t* out) noexcept nogil
cdef int hand_columns(const layout_t* layout, int block, hand_t hand, uint16_t* out) noexcept nogil
cdef int taken_columns(const layout_t* layout, hand_t hand, hand_t cards, uint16_t* out) noexcept nogil
cdef int play_columns(const layout_t* layout, const observation_t* seen, const scene_t* scene, const move_t* move,
                      htg_t* memo, uint16_t* out) noexcept nogil
