"""Combinations: enumerate, classify, compare. Leads and replies of every kind come from one code path."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from ddz_solver.core.hand cimport (
    JOKERS, RANK_BLACK, RANK_RED, RANKS, RUN_ONES, RUN_RANKS, at_least, cards_of, count_of, ctz, hand_size, hand_t,
    whole_ranks,
)


# --- the shape of each kind -------------------------------------------------------------------------------------------

ctypedef struct shape_t:
    uint8_t copies      # cards of each group: solo 1, pair 2, trio 3, four 4
    uint8_t shortest    # fewest groups
    uint8_t longest     # most groups
    uint8_t kickers     # kickers a group
    uint8_t kicker      # cards a kicker: 1 solos, 2 pairs


cdef inline shape_t shape_of(int kind) noexcept nogil:
    """Shape of an ordinary kind (SOLO..QUAD_RUN_PAIRS)."""
    if kind == SOLO: return shape_t(1, 1, 1, 0, 0)
    if kind == PAIR: return shape_t(2, 1, 1, 0, 0)
    if kind == TRIO: return shape_t(3, 1, 1, 0, 0)
    if kind == TRIO_SOLO: return shape_t(3, 1, 1, 1, 1)
    if kind == TRIO_PAIR: return shape_t(3, 1, 1, 1, 2)
    if kind == STRAIGHT: return shape_t(1, 5, RUN_RANKS, 0, 0)
    if kind == PAIR_STRAIGHT: return shape_t(2, 3, RUN_RANKS, 0, 0)
    if kind == PLANE: return shape_t(3, 2, RUN_RANKS, 0, 0)
    if kind == PLANE_SOLOS: return shape_t(3, 2, RUN_RANKS, 1, 1)
    if kind == PLANE_PAIRS: return shape_t(3, 2, RUN_RANKS, 1, 2)
    if kind == QUAD_SOLOS: return shape_t(4, 1, 1, 2, 1)
    if kind == QUAD_PAIRS: return shape_t(4, 1, 1, 2, 2)
    if kind == QUAD_RUN: return shape_t(4, 2, RUN_RANKS, 0, 0)
    if kind == QUAD_RUN_SOLOS: return shape_t(4, 2, RUN_RANKS, 2, 1)
    return shape_t(4, 2, RUN_RANKS, 2, 2)


# --- enumeration ------------------------------------------------------------------------------------------------------

ctypedef struct sink_t:         # where found moves go
    move_t* out
    int capacity                # moves beyond it are counted but not stored
    int count
    hand_t only                 # if not 0, only moves of exactly these cards

ctypedef struct base_t:         # the run or group that kickers are attached to
    hand_t cards
    hand_t beside               # one card of each rank next to the run where that matters for solo kickers, else 0
    uint8_t kind
    uint8_t rank
    uint8_t length


cdef inline void emit(sink_t* sink, hand_t cards, int kind, int rank, int length, int power) noexcept nogil:
    cdef move_t* move
    if sink.only and cards != sink.only:
        return
    if sink.count < sink.capacity:
        move = sink.out + sink.count
        memset(move, 0, sizeof(move_t))         # the padding too, so that equal moves have equal bytes
        move.cards = cards
        move.kind = <uint8_t>kind
        move.rank = <uint8_t>rank
        move.length = <uint8_t>length
        move.size = <uint8_t>hand_size(cards)
        move.power = <uint8_t>power
    sink.count += 1


cdef void add_pairs(sink_t* sink, const base_t* base, hand_t pairs, hand_t quads, int need, hand_t chosen) noexcept nogil:
    """Completes `base` with every choice of `need` pairs; `pairs` and `quads` hold one card of each rank still open."""
    cdef hand_t one
    while pairs:
        one = pairs & (0 - pairs)
        pairs ^= one
        if need == 1:
            emit(sink, base.cards + chosen + 2 * one, base.kind, base.rank, base.length, 0)
        else:
            add_pairs(sink, base, pairs, quads, need - 1, chosen + 2 * one)
            if quads & one:
                if need == 2:
                    emit(sink, base.cards + chosen + 4 * one, base.kind, base.rank, base.length, 0)
                else:
                    add_pairs(sink, base, pairs, quads, need - 2, chosen + 4 * one)


cdef void add_solos(
    sink_t* sink, const base_t* base, const rules_t* rules, hand_t rest, hand_t open, int need, hand_t chosen,
) noexcept nogil:
    """Completes `base` with every choice of `need` solos out of `rest`; `open` holds one card of each rank still open."""
    cdef hand_t one, left
    cdef int copies, most
    while open:
        one = open & (0 - open)
        open ^= one
        left = open
        if one & JOKERS and not rules.kicker_jokers:
            left &= ~JOKERS
        if need == 1:
            emit(sink, base.cards + chosen + one, base.kind, base.rank, base.length, 0)
            continue
        add_solos(sink, base, rules, rest, left, need - 1, chosen + one)
        most = count_of(rest, ctz(one) >> 2)
        if most > need:
            most = need
        if most > 4:
            most = 4
        for copies in range(2, most + 1):
            if not rules.kicker_copies >> copies & 1 or (copies >= 3 and base.beside & one):
                continue
            if copies == need:
                emit(sink, base.cards + chosen + copies * one, base.kind, base.rank, base.length, 0)
            else:
                add_solos(sink, base, rules, rest, left, need - copies, chosen + copies * one)


cdef inline void complete(
    sink_t* sink, hand_t hand, const rules_t* rules, shape_t shape, base_t* base, hand_t groups,
) noexcept nogil:
    """Emits `base` with all its kickers; `groups` holds one card of each rank of the run. Kickers have other ranks."""
    cdef hand_t rest, pairs
    cdef int need = shape.kickers * base.length
    if need == 0:
        emit(sink, base.cards, base.kind, base.rank, base.length, 0)
        return
    rest = hand & ~whole_ranks(groups)
    if shape.kicker == 2:
        pairs = at_least(rest, 2)
        add_pairs(sink, base, pairs, at_least(rest, 4) if rules.kicker_quad else 0, need, 0)
    else:
        base.beside = 0 if rules.kicker_beside else (groups << 4 | groups >> 4) & RUN_ONES
        add_solos(sink, base, rules, rest, at_least(rest, 1), need, 0)


cdef void emit_kind(
    sink_t* sink, hand_t hand, int kind, int above, int only_length, const rules_t* rules,
) noexcept nogil:
    """All plays of an ordinary kind with rank over `above` (-1: any), of `only_length` groups (0: any)."""
    cdef shape_t shape = shape_of(kind)
    cdef hand_t groups = at_least(hand, shape.copies)
    cdef hand_t run, starts, ones
    cdef base_t base
    cdef int length, rank
    if not groups or only_length > shape.longest or (only_length and only_length < shape.shortest):
        return
    if shape.copies >= 3:
        groups &= ~JOKERS            # there are two jokers of a colour at most, and no trio of them
    elif shape.copies == 2 and rules.decks == 1:
        groups &= ~JOKERS
    base.kind = <uint8_t>kind
    base.beside = 0
    if shape.longest == 1:
        base.length = 1
        while groups:
            ones = groups & (0 - groups)
            groups ^= ones
            rank = ctz(ones) >> 2
            if rank > above:
                base.rank = <uint8_t>rank
                base.cards = shape.copies * ones
                complete(sink, hand, rules, shape, &base, ones)
        return
    groups &= RUN_ONES
    starts = groups                         # ranks at which a run of `length` groups begins
    run = 1                                 # one card of each of the first `length` ranks
    for length in range(2, RUN_RANKS + 1):
        starts &= groups >> (4 * (length - 1))
        if not starts:
            return
        run |= <hand_t>1 << (4 * (length - 1))
        if length < shape.shortest or (only_length and length != only_length):
            continue
        base.length = <uint8_t>length
        ones = starts if above < 0 else starts & ~((<hand_t>1 << (4 * (above + 1))) - 1)
        while ones:
            rank = ctz(ones) >> 2
            ones &= ones - 1
            base.rank = <uint8_t>rank
            base.cards = shape.copies * (run << (4 * rank))
            complete(sink, hand, rules, shape, &base, run << (4 * rank))
        if length == only_length:
            return


cdef inline int bomb_power(int count, int rank) noexcept nogil:
    """Power of a bomb: more cards beat fewer, then the rank decides. 15 more than 16 (count - 4) is left for jokers."""
    return 16 * (count - 4) + rank + 1


cdef void emit_bombs(sink_t* sink, hand_t hand, int power, const rules_t* rules) noexcept nogil:
    """All bombs, joker bombs and the rocket of more than `power`, weakest first within a kind."""
    cdef hand_t groups, one
    cdef int count, black, red, number, rank
    if rules.kinds >> BOMB & 1:
        for count in range(4, 4 * rules.decks + 1):
            groups = at_least(hand, count)
            if not groups:
                break
            while groups:
                one = groups & (0 - groups)
                groups ^= one
                rank = ctz(one) >> 2
                if bomb_power(count, rank) > power:
                    emit(sink, count * one, BOMB, rank, 1, bomb_power(count, rank))
    black = count_of(hand, RANK_BLACK)
    red = count_of(hand, RANK_RED)
    if rules.kinds >> JOKER_BOMB & 1 and black + red >= 2:
        for number in range(2, 4):
            if rules.joker_power[number] <= power:
                continue
            for count in range(number + 1):         # red jokers of the bomb
                if count <= red and number - count <= black:
                    emit(sink, cards_of(RANK_BLACK, number - count) | cards_of(RANK_RED, count), JOKER_BOMB,
                         number - 1, 1, rules.joker_power[number])
    if rules.kinds >> ROCKET & 1 and black >= rules.decks and red >= rules.decks and power < 255:
        emit(sink, rules.decks * JOKERS, ROCKET, RANK_BLACK, 1, 255)


cdef int generate(hand_t hand, const move_t* last, const rules_t* rules, move_t* out, int capacity) noexcept nogil:
    """All plays of `hand` over `last` (NULL or a pass: all leads), a pass not included; returns how many there are.

    Moves beyond `capacity` are counted but not stored, so a result over `capacity` asks for a larger buffer and
    capacity 0 counts. The order is fixed: by kind, length, rank, kickers.
    """
    cdef sink_t sink = sink_t(out, capacity, 0, 0)
    cdef int kind
    if last == NULL or last.kind == PASS:
        for kind in range(SOLO, BOMB):
            if rules.kinds >> kind & 1:
                emit_kind(&sink, hand, kind, -1, 0, rules)
        emit_bombs(&sink, hand, 0, rules)
    else:
        if last.power == 0:
            emit_kind(&sink, hand, last.kind, last.rank, last.length, rules)
        if last.power < 255:
            emit_bombs(&sink, hand, last.power, rules)
    return sink.count


cdef int classify(hand_t cards, const rules_t* rules, move_t* out, int capacity) noexcept nogil:
    """All readings of exactly these cards, the longest run first, then the highest rank; returns how many there are."""
    cdef sink_t sink = sink_t(out, capacity, 0, cards)
    cdef int size = hand_size(cards)
    cdef int kind, unit, i, j
    cdef shape_t shape
    cdef move_t move
    if size == 0:
        return 0
    for kind in range(SOLO, BOMB):
        if rules.kinds >> kind & 1:
            shape = shape_of(kind)
            unit = shape.copies + shape.kickers * shape.kicker
            if size % unit == 0:
                emit_kind(&sink, cards, kind, -1, size // unit, rules)
    emit_bombs(&sink, cards, 0, rules)
    for i in range(1, sink.count if sink.count < capacity else capacity):       # insertion sort, stable
        move = out[i]
        j = i
        while j > 0 and (out[j - 1].length < move.length
                         or (out[j - 1].length == move.length and out[j - 1].kind == move.kind
                             and out[j - 1].rank < move.rank)):
            out[j] = out[j - 1]
            j -= 1
        out[j] = move
    return sink.count


cdef int move_factor(const move_t* move, const rules_t* rules) noexcept nogil:
    """What playing the move multiplies the payoff by."""
    if move.kind == BOMB:
        return rules.bomb_factor[move.size]
    if move.kind == ROCKET:
        return rules.rocket_factor
    if move.kind == JOKER_BOMB:
        return rules.joker_factor[move.size]
    return 1
