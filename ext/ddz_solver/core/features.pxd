"""The sparse inputs of the network: which columns a seat's knowledge and a play switch on. All inputs are 0 or 1.

State columns are read once a decision. A play adds a few columns and takes out the cards it spends from the block AFTER,
so the first layer is brought up to date by a few row additions a play.
"""

from libc.stdint cimport uint16_t

from ddz_solver.core.hand cimport MAX_SEATS, hand_t
from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.observation cimport observation_t
from ddz_solver.core.odds cimport odds_t

cdef enum:
    LAYOUT_VERSION = 2
    MAX_STATE = 640         # most columns of a state, own cards included
    MAX_ADDED = 88          # most columns a play adds: its cards and some 30 more
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
    int above               # from here on: columns that layout 1 did not have
    int safe
    int standing
    int out
    int loose
    int worst
    int runs
    int unarmed
    int led
    int waste
    int broken
    int losers
    int columns             # number of columns in all

ctypedef struct scene_t:    # facts of a decision that the columns of all its plays share
    hand_t unseen
    hand_t boss_solos       # ranks at or above the highest unseen card, as counts of 15
    hand_t boss_pairs       # the same for unseen pairs
    hand_t boss_trios
    int to_go               # hands to go of the own hand
    int enemy_most          # most cards of one enemy hand
    bint bombs              # whether the unseen cards hold a bomb
    odds_t odds             # what the other seats may hold
    bint enemies[MAX_SEATS] # whether a seat (1 plays next) is an enemy

cdef void make_layout(layout_t* layout, const rules_t* rules) noexcept nogil
cdef int state_columns(const layout_t* layout, const observation_t* seen, const rules_t* rules, int objective,
                       htg_t* memo, scene_t* scene, uint16_t* out) noexcept nogil
cdef int hand_columns(const layout_t* layout, int block, hand_t hand, uint16_t* out) noexcept nogil
cdef int taken_columns(const layout_t* layout, hand_t hand, hand_t cards, uint16_t* out) noexcept nogil
cdef int play_columns(const layout_t* layout, const observation_t* seen, const scene_t* scene, const move_t* move,
                      htg_t* memo, uint16_t* out) noexcept nogil
