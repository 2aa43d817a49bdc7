"""Self-play and fitting in one loop, without the GIL: one Worker a thread."""

from ddz_solver.core.hand cimport hand_t
from ddz_solver.core.moves cimport rules_t
from ddz_solver.core.position cimport position_t
from ddz_solver.core.rng cimport rng_t

cdef int cards_each(const rules_t* rules) noexcept nogil
cdef hand_t deal_cards(position_t* position, const rules_t* rules, rng_t* rng) noexcept nogil
