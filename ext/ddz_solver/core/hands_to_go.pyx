"""The least number of plays that empties a hand: runs by search, kickers and bombs by counting, answers memoised."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from ddz_solver.core.combinations cimport shape_of, shape_t
from ddz_solver.core.hand cimport (
    ONES, RANK_BLACK, RANK_RED, RUN_ONES, at_least, count_of, hand_size, hand_t, is_hand, lowest_rank, ranks_in,
    run_starts,
)
from ddz_solver.core.moves cimport (
    PAIR_STRAIGHT, PLANE, QUAD_PAIRS, QUAD_SOLOS, ROCKET, STRAIGHT, TRIO_PAIR, TRIO_SOLO, CompiledRules, rules_t,
)

cdef extern from *:
    """
    #define DDZ_HAND_BITS 0x0FFFFFFFFFFFFFFFULL
    #define DDZ_HASH 0x9E3779B97F4A7C15ULL
    """
    uint64_t HAND_BITS "DDZ_HAND_BITS"
    uint64_t HASH "DDZ_HASH"

cdef enum:
    LARGEST = 15            # answers above it are stored as it
    MOST_CARDS = 33         # of a hand that is dealt; larger ones are not searched for runs, which could take hours


cdef int chains(hand_t ones) noexcept nogil:
    """Maximal runs of neighbouring ranks among `ones` that may stand in runs."""
    ones &= RUN_ONES
    return ranks_in(ones & ~(ones << 4))


cdef int groups_left(hand_t hand, const rules_t* rules) noexcept nogil:
    """Plays for a hand without straights and pair straights: groups of equal cards, kickers absorbed."""
    cdef hand_t four = at_least(hand, 4)
    cdef hand_t three = at_least(hand, 3) & ~four
    cdef hand_t two = at_least(hand, 2) & ~three & ~four
    cdef hand_t one = at_least(hand, 1) & ~two & ~three & ~four
    cdef int black = count_of(hand, RANK_BLACK), red = count_of(hand, RANK_RED)
    cdef int plays = 0, trios, quads, solos, pairs, slots, used
    if rules.kinds >> ROCKET & 1 and black == rules.decks and red == rules.decks:
        plays = 1
        one &= ~(<hand_t>0x11 << (4 * RANK_BLACK))
        two &= ~(<hand_t>0x11 << (4 * RANK_BLACK))
    trios = ranks_in(three)
    plays += trios - ranks_in(three & RUN_ONES) + chains(three) if rules.kinds >> PLANE & 1 else trios
    quads = ranks_in(four)
    plays += quads
    solos = ranks_in(one)
    pairs = ranks_in(two)
    slots = trios
    if rules.kinds >> TRIO_SOLO & 1:
        used = min(slots, solos)
        solos -= used
        slots -= used
        if rules.kinds >> TRIO_PAIR & 1:
            used = min(slots, pairs)
            pairs -= used
    elif rules.kinds >> TRIO_PAIR & 1:
        pairs -= min(slots, pairs)
    while quads and rules.kinds >> QUAD_SOLOS & 1 and (pairs or solos >= 2):
        quads -= 1
        if solos >= 2:
            solos -= 2
        elif pairs >= 2 and rules.kinds >> QUAD_PAIRS & 1:
            pairs -= 2
        else:
            pairs -= 1
    return plays + solos + pairs


cdef int search(hand_t hand, int first, int limit, const rules_t* rules) noexcept nogil:
    """Least plays with every run, from now on, starting at rank `first` or above; the limit where it is not below."""
    cdef int best, kind, rank, found
    cdef const shape_t* shape
    cdef hand_t held, starts, run, end
    if limit <= 1:
        return limit if hand else 0
    best = min(groups_left(hand, rules), limit)
    if best <= 1:
        return best
    for kind in range(STRAIGHT, PAIR_STRAIGHT + 1):
        if not rules.kinds >> kind & 1:
            continue
        shape = shape_of(kind)
        held = at_least(hand, shape.copies) & RUN_ONES
        starts = run_starts(held, shape.shortest) >> (4 * first) << (4 * first)
        while starts:
            rank = lowest_rank(starts)
            starts &= starts - 1
            end = <hand_t>1 << (4 * (rank + shape.shortest))
            run = ONES & (end - 1) & ~((<hand_t>1 << (4 * rank)) - 1)
            while True:
                found = 1 + search(hand - shape.copies * run, rank, best - 1, rules)
                if found < best:
                    best = found
                if not held & end:
                    break
                run |= end
                end <<= 4
    return best


cdef int hands_to_go(hand_t hand, htg_t* memo) noexcept nogil:
    """The number for `hand`, at most 15, from the memo or by search. Threads may share a memo: entries are one word."""
    cdef uint64_t* entry = memo.entries + ((hand * HASH) >> 24 & memo.mask)
    cdef uint64_t stored = entry[0]
    cdef int found
    if hand == 0:
        return 0
    if stored & HAND_BITS == hand:
        return <int>(stored >> 60)
    found = search(hand, 0, LARGEST, memo.rules) if hand_size(hand) <= MOST_CARDS else groups_left(hand, memo.rules)
    if found > LARGEST:
        found = LARGEST
    entry[0] = hand | <uint64_t>found << 60
    return found


cdef class HandsToGo:
    """A memo of 2**`bits` (4 to 28) answers under one set of rules; call it with a packed hand.

    Near-exact: straights and pair straights are searched; planes, kickers and bombs are counted greedily. Of more than
    33 cards, which nobody is dealt, straights are not searched either.
    """

    def __cinit__(self, CompiledRules rules not None, int bits=16):
        if not 4 <= bits <= 28:
            raise ValueError(f"{bits} bits, expected 4..28")
        self.c.entries = <uint64_t*>calloc(1 << bits, sizeof(uint64_t))
        if self.c.entries == NULL:
            raise MemoryError(f"memo of 2**{bits} entries")
        self.c.mask = (<uint64_t>1 << bits) - 1
        self.rules = rules
        self.c.rules = &rules.c

    def __dealloc__(self):
        free(self.c.entries)

    def __call__(self, hand_t hand) -> int:
        """Least number of plays that empties the packed hand, at most 15.

        Raises ValueError for a number that is no packed hand.
        """
        if not is_hand(hand):
            raise ValueError(f"{hand:#x} is no packed hand: expected 15 counts of 0..8")
        return hands_to_go(hand, &self.c)
