"""What the planner computes without the GIL: how well worlds explain the past, and how plays fare in them."""

from libc.stdint cimport uint64_t

from ddz_solver.core.evaluate cimport Judge
from ddz_solver.core.minds cimport clues_t, minds_t, past_t, worker_t
from ddz_solver.core.moves cimport move_t
from ddz_solver.core.observation cimport Observation
from ddz_solver.core.rng cimport rng_t
from ddz_solver.core.sample cimport world_t, worlds_t

cdef enum: MOST_THREADS = 64

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
    cdef clues_t* clues                 # of each world
    cdef uint64_t seed
    cdef readonly int number            # worlds held
    cdef readonly bint complete         # whether these are all
    cdef readonly tuple plays
    cdef int set_styles(self, keen, loose, simple) except -1
    cdef int make_worker(self, worker_t* worker) except -1
    cdef int fill(self, int worlds) except -1
    cdef int remember(self, tuple history, int recall, int leads) except -1
    cdef rng_t rng_of(self, int world, int use) noexcept nogil
    cdef int check(self, int worker, int world) except -1
    cdef int check_drawn(self, int worker, int world) except -1
