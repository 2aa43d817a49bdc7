"""A walk through the worlds that agree with an observation: likely ones are visited as often as they are likely.

Drawing worlds at random and keeping those that explain the past fails where the past is long: of hundreds hardly any
does well. A Metropolis-Hastings walk (Hastings 1970) goes on from the best of them by small steps. In each, two hidden
seats exchange a card; the step is made or not by how much better or worse the new world explains what they played.
"""

from libc.math cimport log

from ddz_solver.core.hand cimport cards_of, count_of, hand_size, hand_t
from ddz_solver.core.minds cimport surprise
from ddz_solver.core.rng cimport below, uniform
from ddz_solver.core.sample cimport SLOTS


cdef inline int free_dealt(const worlds_t* deals, const world_t* world, int slot, int rank) noexcept nogil:
    """Cards of a rank that a hidden seat was dealt in a world, bottom cards that are known to be its aside."""
    return (count_of(world.hands[deals.seats[slot]], rank) + count_of(deals.played[slot], rank)
            - count_of(deals.held[slot], rank))


cdef inline int any_rank(hand_t hand, int size, rng_t* rng) noexcept nogil:
    """The rank of a card of a hand, every card equally likely."""
    cdef int left = <int>below(rng, <unsigned int>size), rank = 0
    while True:
        left -= count_of(hand, rank)
        if left < 0:
            return rank
        rank += 1


cdef void walk(const minds_t* minds, worker_t* worker, const worlds_t* deals, const past_t* past, int turns, rng_t* rng,
               world_t* world, clues_t* clues, int steps) noexcept nogil:
    """Tries so many steps from a world, whose clues are known; the world and its clues become where they lead to.

    Worlds that are as likely as the past makes them remain so.
    """
    cdef int slots = SLOTS - deals.first, step, one, two, a, b, size_one, size_two, seat_one, seat_two
    cdef double odds, limit
    cdef hand_t hand_one, hand_two
    cdef world_t other
    cdef clues_t found
    if slots < 2:
        return
    for step in range(steps):
        one = deals.first + <int>below(rng, <unsigned int>slots)
        two = deals.first + <int>below(rng, <unsigned int>(slots - 1))
        two += two >= one
        seat_one, seat_two = deals.seats[one], deals.seats[two]
        hand_one, hand_two = world.hands[seat_one], world.hands[seat_two]
        size_one, size_two = hand_size(hand_one), hand_size(hand_two)
        if size_one == 0 or size_two == 0:
            continue
        a, b = any_rank(hand_one, size_one, rng), any_rank(hand_two, size_two, rng)
        if (a == b or free_dealt(deals, world, one, a) <= deals.least[one][a]
                or free_dealt(deals, world, two, b) <= deals.least[two][b]):
            continue
        # deals of the other world by deals of this one, times how likely the way back is by how likely this way is
        odds = (<double>free_dealt(deals, world, one, a) / (free_dealt(deals, world, two, a) + 1)
                * free_dealt(deals, world, two, b) / (free_dealt(deals, world, one, b) + 1)
                * (count_of(hand_one, b) + 1) / count_of(hand_one, a)
                * (count_of(hand_two, a) + 1) / count_of(hand_two, b))
        other, found = world[0], clues[0]
        other.hands[seat_one] = hand_one - cards_of(a, 1) + cards_of(b, 1)
        other.hands[seat_two] = hand_two - cards_of(b, 1) + cards_of(a, 1)
        limit = clues.surprise[seat_one] + clues.surprise[seat_two] + log(odds / max(uniform(rng), 1e-300))
        surprise(minds, worker, past, turns, &other, seat_one, limit, &found)
        limit -= found.surprise[seat_one]
        if limit < 0:
            continue
        surprise(minds, worker, past, turns, &other, seat_two, limit, &found)
        if found.surprise[seat_two] <= limit:
            world[0], clues[0] = other, found
