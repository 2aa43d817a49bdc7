"""Self-play and fitting in one loop, without the GIL.

Deep Monte-Carlo with traces: each choice's target mixes the result of the game with the network's own value at the seat's
next choice. A seat never forgets, so its next value is an unbiased, less noisy stand-in for the result as far as the network
is right; after an exploring play only the value of the best play counts. The same holds for the stakes of a won game, of
which only the stakes if won are learnt, and of a lost one.
"""

from libc.math cimport log
from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ddz_solver.core.evaluate cimport (
    MOST_PLAYS, MOST_STAKES, best_of, chance_of, evaluate_plays, free_scratch, make_scratch, points_of, role_of, scratch_t,
)
from ddz_solver.core.features cimport (
    MAX_ADDED, MAX_STATE, hand_columns, layout_t, make_layout, play_columns,
)
from ddz_solver.core.hand cimport MAX_SEATS, cards_of, count_of, hand_t, RANKS
from ddz_solver.core.hands_to_go cimport HandsToGo, htg_t
from ddz_solver.core.learner cimport (
    Learner, add_sample, batch_t, fit, fitting_t, free_batch, free_fitting, make_batch, make_fitting,
)
from ddz_solver.core.moves cimport CompiledRules, move_t, rules_t
from ddz_solver.core.observation cimport deck_of, observation_t, observe_deal, observe_play
from ddz_solver.core.position cimport NOBODY, do_move, legal_moves, payoff_factor, position_t, undo_t
from ddz_solver.core.rng cimport below, rng_t, uniform

cdef enum:
    MAX_PRESETS = 16
    MAX_DECISIONS = 400         # choices of one game; further ones are made without a thought

ctypedef struct decision_t:     # one choice of the game being played
    uint8_t seat
    uint8_t explored            # whether the play was drawn at random
    int start                   # its columns in the game's list
    int length
    float win                   # win chance after the best play as the network saw it
    float stakes[2]             # and its stakes if won, if lost

cdef extern from *:
    """
    #define DDZ_ANY_PLAY 0.1    /* share of exploring plays that are drawn from all */
    #define DDZ_NEARNESS 0.3    /* temperature of the others: log odds, or stakes */
    """
    double ANY_PLAY "DDZ_ANY_PLAY"
    double NEARNESS "DDZ_NEARNESS"


cdef int cards_each(const rules_t* rules) noexcept nogil:
    """Cards that each seat is dealt; 0 where the rules have no deal."""
    if rules.decks == 1:
        return 17 if rules.players == 3 else 0
    return 25 if rules.players == 4 else 0


cdef hand_t deal_cards(position_t* position, const rules_t* rules, rng_t* rng) noexcept nogil:
    """Deals a fresh game under rules that have a deal: seat 0 is the landlord, has the bottom cards and leads.

    Returns the bottom cards.
    """
    cdef uint8_t cards[108]
    cdef hand_t deck = deck_of(rules)
    cdef hand_t bottom = 0
    cdef int n = 0, rank, k, seat, swap, each, first
    cdef uint8_t card
    for rank in range(RANKS):
        for k in range(count_of(deck, rank)):
            cards[n] = <uint8_t>rank
            n += 1
    for k in range(n - 1, 0, -1):
        swap = below(rng, k + 1)
        card = cards[k]
        cards[k] = cards[swap]
        cards[swap] = card
    memset(position, 0, sizeof(position_t))
    position.factor = 1
    position.winner = NOBODY
    each = cards_each(rules)
    first = 0
    for seat in range(rules.players):
        for k in range(each):
            position.hands[seat] += cards_of(cards[first + k], 1)
        first += each
    for k in range(first, n):
        bottom += cards_of(cards[k], 1)
    position.hands[0] += bottom
    return bottom


cdef class Worker:
    """Plays games with the learner's networks and trains them on the way. One a thread; workers share a Learner.

    `presets` are (CompiledRules, weight) pairs with the learner's numbers of seats and decks: each game draws one.
    `memos` are the HandsToGo of the presets. `points` is the share of games played for points rather than to win.
    """

    cdef Learner learner
    cdef tuple presets
    cdef object memos
    cdef const rules_t* rules[MAX_PRESETS]
    cdef htg_t* memo[MAX_PRESETS]
    cdef double cumulated[MAX_PRESETS]
    cdef int preset_count
    cdef layout_t layout
    cdef scratch_t scratch
    cdef fitting_t fitting
    cdef batch_t batches[MAX_SEATS]
    cdef move_t* moves
    cdef float* wins
    cdef float* scores
    cdef uint16_t* columns
    cdef decision_t* decisions
    cdef rng_t rng
    cdef double points
    cdef double epsilon
    cdef float decay
    cdef float rate
    cdef int64_t games, choices, landlord_wins

    def __init__(self, Learner learner not None, presets, memos, *, unsigned long long seed, int batch=512,
                 double points=0.35):
        cdef int index, role
        cdef double total = 0
        cdef CompiledRules rules
        cdef HandsToGo memo
        self.learner = learner
        self.presets, self.memos = tuple(presets), tuple(memos)
        if not 1 <= len(self.presets) <= MAX_PRESETS or len(self.memos) != len(self.presets):
            raise ValueError(f"{len(self.presets)} presets, expected 1..{MAX_PRESETS}, one memo each")
        if not 1 <= batch <= 65536:
            raise ValueError(f"batch of {batch}, expected 1..65536")
        for index, (rules, weight) in enumerate(self.presets):
            if rules.players != learner.rules.players or rules.decks != learner.rules.decks:
                raise ValueError("presets of one learner must have the same seats and decks")
            if not cards_each(&rules.c):
                raise ValueError(f"{rules.players} players with {rules.decks} deck(s) have no deal")
            total += weight
            memo = self.memos[index]
            self.rules[index] = &rules.c
            self.memo[index] = &memo.c
            self.cumulated[index] = total
        for index in range(len(self.presets)):
            self.cumulated[index] /= total
        self.preset_count = len(self.presets)
        self.points = points
        self.rng.state = seed
        make_layout(&self.layout, self.rules[0])
        make_scratch(&self.scratch, learner.pupils[0].net.hidden1, learner.pupils[0].net.hidden2)
        make_fitting(&self.fitting, &learner.pupils[0].net)
        for role in range(learner.roles):
            make_batch(&self.batches[role], batch)
        self.moves = <move_t*>malloc(MOST_PLAYS * sizeof(move_t))
        self.wins = <float*>malloc(MOST_PLAYS * sizeof(float))
        self.scores = <float*>malloc(MOST_PLAYS * sizeof(float))
        self.scratch.stakes = <float*>malloc(2 * MOST_PLAYS * sizeof(float))
        self.columns = <uint16_t*>malloc(MAX_DECISIONS * (MAX_STATE + MAX_ADDED) * sizeof(uint16_t))
        self.decisions = <decision_t*>malloc(MAX_DECISIONS * sizeof(decision_t))
        if (self.moves == NULL or self.wins == NULL or self.scores == NULL or self.scratch.stakes == NULL
                or self.columns == NULL or self.decisions == NULL):
            raise MemoryError("self-play buffers")

    def __dealloc__(self):
        cdef int role
        free_scratch(&self.scratch)
        free_fitting(&self.fitting)
        for role in range(MAX_SEATS):
            free_batch(&self.batches[role])
        free(self.moves)
        free(self.wins)
        free(self.scores)
        free(self.scratch.stakes)
        free(self.columns)
        free(self.decisions)

    @property
    def state(self) -> int:
        """State of the random generator."""
        return self.rng.state

    @state.setter
    def state(self, unsigned long long value):
        self.rng.state = value

    def drop_pending(self) -> None:
        """Forgets samples that wait for a full batch."""
        cdef int role
        for role in range(MAX_SEATS):
            self.batches[role].count = self.batches[role].used = 0

    def run(self, int64_t games, *, float rate, double epsilon, float decay) -> dict[str, float]:
        """Plays `games` games and fits on the way; the GIL is released.

        `rate` is Adam's learning rate, `epsilon` the chance of a random play, `decay` the weight of what came later in a
        target (1: the result alone). Returns sums: games, choices, landlord_wins, samples, win_loss, stake_loss.
        """
        cdef int64_t game
        self.rate, self.epsilon, self.decay = rate, epsilon, decay
        self.games = self.choices = self.landlord_wins = self.fitting.samples = 0
        self.fitting.win_loss = self.fitting.stake_loss = 0
        with nogil:
            for game in range(games):
                self.play_game()
        return {
            "games": self.games, "choices": self.choices, "landlord_wins": self.landlord_wins,
            "samples": self.fitting.samples, "win_loss": self.fitting.win_loss, "stake_loss": self.fitting.stake_loss,
        }

    cdef void play_game(self) noexcept nogil:
        """One game of self-play, its samples, and a step for each role whose batch is full."""
        cdef position_t position
        cdef observation_t seen
        cdef undo_t undo
        cdef decision_t* decision
        cdef move_t* move
        cdef int preset = 0, count, best, chosen, k, used = 0, made = 0, objective, n
        cdef float* values
        cdef double draw = uniform(&self.rng)
        cdef const rules_t* rules
        while preset < self.preset_count - 1 and draw >= self.cumulated[preset]:
            preset += 1
        rules = self.rules[preset]
        objective = uniform(&self.rng) < self.points
        values = self.scores if objective else self.wins
        observe_deal(&seen, &position, deal_cards(&position, rules, &self.rng), rules)
        while position.winner == NOBODY:
            count = min(legal_moves(&position, rules, self.moves, MOST_PLAYS), MOST_PLAYS)
            chosen = 0
            if count > 1 and made < MAX_DECISIONS:
                seen.seat = position.turn
                seen.hand = position.hands[position.turn]
                evaluate_plays(&self.learner.pupils[role_of(position.turn, 0, rules.players)].net, &self.layout, &seen,
                               rules, objective, self.moves, count, self.memo[preset], &self.scratch, self.wins,
                               self.scores)
                if objective:
                    for k in range(count):
                        self.scores[k] = <float>points_of(chance_of(self.wins[k]), self.scores[k], seen.factor)
                chosen = best = best_of(values, count)
                decision = &self.decisions[made]
                decision.explored = uniform(&self.rng) < self.epsilon
                if decision.explored:
                    chosen = self.explore(values, count, best)
                decision.seat = position.turn
                decision.start = used
                decision.win = <float>chance_of(self.wins[best])
                memcpy(decision.stakes, self.scratch.stakes + 2 * best, 2 * sizeof(float))
                move = &self.moves[chosen]
                memcpy(self.columns + used, self.scratch.state, self.scratch.states * sizeof(uint16_t))
                n = self.scratch.states
                n += hand_columns(&self.layout, self.layout.after, seen.hand - move.cards, self.columns + used + n)
                n += play_columns(&self.layout, &seen, &self.scratch.scene, move, self.memo[preset],
                                  self.columns + used + n)
                decision.length = n
                used += n
                made += 1
            observe_play(&seen, position.turn, &self.moves[chosen], rules)
            do_move(&position, &self.moves[chosen], rules, &undo)
        self.games += 1
        self.choices += made
        self.landlord_wins += position.winner == 0
        self.learn(&position, rules, made)

    cdef int explore(self, const float* values, int count, int best) noexcept nogil:
        """A play other than the best: mostly a near one (a softmax over the values), sometimes any."""
        cdef int chosen = -1, k
        cdef double highest = 0, value
        if uniform(&self.rng) < ANY_PLAY:
            k = <int>below(&self.rng, <unsigned int>(count - 1))
            return k if k < best else k + 1
        for k in range(count):
            if k != best:
                value = values[k] / NEARNESS - log(1e-300 - log(1e-300 + uniform(&self.rng)))     # Gumbel noise
                if chosen < 0 or value > highest:
                    highest = value
                    chosen = k
        return chosen

    cdef void learn(self, const position_t* position, const rules_t* rules, int made) noexcept nogil:
        """Walks the game's choices backwards, forms each one's targets and hands them to the batches."""
        cdef float wins[MAX_SEATS]
        cdef float stakes[MAX_SEATS]
        cdef bint won[MAX_SEATS]
        cdef float decay
        cdef decision_t* decision
        cdef batch_t* batch
        cdef int seat, index
        for seat in range(rules.players):
            wins[seat] = won[seat] = (seat == 0) == (position.winner == 0)
            stakes[seat] = <float>min(payoff_factor(position, rules), MOST_STAKES)
        for index in range(made - 1, -1, -1):
            decision = &self.decisions[index]
            seat = decision.seat
            batch = &self.batches[seat]
            add_sample(batch, self.columns + decision.start, decision.length, wins[seat], won[seat], stakes[seat])
            if batch.count == batch.size:
                fit(&self.learner.pupils[seat], batch, &self.fitting, self.rate)
            decay = 0 if decision.explored else self.decay
            wins[seat] = decay * wins[seat] + (1 - decay) * decision.win
            stakes[seat] = decay * stakes[seat] + (1 - decay) * decision.stakes[not won[seat]]
