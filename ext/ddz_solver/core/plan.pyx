"""Plays compared over worlds: every candidate is played in the same worlds and the network plays all seats from there.

A rollout does not bet all on its end. At each choice on the way the network of the seat to move, which sees that seat's
cards, says how the game stands; the rollout's value mixes these with the result, the later the more.
"""

from libc.math cimport exp, log
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ddz_solver.core.evaluate cimport (
    MOST_PLAYS, MOST_STAKES, Judge, best_of, chance_of, evaluate_plays, free_scratch, make_scratch, points_of, role_of,
)
from ddz_solver.core.hand cimport MAX_SEATS, hand_t, holds
from ddz_solver.core.moves cimport PASS, Play, generate, move_t
from ddz_solver.core.observation cimport Observation, observation_t, observe_play
from ddz_solver.core.position cimport NOBODY, do_move, legal_moves, payoff_factor, position_t, undo_t
from ddz_solver.core.rng cimport next_u64, rng_t
from ddz_solver.core.sample cimport count_worlds, draw_world, free_worlds, list_worlds, prepare_worlds, world_t

from ddz_solver.core.sample import NO_DEAL


# --- one choice, one past turn, one rollout ---------------------------------------------------------------------------

cdef inline bint same_move(const move_t* a, const move_t* b) noexcept nogil:
    return a.cards == b.cards and a.kind == b.kind and a.rank == b.rank and a.length == b.length


cdef void evaluate(const minds_t* minds, worker_t* worker, const observation_t* seen, int count) noexcept nogil:
    """Values of the worker's moves for the seat that looks."""
    evaluate_plays(&minds.nets[role_of(seen.seat, seen.landlord, seen.players)], minds.layout, seen, minds.rules,
                   minds.objective, worker.moves, count, minds.memo, &worker.scratch, worker.wins, worker.scores)


cdef inline float worth_of(const minds_t* minds, const worker_t* worker, const observation_t* seen, int k) noexcept nogil:
    """What the seat chooses the move `k` by."""
    if minds.objective:
        return <float>points_of(chance_of(worker.wins[k]), worker.scores[k], seen.factor)
    return worker.wins[k]


cdef double surprise(const minds_t* minds, worker_t* worker, const past_t* turn, const world_t* world) noexcept nogil:
    """-log of how likely the turn was with the cards that the world gives its seat; 0 where there was no choice."""
    cdef observation_t seen = turn.before
    cdef int count = 0, k, made = -1
    cdef double best, total = 0, value, scale
    seen.hand = world.hands[seen.seat] + turn.since
    if seen.last.kind != PASS:
        memset(worker.moves, 0, sizeof(move_t))
        count = 1
    count += generate(seen.hand, &seen.last, minds.rules, worker.moves + count, MOST_PLAYS - count)
    count = min(count, MOST_PLAYS)
    if count == 1:
        return 0
    evaluate(minds, worker, &seen, count)
    scale = 1 / minds.temperature
    if minds.objective:
        scale /= 2 * seen.factor            # a lost game instead of a won one costs two stakes
    for k in range(count):
        worker.scores[k] = worth_of(minds, worker, &seen, k) if minds.objective else <float>chance_of(worker.wins[k])
        if same_move(&worker.moves[k], &turn.move):
            made = k
    best = worker.scores[best_of(worker.scores, count)]
    for k in range(count):
        total += exp((worker.scores[k] - best) * scale)
    value = exp((worker.scores[made] - best) * scale) / total if made >= 0 else 0
    return -log((1 - minds.noise) * value + minds.noise / count)


cdef void start_position(position_t* position, const observation_t* seen, const world_t* world) noexcept nogil:
    """The position of a world, the observing seat to move."""
    cdef int seat
    memset(position, 0, sizeof(position_t))
    for seat in range(MAX_SEATS):
        position.hands[seat] = world.hands[seat]
        position.plays[seat] = seen.plays[seat]
    position.last = seen.last
    position.factor = seen.factor
    position.turn = seen.seat
    position.owner = seen.owner
    position.landlord = seen.landlord
    position.winner = NOBODY


cdef value_t roll_out(const minds_t* minds, worker_t* worker, const observation_t* root, const world_t* world,
                      const move_t* first) noexcept nogil:
    """How the game goes on in a world after `first`, for the side of the observing seat."""
    cdef position_t position
    cdef observation_t seen = root[0]
    cdef undo_t undo
    cdef value_t value, standing
    cdef bint landlord = root.seat == root.landlord
    cdef int count, best, choices = 0
    cdef double left = 1, sign
    cdef float worth, most
    value.win = value.score = 0
    start_position(&position, root, world)
    observe_play(&seen, position.turn, first, minds.rules)
    do_move(&position, first, minds.rules, &undo)
    worker.nodes += 1
    while position.winner == NOBODY:
        count = min(legal_moves(&position, minds.rules, worker.moves, MOST_PLAYS), MOST_PLAYS)
        best = 0
        if count > 1:
            seen.seat = position.turn
            seen.hand = position.hands[position.turn]
            evaluate(minds, worker, &seen, count)
            most = worth_of(minds, worker, &seen, 0)
            for k in range(1, count):
                worth = worth_of(minds, worker, &seen, k)
                if worth > most:
                    best, most = k, worth
            sign = 1 if (position.turn == position.landlord) == landlord else -1
            standing.win = chance_of(worker.wins[best])
            if sign < 0:
                standing.win = 1 - standing.win
            standing.score = sign * worker.scores[best]
            choices += 1
            if choices == minds.depth:
                value.win += left * standing.win
                value.score += left * standing.score
                return value
            value.win += left * (1 - minds.decay) * standing.win
            value.score += left * (1 - minds.decay) * standing.score
            left *= minds.decay
        observe_play(&seen, position.turn, &worker.moves[best], minds.rules)
        do_move(&position, &worker.moves[best], minds.rules, &undo)
        worker.nodes += 1
    sign = 1 if (position.winner == position.landlord) == landlord else -1
    value.win += left * (sign > 0)
    value.score += left * sign * min(payoff_factor(&position, minds.rules), MOST_STAKES)
    return value


# --- the Python face --------------------------------------------------------------------------------------------------

cdef class Rollouts:
    """Candidate plays of one decision and the worlds they are compared in: all worlds, or as many as are asked for.

    `judge` has the networks, `seen` is what the seat to move knows, `history` every turn so far as (seat, Play). The last
    `recall` turns of the others count as evidence on their cards; `temperature` (in win chance) and `noise` say how exactly
    they are taken to play. `decay` and `depth` say how much of a rollout's value comes from its end. Methods release the
    GIL; different workers (0 to threads - 1) may run at the same time, and results do not depend on how many there are.
    ValueError: no deal agrees with the observation, it does not fit the networks, or a play is not held.
    """

    def __init__(
        self, Judge judge not None, Observation seen not None, history, plays, *, int worlds, bint for_points=False,
        int recall=12, double temperature=0.05, double noise=0.02, double decay=0.9, int depth=1000, int threads=1,
        unsigned long long seed=0,
    ):
        cdef int index
        cdef Play play
        if not 1 <= threads <= MOST_THREADS or worlds < 1 or depth < 1 or temperature <= 0 or not 0 < noise <= 1:
            raise ValueError(
                f"{threads} threads, {worlds} worlds, depth {depth}, temperature {temperature}, noise {noise}: expected "
                f"1..{MOST_THREADS}, 1 or more, 1 or more, above 0, and above 0 up to 1"
            )
        if seen.c.players != judge.layout.players or 4 * seen.rules.c.decks != judge.layout.depth:
            raise ValueError(
                f"observation of {seen.c.players} players and {seen.rules.c.decks} decks does not fit the networks"
            )
        self.judge, self.seen, self.plays = judge, seen, tuple(plays)
        self.threads, self.count = threads, len(self.plays)
        self.minds.nets, self.minds.layout, self.minds.rules = judge.nets, &judge.layout, &seen.rules.c
        self.minds.memo = judge.memo(seen.rules)
        self.minds.objective, self.minds.temperature, self.minds.noise = for_points, temperature, noise
        self.minds.decay, self.minds.depth = decay, depth
        self.candidates = <move_t*>calloc(self.count + 1, sizeof(move_t))
        if self.candidates == NULL:
            raise MemoryError("rollouts")
        for index, play in enumerate(self.plays):
            if not holds(seen.c.hand, play.c.cards):
                raise ValueError(f"seat {seen.c.seat} does not hold {play}")
            self.candidates[index] = play.c
        for index in range(threads):
            self.make_worker(&self.workers[index])
        self.seed = seed
        self.fill(worlds)
        self.remember(tuple(history), recall)

    cdef int make_worker(self, worker_t* worker) except -1:
        make_scratch(&worker.scratch, self.judge.nets[0].hidden1, self.judge.nets[0].hidden2)
        worker.moves = <move_t*>malloc(MOST_PLAYS * sizeof(move_t))
        worker.wins = <float*>malloc(MOST_PLAYS * sizeof(float))
        worker.scores = <float*>malloc(MOST_PLAYS * sizeof(float))
        if worker.moves == NULL or worker.wins == NULL or worker.scores == NULL:
            raise MemoryError("rollouts")
        return 0

    cdef int fill(self, int worlds) except -1:
        """Lists all worlds where they fit; else `weigh` will draw them."""
        if prepare_worlds(&self.deals, &self.seen.c):
            raise ValueError(NO_DEAL)
        self.worlds = <world_t*>calloc(worlds, sizeof(world_t))
        self.shares = <double*>malloc(worlds * sizeof(double))
        if self.worlds == NULL or self.shares == NULL:
            raise MemoryError("worlds")
        self.complete = 0 < count_worlds(&self.deals) <= worlds
        if self.complete:
            self.number = list_worlds(&self.deals, self.worlds, self.shares, worlds)
        else:
            self.number = worlds
        return 0

    cdef int remember(self, tuple history, int recall) except -1:
        """Keeps the last `recall` turns of the other seats with what was known before each."""
        cdef observation_t seen
        cdef hand_t since[MAX_SEATS]
        cdef Play play
        cdef int turn, seat, index, first = len(history), others = 0, told = 0
        while first > 0 and others < recall:
            first -= 1
            others += history[first][0] != self.seen.c.seat
        self.past = <past_t*>calloc(others + 1, sizeof(past_t))
        if self.past == NULL:
            raise MemoryError("rollouts")
        memset(&seen, 0, sizeof(observation_t))
        seen.deck, seen.bottom, seen.factor = self.seen.c.deck, self.seen.c.bottom, 1
        seen.players, seen.landlord, seen.owner = self.seen.c.players, self.seen.c.landlord, self.seen.c.seat
        for seat in range(seen.players):
            since[seat] = self.seen.c.played[seat]
            told += self.seen.c.plays[seat]
            seen.counts[seat] = self.seen.c.counts[seat]
        for turn, play in history:
            seen.counts[turn] += play.c.size
            told -= play.c.kind != PASS
        if told:            # play began in the middle, so what was known before each turn is not
            return 0
        for index, (turn, play) in enumerate(history):
            if index >= first and turn != self.seen.c.seat:
                self.past[self.turns].before = seen
                self.past[self.turns].before.seat = <uint8_t>turn
                self.past[self.turns].move = play.c
                self.past[self.turns].since = since[turn]
                self.turns += 1
            since[turn] -= play.c.cards
            observe_play(&seen, turn, &play.c, self.minds.rules)
        return 0

    def __dealloc__(self):
        cdef int index
        for index in range(MOST_THREADS):
            free_scratch(&self.workers[index].scratch)
            free(self.workers[index].moves)
            free(self.workers[index].wins)
            free(self.workers[index].scores)
        free_worlds(&self.deals)
        free(self.past)
        free(self.candidates)
        free(self.worlds)
        free(self.shares)

    def world(self, int index) -> tuple[int, ...]:
        """A world as packed hands, one a seat."""
        self.check(0, index)
        return tuple([self.worlds[index].hands[seat] for seat in range(self.seen.c.players)])

    def weigh(self, int worker, int first, int last) -> list[float]:
        """Draws the worlds first..last-1; log of how likely each is after what the others have played, up to a constant.

        A world depends on the seed and its number alone. It has to be drawn before a candidate is rolled out in it.
        """
        cdef rng_t rng
        cdef int index, turn
        cdef double found
        weights = []
        if first < last:
            self.check(worker, first)
            self.check(worker, last - 1)
        for index in range(first, last):
            found = log(self.shares[index]) if self.complete else 0
            with nogil:
                if not self.complete:
                    rng.state = self.seed
                    rng.state = next_u64(&rng) + <uint64_t>index
                    draw_world(&self.deals, &rng, &self.worlds[index])
                for turn in range(self.turns):
                    found -= surprise(&self.minds, &self.workers[worker], &self.past[turn], &self.worlds[index])
            weights.append(found)
        return weights

    def roll(self, int worker, int candidate, int world) -> tuple[float, float]:
        """Win chance and score of a candidate in one of the worlds."""
        cdef value_t value
        self.check(worker, world)
        if not 0 <= candidate < self.count:
            raise ValueError(f"candidate {candidate}, expected 0..{self.count - 1}")
        if self.worlds[world].hands[self.seen.c.seat] != self.seen.c.hand:
            raise ValueError(f"world {world} has not been drawn: expected `weigh` to have been called for it")
        with nogil:
            value = roll_out(&self.minds, &self.workers[worker], &self.seen.c, &self.worlds[world],
                             &self.candidates[candidate])
        return value.win, value.score

    @property
    def nodes(self) -> int:
        """How many plays and passes were made in rollouts."""
        cdef int index
        cdef uint64_t total = 0
        for index in range(self.threads):
            total += self.workers[index].nodes
        return total

    cdef int check(self, int worker, int world) except -1:
        if not 0 <= worker < self.threads or not 0 <= world < self.number:
            raise ValueError(f"worker {worker}, world {world}: there are {self.threads} and {self.number}")
        return 0
