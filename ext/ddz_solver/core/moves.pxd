"""Plays and rules as Python values; with them comes everything of `core.combinations`."""

from ddz_solver.core.combinations cimport (
    BOMB, JOKER_BOMB, KINDS, PAIR, PAIR_STRAIGHT, PASS, PLANE, PLANE_PAIRS, PLANE_SOLOS, QUAD_PAIRS, QUAD_RUN,
    QUAD_RUN_PAIRS, QUAD_RUN_SOLOS, QUAD_SOLOS, ROCKET, SOLO, STRAIGHT, TRIO, TRIO_PAIR, TRIO_SOLO,
    FACTOR_LIMIT, MAX_READINGS, classify, doubled, generate, move_beats, move_factor, move_t, rules_t,
)

cdef class CompiledRules:
    cdef rules_t c
    cdef tuple values(self)

cdef class Play:
    cdef move_t c
    cdef tuple identity(self)

cdef Play wrap(const move_t* move)
