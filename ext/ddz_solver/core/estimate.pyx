"""A logistic model of `the landlord wins` over a few features, fitted to nodes that searches have solved.

The guess only orders the search and never decides anything.
"""

from libc.math cimport exp2f
from libc.string cimport memset

from ddz_solver.core.hand cimport at_least, hand_size, hand_t
from ddz_solver.core.hands_to_go cimport hands_to_go
from ddz_solver.core.moves cimport PASS

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    static inline int ddz_top_bit(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    #else
    static inline int ddz_top_bit(uint64_t x) { return 63 - __builtin_clzll(x); }
    #endif
    static const float ddz_weights[] = {
        0.99f, 1.21f, 1.8f,  -1.94f, -1.97f, -1.64f,  -0.97f, -0.37f, -0.96f,
        -1.49f, 0.36f, 0.43f, 0.35f,
        1.39f, -0.63f, -0.63f,  0.0f, 0.0f, 0.0f,  0.0f, 0.0f, 0.0f,
        1.7f,
    };
    """
    int top_bit "ddz_top_bit"(hand_t x) noexcept nogil
    const float* WEIGHTS "ddz_weights"


cdef inline int cards_from(hand_t hand, int rank) noexcept nogil:
    """Number of cards of `rank` or higher."""
    return hand_size(hand >> (4 * rank))


cdef void node_features(htg_t* togo, const node_t* node, const rules_t* rules, int landlord, float* out) noexcept nogil:
    """The features: seat to move and owner of the play to beat as one of nine; hands to go; cards and pairs that the other
    side cannot beat; one-play hands. With two hands the only peasant has both roles, with four the middle one is the
    first's double."""
    cdef hand_t hands[ROLES]
    cdef hand_t pairs[ROLES]
    cdef int roles[4]
    cdef int togos[ROLES]
    cdef int seat, role, players = rules.players, top, pair_top, mine, mine_pair
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
    memset(out, 0, FEATURES * sizeof(float))
    role = roles[node.turn]
    out[3 * role + (roles[node.owner] if node.kind != PASS else role)] = 1
    out[9] = togos[0]
    out[10] = togos[1]
    out[11] = togos[2]
    out[12] = min(togos[1], togos[2])
    top = top_bit(hands[1] | hands[2]) >> 2
    mine = top_bit(hands[0]) >> 2
    pair_top = top_bit(pairs[1] | pairs[2] | 1) >> 2
    mine_pair = top_bit(pairs[0] | 1) >> 2
    out[13] = cards_from(hands[0], top)
    out[14] = cards_from(hands[1], mine)
    out[15] = cards_from(hands[2], mine)
    out[16] = cards_from(pairs[0], pair_top)
    out[17] = cards_from(pairs[1], mine_pair)
    out[18] = cards_from(pairs[2], mine_pair)
    out[19] = togos[0] == 1
    out[20] = togos[1] == 1
    out[21] = togos[2] == 1


cdef void estimate(
    htg_t* togo, const node_t* node, const rules_t* rules, int landlord, uint32_t* pn, uint32_t* dn,
) noexcept nogil:
    """Proof and disproof number of a node that has not been searched: they grow with hands to go and with the odds."""
    cdef float features[FEATURES]
    cdef float odds = WEIGHTS[FEATURES]
    cdef int i
    node_features(togo, node, rules, landlord, features)
    for i in range(FEATURES):
        odds += features[i] * WEIGHTS[i]
    pn[0] = 1 + <uint32_t>exp2f(min(max(1.44 * features[9] - 0.58 * odds, 0), 14))
    dn[0] = 1 + <uint32_t>exp2f(min(max(1.44 * features[12] + 0.58 * odds, 0), 14))
