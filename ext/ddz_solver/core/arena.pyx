"""Matches between nets and simple players in compiled code: each deal is played twice with the sides swapped."""

from libc.math cimport sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from ddz_solver.core.evaluate cimport (
    MOST_PLAYS, Judge, best_of, chance_of, evaluate_plays, free_scratch, make_scratch, points_of, role_of, scratch_t,
)
from ddz_solver.core.features cimport layout_t
from ddz_solver.core.hands_to_go cimport HandsToGo, hands_to_go, htg_t
from ddz_solver.core.moves cimport PASS, CompiledRules, move_t, rules_t
from ddz_solver.core.net cimport net_t
from ddz_solver.core.observation cimport observation_t, observe_deal, observe_play
from ddz_solver.core.position cimport NOBODY, do_move, legal_moves, payoff_factor, position_t, undo_t
from ddz_solver.core.rng cimport below, rng_t
from ddz_solver.core.selfplay cimport cards_each, deal_cards

cdef enum:
    RANDOM = 0
    GREEDY = 1
    NET = 2

ctypedef struct player_t:
    int kind
    const net_t* nets           # one a role; NULL for simple players
    const layout_t* layout
    scratch_t* scratch

SIMPLE = ("random", "greedy")


cdef int greedy_choice(const observation_t* seen, const move_t* moves, int count, htg_t* memo) noexcept nogil:
    """The play that leaves the fewest hands to go, then the most cards, then the lowest rank; never over a partner."""
    cdef int best = 0, best_value = 1 << 20, value, k
    if count > 1 and moves[0].kind == PASS and seen.owner != seen.landlord and seen.seat != seen.landlord:
        return 0
    for k in range(count):
        value = hands_to_go(seen.hand - moves[k].cards, memo) * 1024 + moves[k].rank - 16 * moves[k].size
        if moves[k].power:
            value += 512
        if value < best_value:
            best_value = value
            best = k
    return best


cdef class Arena:
    """Room for matches under one set of rules, one at a time. `seed` decides deals and random players."""

    cdef CompiledRules rules
    cdef HandsToGo memo
    cdef rng_t rng
    cdef move_t* moves
    cdef float* wins
    cdef float* scores
    cdef scratch_t scratches[2]         # of both sides: other threads may be using the judges' own
    cdef int64_t choices
    cdef bint busy                      # a match is being played, in some thread

    def __init__(self, CompiledRules rules not None, *, unsigned long long seed=1):
        self.rules = rules
        self.memo = HandsToGo(rules, 18)
        self.rng.state = seed
        self.moves = <move_t*>malloc(MOST_PLAYS * sizeof(move_t))
        self.wins = <float*>malloc(2 * MOST_PLAYS * sizeof(float))
        if self.moves == NULL or self.wins == NULL:
            raise MemoryError("arena")
        self.scores = self.wins + MOST_PLAYS

    def __dealloc__(self):
        cdef int side
        free(self.moves)
        free(self.wins)
        for side in range(2):
            free_scratch(&self.scratches[side])

    def match(self, a, b, int deals, *, bint points=False) -> dict[str, float]:
        """Plays `deals` deals twice each between a and b, each a Judge, "random" or "greedy"; the GIL is released.

        Returns a's win rate `wp` and mean score a peasant's stake `adp` with standard errors over deals (`wp_se`,
        `adp_se`), its win rates `landlord` and `peasants`, and `choices`, the decisions that both sides made between
        plays. `points` lets nets choose by score.
        Raises ValueError for an unknown player, a net of other sizes, or rules without a deal; RuntimeError while
        another thread plays a match here.
        """
        if self.busy:
            raise RuntimeError("this arena is playing another match")
        self.busy = True
        try:
            return self.play_match(a, b, deals, points)
        finally:
            self.busy = False

    cdef dict play_match(self, a, b, int deals, bint points):
        """What `match` returns."""
        cdef player_t players[2]
        cdef Judge judge
        cdef unsigned long long bottom
        cdef position_t start, position
        cdef double win, score, wins = 0, wins2 = 0, scores = 0, scores2 = 0
        cdef int64_t as_landlord = 0, as_peasants = 0
        cdef int deal, side, sign
        cdef object player
        for side, player in enumerate((a, b)):
            if isinstance(player, Judge):
                judge = player
                if judge.layout.players != self.rules.c.players or judge.layout.depth != 4 * self.rules.c.decks:
                    raise ValueError("the net was made for other numbers of seats or decks")
                free_scratch(&self.scratches[side])
                make_scratch(&self.scratches[side], judge.nets[0].hidden1, judge.nets[0].hidden2)
                players[side] = player_t(NET, &judge.nets[0], &judge.layout, &self.scratches[side])
            elif player in SIMPLE:
                players[side] = player_t(<int>SIMPLE.index(player), NULL, NULL, NULL)
            else:
                raise ValueError(f"player {player!r}, expected a Judge, 'random' or 'greedy'")
        if deals < 1:
            raise ValueError(f"{deals} deals, expected at least 1")
        if not cards_each(&self.rules.c):
            raise ValueError(f"{self.rules.c.players} players with {self.rules.c.decks} deck(s) have no deal")
        self.choices = 0
        for deal in range(deals):
            with nogil:
                bottom = deal_cards(&start, &self.rules.c, &self.rng)
                win = score = 0
                for side in range(2):
                    position = start
                    self.play(&position, bottom, &players[side], &players[1 - side], points)
                    sign = 1 if (position.winner == 0) == (side == 0) else -1
                    if sign > 0:
                        win += 0.5
                        if side:
                            as_peasants += 1
                        else:
                            as_landlord += 1
                    score += sign * payoff_factor(&position, &self.rules.c)
                wins += win
                wins2 += win * win
                scores += score
                scores2 += score * score
        n = float(deals)
        return {
            "wp": wins / n, "wp_se": sqrt(max(wins2 / n - (wins / n) ** 2, 0) / n),
            "adp": scores / n, "adp_se": sqrt(max(scores2 / n - (scores / n) ** 2, 0) / n),
            "landlord": as_landlord / n, "peasants": as_peasants / n, "choices": float(self.choices),
        }

    cdef void play(self, position_t* position, unsigned long long bottom, const player_t* landlord,
                   const player_t* peasants, bint points) noexcept nogil:
        """One game to its end."""
        cdef observation_t seen
        cdef undo_t undo
        cdef const rules_t* rules = &self.rules.c
        cdef const player_t* player
        cdef int count, chosen
        observe_deal(&seen, position, bottom, rules)
        while position.winner == NOBODY:
            count = min(legal_moves(position, rules, self.moves, MOST_PLAYS), MOST_PLAYS)
            chosen = 0
            if count > 1:
                self.choices += 1
                seen.seat = position.turn
                seen.hand = position.hands[position.turn]
                player = landlord if position.turn == 0 else peasants
                if player.kind == RANDOM:
                    chosen = <int>below(&self.rng, <unsigned int>count)
                elif player.kind == GREEDY:
                    chosen = greedy_choice(&seen, self.moves, count, &self.memo.c)
                else:
                    chosen = self.net_choice(player, &seen, count, points)
            observe_play(&seen, position.turn, &self.moves[chosen], rules)
            do_move(position, &self.moves[chosen], rules, &undo)

    cdef int net_choice(self, const player_t* player, const observation_t* seen, int count, bint points) noexcept nogil:
        """The net's best play."""
        cdef int k
        evaluate_plays(&player.nets[role_of(seen.seat, seen.landlord, seen.players)], player.layout, seen, &self.rules.c,
                       points, self.moves, count, &self.memo.c, player.scratch, self.wins, self.scores)
        if points:
            for k in range(count):
                self.wins[k] = <float>points_of(chance_of(self.wins[k]), self.scores[k], seen.factor)
        return best_of(self.wins, count)
