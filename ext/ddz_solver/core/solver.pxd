"""The owner of a search's memory, and whole questions about a position."""

from ddz_solver.core.hands_to_go cimport HandsToGo
from ddz_solver.core.moves cimport CompiledRules, move_t
from ddz_solver.core.node cimport node_t, outcome_t
from ddz_solver.core.search cimport child_t, search_t
from ddz_solver.core.table cimport Table

cdef class Solver:
    cdef search_t c
    cdef Table table
    cdef HandsToGo togo
    cdef CompiledRules rules
    cdef child_t* arena
    cdef int stop_flag
    cdef double deadline
    cdef double started
    cdef object progress
    cdef object error
    cdef bint busy
    cdef outcome_t ask(self, const node_t* node) except *
    cdef outcome_t ask_child(self, const node_t* node, const move_t* move) except *
    cdef int grow(self) except -1
    cdef int refuse_while_busy(self) except -1
