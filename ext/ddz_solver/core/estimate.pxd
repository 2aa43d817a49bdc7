"""First guess of the numbers of a node: hands to go, and who looks like winning."""

from libc.stdint cimport uint32_t

from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.moves cimport rules_t
from ddz_solver.core.node cimport node_t

cdef enum:
    ROLES = 3           # landlord, the peasant after him, the peasant before him
    SITUATIONS = ROLES * ROLES      # role of the seat to move, and of the one that made the play to beat (or leads)
    FEATURES = 35       # the last one is 1

cdef int node_features(htg_t* togo, const node_t* node, const rules_t* rules, int landlord, float* out) noexcept nogil
cdef void estimate(
    htg_t* togo, const node_t* node, const rules_t* rules, int landlord, uint32_t* pn, uint32_t* dn,
) noexcept nogil
