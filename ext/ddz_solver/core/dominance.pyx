"""Leaves out moves that an exchange shows to be no better than another one."""

from ddz_solver.core.combinations cimport shape_of
from ddz_solver.core.hand cimport JOKERS, ONES, RUN_ONES, at_least, hand_size, hand_t, top_bit, whole_ranks
from ddz_solver.core.moves cimport PAIR, PASS, SOLO

ctypedef struct exchange_t:     # masks of one card a rank
    hand_t low[2]               # [u-1] ranks of which the seat holds exactly u, outside straights and pair straights
    hand_t high[2]              # [u-1] ranks of which it holds exactly u
    hand_t team                 # ranks that teammates hold
    hand_t others               # ranks that anybody else holds


cdef inline hand_t ranks_of(hand_t hand) noexcept nogil:
    return (hand | hand >> 1 | hand >> 2 | hand >> 3) & ONES


cdef void prepare(const node_t* node, const rules_t* rules, int landlord, exchange_t* exchange) noexcept nogil:
    cdef hand_t hand = node.hands[node.turn]
    cdef hand_t one = at_least(hand, 1)
    cdef hand_t two = at_least(hand, 2)
    cdef hand_t singles = one & RUN_ONES
    cdef hand_t pairs = two & RUN_ONES
    cdef hand_t straights = singles & singles >> 4
    cdef hand_t held
    cdef int seat
    straights &= straights >> 8                     # four in a row from here
    straights &= singles >> 16
    straights |= straights << 4
    straights |= straights << 8 | straights << 12   # all five ranks
    pairs &= pairs >> 4 & pairs >> 8
    pairs |= pairs << 4 | pairs << 8
    exchange.high[0] = one & ~two
    exchange.low[0] = exchange.high[0] & ~straights
    exchange.high[1] = two & ~at_least(hand, 3) & ~JOKERS
    exchange.low[1] = exchange.high[1] & ~straights & ~pairs
    if hand_size(hand & whole_ranks(JOKERS)) > 1:
        exchange.high[0] &= ~JOKERS
    exchange.team = exchange.others = 0
    for seat in range(rules.players):
        if seat != node.turn:
            held = ranks_of(node.hands[seat])
            exchange.others |= held
            if node.turn != landlord and seat != landlord:
                exchange.team |= held


cdef inline bint has_lower(hand_t low, hand_t high_one, hand_t between) noexcept nogil:
    """Whether a rank of `low` lies under the rank of `high_one` with nothing of `between` over it and up to there."""
    cdef hand_t below = low & (high_one - 1)
    cdef hand_t lower
    if not below:
        return False
    lower = <hand_t>1 << top_bit(below)             # the nearest one
    return not between & (2 * high_one - 1) & ~(2 * lower - 1)


cdef bint dominated(const exchange_t* exchange, const node_t* node, const move_t* move) noexcept nogil:
    cdef hand_t base, kickers, candidates, one, low, over
    cdef int unit
    if move.kind == SOLO or move.kind == PAIR:
        unit = move.kind
        one = <hand_t>1 << (4 * move.rank)
        if not exchange.high[unit - 1] & one:
            return False
        low = exchange.low[unit - 1]
        if node.kind != PASS:
            over = <hand_t>1 << (4 * node.rank)
            low &= ~(2 * over - 1)
        return has_lower(low, one, exchange.others)
    if move.power:
        return False
    unit = shape_of(move.kind).kicker
    if unit == 0:
        return False
    base = (((<hand_t>1 << (4 * move.length)) - 1) & ONES) << (4 * move.rank)
    kickers = ranks_of(move.cards) & ~base
    low = exchange.low[unit - 1] & ~kickers
    candidates = kickers & exchange.high[unit - 1]
    while candidates:
        one = candidates & (0 - candidates)
        candidates ^= one
        if move.cards & whole_ranks(one) == unit * one and has_lower(low, one, exchange.team):
            return True
    return False


cdef int drop_dominated(
    const node_t* node, const rules_t* rules, int landlord, move_t* moves, int count,
) noexcept nogil:
    """Takes dominated moves out of the list of all moves of the seat to move, order kept; returns how many are left."""
    cdef exchange_t exchange
    cdef int i, kept = 0
    prepare(node, rules, landlord, &exchange)
    for i in range(count):
        if not dominated(&exchange, node, &moves[i]):
            moves[kept] = moves[i]
            kept += 1
    return kept
