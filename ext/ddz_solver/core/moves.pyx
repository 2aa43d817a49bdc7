"""Plays and rules as Python values, and the combinations of `core.combinations` for Python."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ddz_solver.core.hand cimport RANKS, RUN_RANKS, hand_size, hand_t, is_hand

from ddz_solver.core.combinations import Kind
from ddz_solver.core.hand import text as hand_text

cdef enum: STACK_MOVES = 1024       # plays that a Python call collects without asking for memory


cdef class CompiledRules:
    """Rule switches in the form the compiled core reads. `ddz_solver.game.rules.Rules.compiled` makes and validates them.

    `kinds` and `kicker_copies` are bit masks (bit k: Kind k exists; bit m: m equal cards may stand among solo kickers);
    `bomb_factor` has 9 entries, `joker_power` and `joker_factor` 4, indexed by the number of cards.
    """

    def __init__(
        self, *, uint32_t kinds, int players, int decks, int kicker_copies, bint kicker_beside, bint kicker_jokers,
        bint kicker_quad, bomb_factor, int rocket_factor, joker_power, joker_factor, int spring,
    ):
        cdef int i
        bomb_factor, joker_power, joker_factor = tuple(bomb_factor), tuple(joker_power), tuple(joker_factor)
        if not 2 <= players <= 4:
            raise ValueError(f"{players} players, expected 2..4")
        if not 1 <= decks <= 2:
            raise ValueError(f"{decks} decks, expected 1 or 2")
        if len(bomb_factor) != 9 or len(joker_power) != 4 or len(joker_factor) != 4:
            raise ValueError("expected 9 bomb factors, 4 joker powers and 4 joker factors")
        if not 0 <= spring <= 2:
            raise ValueError(f"spring {spring}, expected 0, 1 or 2")
        memset(&self.c, 0, sizeof(rules_t))
        self.c.kinds = kinds & ((<uint32_t>1 << KINDS) - 2)
        self.c.players, self.c.decks = <uint8_t>players, <uint8_t>decks
        self.c.kicker_copies = <uint8_t>(kicker_copies & 0b11110 | 0b10)
        self.c.kicker_beside, self.c.kicker_jokers, self.c.kicker_quad = kicker_beside, kicker_jokers, kicker_quad
        for i in range(9):
            self.c.bomb_factor[i] = bomb_factor[i]
        self.c.rocket_factor = <uint8_t>rocket_factor
        for i in range(4):
            self.c.joker_power[i] = joker_power[i]
            self.c.joker_factor[i] = joker_factor[i]
        self.c.spring = <uint8_t>spring

    cdef tuple values(self):
        cdef int i
        return (
            self.c.kinds, self.c.players, self.c.decks, self.c.kicker_copies, self.c.kicker_beside,
            self.c.kicker_jokers, self.c.kicker_quad, tuple([self.c.bomb_factor[i] for i in range(9)]), self.c.rocket_factor,
            tuple([self.c.joker_power[i] for i in range(4)]), tuple([self.c.joker_factor[i] for i in range(4)]),
            self.c.spring,
        )

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.c.players

    @property
    def decks(self) -> int:
        """Number of decks of 54 cards."""
        return self.c.decks

    def __repr__(self) -> str:
        return f"<CompiledRules {self.c.players} players, {self.c.decks} deck(s), kinds {self.c.kinds:#x}>"

    def __eq__(self, other):
        return isinstance(other, CompiledRules) and self.values() == (<CompiledRules>other).values()

    def __hash__(self):
        return hash(self.values())

    def __reduce__(self):
        return _compiled_rules, self.values()


def _compiled_rules(*values):
    """Rebuilds pickled rules."""
    names = ("kinds", "players", "decks", "kicker_copies", "kicker_beside", "kicker_jokers", "kicker_quad",
             "bomb_factor", "rocket_factor", "joker_power", "joker_factor", "spring")
    return CompiledRules(**dict(zip(names, values)))


cdef tuple KINDS_BY_NUMBER = tuple(Kind)


cdef class Play:
    """One play: an immutable value, identified by (kind, rank, length, cards) and its power.

    Plays come from `leads`, `replies` and `readings`; `PASS_PLAY` is the pass. `str(play)` gives the cards in ascending
    order ('pass' for a pass). Plays order by kind, length, rank, cards, power.
    """

    def __init__(self):
        raise TypeError("plays come from leads(), replies(), readings() or PASS_PLAY")

    @property
    def kind(self):
        """Its Kind."""
        return KINDS_BY_NUMBER[self.c.kind]

    @property
    def rank(self) -> int:
        """Lowest rank of its run or group, 0 (a three) to 14 (red joker)."""
        return self.c.rank

    @property
    def length(self) -> int:
        """Groups in its run; 1 for a single group, 0 for a pass."""
        return self.c.length

    @property
    def cards(self) -> int:
        """All its cards as a packed hand."""
        return self.c.cards

    @property
    def size(self) -> int:
        """Number of cards."""
        return self.c.size

    @property
    def power(self) -> int:
        """0 for ordinary plays; orders bombs of every kind."""
        return self.c.power

    @property
    def is_pass(self) -> bool:
        """Whether this is the pass."""
        return self.c.kind == PASS

    @property
    def is_bomb(self) -> bool:
        """Whether this is a bomb, a joker bomb or the rocket."""
        return self.c.power != 0

    def __len__(self) -> int:
        return self.c.size

    def __bool__(self) -> bool:
        return self.c.kind != PASS

    def __str__(self) -> str:
        return hand_text(self.c.cards) if self.c.kind else "pass"

    def __repr__(self) -> str:
        if self.c.kind == PASS:
            return "<Play pass>"
        return f"<Play {self} {Kind(self.c.kind).name.lower()}>"

    cdef tuple identity(self):
        return self.c.kind, self.c.length, self.c.rank, self.c.cards, self.c.power

    def __eq__(self, other):
        if not isinstance(other, Play):
            return NotImplemented
        cdef const move_t* a = &self.c
        cdef const move_t* b = &(<Play>other).c
        return (a.cards == b.cards and a.kind == b.kind and a.rank == b.rank and a.length == b.length
                and a.power == b.power)

    def __lt__(self, other):
        return self.identity() < (<Play?>other).identity()

    def __le__(self, other):
        return self.identity() <= (<Play?>other).identity()

    def __gt__(self, other):
        return self.identity() > (<Play?>other).identity()

    def __ge__(self, other):
        return self.identity() >= (<Play?>other).identity()

    def __hash__(self):
        return hash((self.c.cards << 8 | self.c.kind << 3) ^ self.c.length)

    def __reduce__(self):
        return _play, (self.c.cards, self.c.kind, self.c.rank, self.c.length, self.c.size, self.c.power)


def _play(hand_t cards, int kind, int rank, int length, int size, int power):
    """Rebuilds a pickled play; refuses numbers that describe none."""
    cdef move_t move
    if not (0 <= kind < KINDS and 0 <= rank < RANKS and 0 <= length <= RUN_RANKS and 0 <= power <= 255
            and is_hand(cards) and size == hand_size(cards) and (kind == PASS) == (cards == 0)):
        raise ValueError(f"{(cards, kind, rank, length, size, power)} describes no play")
    move = move_t(cards, <uint8_t>kind, <uint8_t>rank, <uint8_t>length, <uint8_t>size, <uint8_t>power)
    return wrap(&move)


cdef Play wrap(const move_t* move):
    """A Play that holds a copy of `move`."""
    cdef Play play = Play.__new__(Play)
    play.c = move[0]
    return play


cdef move_t _PASS = move_t(0, PASS, 0, 0, 0, 0)
PASS_PLAY = wrap(&_PASS)
MAX_FACTOR = FACTOR_LIMIT


cdef hand_t checked(hand_t hand) except? 0:
    """The same packed hand. Raises ValueError for a number that is none."""
    if not is_hand(hand):
        raise ValueError(f"{hand:#x} is no packed hand: expected 15 counts of 0..8")
    return hand


cdef list collect(hand_t hand, const move_t* last, CompiledRules rules):
    cdef move_t stack[STACK_MOVES]
    cdef move_t* moves = stack
    cdef int count = generate(hand, last, &rules.c, moves, STACK_MOVES)
    cdef int i
    if count > STACK_MOVES:
        moves = <move_t*>malloc(count * sizeof(move_t))
        if moves == NULL:
            raise MemoryError(f"{count} plays")
        generate(hand, last, &rules.c, moves, count)
    try:
        return [wrap(&moves[i]) for i in range(count)]
    finally:
        if moves != stack:
            free(moves)


def leads(hand_t hand, CompiledRules rules not None) -> list[Play]:
    """All plays with which the packed hand may lead, by kind, length, rank, kickers."""
    return collect(checked(hand), NULL, rules)


def replies(hand_t hand, Play last not None, CompiledRules rules not None) -> list[Play]:
    """All plays of the packed hand over `last`, the pass not included; all leads if `last` is a pass."""
    return collect(checked(hand), &last.c, rules)


def leads_records(hands, CompiledRules rules not None) -> tuple[bytes, list[int]]:
    """The leads of many packed hands at once: one 16-byte record a play, and the number of plays of each hand.

    A record is the native struct `=QBBBBB3x`: cards, kind, rank, length, size, power; NumPy reads them with
    `numpy.frombuffer(records, "u8,u1,u1,u1,u1,u1,V3")`.
    """
    cdef list packed = [checked(hand) for hand in hands]
    cdef list counts = [generate(hand, NULL, &rules.c, NULL, 0) for hand in packed]
    cdef bytes records = PyBytes_FromStringAndSize(NULL, sum(counts) * sizeof(move_t))
    cdef move_t* out = <move_t*>PyBytes_AS_STRING(records)
    cdef int count
    for hand, count in zip(packed, counts):
        generate(hand, NULL, &rules.c, out, count)
        out += count
    return records, counts


def repeat_leads(hands, CompiledRules rules not None, int times) -> int:
    """Number of leads of many packed hands, made `times` times in a buffer that is used again; to time the generator.

    Plays beyond the first 65 536 of a hand are counted but not stored.
    """
    cdef list packed = [checked(hand) for hand in hands]
    cdef int number = len(packed), capacity = 65536, i, j
    cdef long long total = 0
    cdef hand_t* all_hands = <hand_t*>malloc((number + 1) * sizeof(hand_t))
    cdef move_t* buffer = <move_t*>malloc(capacity * sizeof(move_t))
    try:
        if all_hands == NULL or buffer == NULL:
            raise MemoryError(f"{number} hands")
        for i in range(number):
            all_hands[i] = packed[i]
        with nogil:
            for j in range(times):
                for i in range(number):
                    total += generate(all_hands[i], NULL, &rules.c, buffer, capacity)
        return total
    finally:
        free(all_hands)
        free(buffer)


def count_leads(hand_t hand, CompiledRules rules not None) -> int:
    """Number of leads, without making them."""
    return generate(checked(hand), NULL, &rules.c, NULL, 0)


def count_replies(hand_t hand, Play last not None, CompiledRules rules not None) -> int:
    """Number of replies, without making them."""
    return generate(checked(hand), &last.c, &rules.c, NULL, 0)


def readings(hand_t cards, CompiledRules rules not None) -> list[Play]:
    """Every play that consists of exactly these cards, the longest run first; empty where they are no play."""
    cdef move_t moves[MAX_READINGS]
    cdef int count = classify(checked(cards), &rules.c, moves, MAX_READINGS)
    cdef int i
    return [wrap(&moves[i]) for i in range(min(count, MAX_READINGS))]


def beats(Play play not None, Play last not None) -> bool:
    """Whether `play` may be played over `last`: a higher one of the same kind and length, or a stronger bomb."""
    return play.c.kind != PASS and (last.c.kind == PASS or move_beats(&play.c, &last.c))


def factor_after(int factor, plays, CompiledRules rules not None) -> int:
    """The product of all doublings after these plays, `MAX_FACTOR` at most.

    Raises ValueError where `factor` is no such product.
    """
    cdef Play play
    if not 1 <= factor <= FACTOR_LIMIT:
        raise ValueError(f"factor {factor}, expected 1 to {FACTOR_LIMIT}")
    for play in plays:
        factor = doubled(factor, &play.c, &rules.c)
    return factor
