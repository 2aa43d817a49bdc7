"""Positions for Python: all hands known, with a stack of moves; with them comes everything of `core.state`."""

from ddz_solver.core.moves cimport CompiledRules, move_t
from ddz_solver.core.state cimport (
    NOBODY, count_lines, do_move, exists, landlord_won, legal_moves, payoff_factor, playout, position_key, position_t,
    undo_move, undo_t,
)

cdef class Position:
    cdef position_t c
    cdef CompiledRules rules
    cdef undo_t* undo_stack
    cdef int depth, undo_capacity
    cdef move_t* moves
    cdef int count, moves_capacity
    cdef int fill(self) except -1
    cdef int push(self, const move_t* move) except -1
