"""A hand as one 64-bit number: 4 bits a rank, 15 ranks (3 lowest, red joker highest), counts 0..8.

One deck and two decks share the code. All functions are pure, inline and need no GIL.
"""

from libc.stdint cimport uint64_t

ctypedef uint64_t hand_t

cdef enum:
    RANKS = 15
    RUN_RANKS = 12      # ranks 0..11 (3..A) may stand in runs
    RANK_TWO = 12
    RANK_BLACK = 13     # black (small) joker
    RANK_RED = 14       # red (big) joker

cdef enum: MAX_SEATS = 4

cdef extern from *:
    """
    #include <stdint.h>
    #define DDZ_ONES      0x0111111111111111ULL   /* one card of each rank */
    #define DDZ_HIGH      0x0888888888888888ULL   /* the top bit of each count */
    #define DDZ_RUN_ONES  0x0000111111111111ULL   /* one card of each rank that may stand in a run */
    #define DDZ_JOKERS    0x0110000000000000ULL   /* one joker of each colour */
    #define DDZ_LOW_BYTES 0x0F0F0F0F0F0F0F0FULL
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int ddz_ctz(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static inline int ddz_top_bit(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    #else
    static inline int ddz_ctz(uint64_t x) { return __builtin_ctzll(x); }
    static inline int ddz_top_bit(uint64_t x) { return 63 - __builtin_clzll(x); }
    #endif
    """
    hand_t ONES "DDZ_ONES"
    hand_t HIGH "DDZ_HIGH"
    hand_t RUN_ONES "DDZ_RUN_ONES"
    hand_t JOKERS "DDZ_JOKERS"
    hand_t LOW_BYTES "DDZ_LOW_BYTES"
    int ctz "ddz_ctz"(uint64_t x) noexcept nogil
    int top_bit "ddz_top_bit"(uint64_t x) noexcept nogil        # of a number other than 0


cdef inline int count_of(hand_t hand, int rank) noexcept nogil:
    """Cards of one rank."""
    return <int>((hand >> (4 * rank)) & 15)


cdef inline hand_t cards_of(int rank, int count) noexcept nogil:
    """`count` cards of one rank."""
    return (<hand_t>count) << (4 * rank)


cdef inline hand_t at_least(hand_t hand, int k) noexcept nogil:
    """One card of each rank held at least k times, k in 1..8.

    Adding 8-k carries a count of k or more into the top bit of its nibble (at most 8+7, so never beyond it).
    """
    return ((hand + (8 - k) * ONES) & HIGH) >> 3


cdef inline int ranks_in(hand_t ones) noexcept nogil:
    """How many ranks, given one card of each: the product's top nibble is the sum of all."""
    return <int>(ones * <hand_t>0x1111111111111111 >> 60)


cdef inline hand_t run_starts(hand_t ones, int length) noexcept nogil:
    """The ranks at which a run of a length starts, given the ranks it may use."""
    cdef hand_t starts = ones
    cdef int step
    for step in range(1, length):
        starts &= ones >> (4 * step)
    return starts


cdef inline int lowest_rank(hand_t hand) noexcept nogil:
    """Lowest rank held; the hand must not be empty."""
    return ctz(hand) >> 2


cdef inline int hand_size(hand_t hand) noexcept nogil:
    """Number of cards."""
    return <int>(((((hand & LOW_BYTES) + ((hand >> 4) & LOW_BYTES)) * <hand_t>0x0101010101010101) >> 56))


cdef inline bint holds(hand_t hand, hand_t part) noexcept nogil:
    """Whether `part` can be taken out of `hand`. Counts sit in separate bytes here, so that no borrow crosses ranks."""
    cdef hand_t guard = <hand_t>0x8080808080808080
    cdef hand_t even = ((hand & LOW_BYTES) | guard) - (part & LOW_BYTES)
    cdef hand_t odd = (((hand >> 4) & LOW_BYTES) | guard) - ((part >> 4) & LOW_BYTES)
    return (even & odd & guard) == guard


cdef inline bint is_hand(uint64_t value) noexcept nogil:
    """Whether the number is a packed hand: every count 0..8 and nothing above the last rank."""
    return not value >> (4 * RANKS) and not (value & HIGH) & ((value & 7 * ONES) + 7 * ONES)


cdef inline hand_t whole_ranks(hand_t ones) noexcept nogil:
    """Turns one card of some ranks into a bit mask that covers those ranks' counts."""
    return ones * 15
