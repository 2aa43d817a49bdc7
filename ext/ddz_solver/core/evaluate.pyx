"""Values of all plays of one decision."""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from threading import Lock

from ddz_solver.core.features cimport hand_columns, layout_t, make_layout, play_columns, state_columns, taken_columns
from ddz_solver.core.hand cimport holds
from ddz_solver.core.hands_to_go cimport HandsToGo, htg_t
from ddz_solver.core.moves cimport CompiledRules, Play, move_t, rules_t
from ddz_solver.core.net cimport OUTPUTS, Network, first_layer, net_t, outputs, second_layer
from ddz_solver.core.observation cimport Observation, observation_t


cdef int make_scratch(scratch_t* scratch, int hidden1, int hidden2) except -1:
    """Allocates buffers for networks of this size."""
    memset(scratch, 0, sizeof(scratch_t))
    scratch.base = <float*>malloc(((CHUNK + 1) * hidden1 + CHUNK * hidden2) * sizeof(float))
    if scratch.base == NULL:
        raise MemoryError("evaluation scratch")
    scratch.x1 = scratch.base + hidden1
    scratch.x2 = scratch.x1 + CHUNK * hidden1
    return 0


cdef void free_scratch(scratch_t* scratch) noexcept nogil:
    """Gives the buffers back."""
    free(scratch.base)
    scratch.base = NULL


cdef void evaluate_plays(const net_t* net, const layout_t* layout, const observation_t* seen, const rules_t* rules,
                         int objective, const move_t* moves, int count, htg_t* memo, scratch_t* scratch,
                         float* wins, float* scores) noexcept nogil:
    """Win logits and scores of `count` plays, for the observer's side. The state's columns stay in `scratch`."""
    cdef int first, n, k, cards, adds, subs
    cdef float out[OUTPUTS]
    cdef double chance
    scratch.states = state_columns(layout, seen, rules, objective, memo, &scratch.scene, scratch.state)
    cards = hand_columns(layout, layout.after, seen.hand, scratch.hand)
    first_layer(net, NULL, scratch.state, scratch.states, NULL, 0, False, scratch.base)
    first_layer(net, scratch.base, scratch.hand, cards, NULL, 0, False, scratch.base)
    first = 0
    while first < count:
        n = min(count - first, CHUNK)
        for k in range(n):
            adds = play_columns(layout, seen, &scratch.scene, &moves[first + k], memo, scratch.added)
            subs = taken_columns(layout, seen.hand, moves[first + k].cards, scratch.taken)
            first_layer(net, scratch.base, scratch.added, adds, scratch.taken, subs, True, scratch.x1 + k * net.hidden1)
        second_layer(net, scratch.x1, n, scratch.x2)
        for k in range(n):
            outputs(net, scratch.x2 + k * net.hidden2, out)
            wins[first + k] = out[0]
            chance = chance_of(out[0])
            scores[first + k] = <float>(chance * out[1] - (1.0 - chance) * out[2])
            if scratch.stakes != NULL:
                scratch.stakes[2 * (first + k)] = out[1]
                scratch.stakes[2 * (first + k) + 1] = out[2]
        first += n


cdef class Judge:
    """One network for each role (0 the landlord, then by distance after the landlord) under rules of one size.

    Any rules with the same seats and decks may be evaluated; `rules` only gives the sizes. Threads may share a judge.
    Raises ValueError for networks of other sizes.
    """

    def __init__(self, CompiledRules rules not None, networks):
        cdef Network network
        cdef int role
        self.networks = tuple(networks)
        make_layout(&self.layout, &rules.c)
        if len(self.networks) != rules.c.players:
            raise ValueError(f"{len(self.networks)} networks for {rules.c.players} players")
        for role in range(rules.c.players):
            network = self.networks[role]
            if network.c.columns != self.layout.columns or network.shape != self.networks[0].shape:
                raise ValueError(f"network of {network.c.columns} columns, expected {self.layout.columns}")
            self.nets[role] = network.c
        self.memos = {}
        self.lock = Lock()
        make_scratch(&self.scratch, self.nets[0].hidden1, self.nets[0].hidden2)

    def __dealloc__(self):
        free_scratch(&self.scratch)

    cdef htg_t* memo(self, rules) except NULL:
        """The answers kept under these rules; they stay for as long as the judge."""
        found = self.memos.get(rules)
        if found is None:
            found = self.memos.setdefault(rules, HandsToGo(rules))
        return &(<HandsToGo>found).c

    def values(self, Observation seen not None, plays, bint for_points=False) -> list[float]:
        """What to choose a play by: win chances, or for points the mean of expected scores and stakes won so far.

        Raises ValueError as `evaluate` does.
        """
        chances, scores = self.evaluate(seen, plays, for_points)
        if not for_points:
            return chances
        return [points_of(chance, score, seen.c.factor) for chance, score in zip(chances, scores)]

    def evaluate(self, Observation seen not None, plays, bint for_points=False) -> tuple[list[float], list[float]]:
        """Win chances (0..1) and expected scores (in stakes, with doublings) of the plays, for the seat's side.

        Raises ValueError where the observation does not fit the networks or a play is not held.
        """
        cdef int n = len(plays), i
        cdef CompiledRules rules = seen.rules
        cdef move_t* moves
        cdef float* values
        cdef htg_t* memo
        cdef net_t* net
        moves = <move_t*>malloc((n + 1) * sizeof(move_t))
        values = <float*>malloc((2 * n + 1) * sizeof(float))
        try:
            if moves == NULL or values == NULL:
                raise MemoryError(f"{n} plays")
            self.read(seen, plays, moves)
            net = &self.nets[role_of(seen.c.seat, seen.c.landlord, rules.c.players)]
            with self.lock:
                memo = self.memo(rules)
                with nogil:
                    evaluate_plays(net, &self.layout, &seen.c, &rules.c, for_points, moves, n, memo, &self.scratch,
                                   values, values + n)
            return [chance_of(values[i]) for i in range(n)], [values[n + i] for i in range(n)]
        finally:
            free(moves)
            free(values)

    def evaluate_many(self, observations, plays, float[::1] wins not None, float[::1] scores not None,
                      bint for_points=False) -> None:
        """Fills `wins` and `scores` with the values of all plays of many decisions, one decision after another.

        `plays` has the plays of each observation. The GIL is released for the whole batch and nothing is shared, so
        threads may run batches at the same time. Raises ValueError as `evaluate` does, or where the sizes do not match.
        """
        cdef int decisions = len(observations), i, k
        cdef Py_ssize_t total = sum([len(some) for some in plays]), first
        cdef Observation seen
        cdef observation_t* all_seen = NULL
        cdef const rules_t** rules = NULL
        cdef htg_t** memos = NULL
        cdef int* counts = NULL
        cdef move_t* moves = NULL
        cdef scratch_t scratch
        if len(plays) != decisions or wins.shape[0] != total or scores.shape[0] != total:
            raise ValueError(f"{decisions} observations, plays of {len(plays)}, room for {wins.shape[0]} and "
                             f"{scores.shape[0]} values: expected as many plays, and room for {total}")
        make_scratch(&scratch, self.nets[0].hidden1, self.nets[0].hidden2)
        try:
            all_seen = <observation_t*>malloc((decisions + 1) * sizeof(observation_t))
            rules = <const rules_t**>malloc((decisions + 1) * sizeof(rules_t*))
            memos = <htg_t**>malloc((decisions + 1) * sizeof(htg_t*))
            counts = <int*>malloc((decisions + 1) * sizeof(int))
            moves = <move_t*>malloc((total + 1) * sizeof(move_t))
            if all_seen == NULL or rules == NULL or memos == NULL or counts == NULL or moves == NULL:
                raise MemoryError(f"{decisions} decisions")
            first = 0
            for i in range(decisions):
                seen = observations[i]
                self.read(seen, plays[i], moves + first)
                all_seen[i], rules[i], counts[i] = seen.c, &seen.rules.c, len(plays[i])
                with self.lock:
                    memos[i] = self.memo(seen.rules)
                first += counts[i]
            with nogil:
                first = 0
                for i in range(decisions):
                    if counts[i]:
                        evaluate_plays(
                            &self.nets[role_of(all_seen[i].seat, all_seen[i].landlord, rules[i].players)], &self.layout,
                            &all_seen[i], rules[i], for_points, moves + first, counts[i], memos[i], &scratch,
                            &wins[first], &scores[first])
                    for k in range(counts[i]):
                        wins[first + k] = <float>chance_of(wins[first + k])
                    first += counts[i]
        finally:
            free_scratch(&scratch)
            free(all_seen)
            free(rules)
            free(memos)
            free(counts)
            free(moves)

    cdef int read(self, Observation seen, plays, move_t* moves) except -1:
        """The plays of a decision as moves, once they and the observation are found to fit."""
        cdef Play play
        cdef int k
        if seen.rules.c.players != self.layout.players or 4 * seen.rules.c.decks != self.layout.depth:
            raise ValueError(f"observation of {seen.rules.c.players} players and {seen.rules.c.decks} decks does not fit "
                             "the networks")
        for k, play in enumerate(plays):
            if not holds(seen.c.hand, play.c.cards):
                raise ValueError(f"seat {seen.c.seat} does not hold {play}")
            moves[k] = play.c
        return 0
