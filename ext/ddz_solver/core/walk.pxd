"""Worlds that are changed step by step until they explain well what the others have played."""

from ddz_solver.core.minds cimport clues_t, minds_t, past_t, worker_t
from ddz_solver.core.rng cimport rng_t
from ddz_solver.core.sample cimport world_t, worlds_t

cdef void walk(const minds_t* minds, worker_t* worker, const worlds_t* deals, const past_t* past, int turns, rng_t* rng,
               world_t* world, clues_t* clues, int steps) noexcept nogil
