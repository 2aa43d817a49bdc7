"""A logistic model of `the landlord wins`, fitted to nodes that searches have solved: one set of weights a situation.

The guess only orders the search and never decides anything.
"""

from libc.math cimport exp2f

from ddz_solver.core.hand cimport at_least, hand_size, hand_t, ranks_in, top_bit
from ddz_solver.core.hands_to_go cimport hands_to_go
from ddz_solver.core.moves cimport PASS

cdef extern from *:
    """
    /* ranks whose number has bit 0, 1, 2, 3 set, all bits of their counts */
    #define DDZ_ODD_0 0x00F0F0F0F0F0F0F0ULL
    #define DDZ_ODD_1 0x0F00FF00FF00FF00ULL
    #define DDZ_ODD_2 0x0FFF0000FFFF0000ULL
    #define DDZ_ODD_3 0x0FFFFFFF00000000ULL
    """
    hand_t BIT_0 "DDZ_ODD_0"
    hand_t BIT_1 "DDZ_ODD_1"
    hand_t BIT_2 "DDZ_ODD_2"
    hand_t BIT_3 "DDZ_ODD_3"

cdef extern from "estimate_weights.h" nogil:
    const float* WEIGHTS "ddz_estimate_weights"

cdef extern from *:
    """
    #define DDZ_PER_PLAY 1.44f      /* bits that a proof grows by with each play that the hand still has to make */
    #define DDZ_PER_ODDS 0.3f       /* bits that it grows by with each unit of log odds against it */
    """
    const float PER_PLAY "DDZ_PER_PLAY"
    const float PER_ODDS "DDZ_PER_ODDS"


cdef inline float mean_rank(hand_t hand, int size) noexcept nogil:
    return (hand_size(hand & BIT_0) + 2 * hand_size(hand & BIT_1) + 4 * hand_size(hand & BIT_2)
            + 8 * hand_size(hand & BIT_3)) / <float>size


cdef int node_features(htg_t* togo, const node_t* node, const rules_t* rules, int landlord, float* out) noexcept nogil:
    """Fills in the features and returns the situation.

    For each role: hands to go, cards and pairs that the other side cannot beat, whether one or two plays are left, cards,
    mean rank, ranks that the other side can beat, ranks, bombs; then which side holds the highest card. With two hands the
    only peasant has both roles, with four the middle one stands in for the first.
    """
    cdef hand_t hands[ROLES]
    cdef hand_t pairs[ROLES]
    cdef hand_t held[ROLES]
    cdef int roles[4]
    cdef int togos[ROLES]
    cdef int seat, role, players = rules.players, top, pair_top, size, turn
    hands[0] = hands[1] = hands[2] = 0
    for seat in range(players):
        role = seat - landlord if seat >= landlord else seat - landlord + players
        role = 2 if role == players - 1 else 1 if role > 1 else role
        roles[seat] = role
        hands[role] = node.hands[seat]
    if players == 2:
        hands[1] = hands[2]
    for role in range(ROLES):
        togos[role] = hands_to_go(hands[role], togo)
        pairs[role] = at_least(hands[role], 2)
        held[role] = at_least(hands[role], 1)
    for role in range(ROLES):
        if role == 0:
            top = top_bit(hands[1] | hands[2]) >> 2
            pair_top = top_bit(pairs[1] | pairs[2] | 1) >> 2
        else:
            top = top_bit(hands[0]) >> 2
            pair_top = top_bit(pairs[0] | 1) >> 2
        size = hand_size(hands[role])
        out[role] = togos[role]
        out[4 + role] = hand_size(hands[role] >> (4 * top))
        out[7 + role] = ranks_in(pairs[role] >> (4 * pair_top))
        out[10 + role] = togos[role] == 1
        out[13 + role] = size
        out[16 + role] = mean_rank(hands[role], size)
        out[19 + role] = togos[role] == 2
        out[25 + role] = ranks_in(held[role] & ((<hand_t>1 << (4 * top)) - 1))
        out[28 + role] = ranks_in(held[role])
        out[31 + role] = ranks_in(at_least(hands[role], 4))
    out[3] = min(togos[1], togos[2])
    top = (top_bit(hands[0]) >> 2) - (top_bit(hands[1] | hands[2]) >> 2)
    out[22] = top > 0
    out[23] = top < 0
    out[24] = togos[0] - out[4] <= 1
    out[34] = 1
    turn = roles[node.turn]
    return ROLES * turn + (roles[node.owner] if node.kind != PASS else turn)


cdef void estimate(
    htg_t* togo, const node_t* node, const rules_t* rules, int landlord, uint32_t* pn, uint32_t* dn,
) noexcept nogil:
    """Proof and disproof number of a node that has not been searched: they grow with hands to go and with the odds."""
    cdef float features[FEATURES]
    cdef float odds = 0
    cdef int i, situation = node_features(togo, node, rules, landlord, features)
    cdef const float* weights = WEIGHTS + FEATURES * (situation + (SITUATIONS if rules.players > 2 else 0))
    for i in range(FEATURES):
        odds += features[i] * weights[i]
    odds = PER_ODDS * min(max(odds, -10), 10)
    pn[0] = 1 + <uint32_t>exp2f(min(max(PER_PLAY * features[0] - odds, -1), 16))
    dn[0] = 1 + <uint32_t>exp2f(min(max(PER_PLAY * features[3] + odds, -1), 16))
