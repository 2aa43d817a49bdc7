"""Positions for Python: all hands known, with a stack of the moves made."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from ddz_solver.core.combinations cimport FACTOR_LIMIT, PASS, move_beats, move_t
from ddz_solver.core.hand cimport MAX_SEATS, hand_size, hand_t, holds, is_hand
from ddz_solver.core.moves cimport CompiledRules, Play, wrap
from ddz_solver.core.rng cimport rng_t

from ddz_solver.core.hand import text as hand_text

cdef enum:
    FIRST_CAPACITY = 128
    MAX_CARDS = 108             # two decks
    PERFT_AT_ONCE = 4           # depth that perft counts without a look at signals


cdef class Position:
    """A position with all hands known, and a stack of the moves made on it.

    `hands` are packed hands, one a seat. `last` is the play to beat and `owner` the seat that made it; without them the
    seat to move leads. `plays` are the plays each seat has made so far and `factor` the doublings so far.
    Raises ValueError where these do not fit together. Pickling keeps the moves made; a position that is over can only be
    pickled with them.
    """

    def __cinit__(self):
        self.undo_stack = NULL
        self.moves = NULL
        self.depth = self.undo_capacity = self.moves_capacity = 0
        self.count = -1                 # the moves of the position are not known yet

    def __dealloc__(self):
        free(self.undo_stack)
        free(self.moves)

    def __init__(self, CompiledRules rules not None, hands, *, int turn=0, int landlord=0, Play last=None, owner=None,
                 uint32_t factor=1, plays=None):
        cdef int seat
        cdef int seats = rules.c.players
        hands = tuple(hands)
        plays = (0,) * seats if plays is None else tuple(plays)
        if len(hands) != seats or len(plays) != seats:
            raise ValueError(f"{len(hands)} hands and {len(plays)} counts of plays, expected {seats} of each")
        if not 0 <= turn < seats or not 0 <= landlord < seats:
            raise ValueError(f"turn {turn} and landlord {landlord}, expected seats 0..{seats - 1}")
        if not 1 <= factor <= FACTOR_LIMIT:
            raise ValueError(f"factor {factor}, expected 1 to {FACTOR_LIMIT}")
        self.rules = rules
        memset(&self.c, 0, sizeof(position_t))
        self.c.winner = NOBODY
        for seat in range(seats):
            if not 0 <= plays[seat] <= MAX_CARDS:
                raise ValueError(f"{plays[seat]} plays made by seat {seat}, expected 0..{MAX_CARDS}")
            if not is_hand(hands[seat]):
                raise ValueError(f"{hands[seat]:#x} is no packed hand: expected 15 counts of 0..8")
            self.c.hands[seat] = hands[seat]
            self.c.plays[seat] = plays[seat]
        if sum([hand_size(self.c.hands[seat]) == 0 for seat in range(seats)]) > 0:
            raise ValueError("a hand without cards: the game would be over already")
        self.c.turn = self.c.owner = <uint8_t>turn
        self.c.landlord = <uint8_t>landlord
        self.c.factor = factor
        if last is not None and last.c.kind != PASS:
            if owner is None or not 0 <= owner < seats or owner == turn:
                raise ValueError(f"the play to beat, {last}, needs the seat that made it, other than the one to move")
            self.c.last = last.c
            self.c.owner = <uint8_t><int>owner

    cdef int fill(self) except -1:
        """Makes sure that the legal moves of the position are in `moves`; returns their number."""
        cdef move_t* larger
        cdef int count
        if self.count >= 0:
            return self.count
        count = legal_moves(&self.c, &self.rules.c, self.moves, self.moves_capacity)
        if count > self.moves_capacity:
            larger = <move_t*>realloc(self.moves, max(count, FIRST_CAPACITY) * sizeof(move_t))
            if larger == NULL:
                raise MemoryError(f"{count} plays")
            self.moves = larger
            self.moves_capacity = max(count, FIRST_CAPACITY)
            legal_moves(&self.c, &self.rules.c, self.moves, self.moves_capacity)
        self.count = count
        return count

    cdef int push(self, const move_t* move) except -1:
        """Makes a legal move and remembers how to take it back."""
        cdef undo_t* larger
        if self.depth == self.undo_capacity:
            larger = <undo_t*>realloc(self.undo_stack, (self.undo_capacity + FIRST_CAPACITY) * sizeof(undo_t))
            if larger == NULL:
                raise MemoryError("undo stack")
            self.undo_stack = larger
            self.undo_capacity += FIRST_CAPACITY
        do_move(&self.c, move, &self.rules.c, self.undo_stack + self.depth)
        self.depth += 1
        self.count = -1
        return 0

    def legal(self) -> list[Play]:
        """All legal plays of the seat to move, the pass first where it is allowed; empty once the game is over."""
        cdef int i
        return [wrap(&self.moves[i]) for i in range(self.fill())]

    @property
    def legal_count(self) -> int:
        """Number of legal plays."""
        return self.fill()

    def nth(self, int index) -> Play:
        """The legal play at `index`, in the order of `legal`. Raises IndexError beyond them."""
        if not 0 <= index < self.fill():
            raise IndexError(f"legal play {index} of {self.count}")
        return wrap(&self.moves[index])

    def is_legal(self, Play play not None) -> bool:
        """Whether the seat to move may make `play` now."""
        if self.c.winner != NOBODY:
            return False
        if play.c.kind == PASS:
            return self.c.last.kind != PASS
        if not exists(&play.c, &self.rules.c) or not holds(self.c.hands[self.c.turn], play.c.cards):
            return False
        return self.c.last.kind == PASS or move_beats(&play.c, &self.c.last)

    def play(self, Play play not None) -> None:
        """Makes `play`. Raises ValueError where it is not legal."""
        if not self.is_legal(play):
            to_beat = "a lead" if self.c.last.kind == PASS else f"pass or a play over {hand_text(self.c.last.cards)}"
            raise ValueError(
                f"{play} is not legal for seat {self.c.turn}, who holds {hand_text(self.c.hands[self.c.turn]) or 'nothing'}:"
                f" expected {'nothing, the game is over' if self.c.winner != NOBODY else to_beat}"
            )
        self.push(&play.c)

    def play_nth(self, int index) -> None:
        """Makes the legal play at `index`. Raises IndexError beyond them."""
        cdef move_t move
        if not 0 <= index < self.fill():
            raise IndexError(f"legal play {index} of {self.count}")
        move = self.moves[index]
        self.push(&move)

    def undo(self) -> Play:
        """Takes back the last play made on this object and returns it. Raises IndexError where there is none."""
        if self.depth == 0:
            raise IndexError("no play to take back")
        self.depth -= 1
        self.count = -1
        undo_move(&self.c, self.undo_stack + self.depth)
        return wrap(&self.undo_stack[self.depth].made)

    def copy(self) -> Position:
        """The same position without its past."""
        cdef Position other = Position.__new__(Position)
        other.rules = self.rules
        other.c = self.c
        return other

    def made(self) -> list[Play]:
        """The plays made on this object so far, passes included."""
        cdef int i
        return [wrap(&self.undo_stack[i].made) for i in range(self.depth)]

    @property
    def turn(self) -> int:
        """Seat to move."""
        return self.c.turn

    @property
    def landlord(self) -> int:
        """Seat of the landlord."""
        return self.c.landlord

    @property
    def hands(self) -> tuple[int, ...]:
        """Packed hands, one a seat."""
        cdef int seat
        return tuple([self.c.hands[seat] for seat in range(self.rules.c.players)])

    @property
    def last(self) -> Play | None:
        """The play to beat; None where the seat to move leads."""
        return None if self.c.last.kind == PASS else wrap(&self.c.last)

    @property
    def owner(self) -> int:
        """Seat that made the last play which was not a pass; the seat to move where there is none."""
        return self.c.owner

    @property
    def plays(self) -> tuple[int, ...]:
        """Plays made by each seat, passes not counted."""
        cdef int seat
        return tuple([self.c.plays[seat] for seat in range(self.rules.c.players)])

    def view(self, int seat) -> tuple[int, int, tuple[int, ...], tuple[int, ...], Play | None, int | None]:
        """What a seat sees: its hand, the others' cards together, cards and plays of each seat, the play to beat, its seat.

        All in one call: whole games from Python are mostly observations. ValueError: there is no such seat.
        """
        cdef hand_t hidden = 0
        cdef int index, players = self.rules.c.players
        cdef bint open_play = self.c.last.kind != PASS and self.c.winner == NOBODY
        if not 0 <= seat < players:
            raise ValueError(f"seat {seat}, expected 0..{players - 1}")
        for index in range(players):
            if index != seat:
                hidden += self.c.hands[index]
        return (
            self.c.hands[seat], hidden, tuple([hand_size(self.c.hands[index]) for index in range(players)]), self.plays,
            wrap(&self.c.last) if open_play else None, self.c.owner if open_play else None,
        )

    @property
    def over(self) -> bool:
        """Whether somebody has no cards left."""
        return self.c.winner != NOBODY

    @property
    def winner(self) -> int | None:
        """Seat that has no cards left; None while the game goes on."""
        return None if self.c.winner == NOBODY else self.c.winner

    @property
    def factor(self) -> int:
        """What the stake is multiplied by: bombs and rockets played so far and, at the end, spring and anti-spring."""
        return payoff_factor(&self.c, &self.rules.c)

    @property
    def key(self) -> int:
        """A 64-bit key of all that decides how play can go on."""
        return position_key(&self.c)

    def perft(self, int depth) -> int:
        """Number of lines of `depth` plays from here, games that end earlier included."""
        cdef position_t position = self.c
        cdef long long capacity = 4096, lines = -1
        cdef move_t* arena
        cdef Position twin
        cdef int index
        if depth < 0:
            raise ValueError(f"depth {depth}, expected 0 or more")
        if depth > PERFT_AT_ONCE and position.winner == NOBODY:
            twin = self.copy()
            lines = 0
            for index in range(twin.fill()):
                PyErr_CheckSignals()
                twin.play_nth(index)
                lines += twin.perft(depth - 1)
                twin.undo()
            return lines
        while lines < 0:
            arena = <move_t*>malloc(capacity * sizeof(move_t))
            if arena == NULL:
                raise MemoryError("perft")
            with nogil:
                lines = count_lines(&position, &self.rules.c, depth, arena, capacity)
            free(arena)
            capacity *= 4
        return lines

    def playouts(self, int count, uint64_t seed) -> tuple[int, ...]:
        """Wins of each seat in `count` games played on from here with uniformly random legal plays."""
        cdef position_t position
        cdef rng_t rng = rng_t(seed)
        cdef int wins[MAX_SEATS]
        cdef int capacity = 1024, done = 0, winner
        cdef move_t* buffer = NULL
        if count < 0:
            raise ValueError(f"{count} playouts, expected 0 or more")
        memset(wins, 0, sizeof(wins))
        while True:
            free(buffer)
            buffer = <move_t*>malloc(capacity * sizeof(move_t))
            if buffer == NULL:
                raise MemoryError("playouts")
            with nogil:
                while done < count:
                    position = self.c
                    winner = playout(&position, &self.rules.c, &rng, buffer, capacity)
                    if winner < 0:
                        break
                    wins[winner] += 1
                    done += 1
            if done == count:
                break
            capacity *= 4
        free(buffer)
        return tuple([wins[seat] for seat in range(self.rules.c.players)])

    def __repr__(self) -> str:
        hands = "/".join([hand_text(hand) or "-" for hand in self.hands])
        return f"<Position {hands}, turn {self.c.turn}, landlord {self.c.landlord}>"

    def __reduce__(self):
        cdef position_t first = self.c
        cdef int index, seat, seats = self.rules.c.players
        for index in range(self.depth - 1, -1, -1):
            undo_move(&first, self.undo_stack + index)
        last = None if first.last.kind == PASS else wrap(&first.last)
        return _position, (
            self.rules, tuple([first.hands[seat] for seat in range(seats)]), first.turn, first.landlord, last,
            None if last is None else first.owner, first.factor, tuple([first.plays[seat] for seat in range(seats)]),
            tuple(self.made()),
        )


def _position(CompiledRules rules, hands, turn, landlord, last, owner, factor, plays, made):
    """Rebuilds a pickled or deeply copied position: as it began, and the plays made since."""
    position = Position(rules, hands, turn=turn, landlord=landlord, last=last, owner=owner, factor=factor, plays=plays)
    for play in made:
        position.play(play)
    return position
