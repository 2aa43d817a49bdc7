"""How the seats are taken to think: what they play in a world, and how likely it was that they played what they did."""

from libc.stdint cimport uint64_t

from ddz_solver.core.evaluate cimport scratch_t
from ddz_solver.core.features cimport layout_t
from ddz_solver.core.hand cimport MAX_SEATS, hand_t
from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.net cimport net_t
from ddz_solver.core.observation cimport observation_t
from ddz_solver.core.rng cimport rng_t
from ddz_solver.core.sample cimport world_t

cdef enum:                      # styles of playing, see minds.pyx
    KEEN, LOOSE, SIMPLE, STYLES

ctypedef struct style_t:
    double share                # of all players, before anything is known of them
    double temperature          # how far below the best play, in win chance, a play is still likely
    double noise                # share of choices that nothing explains

ctypedef struct minds_t:        # shared by all threads, read only but for the memo
    const net_t* nets           # by role
    const layout_t* layout
    const rules_t* rules
    htg_t* memo
    int objective               # 1: points, 0: win
    style_t styles[STYLES]
    double decay                # what each value of the net on the way leaves for the end of a rollout
    int depth                   # choices after which a rollout ends with the net's value

ctypedef struct worker_t:       # buffers of one thread
    scratch_t scratch
    move_t* moves
    float* wins
    float* scores
    double* weights
    uint64_t nodes              # plays and passes made in rollouts

ctypedef struct past_t:         # a turn of another seat
    observation_t before        # what everybody knew before it; seat and hand are filled in for each world
    move_t move
    hand_t since                # cards the seat has played from this turn on

ctypedef struct clues_t:        # what the turns of each seat say about a world
    double surprise[MAX_SEATS]  # -log of how likely they were
    double chances[MAX_SEATS][STYLES]   # of its style

cdef void evaluate(const minds_t* minds, worker_t* worker, const observation_t* seen, int count) noexcept nogil
cdef float worth_of(const minds_t* minds, const worker_t* worker, const observation_t* seen, int k) noexcept nogil
cdef int choose(const minds_t* minds, worker_t* worker, const observation_t* seen, int count, int style, rng_t* rng) noexcept nogil
cdef void surprise(const minds_t* minds, worker_t* worker, const past_t* past, int turns, const world_t* world, int seat,
                   double limit, clues_t* clues) noexcept nogil
