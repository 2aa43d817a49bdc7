"""How likely it is that other seats hold something that matters, as if every unseen card were dealt by itself."""

from libc.stdint cimport uint8_t

from ddz_solver.core.combinations cimport shape_of
from ddz_solver.core.hand cimport RANK_BLACK, RANK_RED, RANKS, count_of, ctz, hand_size, hand_t, holds
from ddz_solver.core.moves cimport SOLO, TRIO_PAIR, move_t
from ddz_solver.core.observation cimport observation_t


cdef inline int step_of(double chance) noexcept nogil:
    """The step of a chance."""
    if chance <= 0.0 or chance >= 1.0:
        return 0 if chance <= 0.0 else STEPS - 1
    return (1 + (chance >= 0.05) + (chance >= 0.15) + (chance >= 0.3) + (chance >= 0.5) + (chance >= 0.7)
            + (chance >= 0.85) + (chance >= 0.95))


cdef inline double lacks_group(const odds_t* odds, int other, int rank, int copies) noexcept nogil:
    """Chance that a seat holds fewer than so many cards of a rank."""
    return odds.lacks[other][max(copies - count_of(odds.known[other], rank), 0)][count_of(odds.free, rank)]


cdef void find_odds(odds_t* odds, const observation_t* seen, hand_t unseen, hand_t bottom, int depth) noexcept nogil:
    """Fills `odds`; a rank has `depth` cards. `bottom` are the bottom cards that the landlord still holds."""
    cdef double share, rest, none
    cdef int other, seat, wanted, copies, rank, count, total
    cdef hand_t shown = bottom if seen.seat != seen.landlord else 0
    if not holds(unseen, shown):        # what is said to have been seen contradicts itself
        shown = 0
    odds.free = unseen - shown
    total = max(hand_size(odds.free), 1)
    for other in range(1, seen.players):
        seat = (seen.seat + other) % seen.players
        odds.known[other] = shown if seat == seen.landlord else 0
        odds.counts[other] = seen.counts[seat]
        share = min(max((seen.counts[seat] - hand_size(odds.known[other])) / <double>total, 0.0), 1.0)
        rest = 1.0 - share
        for count in range(depth + 1):
            odds.lacks[other][0][count] = 0.0
            for wanted in range(1, MOST_COPIES + 1):
                odds.lacks[other][wanted][count] = 1.0 if count < wanted else (
                    odds.lacks[other][wanted][count - 1] * rest + odds.lacks[other][wanted - 1][count - 1] * share)
        for copies in range(1, GROUPS + 1):
            none = 1.0
            for rank in range(RANKS - 1, -1, -1):
                odds.safe[other][copies - 1][rank] = <uint8_t>step_of(none)
                if seen.counts[seat] >= copies:
                    none *= lacks_group(odds, other, rank, copies)


cdef int safe_step(const odds_t* odds, int other, const move_t* move, hand_t starts) noexcept nogil:
    """Step of the chance that a seat has nothing of its kind above an ordinary play, kickers taken for granted.

    `starts` are the ranks at which the unseen cards together have a higher group or run.
    """
    cdef int copies, rank, place
    cdef double none = 1.0, whole
    if move.kind <= TRIO_PAIR:
        return odds.safe[other][min(move.kind - SOLO, GROUPS - 1)][move.rank]
    if odds.counts[other] < move.size:
        return STEPS - 1
    copies = shape_of(move.kind).copies
    while starts:
        rank = ctz(starts) >> 2
        starts &= starts - 1
        whole = 1.0
        for place in range(rank, rank + move.length):
            whole *= 1.0 - lacks_group(odds, other, place, copies)
        none *= 1.0 - whole
    return step_of(none)


cdef int unarmed_step(const odds_t* odds, int other, int decks) noexcept nogil:
    """Step of the chance that a seat has no four of a kind and no rocket."""
    cdef double none = 1.0
    cdef int rank
    if odds.counts[other] >= 4:
        for rank in range(RANK_BLACK):
            none *= lacks_group(odds, other, rank, 4)
    if odds.counts[other] >= 2 * decks:
        none *= 1.0 - ((1.0 - lacks_group(odds, other, RANK_BLACK, decks))
                       * (1.0 - lacks_group(odds, other, RANK_RED, decks)))
    return step_of(none)
