"""Open-hand search: depth-first proof-number search on nodes. All memory is the caller's; no Python object is touched."""

from libc.stdint cimport uint32_t, uint64_t

from ddz_solver.core.hands_to_go cimport htg_t
from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.node cimport node_t, outcome_t
from ddz_solver.core.rng cimport rng_t
from ddz_solver.core.table cimport key_t, table_t

ctypedef struct child_t:
    move_t move
    node_t node
    key_t key
    uint32_t pn             # proof number: work left to show that the landlord reaches the goal; 0: shown
    uint32_t dn             # disproof number: work left to show that he does not; 0: shown

ctypedef enum halt_t:
    RUNNING = 0
    OUT_OF_NODES = 1
    STOPPED = 2             # by `stop`, or because `poll` said so
    OUT_OF_ARENA = 3        # a node had more moves than the arena has room for

ctypedef struct search_t:
    table_t* table
    htg_t* togo
    const rules_t* rules
    child_t* arena
    int capacity            # children that the arena holds; 10 000 are plenty for three hands
    int landlord
    uint64_t salt           # rules_salt of rules and landlord
    uint64_t nodes          # expanded so far
    uint64_t node_limit
    halt_t halted
    rng_t shuffle           # a state other than 0: moves are looked at in random order (results do not depend on it)
    const int* stop         # not 0: give up at once; may be NULL
    int (*poll)(void* owner) noexcept nogil     # called every POLL_NODES nodes, not 0: give up; may be NULL
    void* owner

cdef enum: POLL_NODES = 65536

cdef outcome_t search_node(search_t* search, const node_t* root) noexcept nogil
cdef outcome_t look_at(search_t* search, const node_t* node, child_t* child) noexcept nogil
