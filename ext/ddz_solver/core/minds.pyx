"""How the seats are taken to think: what they play in a world, and how likely it was that they played what they did.

Players have styles. The keen play as the network does. The loose know what is good, but vaguely. The simple follow with
the lowest play of the kind and lead with their lowest cards, as beginners and many bots do. Nobody says who is who, so
each seat's own plays tell: they count as evidence on its cards as far as the style explains them that explains them best.
"""

from libc.math cimport INFINITY, exp, log
from libc.string cimport memset

from ddz_solver.core.evaluate cimport MOST_PLAYS, chance_of, evaluate_plays, points_of, role_of
from ddz_solver.core.hand cimport count_of, lowest_rank
from ddz_solver.core.combinations cimport PASS, QUAD_RUN_PAIRS, TRIO, generate, move_t, shape_of
from ddz_solver.core.rng cimport below, uniform


cdef void evaluate(const minds_t* minds, worker_t* worker, const observation_t* seen, int count) noexcept nogil:
    """Values of the worker's moves for the seat that looks."""
    evaluate_plays(&minds.nets[role_of(seen.seat, seen.landlord, seen.players)], minds.layout, seen, minds.rules,
                   minds.objective, worker.moves, count, minds.memo, &worker.scratch, worker.wins, worker.scores)


cdef float worth_of(const minds_t* minds, const worker_t* worker, const observation_t* seen, int k) noexcept nogil:
    """What the seat chooses the move `k` by, once the worker's moves are evaluated."""
    if minds.objective:
        return <float>points_of(chance_of(worker.wins[k]), worker.scores[k], seen.factor)
    return worker.wins[k]


cdef void weigh_by_value(const minds_t* minds, worker_t* worker, const observation_t* seen, int count, double temperature,
                         double* weights) noexcept nogil:
    """What evaluated moves weigh for a player who is as sure of their values as the temperature is low."""
    cdef double scale = 1 / temperature, best, worth
    cdef int k
    if minds.objective:
        scale /= 2 * seen.factor            # a lost game instead of a won one costs two stakes
    for k in range(count):
        weights[k] = worth_of(minds, worker, seen, k) if minds.objective else chance_of(worker.wins[k])
    best = weights[0]
    for k in range(1, count):
        best = max(best, weights[k])
    for k in range(count):
        weights[k] = exp((weights[k] - best) * scale)


cdef inline bint is_simple_lead(const move_t* move, hand_t hand) noexcept nogil:
    """Whether a lead is one of groups without kickers that begins with the lowest card and breaks no group of it."""
    cdef int lowest = lowest_rank(hand)
    if move.power or move.kind > QUAD_RUN_PAIRS or shape_of(move.kind).kickers or move.rank != lowest:
        return False
    return move.kind > TRIO or shape_of(move.kind).copies == count_of(hand, lowest)


cdef void weigh_simply(const worker_t* worker, const observation_t* seen, int count, double* weights) noexcept nogil:
    """What moves weigh for a simple player."""
    cdef int k, rank = 255
    cdef bint some = False
    if seen.last.kind != PASS:
        for k in range(1, count):
            if worker.moves[k].kind == seen.last.kind:
                rank = min(rank, worker.moves[k].rank)
        for k in range(count):
            weights[k] = worker.moves[k].kind == seen.last.kind and worker.moves[k].rank == rank
        weights[0] = rank == 255            # the pass
        return
    for k in range(count):
        weights[k] = is_simple_lead(&worker.moves[k], seen.hand)
        some |= weights[k] > 0
    if not some:                        # a hand of bombs
        for k in range(count):
            weights[k] = 1


cdef double weigh(const minds_t* minds, worker_t* worker, const observation_t* seen, int count, int style,
                  double* weights) noexcept nogil:
    """What evaluated moves weigh for a player of a style; the sum."""
    cdef double total = 0
    cdef int k
    if style == SIMPLE:
        weigh_simply(worker, seen, count, weights)
    else:
        weigh_by_value(minds, worker, seen, count, minds.styles[style].temperature, weights)
    for k in range(count):
        total += weights[k]
    return total


cdef int choose(const minds_t* minds, worker_t* worker, const observation_t* seen, int count, int style, rng_t* rng) noexcept nogil:
    """The move that a player of a style makes of those that are evaluated."""
    cdef double left
    cdef int k
    if uniform(rng) < minds.styles[style].noise:
        return <int>below(rng, <unsigned int>count)
    left = uniform(rng) * weigh(minds, worker, seen, count, style, worker.weights)
    for k in range(count):
        left -= worker.weights[k]
        if left < 0:
            return k
    return count - 1


cdef inline bint same_move(const move_t* a, const move_t* b) noexcept nogil:
    return a.cards == b.cards and a.kind == b.kind and a.rank == b.rank and a.length == b.length


cdef void add_turn(const minds_t* minds, worker_t* worker, const past_t* turn, const world_t* world, double* found) noexcept nogil:
    """Adds -log of how likely the turn was, for each style, with the cards that the world gives its seat."""
    cdef observation_t seen = turn.before
    cdef int count = 0, k, made = -1, style
    cdef double value, noise, total
    seen.hand = world.hands[seen.seat] + turn.since
    if seen.last.kind != PASS:
        memset(worker.moves, 0, sizeof(move_t))
        count = 1
    count += generate(seen.hand, &seen.last, minds.rules, worker.moves + count, MOST_PLAYS - count)
    count = min(count, MOST_PLAYS)
    if count == 1:                              # no choice
        return
    for k in range(count):
        if same_move(&worker.moves[k], &turn.move):
            made = k
    evaluate(minds, worker, &seen, count)
    for style in range(STYLES):
        if minds.styles[style].share == 0:
            continue
        noise = minds.styles[style].noise
        total = weigh(minds, worker, &seen, count, style, worker.weights)
        value = worker.weights[made] / total if made >= 0 else 0
        found[style] -= log((1 - noise) * value + noise / count)


cdef inline double mix(const minds_t* minds, const double* found, double* least) noexcept nogil:
    """How likely the turns are for a player of any style, as a multiple of what they are for the likeliest one.

    `found` has -log of how likely they are for each style; the `least` of them is told.
    """
    cdef double total = 0
    cdef int style
    least[0] = INFINITY
    for style in range(STYLES):
        if minds.styles[style].share > 0:
            least[0] = min(least[0], found[style])
    for style in range(STYLES):
        total += minds.styles[style].share * exp(min(least[0] - found[style], 0))
    return total


cdef void surprise(const minds_t* minds, worker_t* worker, const past_t* past, int turns, const world_t* world, int seat,
                   double limit, clues_t* clues) noexcept nogil:
    """What all turns of a seat say about a world, whatever style the seat has.

    Every turn adds to the surprise; once it is above the limit, the rest is left out.
    """
    cdef double found[STYLES]
    cdef double least = 0, total = 1
    cdef int turn, style
    memset(found, 0, sizeof(found))
    for turn in range(turns - 1, -1, -1):       # the last first: there is less to choose from, and more is known
        if past[turn].before.seat == seat:
            add_turn(minds, worker, &past[turn], world, found)
            total = mix(minds, found, &least)
            if least - log(total) > limit:
                break
    clues.surprise[seat] = least - log(total)
    for style in range(STYLES):
        clues.chances[seat][style] = minds.styles[style].share * exp(min(least - found[style], 0)) / total
