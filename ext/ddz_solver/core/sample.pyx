"""Worlds that agree with an observation: drawn uniformly over all deals, counted, or listed.

Deals are counted from the highest rank down: ways[r][a][b] is how many ways there are to give out the free cards of the
ranks r and above so that slot 0 gets a of them, slot 1 gets b and slot 2 the rest. Drawing walks up the ranks and chooses
each rank's split in proportion to the deals it leads to.
"""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from ddz_solver.core.hand cimport RANKS, cards_of, count_of, hand_size, hand_t
from ddz_solver.core.observation cimport Observation, observation_t
from ddz_solver.core.rng cimport rng_t, uniform

NO_DEAL = "no deal agrees with the observation: card counts, bottom cards and plays contradict each other"


cdef inline double splits(int total, int first, int second) noexcept nogil:
    """Ways to choose `first` and then `second` out of `total` cards that can be told apart."""
    cdef double found = 1
    cdef int k
    for k in range(first):
        found = found * (total - k) / (k + 1)
    total -= first
    for k in range(second):
        found = found * (total - k) / (k + 1)
    return found


cdef inline double* cell(const worlds_t* worlds, int rank, int a, int b) noexcept nogil:
    return worlds.ways + (rank * (worlds.room[0] + 1) + a) * (worlds.room[1] + 1) + b


cdef int set_up(worlds_t* worlds, const observation_t* seen) noexcept nogil:
    """Everything but the counts; returns -1 where the observation contradicts itself."""
    cdef int slot = SLOTS - seen.players + 1, step, rank, seat, left = 0
    cdef hand_t shown = seen.bottom if seen.seat != seen.landlord else 0
    cdef hand_t own = seen.hand + seen.played[seen.seat]
    worlds.hand, worlds.seat, worlds.first = seen.hand, seen.seat, slot
    for step in range(SLOTS):
        worlds.seats[step] = -1
        worlds.room[step] = 0
        worlds.held[step] = worlds.played[step] = 0
        for rank in range(RANKS):
            worlds.least[step][rank] = 0
    for rank in range(RANKS):
        worlds.free[rank] = count_of(seen.deck, rank) - count_of(own, rank) - count_of(shown, rank)
        if worlds.free[rank] < 0:
            return -1
        left += worlds.free[rank]
    for step in range(1, seen.players):
        seat = (seen.seat + step) % seen.players
        worlds.seats[slot] = seat
        worlds.played[slot] = seen.played[seat]
        if seat == seen.landlord:
            worlds.held[slot] = shown
        worlds.room[slot] = seen.counts[seat] + hand_size(seen.played[seat]) - hand_size(worlds.held[slot])
        if worlds.room[slot] < 0:
            return -1
        left -= worlds.room[slot]
        for rank in range(RANKS):
            worlds.least[slot][rank] = max(0, count_of(seen.played[seat], rank) - count_of(worlds.held[slot], rank))
        slot += 1
    return -1 if left else 0


cdef void fill_ways(const worlds_t* worlds, bint weighted) noexcept nogil:
    """Counts deals (or, not weighted, worlds) for every rank and every number of cards still to be given out."""
    cdef int rank, a, b, x, y, z, most, total = 0
    cdef double found, ways
    memset(worlds.ways, 0, worlds.capacity * sizeof(double))
    cell(worlds, RANKS, 0, 0)[0] = 1
    for rank in range(RANKS - 1, -1, -1):
        most = worlds.free[rank]
        total += most
        for a in range(worlds.room[0] + 1):
            for b in range(worlds.room[1] + 1):
                if a + b > total or total - a - b > worlds.room[2]:
                    continue
                found = 0
                for x in range(worlds.least[0][rank], min(most, a) + 1):
                    for y in range(worlds.least[1][rank], min(most - x, b) + 1):
                        z = most - x - y
                        if z < worlds.least[2][rank]:
                            break
                        ways = cell(worlds, rank + 1, a - x, b - y)[0]
                        if ways:
                            found += ways * splits(most, x, y) if weighted else ways
                cell(worlds, rank, a, b)[0] = found


cdef int prepare_worlds(worlds_t* worlds, const observation_t* seen) except -2 nogil:
    """Counts the deals that agree with `seen`; 0, or -1 where there are none. `worlds` starts zeroed, may be used again."""
    cdef int needed
    cdef double* ways
    if set_up(worlds, seen):
        return -1
    needed = (RANKS + 1) * (worlds.room[0] + 1) * (worlds.room[1] + 1)
    if needed > worlds.capacity:
        ways = <double*>realloc(worlds.ways, needed * sizeof(double))
        if ways == NULL:
            with gil:
                raise MemoryError("worlds")
        worlds.ways, worlds.capacity = ways, needed
    fill_ways(worlds, True)
    return 0 if cell(worlds, 0, worlds.room[0], worlds.room[1])[0] > 0 else -1


cdef void free_worlds(worlds_t* worlds) noexcept nogil:
    """Gives the memory back."""
    free(worlds.ways)
    worlds.ways, worlds.capacity = NULL, 0


cdef inline void give(const worlds_t* worlds, world_t* world, int rank, int x, int y) noexcept nogil:
    """Adds the rank's split to the hands as dealt."""
    cdef int slot
    cdef int part[SLOTS]
    part[0], part[1], part[2] = x, y, worlds.free[rank] - x - y
    for slot in range(worlds.first, SLOTS):
        world.hands[worlds.seats[slot]] += cards_of(rank, part[slot])


cdef inline void start_world(const worlds_t* worlds, world_t* world) noexcept nogil:
    """The observer's hand, and for the others what is known of their cards less what they have played."""
    cdef int slot
    memset(world, 0, sizeof(world_t))
    world.hands[worlds.seat] = worlds.hand
    for slot in range(worlds.first, SLOTS):
        # counts may be below zero until the free cards are added; each rank's sum is right in the end
        world.hands[worlds.seats[slot]] = worlds.held[slot] - worlds.played[slot]


cdef void draw_world(const worlds_t* worlds, rng_t* rng, world_t* world) noexcept nogil:
    """A world, every deal that agrees equally likely."""
    cdef int a = worlds.room[0], b = worlds.room[1], rank, x, y, most
    cdef int last_x, last_y
    cdef double draw, ways
    start_world(worlds, world)
    for rank in range(RANKS):
        most = worlds.free[rank]
        draw = uniform(rng) * cell(worlds, rank, a, b)[0]
        last_x = last_y = -1
        for x in range(worlds.least[0][rank], min(most, a) + 1):
            for y in range(worlds.least[1][rank], min(most - x, b) + 1):
                if most - x - y < worlds.least[2][rank]:
                    break
                ways = cell(worlds, rank + 1, a - x, b - y)[0]
                if ways == 0:
                    continue
                last_x, last_y = x, y
                draw -= ways * splits(most, x, y)
                if draw < 0:
                    break
            if draw < 0:
                break
        give(worlds, world, rank, last_x, last_y)
        a -= last_x
        b -= last_y


cdef double count_worlds(const worlds_t* worlds) noexcept nogil:
    """Number of worlds, as a double since it may be huge; -1 where memory is short."""
    cdef worlds_t twin = worlds[0]
    cdef double found
    twin.ways = <double*>malloc(twin.capacity * sizeof(double))
    if twin.ways == NULL:
        return -1
    fill_ways(&twin, False)
    found = cell(&twin, 0, twin.room[0], twin.room[1])[0]
    free(twin.ways)
    return found


cdef int list_from(
    const worlds_t* worlds, const world_t* part, int rank, int a, int b, double weight, world_t* out, double* weights,
    int found, int capacity,
) noexcept nogil:
    """Lists the worlds that go on from a part, behind the `found` ones there are."""
    cdef int x, y, most
    cdef world_t more
    if rank == RANKS:
        if found < capacity:
            out[found] = part[0]
            weights[found] = weight
        return found + 1
    most = worlds.free[rank]
    for x in range(worlds.least[0][rank], min(most, a) + 1):
        for y in range(worlds.least[1][rank], min(most - x, b) + 1):
            if most - x - y < worlds.least[2][rank]:
                break
            if cell(worlds, rank + 1, a - x, b - y)[0] == 0:
                continue
            if found >= capacity:
                return capacity
            more = part[0]
            give(worlds, &more, rank, x, y)
            found = list_from(worlds, &more, rank + 1, a - x, b - y, weight * splits(most, x, y), out, weights, found,
                              capacity)
    return found


cdef int list_worlds(const worlds_t* worlds, world_t* out, double* weights, int capacity) noexcept nogil:
    """The first `capacity` worlds with the share of all deals that each stands for; returns how many."""
    cdef world_t empty
    cdef int found
    start_world(worlds, &empty)
    found = list_from(worlds, &empty, 0, worlds.room[0], worlds.room[1],
                      1 / cell(worlds, 0, worlds.room[0], worlds.room[1])[0], out, weights, 0, capacity)
    return found


def one_world(Observation seen not None) -> bool:
    """Whether just one world agrees with an observation, told without counting. ValueError where none does.

    What each seat is known to have been dealt is taken away; the rest can lie in one way only if it is of one rank or
    all goes to one seat.
    """
    cdef worlds_t worlds
    cdef int slot, rank, known, ranks = 0, seats = 0
    cdef bint fits
    memset(&worlds, 0, sizeof(worlds_t))
    fits = not set_up(&worlds, &seen.c)
    for slot in range(SLOTS):
        known = 0
        for rank in range(RANKS):
            known += worlds.least[slot][rank]
            worlds.free[rank] -= worlds.least[slot][rank]
        fits = fits and worlds.room[slot] >= known
        seats += worlds.room[slot] > known
    for rank in range(RANKS):
        fits = fits and worlds.free[rank] >= 0
        ranks += worlds.free[rank] > 0
    if not fits:
        raise ValueError(NO_DEAL)
    return ranks <= 1 or seats <= 1


cdef class Worlds:
    """All worlds that agree with an observation. ValueError where there are none.

    A world is a tuple of packed hands, one a seat, the observer's own among them.
    """

    def __init__(self, Observation seen not None):
        self.players = seen.c.players
        if prepare_worlds(&self.c, &seen.c):
            raise ValueError(NO_DEAL)

    def __dealloc__(self):
        free_worlds(&self.c)

    @property
    def count(self) -> int:
        """Number of different worlds."""
        cdef double found = count_worlds(&self.c)
        if found < 0:
            raise MemoryError("worlds")
        return int(found)

    def draw(self, int number, unsigned long long seed) -> list[tuple[int, ...]]:
        """`number` worlds, every deal that agrees equally likely; the same for the same seed."""
        cdef rng_t rng = rng_t(seed)
        cdef world_t world
        cdef int i, seat
        found = []
        for i in range(number):
            draw_world(&self.c, &rng, &world)
            found.append(tuple([world.hands[seat] for seat in range(self.players)]))
        return found

    def all(self) -> list[tuple[tuple[int, ...], float]]:
        """Every world with its probability, in a fixed order. ValueError where there are more than a million."""
        cdef int capacity, i, seat
        cdef world_t* out
        cdef double* weights
        if self.count > 1_000_000:
            raise ValueError(f"{self.count} worlds, expected at most a million to list")
        capacity = self.count
        out = <world_t*>malloc(capacity * sizeof(world_t))
        weights = <double*>malloc(capacity * sizeof(double))
        try:
            if out == NULL or weights == NULL:
                raise MemoryError("worlds")
            list_worlds(&self.c, out, weights, capacity)
            return [
                (tuple([out[i].hands[seat] for seat in range(self.players)]), weights[i]) for i in range(capacity)
            ]
        finally:
            free(out)
            free(weights)
