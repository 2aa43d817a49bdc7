"""Depth-first proof-number search (df-pn, Nagai 2002) for `does the landlord reach the goal?`, plain search at the end.

At each node the search goes into the child that looks cheapest for the side to move and stays there until another child
looks cheaper by a quarter, or until the thresholds handed down from above are passed. Numbers of nodes seen for the first
time come from `estimate`; all others from the table. Children with equal keys are searched once. Once few cards are left a
node is decided at once, depth first, the most promising child first.
"""

from libc.string cimport memset

from ddz_solver.core.dominance cimport drop_dominated
from ddz_solver.core.estimate cimport estimate
from ddz_solver.core.hand cimport hand_size
from ddz_solver.core.moves cimport PASS, generate
from ddz_solver.core.node cimport (
    MISSED, REACHED, UNDECIDED, most_factor, node_key, node_last, node_play,
)
from ddz_solver.core.rng cimport below
from ddz_solver.core.table cimport INFINITE, table_probe, table_store


cdef enum:
    FEW_CARDS = 12          # in all hands together: nodes with no more are searched depth first
    HAS_WANTED = -1         # answers of children_of: a child wins for the side to move
    OUT_OF_ROOM = -2        # the arena is too small


cdef inline outcome_t settled(child_t* child, outcome_t outcome) noexcept nogil:
    child.pn = 0 if outcome == REACHED else INFINITE
    child.dn = INFINITE if outcome == REACHED else 0
    return outcome


cdef outcome_t look_at(search_t* search, const node_t* node, child_t* child) noexcept nogil:
    """Plays `child.move` and fills in what it leads to: decided by the rules or the table, or with numbers."""
    cdef outcome_t outcome = node_play(node, &child.move, search.rules, search.landlord, &child.node)
    cdef int most
    if outcome != UNDECIDED:
        return settled(child, outcome)
    if child.node.goal != 1:
        most = most_factor(&child.node, search.rules)
        if child.node.goal > most:
            return settled(child, MISSED)
        if -child.node.goal >= most:
            return settled(child, REACHED)
    node_key(&child.node, search.rules, search.salt, &child.key)
    if not table_probe(search.table, &child.key, &child.pn, &child.dn):
        estimate(search.togo, &child.node, search.rules, search.landlord, &child.pn, &child.dn)
    return REACHED if child.pn == 0 else MISSED if child.dn == 0 else UNDECIDED


cdef void shuffle_moves(rng_t* rng, move_t* moves, int count) noexcept nogil:
    cdef int i, j
    cdef move_t move
    for i in range(count - 1, 0, -1):
        j = <int>below(rng, <uint32_t>(i + 1))
        move = moves[i]
        moves[i] = moves[j]
        moves[j] = move


cdef int children_of(
    search_t* search, const node_t* node, child_t* arena, int capacity, outcome_t wanted,
) noexcept nogil:
    """Fills `arena` with the children that are open, one for each key, or returns HAS_WANTED or OUT_OF_ROOM.

    The moves are first written over the last quarter of the same memory.
    """
    cdef move_t last
    cdef int quarter = capacity // 4
    cdef move_t* moves = <move_t*>(arena + (capacity - quarter))
    cdef child_t* child
    cdef int count, i, j, open_count = 0
    cdef outcome_t outcome
    node_last(node, &last)
    count = generate(node.hands[node.turn], &last, search.rules, moves, quarter)
    if count + 1 > quarter:         # a move is smaller than a child: there is room for the pass and for all children
        return OUT_OF_ROOM
    count = drop_dominated(node, search.rules, search.landlord, moves, count)
    if node.kind != PASS:
        memset(moves + count, 0, sizeof(move_t))
        count += 1
    if search.shuffle.state:
        shuffle_moves(&search.shuffle, moves, count)
    for i in range(count):
        child = arena + open_count
        child.move = moves[i]
        outcome = look_at(search, node, child)
        if outcome == wanted:
            return HAS_WANTED
        if outcome == UNDECIDED:
            for j in range(open_count):
                if arena[j].key.check == child.key.check and arena[j].key.index == child.key.index:
                    break
            else:
                open_count += 1
    return open_count


cdef inline bint halted(search_t* search) noexcept nogil:
    """Counts a node; whether the search has to give up."""
    search.nodes += 1
    if search.halted:
        return True
    if search.nodes >= search.node_limit:
        search.halted = OUT_OF_NODES
    elif search.stop != NULL and search.stop[0]:
        search.halted = STOPPED
    elif search.poll != NULL and search.nodes % POLL_NODES == 0 and search.poll(search.owner):
        search.halted = STOPPED
    return search.halted != RUNNING


cdef inline bint has_few_cards(const node_t* node, const rules_t* rules) noexcept nogil:
    cdef int seat, cards = 0
    for seat in range(rules.players):
        cards += hand_size(node.hands[seat])
    return cards <= FEW_CARDS


cdef inline void bring_first(child_t* children, int count, bint landlord) noexcept nogil:
    """Swaps the child that looks cheapest for the side to move to the front."""
    cdef child_t child
    cdef int i, best = 0
    for i in range(1, count):
        if (children[i].pn < children[best].pn) if landlord else (children[i].dn < children[best].dn):
            best = i
    if best:
        child = children[0]
        children[0] = children[best]
        children[best] = child


cdef outcome_t exhaust(
    search_t* search, const node_t* node, const key_t* key, child_t* arena, int capacity,
) noexcept nogil:
    """Decides a node depth first; UNDECIDED only where the search has to give up."""
    cdef bint landlord = node.turn == search.landlord
    cdef outcome_t wanted = REACHED if landlord else MISSED
    cdef outcome_t outcome = MISSED if landlord else REACHED
    cdef uint64_t before = search.nodes
    cdef int count, i
    if halted(search):
        return UNDECIDED
    count = children_of(search, node, arena, capacity, wanted)
    if count == OUT_OF_ROOM:
        search.halted = OUT_OF_ARENA
        return UNDECIDED
    if count == HAS_WANTED:
        outcome = wanted
    for i in range(count):
        bring_first(arena + i, count - i, landlord)
        outcome = exhaust(search, &arena[i].node, &arena[i].key, arena + count, capacity - count)
        if outcome == UNDECIDED:
            return UNDECIDED
        if outcome == wanted:
            break
    table_store(search.table, key, 0 if outcome == REACHED else INFINITE, INFINITE if outcome == REACHED else 0,
                search.nodes - before)
    return outcome


cdef void expand(
    search_t* search, const node_t* node, const key_t* key, uint32_t most_pn, uint32_t most_dn, child_t* arena, int capacity,
    uint32_t* pn, uint32_t* dn,
) noexcept nogil:
    """Works on a node until its numbers reach the thresholds, and gives and stores its numbers.

    Seen from the side to move, `own` is the number that wins it the node and `other` the one that loses it:
    own(node) = least own(child), other(node) = sum of other(child) over the open children.
    """
    cdef bint landlord = node.turn == search.landlord
    cdef outcome_t wanted = REACHED if landlord else MISSED
    cdef uint64_t before = search.nodes, total
    cdef uint32_t own, second, value, most_own, most_other
    cdef int count, i, best
    cdef child_t* child
    cdef outcome_t outcome
    if has_few_cards(node, search.rules):
        outcome = exhaust(search, node, key, arena, capacity)
        if outcome != UNDECIDED:
            pn[0] = 0 if outcome == REACHED else INFINITE
            dn[0] = INFINITE if outcome == REACHED else 0
        return
    if halted(search):
        return
    count = children_of(search, node, arena, capacity, wanted)
    if count == OUT_OF_ROOM:
        search.halted = OUT_OF_ARENA
        return
    while True:
        own = second = INFINITE
        total = 0
        best = -1
        for i in range(count):
            child = arena + i
            value = child.pn if landlord else child.dn
            if value == INFINITE:                   # lost for the side to move
                continue
            total += child.dn if landlord else child.pn
            if best < 0 or value < own:
                second = own
                own = value
                best = i
            elif value < second:
                second = value
        if count == HAS_WANTED or (best >= 0 and own == 0):
            own = 0
            total = INFINITE
        elif best < 0:
            own = INFINITE
            total = 0
        elif total >= INFINITE:
            total = INFINITE - 1
        pn[0] = own if landlord else <uint32_t>total
        dn[0] = <uint32_t>total if landlord else own
        if own == 0 or best < 0 or pn[0] >= most_pn or dn[0] >= most_dn or search.halted:
            table_store(search.table, key, pn[0], dn[0], search.nodes - before)
            return
        child = arena + best
        value = second + 1 + second // 4
        most_own = most_pn if landlord else most_dn
        if value < most_own:
            most_own = value
        total = (most_dn if landlord else most_pn) - total + (child.dn if landlord else child.pn)
        most_other = <uint32_t>total if total < INFINITE else INFINITE
        expand(search, &child.node, &child.key, most_own if landlord else most_other, most_other if landlord else most_own,
               arena + count, capacity - count, &child.pn, &child.dn)


cdef outcome_t search_node(search_t* search, const node_t* root) noexcept nogil:
    """Whether the landlord reaches the goal of a settled node; UNDECIDED where a limit came first (see `halted`)."""
    cdef key_t key
    cdef uint32_t pn = 1, dn = 1
    node_key(root, search.rules, search.salt, &key)
    if not table_probe(search.table, &key, &pn, &dn) or (pn and dn):
        expand(search, root, &key, INFINITE, INFINITE, search.arena, search.capacity, &pn, &dn)
    return REACHED if pn == 0 else MISSED if dn == 0 else UNDECIDED
