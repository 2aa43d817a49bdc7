"""Combinations: enumerate, classify, compare. Leads and replies of every kind come from one code path."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from ddz_solver.core.hand cimport (
    JOKERS, ONES, RANK_BLACK, RANK_RED, RANKS, RUN_ONES, at_least, cards_of, count_of, ctz, hand_size, hand_t,
    lowest_rank, ranks_in, whole_ranks,
)


# --- kinds by their groups, bytes of moves ----------------------------------------------------------------------------

cdef extern from *:
    """
    /* By copies of a group: the kinds of single groups, as a bit mask, and those of runs. */
    static const uint32_t ddz_kinds_of[5] = {0, 1 << 1, 1 << 2, 1 << 3 | 1 << 4 | 1 << 5, 1 << 11 | 1 << 12};
    static const uint32_t ddz_runs_of[5] = {0, 1 << 6, 1 << 7, 1 << 8 | 1 << 9 | 1 << 10, 1 << 13 | 1 << 14 | 1 << 15};
    /* The eight bytes of a move after its cards, as they lie in memory. */
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define DDZ_BYTE(value, place) ((uint64_t)(uint8_t)(value) << (56 - 8 * (place)))
    #define DDZ_RANK(bit) ((uint64_t)(bit) << 46)
    #else
    #define DDZ_BYTE(value, place) ((uint64_t)(uint8_t)(value) << (8 * (place)))
    #define DDZ_RANK(bit) ((uint64_t)(bit) << 6)            /* DDZ_BYTE(bit / 4, 1) in one step */
    #endif
    """
    const uint32_t KINDS_OF "ddz_kinds_of" [5]
    const uint32_t RUNS_OF "ddz_runs_of" [5]
    uint64_t byte_at "DDZ_BYTE" (int value, int place) noexcept nogil
    uint64_t rank_at "DDZ_RANK" (int bit) noexcept nogil        # the rank of the lowest bit of its count in a hand


# --- enumeration ------------------------------------------------------------------------------------------------------
#
# Millions of plays a second: what all plays of one run or group have in common is worked out once (base_t), so that a
# play is two stores. Every function takes how many moves there are so far and returns how many there are now: a count
# in a register costs less than one in memory.

ctypedef struct task_t:         # what to enumerate, and where found moves go
    move_t* out
    int capacity                # moves beyond it are counted but not stored
    const rules_t* rules
    hand_t hand
    hand_t groups[5]            # [k] one card of each rank held k times; jokers only where they may be a group of k

ctypedef struct base_t:         # the run or group that kickers are attached to
    hand_t beside               # one card of each rank next to the run where that matters for solo kickers, else 0
    uint64_t tail               # all of the moves but their cards


cdef inline task_t task_of(hand_t hand, const rules_t* rules, move_t* out, int capacity) noexcept nogil:
    cdef task_t task
    task.out = out
    task.capacity = capacity
    task.rules = rules
    task.hand = hand
    task.groups[0] = 0
    task.groups[1] = at_least(hand, 1)
    task.groups[2] = at_least(hand, 2) & (~JOKERS if rules.decks == 1 else ~<hand_t>0)
    task.groups[3] = at_least(hand, 3) & ~JOKERS
    task.groups[4] = at_least(hand, 4) & ~JOKERS
    return task


cdef inline uint64_t tail_of(int kind, int rank, int length, int size, int power) noexcept nogil:
    """All of a move but its cards, the padding too, so that equal moves have equal bytes."""
    return byte_at(kind, 0) | byte_at(rank, 1) | byte_at(length, 2) | byte_at(size, 3) | byte_at(power, 4)


cdef inline int emit(const task_t* task, int count, hand_t cards, uint64_t tail) noexcept nogil:
    if count < task.capacity:
        task.out[count].cards = cards
        memcpy(&task.out[count].kind, &tail, sizeof(tail))
    return count + 1


cdef inline int emit_each(
    const task_t* task, int count, hand_t chosen, int copies, hand_t ranks, uint64_t tail,
) noexcept nogil:
    """Emits `chosen` and one or two (`copies`) cards of a rank, for each of `ranks`, which holds one card of each.

    Where there is room it goes by fours, the last ones too many: a loop's end guessed wrong costs more than they do.
    """
    cdef hand_t cards = ranks << (copies - 1)
    cdef move_t* out
    cdef int i, k, more = ranks_in(ranks)
    if count >= task.capacity:
        return count + more
    if count + more + 3 > task.capacity:
        while cards:
            count = emit(task, count, chosen + (cards & (0 - cards)), tail)
            cards &= cards - 1
        return count
    out = task.out + count
    for i in range(0, more, 4):
        for k in range(4):
            out[i + k].cards = chosen + (cards & (0 - cards))
            memcpy(&out[i + k].kind, &tail, sizeof(tail))
            cards &= cards - 1
    return count + more


cdef inline int emit_runs(const task_t* task, int count, hand_t lowest, hand_t ranks, uint64_t tail) noexcept nogil:
    """Emits the same run from each of `ranks` on; `lowest` is the run from the lowest rank of all. By fours, as above."""
    cdef move_t* out
    cdef uint64_t whole
    cdef int i, k, bit, more = ranks_in(ranks)
    if count >= task.capacity:
        return count + more
    if count + more + 3 > task.capacity:
        while ranks:
            bit = ctz(ranks)
            count = emit(task, count, lowest << bit, tail | rank_at(bit))
            ranks &= ranks - 1
        return count
    out = task.out + count
    for i in range(0, more, 4):
        for k in range(4):
            bit = ctz(ranks | cards_of(RANKS, 1))           # beyond the last rank where there is none left
            whole = tail | rank_at(bit)
            out[i + k].cards = lowest << bit
            memcpy(&out[i + k].kind, &whole, sizeof(whole))
            ranks &= ranks - 1
    return count + more


cdef int add_pairs(
    const task_t* task, int count, const base_t* base, hand_t pairs, int need, hand_t chosen,
) noexcept nogil:
    """Completes `chosen` with every choice of `need` (2 or more) pairs; `pairs` holds one card of each rank open."""
    cdef hand_t one
    while pairs:
        one = pairs & (0 - pairs)
        pairs ^= one
        if need == 2:
            count = emit_each(task, count, chosen + 2 * one, 2, pairs, base.tail)
        else:
            count = add_pairs(task, count, base, pairs, need - 1, chosen + 2 * one)
        if task.groups[4] & one and task.rules.kicker_quad:
            if need == 2:
                count = emit(task, count, chosen + 4 * one, base.tail)
            elif need == 3:
                count = emit_each(task, count, chosen + 4 * one, 2, pairs, base.tail)
            else:
                count = add_pairs(task, count, base, pairs, need - 2, chosen + 4 * one)
    return count


cdef int add_solos(
    const task_t* task, int count, const base_t* base, hand_t open, int need, hand_t chosen,
) noexcept nogil:
    """Completes `chosen` with every choice of `need` (2 or more) solos; `open` holds one card of each rank open."""
    cdef hand_t one, left
    cdef int copies, most
    while open:
        one = open & (0 - open)
        open ^= one
        left = open
        if one & JOKERS and not task.rules.kicker_jokers:
            left &= ~JOKERS
        if need == 2:
            count = emit_each(task, count, chosen + one, 1, left, base.tail)
        else:
            count = add_solos(task, count, base, left, need - 1, chosen + one)
        most = count_of(task.hand, ctz(one) >> 2)
        if most > need:
            most = need
        if most > 4:
            most = 4
        for copies in range(2, most + 1):
            if not task.rules.kicker_copies >> copies & 1 or (copies >= 3 and base.beside & one):
                continue
            if copies == need:
                count = emit(task, count, chosen + copies * one, base.tail)
            elif copies == need - 1:
                count = emit_each(task, count, chosen + copies * one, 1, left, base.tail)
            else:
                count = add_solos(task, count, base, left, need - copies, chosen + copies * one)
    return count


cdef inline int add_kickers(
    const task_t* task, int count, const shape_t* shape, hand_t ranks, int need, uint64_t tail,
) noexcept nogil:
    """Emits a run or group with all its kickers; `ranks` holds one card of each of its ranks. Kickers have others."""
    cdef hand_t cards = shape.copies * ranks
    cdef hand_t open = task.groups[shape.kicker] & ~ranks
    cdef base_t base
    if need == 1:
        return emit_each(task, count, cards, shape.kicker, open, tail)
    base = base_t(0 if task.rules.kicker_beside else (ranks << 4 | ranks >> 4) & RUN_ONES, tail)
    if shape.kicker == 2:
        return add_pairs(task, count, &base, open, need, cards)
    return add_solos(task, count, &base, open, need, cards)


cdef int emit_kind(const task_t* task, int count, int kind, int above, int only_length) noexcept nogil:
    """All plays of an ordinary kind with rank over `above` (-1: any), of `only_length` groups (0: any)."""
    cdef const shape_t* shape = shape_of(kind)
    cdef hand_t run = 0, groups = task.groups[shape.copies], starts, ones
    cdef uint64_t tail
    cdef int length, bit, need
    if only_length > shape.longest or (only_length and only_length < shape.shortest):
        return count
    if shape.longest > 1:
        groups &= RUN_ONES
    starts = groups
    for length in range(1, shape.longest + 1):
        run = run << 4 | 1                              # one card of each of the first `length` ranks
        starts &= groups >> (4 * (length - 1))          # ranks at which a run of `length` groups begins
        if not starts:
            return count
        if length < shape.shortest or (only_length and length != only_length):
            continue
        need = shape.kickers * length
        tail = tail_of(kind, 0, length, shape.copies * length + shape.kicker * need, 0)
        ones = starts & (0 - (<hand_t>1 << (4 * (above + 1))))
        if need == 0:
            count = emit_runs(task, count, shape.copies * run, ones, tail)
        else:
            while ones:
                bit = ctz(ones)
                ones &= ones - 1
                count = add_kickers(task, count, shape, run << bit, need, tail | rank_at(bit))
        if length == only_length:
            return count
    return count


cdef inline int bomb_power(int count, int rank) noexcept nogil:
    """Power of a bomb: more cards beat fewer, then the rank decides. 15 more than 16 (count - 4) is left for jokers."""
    return 16 * (count - 4) + rank + 1


cdef int emit_bombs(const task_t* task, int count, int power) noexcept nogil:
    """All bombs, joker bombs and the rocket of more than `power`, weakest first within a kind."""
    cdef const rules_t* rules = task.rules
    cdef hand_t hand = task.hand, groups, one
    cdef int black, red, number, rank, size, of_red
    if rules.kinds >> BOMB & 1:
        for size in range(4, 4 * rules.decks + 1):
            groups = at_least(hand, size)
            if not groups:
                break
            while groups:
                one = groups & (0 - groups)
                groups ^= one
                rank = ctz(one) >> 2
                if bomb_power(size, rank) > power:
                    count = emit(task, count, size * one, tail_of(BOMB, rank, 1, size, bomb_power(size, rank)))
    black = count_of(hand, RANK_BLACK)
    red = count_of(hand, RANK_RED)
    if rules.kinds >> JOKER_BOMB & 1 and black + red >= 2:
        for number in range(2, 4):
            if rules.joker_power[number] <= power:
                continue
            for of_red in range(number + 1):
                if of_red <= red and number - of_red <= black:
                    count = emit(
                        task, count, cards_of(RANK_BLACK, number - of_red) | cards_of(RANK_RED, of_red),
                        tail_of(JOKER_BOMB, number - 1, 1, number, rules.joker_power[number]),
                    )
    if rules.kinds >> ROCKET & 1 and black >= rules.decks and red >= rules.decks and power < 255:
        count = emit(task, count, rules.decks * JOKERS, tail_of(ROCKET, RANK_BLACK, 1, 2 * rules.decks, 255))
    return count


cdef int generate(hand_t hand, const move_t* last, const rules_t* rules, move_t* out, int capacity) noexcept nogil:
    """All plays of `hand` over `last` (NULL or a pass: all leads), a pass not included; returns how many there are.

    Moves beyond `capacity` are counted but not stored, so a result over `capacity` asks for a larger buffer and
    capacity 0 counts. The order is fixed: by kind, length, rank, kickers.
    """
    cdef task_t task = task_of(hand, rules, out, capacity)
    cdef uint32_t kinds = 0
    cdef int kind, copies, count = 0
    if last == NULL or last.kind == PASS:
        for copies in range(1, 5):
            if task.groups[copies]:
                kinds |= KINDS_OF[copies]
                if task.groups[copies] & RUN_ONES & task.groups[copies] >> 4:
                    kinds |= RUNS_OF[copies]
        kinds &= rules.kinds
        while kinds:
            kind = ctz(kinds)
            kinds &= kinds - 1
            count = emit_kind(&task, count, kind, -1, 0)
        return emit_bombs(&task, count, 0)
    if last.power == 0 and rules.kinds >> last.kind & 1:
        count = emit_kind(&task, count, last.kind, last.rank, last.length)
    if last.power < 255:
        count = emit_bombs(&task, count, last.power)
    return count


cdef int classify(hand_t cards, const rules_t* rules, move_t* out, int capacity) noexcept nogil:
    """All readings of exactly these cards, the longest run first, then the highest rank; returns how many there are.

    A play of as many cards as there are uses them all, so the enumeration of that length finds the readings.
    """
    cdef task_t task = task_of(cards, rules, out, capacity)
    cdef int size = hand_size(cards)
    cdef int kind, unit, i, j, count = 0
    cdef const shape_t* shape
    cdef move_t move
    if size == 0:
        return 0
    for kind in range(SOLO, BOMB):
        if rules.kinds >> kind & 1:
            shape = shape_of(kind)
            unit = shape.copies + shape.kickers * shape.kicker
            if size % unit == 0:
                count = emit_kind(&task, count, kind, -1, size // unit)
    count = classify_bomb(&task, count, size)
    for i in range(1, count if count < capacity else capacity):       # insertion sort, stable
        move = out[i]
        j = i
        while j > 0 and (out[j - 1].length < move.length
                         or (out[j - 1].length == move.length and out[j - 1].kind == move.kind
                             and out[j - 1].rank < move.rank)):
            out[j] = out[j - 1]
            j -= 1
        out[j] = move
    return count


cdef int classify_bomb(const task_t* task, int count, int size) noexcept nogil:
    """The readings of exactly the task's cards, `size` of them, as a bomb of any kind."""
    cdef move_t bombs[32]               # of 8 cards of one rank there are 5, of 16 jokers 18
    cdef task_t found = task_of(task.hand, task.rules, &bombs[0], 32)
    cdef int i
    if task.hand & ~whole_ranks(cards_of(lowest_rank(task.hand), 1)) and task.hand & ~whole_ranks(JOKERS):
        return count
    for i in range(emit_bombs(&found, 0, 0)):
        if bombs[i].size == size:
            if count < task.capacity:
                task.out[count] = bombs[i]
            count += 1
    return count


cdef int move_factor(const move_t* move, const rules_t* rules) noexcept nogil:
    """What playing the move multiplies the payoff by."""
    if move.kind == BOMB:
        return rules.bomb_factor[move.size]
    if move.kind == ROCKET:
        return rules.rocket_factor
    if move.kind == JOKER_BOMB:
        return rules.joker_factor[move.size]
    return 1


cdef uint32_t doubled(uint32_t factor, const move_t* move, const rules_t* rules) noexcept nogil:
    """The product of all doublings after the move, FACTOR_LIMIT at most."""
    return <uint32_t>min(<uint64_t>factor * move_factor(move, rules), <uint64_t>FACTOR_LIMIT)
