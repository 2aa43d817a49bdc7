"""Nodes of the open-hand search: forced passes, the raised play to beat, squeezed keys."""

from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memset

from ddz_solver.core.combinations cimport shape_of, shape_t
from ddz_solver.core.hand cimport (
    JOKERS, ONES, RANK_BLACK, RANK_RED, RANKS, RUN_ONES, at_least, count_of, ctz, hand_size, ranks_in,
    run_starts,
)
from ddz_solver.core.moves cimport BOMB, FACTOR_LIMIT, JOKER_BOMB, PASS, ROCKET, SOLO, generate, move_factor

cdef enum:
    NONE = 16               # no rank
    MOST_BOMBS = 32

cdef extern from *:
    """
    #define DDZ_NODE_A 0x9E3779B97F4A7C15ULL
    #define DDZ_NODE_B 0xC2B2AE3D27D4EB4FULL
    #define DDZ_NODE_C 0xD6E8FEB86659FD93ULL
    #define DDZ_NODE_D 0xA0761D6478BD642FULL
    """
    uint64_t MIX_A "DDZ_NODE_A"
    uint64_t MIX_B "DDZ_NODE_B"
    uint64_t MIX_C "DDZ_NODE_C"
    uint64_t MIX_D "DDZ_NODE_D"


cdef inline bint may_bomb(hand_t hand) noexcept nogil:
    """Whether the hand may hold a bomb of any kind: four of a rank, or two jokers."""
    return at_least(hand, 4) != 0 or count_of(hand, RANK_BLACK) + count_of(hand, RANK_RED) >= 2


cdef inline int lowest_answer(hand_t hand, int kind, int rank, int length) noexcept nogil:
    """Lowest rank over `rank` at which the hand has the groups of an ordinary play; NONE where it has none.

    Kickers of single groups are looked at for the size of the hand alone, those of runs not at all, so a rank may turn
    out to have no play.
    """
    cdef const shape_t* shape = shape_of(kind)
    cdef hand_t groups = at_least(hand, shape.copies)
    if shape.longest > 1:
        groups = run_starts(groups & RUN_ONES, length)
    elif shape.kickers and hand_size(hand) < shape.copies + shape.kickers * shape.kicker:
        return NONE
    groups &= ~<hand_t>0 << (4 * (rank + 1))
    return ctz(groups) >> 2 if groups else NONE


cdef inline int lowest_bomb(hand_t hand, int power, const rules_t* rules) noexcept nogil:
    """Least power over `power` among the bombs of the hand; 0 where it has none."""
    cdef move_t last
    cdef move_t bombs[MOST_BOMBS]
    cdef int i, count, lowest = 0
    if not may_bomb(hand):
        return 0
    memset(&last, 0, sizeof(move_t))
    last.kind = SOLO                    # nothing but bombs beats a solo of the highest rank
    last.rank = RANKS - 1
    last.length = 1
    last.power = <uint8_t>power
    count = generate(hand, &last, rules, bombs, MOST_BOMBS)
    for i in range(count if count < MOST_BOMBS else MOST_BOMBS):
        if lowest == 0 or bombs[i].power < lowest:
            lowest = bombs[i].power
    return lowest


cdef void node_settle(node_t* node, const rules_t* rules) noexcept nogil:
    """Makes forced passes from `node.turn` on and raises the play to beat; a trick nobody can take goes to its owner."""
    cdef int seat, rank, power, lowest = NONE, weakest = 0, first = -1
    if node.kind == PASS:
        return
    seat = node.turn
    while seat != node.owner:
        rank = NONE if node.power else lowest_answer(node.hands[seat], node.kind, node.rank, node.length)
        power = lowest_bomb(node.hands[seat], node.power, rules)
        if rank < lowest:
            lowest = rank
        if power and (weakest == 0 or power < weakest):
            weakest = power
        if first < 0 and (rank != NONE or power):
            first = seat
        seat = seat + 1 if seat + 1 < rules.players else 0
    if first < 0:
        node.turn = node.owner
        node.kind = node.rank = node.length = node.power = 0
        return
    node.turn = <uint8_t>first
    if lowest != NONE:
        node.rank = <uint8_t>(lowest - 1)       # 255 for -1: never, since something lies below the lowest answer
    else:
        node.kind = SOLO
        node.rank = RANKS - 1
        node.length = 1
        node.power = <uint8_t>(weakest - 1)


cdef inline int32_t goal_after(int32_t goal, int factor) noexcept nogil:
    """The goal once the payoff has been multiplied."""
    if factor == 1 or goal == 1:
        return goal
    if goal > 0:
        return (goal + factor - 1) // factor
    return -(-goal // factor) if -goal >= factor else 1


cdef inline int spring_factor(const node_t* node, const rules_t* rules, bint landlord_wins) noexcept nogil:
    """What spring and anti-spring multiply the payoff by if the game ended now."""
    if not rules.spring:
        return 1
    if not landlord_wins:
        return 2 if node.landlord_plays == 1 else 1
    if node.peasant_plays:
        return 1
    return 4 if rules.spring == 2 and node.landlord_plays == 1 else 2


cdef int32_t most_factor(const node_t* node, const rules_t* rules) noexcept nogil:
    """An upper bound on the factor from here to the end: every bomb in every hand played, spring where it still can be."""
    cdef int64_t factor = 1
    cdef int seat, rank, count, size, most, jokers
    cdef hand_t hand, quads
    for seat in range(rules.players):
        hand = node.hands[seat]
        if rules.kinds >> BOMB & 1:
            quads = at_least(hand, 4)
            while quads:
                rank = ctz(quads) >> 2
                quads &= quads - 1
                count = count_of(hand, rank)
                most = 1
                for size in range(4, count + 1):
                    most = max(most, rules.bomb_factor[size])
                if count == 8:
                    most = max(most, rules.bomb_factor[4] * rules.bomb_factor[4])
                factor *= most
        jokers = count_of(hand, RANK_BLACK) + count_of(hand, RANK_RED)
        if jokers >= 2:
            most = 1
            if rules.kinds >> ROCKET & 1 and jokers == 2 * rules.decks:
                most = rules.rocket_factor
            if rules.kinds >> JOKER_BOMB & 1:
                most = max(most, rules.joker_factor[2])
                if jokers >= 3:
                    most = max(most, rules.joker_factor[3])
                if jokers == 4:
                    most = max(most, rules.joker_factor[2] * rules.joker_factor[2])
            factor *= most
        if factor > FACTOR_LIMIT:
            return FACTOR_LIMIT
    if rules.spring:
        factor *= 4 if rules.spring == 2 else 2
    return <int32_t>factor


cdef outcome_t node_play(
    const node_t* node, const move_t* move, const rules_t* rules, int landlord, node_t* after,
) noexcept nogil:
    """The settled node after a play (or pass) of the seat to move, or how the game has ended."""
    cdef int turn = node.turn
    after[0] = node[0]
    if move.kind != PASS:
        after.hands[turn] -= move.cards
        after.owner = <uint8_t>turn
        after.kind = move.kind
        after.rank = move.rank
        after.length = move.length
        after.power = move.power
        if move.power:
            after.goal = goal_after(node.goal, move_factor(move, rules))
        if rules.spring:
            if turn != landlord:
                after.peasant_plays = 1
            elif after.landlord_plays < 2:
                after.landlord_plays += 1
        if after.hands[turn] == 0:
            if turn == landlord:
                return REACHED if after.goal <= spring_factor(after, rules, True) else MISSED
            return REACHED if after.goal < 0 and -after.goal >= spring_factor(after, rules, False) else MISSED
    after.turn = <uint8_t>(turn + 1 if turn + 1 < rules.players else 0)
    if after.turn == after.owner:
        after.kind = after.rank = after.length = after.power = 0
    else:
        node_settle(after, rules)
    return UNDECIDED


cdef void node_from_position(const position_t* position, const rules_t* rules, int32_t goal, node_t* node) noexcept nogil:
    """The node of a position that is not over, not settled: its plays are exactly the position's."""
    cdef int seat
    memset(node, 0, sizeof(node_t))
    for seat in range(rules.players):
        node.hands[seat] = position.hands[seat]
        if seat == position.landlord:
            node.landlord_plays = position.plays[seat] if position.plays[seat] < 2 else 2
        elif position.plays[seat]:
            node.peasant_plays = 1
    node.goal = goal
    node.turn = position.turn
    node.owner = position.owner
    node.kind = position.last.kind
    node.rank = position.last.rank
    node.length = position.last.length
    node.power = position.last.power
    if node.kind == PASS:
        node.owner = node.turn


cdef void node_last(const node_t* node, move_t* last) noexcept nogil:
    """The play to beat in the form `generate` reads."""
    memset(last, 0, sizeof(move_t))
    last.kind = node.kind
    last.rank = node.rank
    last.length = node.length
    last.power = node.power


cdef inline hand_t links_of(hand_t hand) noexcept nogil:
    """Bit 4r set: the hand holds a straight, a pair straight or consecutive trios across ranks r and r + 1."""
    cdef hand_t groups = at_least(hand, 1) & RUN_ONES
    cdef hand_t starts, links = 0
    starts = groups & groups >> 4
    starts &= starts >> 8
    starts &= groups >> 16
    links = starts | starts << 4 | starts << 8 | starts << 12
    groups = at_least(hand, 2) & RUN_ONES
    starts = groups & groups >> 4 & groups >> 8
    links |= starts | starts << 4
    groups = at_least(hand, 3) & RUN_ONES
    return links | (groups & groups >> 4)


cdef inline uint64_t mix(uint64_t state, uint64_t value, uint64_t factor) noexcept nogil:
    state = (state ^ value) * factor
    return state ^ state >> 29


cdef void node_key(const node_t* node, const rules_t* rules, uint64_t salt, key_t* key) noexcept nogil:
    """128-bit key of a settled node."""
    cdef hand_t hands[MAX_SEATS]
    cdef hand_t links = 0, held = 0, empty, low
    cdef uint64_t context, a, b
    cdef int seat, shift, width, rank = node.rank, power = node.power, special = 0, bomb_rank
    for seat in range(rules.players):
        hands[seat] = node.hands[seat]
        held |= hands[seat]
        links |= links_of(hands[seat])
        if may_bomb(hands[seat] & 15 * JOKERS):
            special = 1
    held = (held | held >> 1 | held >> 2 | held >> 3) & ONES        # one card of each rank that somebody holds
    if special:
        special |= 2 * (count_of(held, RANK_BLACK) != 0) + 4 * (count_of(held, RANK_RED) != 0)
    # the rank of the play to beat, or of the weakest bomb over it, moves with the ranks
    if power or (node.kind == SOLO and rank == RANKS - 1):
        bomb_rank = power & 15              # power + 1 is the weakest bomb that beats it: its rank is (power) & 15
        rank = bomb_rank if bomb_rank < RANKS else -1
    else:
        rank = rank + 1                     # the lowest rank that beats it
    context = 0
    if node.kind != PASS:
        if power or (node.kind == SOLO and node.rank == RANKS - 1):
            context = 31 | <uint64_t>(power >> 4) << 8
            if rank < 0 or power >= 240:
                context |= <uint64_t>1 << 16
                rank = -1
        else:
            context = node.kind | <uint64_t>node.length << 8
        if rank >= 0:
            context |= <uint64_t>ranks_in(held & ((<hand_t>1 << (4 * rank)) - 1)) << 12
        context |= <uint64_t>node.owner << 18
    context |= <uint64_t>node.turn << 20 | <uint64_t>special << 24
    if node.goal != 1:
        context |= <uint64_t>(<uint32_t>node.goal) << 32
        if rules.spring:
            context |= <uint64_t>node.landlord_plays << 28 | <uint64_t>node.peasant_plays << 30
    # squeeze: empty marks the bits of ranks that nobody holds, taken out from the bottom up
    empty = ~(held * 15) & ((<hand_t>1 << 60) - 1)
    while empty:
        shift = ctz(empty)
        if not held >> shift:
            break
        width = ctz(held >> shift)          # bits of this gap
        low = (<hand_t>1 << shift) - 1
        for seat in range(rules.players):
            hands[seat] = (hands[seat] & low) | (hands[seat] >> width & ~low)
        links = (links & low) | (links >> width & ~low)
        held = (held & low) | (held >> width & ~low)
        empty = ~(held * 15) & ((<hand_t>1 << 60) - 1)
    a = mix(salt, context, MIX_A)
    b = mix(salt + 1, context, MIX_C)
    for seat in range(rules.players):
        a = mix(a, hands[seat], MIX_B)
        b = mix(b, hands[seat], MIX_D)
    a = mix(a, links, MIX_A)
    b = mix(b, links, MIX_C)
    key.index = a ^ a >> 32
    key.check = b ^ b >> 32


cdef uint64_t rules_salt(const rules_t* rules, int landlord) noexcept nogil:
    """Keeps nodes of different rules, or landlords, apart in one table."""
    cdef const uint8_t* bytes = <const uint8_t*>rules
    cdef uint64_t salt = landlord + 1
    cdef size_t i
    for i in range(sizeof(rules_t)):
        salt = mix(salt, bytes[i], MIX_A)
    return salt
