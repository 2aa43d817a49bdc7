"""Plays compared over worlds: every candidate is played in the same worlds and the network plays all seats from there.

A rollout does not bet all on its end. At each choice on the way the network of the seat to move, which sees that seat's
cards, says how the game stands; the rollout's value mixes these with the result, the later the more.
"""

from libc.math cimport INFINITY, log
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ddz_solver.core.evaluate cimport MOST_PLAYS, MOST_STAKES, Judge, chance_of, free_scratch, make_scratch
from ddz_solver.core.hand cimport MAX_SEATS, hand_t, holds
from ddz_solver.core.minds cimport KEEN, LOOSE, SIMPLE, STYLES, choose, evaluate, style_t, surprise, worth_of
from ddz_solver.core.moves cimport PASS, Play, move_t
from ddz_solver.core.observation cimport Observation, observation_t, observe_play
from ddz_solver.core.position cimport NOBODY, do_move, legal_moves, payoff_factor, position_t, undo_t
from ddz_solver.core.rng cimport next_u64, rng_t, uniform
from ddz_solver.core.sample cimport count_worlds, draw_world, free_worlds, list_worlds, prepare_worlds, world_t
from ddz_solver.core.walk cimport walk

from ddz_solver.core.sample import NO_DEAL


# --- one rollout ------------------------------------------------------------------------------------------------------

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


cdef inline int any_style(const double* chances, rng_t* rng) noexcept nogil:
    """One of the styles, by their chances."""
    cdef double left = uniform(rng)
    cdef int style
    for style in range(STYLES - 1):
        left -= chances[style]
        if left < 0:
            return style
    return STYLES - 1


cdef value_t roll_out(const minds_t* minds, worker_t* worker, const observation_t* root, const world_t* world,
                      const int* styles, rng_t* rng, const move_t* first) noexcept nogil:
    """How the game goes on in a world after `first`, for the side of the observing seat; seats have styles."""
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
            if styles[position.turn] != KEEN:
                best = choose(minds, worker, &seen, count, styles[position.turn], rng)
        observe_play(&seen, position.turn, &worker.moves[best], minds.rules)
        do_move(&position, &worker.moves[best], minds.rules, &undo)
        worker.nodes += 1
    sign = 1 if (position.winner == position.landlord) == landlord else -1
    value.win += left * (sign > 0)
    value.score += left * sign * min(payoff_factor(&position, minds.rules), MOST_STAKES)
    return value


cdef enum:
    WORLD, WALK, ROLLOUT                # what random numbers are for


# --- the Python face --------------------------------------------------------------------------------------------------

cdef class Rollouts:
    """Candidate plays of one decision and the worlds they are compared in: all worlds, or as many as are asked for.

    `judge` has the networks, `seen` is what the seat to move knows, `history` every turn so far as (seat, Play). The last
    `recall` turns of the others, leads from more than `leads` cards left out, count as evidence on their cards and on
    their styles (see core/minds.pyx): `keen` is the temperature (in win chance) and noise of players like the networks,
    `loose` the share, temperature and noise of loose ones, `simple` the share and noise of simple ones. Rollouts follow
    the styles unless all worlds are listed; `decay` (for one deck, its root for two) and `depth` say how much of their
    value comes from the end. Methods release the GIL; different workers (0 to threads - 1) may run at the same time, and
    results do not depend on how many there are.
    ValueError: no deal agrees with the observation, it does not fit the networks, or a play is not held.
    """

    def __init__(
        self, Judge judge not None, Observation seen not None, history, plays, *, int worlds, bint for_points=False,
        int recall, int leads, keen, loose, simple, double decay, int depth, int threads=1, unsigned long long seed=0,
    ):
        cdef int index
        cdef Play play
        if not 1 <= threads <= MOST_THREADS or worlds < 1 or depth < 1:
            raise ValueError(
                f"{threads} threads, {worlds} worlds, depth {depth}: expected 1..{MOST_THREADS}, 1 or more, 1 or more"
            )
        if seen.c.players != judge.layout.players or 4 * seen.rules.c.decks != judge.layout.depth:
            raise ValueError(
                f"observation of {seen.c.players} players and {seen.rules.c.decks} decks does not fit the networks"
            )
        self.judge, self.seen, self.plays = judge, seen, tuple(plays)
        self.threads, self.count = threads, len(self.plays)
        self.minds.nets, self.minds.layout, self.minds.rules = judge.nets, &judge.layout, &seen.rules.c
        self.minds.memo = judge.memo(seen.rules)
        self.minds.objective = for_points
        self.set_styles(keen, loose, simple)
        self.minds.decay, self.minds.depth = decay ** (1.0 / seen.rules.c.decks), depth
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
        self.remember(tuple(history), recall, leads)

    cdef int set_styles(self, keen, loose, simple) except -1:
        cdef style_t style
        cdef double shares = 0
        cdef int index
        self.minds.styles[KEEN] = style_t(max(1 - loose[0] - simple[0], 0), keen[0], keen[1])
        self.minds.styles[LOOSE] = style_t(loose[0], loose[1], loose[2])
        self.minds.styles[SIMPLE] = style_t(simple[0], 1, simple[1])
        for index in range(STYLES):
            style = self.minds.styles[index]
            shares += style.share
            if not (0 <= style.share and shares < 1 + 1e-9 and style.temperature > 0 and 0 < style.noise <= 1):
                raise ValueError(
                    f"styles keen={keen}, loose={loose}, simple={simple}: expected shares of 0..1 in all, temperatures "
                    f"above 0, and noise above 0 up to 1"
                )
        return 0

    cdef int make_worker(self, worker_t* worker) except -1:
        make_scratch(&worker.scratch, self.judge.nets[0].hidden1, self.judge.nets[0].hidden2)
        worker.moves = <move_t*>malloc(MOST_PLAYS * sizeof(move_t))
        worker.wins = <float*>malloc(MOST_PLAYS * sizeof(float))
        worker.scores = <float*>malloc(MOST_PLAYS * sizeof(float))
        worker.weights = <double*>malloc(MOST_PLAYS * sizeof(double))
        if worker.moves == NULL or worker.wins == NULL or worker.scores == NULL or worker.weights == NULL:
            raise MemoryError("rollouts")
        return 0

    cdef int fill(self, int worlds) except -1:
        """Lists all worlds where they fit; else `weigh` will draw them."""
        if prepare_worlds(&self.deals, &self.seen.c):
            raise ValueError(NO_DEAL)
        self.worlds = <world_t*>calloc(worlds, sizeof(world_t))
        self.shares = <double*>malloc(worlds * sizeof(double))
        self.clues = <clues_t*>calloc(worlds, sizeof(clues_t))
        if self.worlds == NULL or self.shares == NULL or self.clues == NULL:
            raise MemoryError("worlds")
        self.complete = 0 < count_worlds(&self.deals) <= worlds
        if self.complete:
            self.number = list_worlds(&self.deals, self.worlds, self.shares, worlds)
        else:
            self.number = worlds
        return 0

    cdef int remember(self, tuple history, int recall, int leads) except -1:
        """Keeps the last `recall` turns of the others, leads from more than `leads` cards aside, and what was known then.

        A history that begins in the middle of a trick does not tell the play to beat: unless that is still to beat, turns
        count from the first play on.
        """
        cdef observation_t seen
        cdef hand_t since[MAX_SEATS]
        cdef Play play
        cdef int turn, seat, index, first = len(history), others = 0, made = 0
        cdef bint is_lead, known
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
            seen.plays[seat] = self.seen.c.plays[seat]
            seen.counts[seat] = self.seen.c.counts[seat]
        for turn, play in history:
            seen.counts[turn] += play.c.size
            if play.c.kind != PASS:
                made += 1
                seen.plays[turn] -= seen.plays[turn] > 0
        if made == 0:
            seen.last, seen.owner = self.seen.c.last, self.seen.c.owner
        known = made == 0 or (<Play>history[0][1]).c.kind != PASS
        for index, (turn, play) in enumerate(history):
            is_lead = seen.last.kind == PASS
            if known and index >= first and turn != self.seen.c.seat and not (is_lead and seen.counts[turn] > leads):
                self.past[self.turns].before = seen
                self.past[self.turns].before.seat = <uint8_t>turn
                self.past[self.turns].move = play.c
                self.past[self.turns].since = since[turn]
                self.turns += 1
            known = known or play.c.kind != PASS
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
            free(self.workers[index].weights)
        free_worlds(&self.deals)
        free(self.past)
        free(self.candidates)
        free(self.worlds)
        free(self.shares)
        free(self.clues)

    def world(self, int index) -> tuple[int, ...]:
        """A world as packed hands, one a seat."""
        self.check(0, index)
        return tuple([self.worlds[index].hands[seat] for seat in range(self.seen.c.players)])

    def weigh(self, int worker, int first, int last) -> list[float]:
        """Draws the worlds first..last-1; log of how likely each is after what the others have played, up to a constant.

        A world depends on the seed and its number alone. It has to be drawn before a candidate is rolled out in it.
        """
        cdef rng_t rng
        cdef int index, seat
        cdef double found
        weights = []
        if first < last:
            self.check(worker, first)
            self.check(worker, last - 1)
        for index in range(first, last):
            found = log(self.shares[index]) if self.complete else 0
            with nogil:
                if not self.complete:
                    rng = self.rng_of(index, WORLD)
                    draw_world(&self.deals, &rng, &self.worlds[index])
                for seat in range(self.seen.c.players):
                    if seat != self.seen.c.seat:
                        surprise(&self.minds, &self.workers[worker], self.past, self.turns, &self.worlds[index], seat, INFINITY,
                                 &self.clues[index])
                        found -= self.clues[index].surprise[seat]
            weights.append(found)
        return weights

    def styles(self, int world) -> tuple[tuple[float, ...], ...]:
        """For each seat the chances that it is keen, loose, simple, in a world that has been drawn; 0 for the own seat."""
        cdef int seat, style
        self.check_drawn(0, world)
        return tuple([
            tuple([self.clues[world].chances[seat][style] for style in range(STYLES)])
            for seat in range(self.seen.c.players)
        ])

    def copy_world(self, int source, int target) -> None:
        """Puts a world that has been drawn in the place of another; nothing where all worlds are listed."""
        self.check(0, source)
        self.check(0, target)
        if not self.complete:
            self.worlds[target], self.clues[target] = self.worlds[source], self.clues[source]

    def walk(self, int worker, int world, int steps) -> None:
        """Lets two others exchange a card in a world that has been drawn, `steps` times, where that explains the past.

        Worlds as likely as the past makes them remain so. Does nothing where all worlds are listed.
        """
        cdef rng_t rng
        self.check_drawn(worker, world)
        if not self.complete:
            with nogil:
                rng = self.rng_of(world, WALK)
                walk(&self.minds, &self.workers[worker], &self.deals, self.past, self.turns, &rng, &self.worlds[world],
                     &self.clues[world], steps)

    def roll(self, int worker, int candidate, int world) -> tuple[float, float]:
        """Win chance and score of a candidate in one of the worlds."""
        cdef value_t value
        cdef rng_t rng
        cdef int styles[MAX_SEATS]
        cdef int seat
        self.check_drawn(worker, world)
        if not 0 <= candidate < self.count:
            raise ValueError(f"candidate {candidate}, expected 0..{self.count - 1}")
        with nogil:
            rng = self.rng_of(world, ROLLOUT)   # the same for every candidate
            for seat in range(self.seen.c.players):
                styles[seat] = KEEN
                if seat != self.seen.c.seat and not self.complete:
                    styles[seat] = any_style(self.clues[world].chances[seat], &rng)
            value = roll_out(&self.minds, &self.workers[worker], &self.seen.c, &self.worlds[world], styles, &rng,
                             &self.candidates[candidate])
        return value.win, value.score

    cdef rng_t rng_of(self, int world, int use) noexcept nogil:
        """Random numbers that depend on the seed, the number of a world and what they are for alone."""
        cdef rng_t rng
        rng.state = self.seed + <uint64_t>use
        rng.state = next_u64(&rng) + <uint64_t>world
        return rng

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

    cdef int check_drawn(self, int worker, int world) except -1:
        self.check(worker, world)
        if self.worlds[world].hands[self.seen.c.seat] != self.seen.c.hand:
            raise ValueError(f"world {world} has not been drawn: expected `weigh` to have been called for it")
        return 0
