"""What one seat legitimately knows, as bytes that copy. Nothing here depends on cards the seat cannot see."""

from libc.stdint cimport uint8_t, uint32_t

from ddz_solver.core.hand cimport MAX_SEATS, ctz, hand_t
from ddz_solver.core.moves cimport CompiledRules, move_t, rules_t
from ddz_solver.core.position cimport position_t

cdef enum: HISTORY = 12         # last turns remembered one by one, passes included

ctypedef struct observation_t:
    hand_t hand                 # cards of the observing seat
    hand_t deck                 # all cards of the pack
    hand_t bottom               # the bottom cards, shown to all when the landlord took them; 0 where unknown
    hand_t played[MAX_SEATS]    # cards each seat has played
    hand_t history[HISTORY]     # cards of the last turns, newest first; 0 for a pass
    move_t last                 # the play to beat; kind PASS: the seat to move leads
    uint32_t factor             # product of all doublings played so far
    uint8_t turns               # turns recorded in `history`, at most HISTORY
    uint8_t seat                # the observing seat
    uint8_t owner               # seat that made `last`
    uint8_t players
    uint8_t landlord
    uint8_t counts[MAX_SEATS]   # cards left
    uint8_t plays[MAX_SEATS]    # plays made, passes not counted
    uint8_t led[MAX_SEATS]      # kind of each seat's last lead; PASS: none yet
    uint8_t declined[MAX_SEATS][2]  # 1 + lowest rank of an enemy's solo, pair that the seat let pass; 0: none

cdef hand_t deck_of(const rules_t* rules) noexcept nogil
cdef void observe_deal(observation_t* seen, const position_t* position, hand_t bottom, const rules_t* rules) noexcept nogil
cdef void observe_play(observation_t* seen, int seat, const move_t* move, const rules_t* rules) noexcept nogil


cdef inline hand_t unseen_cards(const observation_t* seen) noexcept nogil:
    """All cards that the other seats may hold."""
    cdef hand_t rest = seen.deck - seen.hand
    cdef int seat
    for seat in range(seen.players):
        rest -= seen.played[seat]
    return rest


cdef inline hand_t bottom_held(const observation_t* seen) noexcept nogil:
    """Bottom cards that the landlord certainly still holds."""
    cdef hand_t held = 0, left = seen.bottom, gone = seen.played[seen.landlord]
    cdef int shift, count
    while left:
        shift = ctz(left) & ~3
        count = <int>((left >> shift) & 15) - <int>((gone >> shift) & 15)
        if count > 0:
            held |= (<hand_t>count) << shift
        left &= ~((<hand_t>15) << shift)
    return held


cdef class Observation:
    cdef observation_t c
    cdef CompiledRules rules
