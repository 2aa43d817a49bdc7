"""Solver: owns table and arena, asks the search yes-or-no questions, and answers for every move, line included."""

import time

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ddz_solver.core.moves cimport Play
from ddz_solver.core.node cimport (
    REACHED, UNDECIDED, most_factor, node_from_position, node_settle, rules_salt,
)
from ddz_solver.core.position cimport NOBODY, Position
from ddz_solver.core.search cimport OUT_OF_ARENA, OUT_OF_NODES, RUNNING, look_at, search_node
from ddz_solver.core.table cimport table_next_generation

cdef enum:
    FIRST_ARENA = 1 << 14
    MOST_ARENA = 1 << 24


cdef int poll(void* owner) noexcept nogil:
    """Called by the search now and then: signals, the clock, progress. Not 0: give up."""
    with gil:
        return (<Solver>owner).tick()


cdef class Solver:
    """Answers questions about open hands under one set of rules with a table of `table_size` bytes.

    One question at a time: RuntimeError where a second thread asks while the first one waits. `stop` may be called from
    any thread.
    """

    def __cinit__(self, CompiledRules rules not None, *, uint64_t table_size):
        self.rules = rules
        self.table = Table(table_size)
        self.togo = HandsToGo(rules)
        self.arena = <child_t*>calloc(FIRST_ARENA, sizeof(child_t))
        if self.arena == NULL:
            raise MemoryError("arena")
        memset(&self.c, 0, sizeof(search_t))
        self.c.table = &self.table.c
        self.c.togo = &self.togo.c
        self.c.rules = &rules.c
        self.c.arena = self.arena
        self.c.capacity = FIRST_ARENA
        self.c.stop = &self.stop_flag
        self.c.poll = poll
        self.c.owner = <void*>self

    def __dealloc__(self):
        free(self.arena)

    cdef int grow(self) except -1:
        """Doubles the arena."""
        cdef int capacity = 2 * self.c.capacity
        cdef child_t* larger
        if capacity > MOST_ARENA:
            raise MemoryError("a position with too many plays")
        larger = <child_t*>calloc(capacity, sizeof(child_t))
        if larger == NULL:
            raise MemoryError("arena")
        free(self.arena)
        self.arena = self.c.arena = larger
        self.c.capacity = capacity
        return 0

    def tick(self) -> bool:
        """Whether the search has to give up; keeps what a signal handler or the progress callback raised for later."""
        cdef double now = time.perf_counter()
        try:
            PyErr_CheckSignals()
            if self.progress is not None:
                self.progress(self.c.nodes, now - self.started)
        except BaseException as error:
            self.error = error
            return True
        return now > self.deadline

    def stop(self) -> None:
        """Makes the question that is being answered end with what is known; may be called from any thread."""
        self.stop_flag = 1

    @property
    def nodes(self) -> int:
        """Nodes expanded since `begin`."""
        return self.c.nodes

    @property
    def halted(self) -> str:
        """Why the last question got no answer: 'nodes', 'stop' (time is a stop), or '' where it got one."""
        return "" if self.c.halted == RUNNING else "nodes" if self.c.halted == OUT_OF_NODES else "stop"

    @property
    def table_size(self) -> int:
        """Bytes of the table."""
        return self.table.size

    def begin(
        self, Position position not None, *, uint64_t node_limit, double seconds, progress=None, uint64_t shuffle=0,
    ) -> None:
        """Gets ready for questions about `position`: counts nodes and time from here.

        `shuffle`, where not 0, seeds a random order of moves, which changes nodes but no answer.
        ValueError where its rules are not the solver's, or it is over.
        """
        self.refuse_while_busy()
        if position.rules != self.rules:
            raise ValueError("the position has other rules than the solver")
        if position.c.winner != NOBODY:
            raise ValueError("the game is over: there is nothing to solve")
        self.c.landlord = position.c.landlord
        self.c.salt = rules_salt(&self.rules.c, position.c.landlord)
        self.c.nodes = 0
        self.c.node_limit = node_limit
        self.c.halted = RUNNING
        self.c.shuffle.state = shuffle
        self.stop_flag = 0
        self.started = time.perf_counter()
        self.deadline = self.started + seconds
        self.progress = progress
        self.error = None
        table_next_generation(&self.table.c)

    def forget(self) -> None:
        """Clears the table, so that the next search does not depend on earlier ones."""
        self.refuse_while_busy()
        self.table.clear()

    cdef int refuse_while_busy(self) except -1:
        """RuntimeError while a search runs in another thread: it uses the table and the counters."""
        if self.busy:
            raise RuntimeError("this solver is answering another question")
        return 0

    cdef outcome_t ask(self, const node_t* node) except *:
        """Whether the landlord reaches the goal of a settled node."""
        cdef outcome_t outcome
        self.refuse_while_busy()
        if self.c.halted:
            return UNDECIDED
        self.busy = True
        try:
            while True:
                with nogil:
                    outcome = search_node(&self.c, node)
                if self.c.halted != OUT_OF_ARENA:
                    break
                self.grow()
                self.c.halted = RUNNING
        finally:
            self.busy = False
        if self.error is not None:
            raise self.error
        return outcome

    cdef outcome_t ask_child(self, const node_t* node, const move_t* move) except *:
        """The same for what a move leads to."""
        cdef child_t child
        child.move = move[0]
        cdef outcome_t outcome = look_at(&self.c, node, &child)
        return outcome if outcome != UNDECIDED else self.ask(&child.node)

    def reaches(self, Position position not None, int goal) -> bool | None:
        """Whether the landlord reaches the goal from `position` on; None where a limit came first.

        A goal g > 0: he wins with a factor of at least g from here on; g < 0: he wins, or loses with at most -g.
        """
        cdef node_t node
        node_from_position(&position.c, &self.rules.c, goal, &node)
        node_settle(&node, &self.rules.c)
        cdef outcome_t outcome = self.ask(&node)
        return None if outcome == UNDECIDED else outcome == REACHED

    def move_reaches(self, Position position not None, Play play not None, int goal) -> bool | None:
        """Whether the landlord reaches the goal, counted from before `play`, once it has been made."""
        cdef node_t node
        node_from_position(&position.c, &self.rules.c, goal, &node)
        cdef outcome_t outcome = self.ask_child(&node, &play.c)
        return None if outcome == UNDECIDED else outcome == REACHED

    def known(self, Position position not None, Play play not None, int goal) -> bool | None:
        """What `move_reaches` would say if it needs no search; None where it does."""
        cdef node_t node
        cdef child_t child
        child.move = play.c
        node_from_position(&position.c, &self.rules.c, goal, &node)
        cdef outcome_t outcome = look_at(&self.c, &node, &child)
        return None if outcome == UNDECIDED else outcome == REACHED

    def most_factor(self, Position position not None) -> int:
        """An upper bound on what the payoff is multiplied by from here to the end."""
        cdef node_t node
        node_from_position(&position.c, &self.rules.c, 1, &node)
        return most_factor(&node, &self.rules.c)

    @property
    def factors(self) -> set[int]:
        """Everything over 1 that the rules multiply a payoff by, spring included."""
        cdef int i
        found = {self.rules.c.rocket_factor, 2 if self.rules.c.spring else 1}
        found.update([self.rules.c.bomb_factor[i] for i in range(4, 9)], [self.rules.c.joker_factor[i] for i in range(2, 4)])
        return found - {0, 1}


def rules_of(Position position not None) -> CompiledRules:
    """The rules of a position."""
    return position.rules
