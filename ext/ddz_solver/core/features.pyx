"""The sparse inputs of the network: which columns a seat's knowledge and a play switch on.

Blocks of cards hold `depth` columns a rank; k cards of a rank switch on its first k columns. Seats are counted from the
observer: 1 plays next. A network belongs to one role, so who is the landlord need not be told.
"""

from libc.stdint cimport uint16_t

from ddz_solver.core.combinations cimport shape_of
from ddz_solver.core.hand cimport (
    RANK_BLACK, RANKS, RUN_ONES, at_least, count_of, ctz, hand_size, hand_t, holds, lowest_rank, ranks_in, run_starts,
    whole_ranks,
)
from ddz_solver.core.hands_to_go cimport HandsToGo, hands_to_go, htg_t
from ddz_solver.core.moves cimport (
    BOMB, JOKER_BOMB, KINDS, PASS, QUAD_SOLOS, ROCKET, SOLO, STRAIGHT, TRIO_PAIR, CompiledRules, Play, move_t, rules_t,
)
from ddz_solver.core.observation cimport HISTORY, Observation, bottom_held, observation_t, unseen_cards
from ddz_solver.core.odds cimport GROUPS, STEPS, find_odds, safe_step, unarmed_step

cdef enum:
    LENGTHS = 13            # groups of a play, 0..12
    DECLINED = 16           # 0: nothing declined yet, else 1 + rank
    FACTORS = 6             # doublings so far, 0..5
    BOMB_RANKS = 7          # ranks of which the unseen cards hold four, 0..6
    SWITCHES = 32
    TO_GO = 16
    BOSSES = 6
    FAMILIES = 5            # solos, pairs, trios, longer plays, bombs
    BEATEN = 4              # families of ordinary plays
    ABOVE = 8               # groups
    LOOSE = 8               # groups
    WASTE = 6


cdef void make_layout(layout_t* layout, const rules_t* rules) noexcept nogil:
    """Places the blocks for this number of seats and decks."""
    cdef int others = rules.players - 1
    cdef int cards, column = 0
    layout.players = rules.players
    layout.depth = 4 * rules.decks
    layout.most = 33 if rules.players == 4 else 20
    cards = RANKS * layout.depth
    layout.unseen = column; column += cards                         # cards the others hold
    layout.bottom = column; column += cards                         # bottom cards the landlord still holds
    layout.played = column; column += others * cards                # cards each other seat has played
    layout.counts = column; column += others * (layout.most + 1)    # cards left of each other seat
    layout.beat_cards = column; column += cards                     # the play to beat
    layout.beat_kind = column; column += KINDS * RANKS              # its kind and rank
    layout.beat_length = column; column += LENGTHS
    layout.beat_owner = column; column += others + 1                # who made it; 0: the observer leads
    layout.history = column; column += HISTORY * (cards + 1)        # cards of the last turns, or that it was a pass
    layout.declined = column; column += others * 2 * DECLINED       # lowest enemy solo, pair each other seat let pass
    layout.idle = column; column += rules.players + 1               # seats that have not played; landlord has played once
    layout.factor = column; column += FACTORS
    layout.bombs = column; column += BOMB_RANKS + 1                 # fours among the unseen cards; the rocket
    layout.objective = column; column += 1                          # 1: play for points, 0: play to win
    layout.switches = column; column += SWITCHES                    # rules
    layout.after = column; column += cards                          # own cards after the play
    layout.cards = column; column += cards                          # cards of the play
    layout.kind = column; column += KINDS * RANKS
    layout.length = column; column += LENGTHS
    layout.to_go = column; column += TO_GO                          # hands to go after the play
    layout.left = column; column += layout.most + 1                 # cards left after it
    layout.control = column; column += 8                            # can it be beaten; if not, hands to go 0..3, more
    layout.boss = column; column += 2 * BOSSES                      # own solos, pairs that no unseen one beats
    layout.above = column; column += FAMILIES * ABOVE               # higher groups among the unseen cards
    layout.safe = column; column += others * BEATEN * STEPS         # chance that another seat cannot beat the play, ...
    layout.standing = column; column += others * BEATEN * STEPS     # ... or, of a pass, the play that it lets stand
    layout.out = column; column += others * STEPS                   # the same where that would be its last cards
    layout.loose = column; column += GROUPS * LOOSE                 # own solos, pairs that unseen ones beat; own trios
    layout.worst = column; column += others * 2 * STEPS             # chance that an enemy cannot beat the lowest of those
    layout.runs = column; column += GROUPS * LENGTHS                # longest own runs of solos, pairs, trios
    layout.unarmed = column; column += others * STEPS               # chance that another seat has no bomb
    layout.led = column; column += others * KINDS                   # kind of the last lead of each other seat; 0: none
    layout.waste = column; column += WASTE                          # hands to go that the play costs; 0: it is one of them
    layout.broken = column; column += 3                             # breaks up a four, has kickers on it, splits a rocket
    layout.losers = column; column += TO_GO                         # hands to go without solos to fours that nothing beats
    layout.columns = column


cdef int hand_columns(const layout_t* layout, int block, hand_t hand, uint16_t* out) noexcept nogil:
    """Columns of the cards of `hand` in the block that starts at `block`; returns how many."""
    cdef int found = 0, rank, count, k
    while hand:
        rank = ctz(hand) >> 2
        count = count_of(hand, rank)
        hand &= ~(<hand_t>15 << (4 * rank))
        for k in range(count):
            out[found + k] = <uint16_t>(block + rank * layout.depth + k)
        found += count
    return found


cdef int taken_columns(const layout_t* layout, hand_t hand, hand_t cards, uint16_t* out) noexcept nogil:
    """Columns of the block AFTER that go when `cards` leave `hand`; returns how many."""
    cdef int found = 0, rank, had, count, k
    while cards:
        rank = ctz(cards) >> 2
        count = count_of(cards, rank)
        had = count_of(hand, rank)
        cards &= ~(<hand_t>15 << (4 * rank))
        for k in range(had - count, had):
            out[found] = <uint16_t>(layout.after + rank * layout.depth + k)
            found += 1
    return found


cdef inline hand_t from_rank_up(hand_t ones) noexcept nogil:
    """Mask of the counts of the highest rank in `ones` and all above; of every rank where there is none."""
    cdef int rank = -1
    while ones:
        rank = ctz(ones) >> 2
        ones &= ones - 1
    return ~(<hand_t>0) << (4 * rank) if rank > 0 else ~(<hand_t>0)


cdef int switch_columns(int block, const rules_t* rules, uint16_t* out) noexcept nogil:
    """Columns of the rule switches that a seat must know of; returns how many."""
    cdef int found = 0, bit
    for bit in range(SOLO, KINDS):
        if rules.kinds >> bit & 1:
            out[found] = <uint16_t>(block + bit); found += 1
    for bit in range(1, 5):
        if rules.kicker_copies >> bit & 1:
            out[found] = <uint16_t>(block + KINDS + bit); found += 1
    if rules.kicker_beside:
        out[found] = <uint16_t>(block + KINDS + 5); found += 1
    if rules.kicker_jokers:
        out[found] = <uint16_t>(block + KINDS + 6); found += 1
    if rules.kicker_quad:
        out[found] = <uint16_t>(block + KINDS + 7); found += 1
    out[found] = <uint16_t>(block + KINDS + 8 + rules.spring); found += 1
    return found


cdef int state_columns(const layout_t* layout, const observation_t* seen, const rules_t* rules, int objective,
                       htg_t* memo, scene_t* scene, uint16_t* out) noexcept nogil:
    """Columns of everything that does not depend on the play, own cards left out; fills `scene`; returns how many."""
    cdef int cards = RANKS * layout.depth
    cdef int found = 0, other, seat, turn, number, doublings = 0
    cdef bint enemy
    cdef hand_t unseen = unseen_cards(seen)
    cdef hand_t bottom = bottom_held(seen)
    cdef hand_t fours = at_least(unseen, 4)
    scene.unseen = unseen
    scene.boss_solos = from_rank_up(at_least(unseen, 1))
    scene.boss_pairs = from_rank_up(at_least(unseen, 2))
    scene.boss_trios = from_rank_up(at_least(unseen, 3))
    scene.enemy_most = 0
    scene.to_go = hands_to_go(seen.hand, memo)
    find_odds(&scene.odds, seen, unseen, bottom, layout.depth)

    found += hand_columns(layout, layout.unseen, unseen, out + found)
    found += hand_columns(layout, layout.bottom, bottom, out + found)
    for other in range(1, layout.players):
        seat = (seen.seat + other) % layout.players
        number = seen.counts[seat]
        enemy = (seat == seen.landlord) != (seen.seat == seen.landlord)
        scene.enemies[other] = enemy
        if enemy and number > scene.enemy_most:
            scene.enemy_most = number
        out[found] = <uint16_t>(layout.unarmed + (other - 1) * STEPS + unarmed_step(&scene.odds, other, rules.decks))
        out[found + 1] = <uint16_t>(layout.led + (other - 1) * KINDS + seen.led[seat])
        found += 2
        found += hand_columns(layout, layout.played + (other - 1) * cards, seen.played[seat], out + found)
        out[found] = <uint16_t>(layout.counts + (other - 1) * (layout.most + 1) + min(number, layout.most))
        found += 1
        for turn in range(2):
            out[found] = <uint16_t>(layout.declined + ((other - 1) * 2 + turn) * DECLINED + seen.declined[seat][turn])
            found += 1
    if seen.last.kind == PASS:
        out[found] = <uint16_t>layout.beat_owner; found += 1
    else:
        found += hand_columns(layout, layout.beat_cards, seen.last.cards, out + found)
        out[found] = <uint16_t>(layout.beat_kind + seen.last.kind * RANKS + seen.last.rank)
        out[found + 1] = <uint16_t>(layout.beat_length + seen.last.length)
        out[found + 2] = <uint16_t>(layout.beat_owner + (seen.owner - seen.seat + layout.players) % layout.players)
        found += 3
    for turn in range(seen.turns):
        if seen.history[turn]:
            found += hand_columns(layout, layout.history + turn * (cards + 1), seen.history[turn], out + found)
        else:
            out[found] = <uint16_t>(layout.history + turn * (cards + 1) + cards); found += 1
    for other in range(layout.players):
        if seen.plays[(seen.seat + other) % layout.players] == 0:
            out[found] = <uint16_t>(layout.idle + other); found += 1
    if seen.plays[seen.landlord] == 1:
        out[found] = <uint16_t>(layout.idle + layout.players); found += 1
    while seen.factor >> (doublings + 1) and doublings < FACTORS - 1:
        doublings += 1
    out[found] = <uint16_t>(layout.factor + doublings); found += 1
    number = ranks_in(fours)
    out[found] = <uint16_t>(layout.bombs + min(number, BOMB_RANKS - 1)); found += 1
    scene.bombs = number > 0
    if count_of(unseen, RANK_BLACK) == rules.decks and count_of(unseen, RANK_BLACK + 1) == rules.decks:
        scene.bombs = True
        out[found] = <uint16_t>(layout.bombs + BOMB_RANKS); found += 1
    if objective:
        out[found] = <uint16_t>layout.objective; found += 1
    found += switch_columns(layout.switches, rules, out + found)
    return found


cdef hand_t groups_above(hand_t unseen, const move_t* move) noexcept nogil:
    """Where the unseen cards together hold a higher group or run for a play, kickers taken for granted."""
    cdef hand_t groups = at_least(unseen, move.size if move.kind == BOMB else shape_of(move.kind).copies)
    if move.length > 1:
        groups = run_starts(groups & RUN_ONES, move.length)
    return groups & ~(<hand_t>0) << (4 * (move.rank + 1))


cdef inline int family_of(const move_t* move) noexcept nogil:
    """0 solos, 1 pairs, 2 trios, 3 longer plays, 4 bombs."""
    if move.power:
        return BEATEN
    return min(move.kind - SOLO, 2) if move.kind <= TRIO_PAIR else 3


cdef inline int longest_run(hand_t ones) noexcept nogil:
    """Length of the longest run of ranks, given one card of each that may stand in it."""
    cdef int length = 0
    while ones:
        ones &= ones >> 4
        length += 1
    return length


cdef int safety_columns(const layout_t* layout, int block, const scene_t* scene, const move_t* move, hand_t higher,
                        uint16_t* out) noexcept nogil:
    """Columns of the chances that each other seat cannot beat an ordinary play; returns how many."""
    cdef int found = 0, other, step
    for other in range(1, layout.players):
        step = safe_step(&scene.odds, other, move, higher)
        out[found] = <uint16_t>(block + ((other - 1) * BEATEN + family_of(move)) * STEPS + step); found += 1
        if scene.odds.counts[other] == move.size:
            out[found] = <uint16_t>(layout.out + (other - 1) * STEPS + step); found += 1
    return found


cdef int shape_columns(const layout_t* layout, const scene_t* scene, hand_t hand, uint16_t* out) noexcept nogil:
    """Columns of what kind of hand is kept: groups that can be beaten, the lowest of them, runs; returns how many."""
    cdef hand_t pairs = at_least(hand, 2), trios = at_least(hand, 3)
    cdef hand_t solos = at_least(hand, 1)
    cdef hand_t loose[2]
    cdef int found = 3, copies, other, length
    loose[0] = solos & ~pairs & ~scene.boss_solos
    loose[1] = pairs & ~trios & ~scene.boss_pairs
    out[0] = <uint16_t>(layout.loose + min(ranks_in(loose[0]), LOOSE - 1))
    out[1] = <uint16_t>(layout.loose + LOOSE + min(ranks_in(loose[1]), LOOSE - 1))
    out[2] = <uint16_t>(layout.loose + 2 * LOOSE + min(ranks_in(trios), LOOSE - 1))
    for copies in range(2):
        for other in range(1, layout.players):
            if loose[copies] and scene.enemies[other]:
                out[found] = <uint16_t>(layout.worst + ((other - 1) * 2 + copies) * STEPS
                                        + scene.odds.safe[other][copies][lowest_rank(loose[copies])])
                found += 1
    for copies in range(GROUPS):
        length = longest_run((solos if copies == 0 else pairs if copies == 1 else trios) & RUN_ONES)
        if length >= shape_of(STRAIGHT + copies).shortest:
            out[found] = <uint16_t>(layout.runs + copies * LENGTHS + length); found += 1
    return found


cdef inline hand_t losers_of(hand_t hand, const scene_t* scene) noexcept nogil:
    """A hand without the ranks of which it has a four, or a solo, pair or trio that no unseen one beats."""
    cdef hand_t solos = at_least(hand, 1), pairs = at_least(hand, 2), trios = at_least(hand, 3), fours = at_least(hand, 4)
    cdef hand_t winners = ((solos & ~pairs & scene.boss_solos) | (pairs & ~trios & scene.boss_pairs)
                           | (trios & ~fours & scene.boss_trios) | fours)
    return hand & ~whole_ranks(winners)


cdef int broken_columns(const layout_t* layout, hand_t hand, const move_t* move, uint16_t* out) noexcept nogil:
    """Columns of the bombs that an ordinary play costs; returns how many."""
    cdef hand_t after = hand - move.cards
    cdef int found = 0, jokers = layout.depth // 4
    if at_least(hand, 4) & ~at_least(after, 4):
        out[0] = <uint16_t>(layout.broken + (move.kind >= QUAD_SOLOS)); found = 1
    if (move.cards >> (4 * RANK_BLACK) and count_of(hand, RANK_BLACK) == jokers
            and count_of(hand, RANK_BLACK + 1) == jokers):
        out[found] = <uint16_t>(layout.broken + 2); found += 1
    return found


cdef int play_columns(const layout_t* layout, const observation_t* seen, const scene_t* scene, const move_t* move,
                      htg_t* memo, uint16_t* out) noexcept nogil:
    """Columns that a play adds to those of its state; returns how many."""
    cdef hand_t after = seen.hand - move.cards
    cdef hand_t higher = 0
    cdef int to_go = hands_to_go(after, memo)
    cdef int found = hand_columns(layout, layout.cards, move.cards, out)
    cdef int number
    out[found] = <uint16_t>(layout.kind + move.kind * RANKS + move.rank)
    out[found + 1] = <uint16_t>(layout.length + move.length)
    out[found + 2] = <uint16_t>(layout.to_go + to_go)
    out[found + 3] = <uint16_t>(layout.left + min(hand_size(after), layout.most))
    number = ranks_in(at_least(after & scene.boss_solos, 1))
    out[found + 4] = <uint16_t>(layout.boss + min(number, BOSSES - 1))
    number = ranks_in(at_least(after & scene.boss_pairs, 2))
    out[found + 5] = <uint16_t>(layout.boss + BOSSES + min(number, BOSSES - 1))
    out[found + 6] = <uint16_t>(layout.waste + min(max(to_go - scene.to_go + 1, 0), WASTE - 1))
    out[found + 7] = <uint16_t>(layout.losers + hands_to_go(losers_of(after, scene), memo))
    found += 8
    if not move.power:
        found += broken_columns(layout, seen.hand, move, out + found)
    found += shape_columns(layout, scene, after, out + found)
    if move.kind == PASS:
        if seen.last.kind != PASS and not seen.last.power:
            higher = groups_above(scene.unseen, &seen.last)
            found += safety_columns(layout, layout.standing, scene, &seen.last, higher, out + found)
        return found
    if move.kind == ROCKET or move.kind == JOKER_BOMB:
        number = 0
    else:
        higher = groups_above(scene.unseen, move)
        number = ranks_in(higher)
        out[found] = <uint16_t>(layout.above + family_of(move) * ABOVE + min(number, ABOVE - 1)); found += 1
        if not move.power:
            found += safety_columns(layout, layout.safe, scene, move, higher, out + found)
    if number and not move.power and scene.enemy_most >= move.size:
        out[found] = <uint16_t>layout.control; found += 1
    elif scene.bombs and move.kind != ROCKET:
        out[found] = <uint16_t>(layout.control + 1); found += 1
    else:
        out[found] = <uint16_t>(layout.control + 2)
        out[found + 1] = <uint16_t>(layout.control + 3 + min(to_go, 4)); found += 2
    return found


LAYOUT = LAYOUT_VERSION


def column_count(CompiledRules rules not None, int version=LAYOUT_VERSION) -> int:
    """Number of input columns under these rules, in this or an earlier layout: each begins with those of the one before.

    Raises ValueError for a layout that there is not.
    """
    cdef layout_t layout
    if not 1 <= version <= LAYOUT_VERSION:
        raise ValueError(f"feature layout {version}, expected 1..{LAYOUT_VERSION}")
    make_layout(&layout, &rules.c)
    return layout.above if version == 1 else layout.columns


def encode(Observation seen not None, Play play not None, HandsToGo memo not None, bint for_points=False) -> list[int]:
    """The columns that are on for a play in its state, in no particular order.

    Raises ValueError where the seat does not hold the play.
    """
    cdef layout_t layout
    cdef scene_t scene
    cdef uint16_t columns[MAX_STATE + MAX_ADDED]
    cdef int found, i
    if not holds(seen.c.hand, play.c.cards):
        raise ValueError(f"the seat does not hold {play}")
    make_layout(&layout, &seen.rules.c)
    found = state_columns(&layout, &seen.c, &seen.rules.c, for_points, &memo.c, &scene, columns)
    found += hand_columns(&layout, layout.after, seen.c.hand - play.c.cards, columns + found)
    found += play_columns(&layout, &seen.c, &scene, &play.c, &memo.c, columns + found)
    return [columns[i] for i in range(found)]
