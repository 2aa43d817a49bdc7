"""What the planner computes without the GIL: how well worlds explain the past, and how plays fare in them."""

from libc.stdint cimport uint64_t

from ddz_solver.core.evaluate cimport Judge, scratch_t
from ddz_solver.core.features cimport layout_t
from ddz_solver.core.hand cimport hand_t
from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.net cimport net_t
from ddz_solver.core.observation cimport Observation, observation_t
from ddz_solver.core.sample cimport world_t, worlds_t

cdef enum: MOST_THREADS = 64

ctypedef struct minds_t:        # how every seat is taken to think; shared by all threads, read only but for the memo
    const net_t* nets           # by role
    const layout_t* layout
    const rules_t* rules
    htg_t* memo
    int objective               # 1: points, 0: win
    double temperature          # how far below the best play, in win chance, a play is still likely
    double noise                # share of choices that no value explains
    double decay                # what each value of the net on the way leaves for the end of the rollout
    int depth                   # choices after which a rollout ends with the net's value

ctypedef struct worker_t:       # buffers of one thread
    scratch_t scratch
    move_t* moves
    float* wins
    float* scores
    uint64_t nodes              # plays and passes made in rollouts

ctypedef struct past_t:         # a turn of another seat
    observation_t before        # what everybody knew before it; seat and hand are filled in for each world
    move_t move
    hand_t since                # cards the seat has played from this turn on

ctypedef struct value_t:        # for the side of the seat that plans
    double win                  # chance, 0..1
    double score                # in stakes

cdef class Rollouts:
    cdef Judge judge
    cdef Observation seen
    cdef minds_t minds
    cdef worlds_t deals
    cdef worker_t workers[MOST_THREADS]
    cdef int threads
    cdef past_t* past
    cdef int turns
    cdef move_t* candidates
    cdef int count
    cdef world_t* worlds
    cdef double* shares                 # of all deals, where all worlds are listed
    cdef uint64_t seed
    cdef readonly int number            # worlds held
    cdef readonly bint complete         # whether these are all
    cdef readonly tuple plays
    cdef int make_worker(self, worker_t* worker) except -1
    cdef int fill(self, int worlds) except -1
    cdef int remember(self, tuple history, int recall) except -1
    cdef int check(self, int worker, int world) except -1
