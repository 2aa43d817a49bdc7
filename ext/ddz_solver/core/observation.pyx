"""What one seat knows: kept up move by move in self-play, or rebuilt from a history."""

from libc.stdint cimport uint8_t
from libc.string cimport memmove, memset

from ddz_solver.core.hand cimport (
    ONES, RANK_BLACK, RANK_RED, cards_of, hand_size, hand_t, holds, is_hand,
)
from ddz_solver.core.moves cimport FACTOR_LIMIT, PAIR, PASS, SOLO, CompiledRules, Play, doubled, move_t, rules_t, wrap
from ddz_solver.core.position cimport position_t


cdef hand_t deck_of(const rules_t* rules) noexcept nogil:
    """All cards of the pack."""
    cdef hand_t deck = 4 * rules.decks * (ONES & ~(<hand_t>0x11 << (4 * RANK_BLACK)))
    return deck | cards_of(RANK_BLACK, rules.decks) | cards_of(RANK_RED, rules.decks)


cdef void observe_deal(observation_t* seen, const position_t* position, hand_t bottom, const rules_t* rules) noexcept nogil:
    """Starts an observation of a fresh deal; the caller then sets `seat` and `hand` for whoever looks."""
    cdef int seat
    memset(seen, 0, sizeof(observation_t))
    seen.deck = deck_of(rules)
    seen.bottom = bottom
    seen.factor = 1
    seen.players = rules.players
    seen.landlord = position.landlord
    seen.owner = position.turn
    for seat in range(rules.players):
        seen.counts[seat] = <uint8_t>hand_size(position.hands[seat])


cdef void observe_play(observation_t* seen, int seat, const move_t* move, const rules_t* rules) noexcept nogil:
    """Records a play or a pass of `seat`. `hand` is left alone: the caller keeps it."""
    cdef int low, column
    memmove(&seen.history[1], &seen.history[0], (HISTORY - 1) * sizeof(hand_t))
    seen.history[0] = move.cards
    if seen.turns < HISTORY:
        seen.turns += 1
    if seen.last.kind == PASS:
        seen.led[seat] = move.kind
    if move.kind != PASS:
        seen.played[seat] += move.cards
        seen.counts[seat] -= move.size
        seen.plays[seat] += 1
        if move.power:
            seen.factor = doubled(seen.factor, move, rules)
        seen.last = move[0]
        seen.owner = <uint8_t>seat
    else:
        if ((seen.last.kind == SOLO or seen.last.kind == PAIR)
                and (seat == seen.landlord) != (seen.owner == seen.landlord)):
            column = 0 if seen.last.kind == SOLO else 1
            low = seen.last.rank + 1
            if seen.declined[seat][column] == 0 or low < seen.declined[seat][column]:
                seen.declined[seat][column] = <uint8_t>low
        if (seat + 1) % seen.players == seen.owner:         # everybody else has passed: a new trick
            memset(&seen.last, 0, sizeof(move_t))


cdef class Observation:
    """What `seat` knows when it is to move.

    `hand` and `unseen` are packed hands: the seat's own cards, and all cards that the others hold together (by default
    the rest of the pack). `counts` are the cards left of every seat, `bottom` the bottom cards where they were shown: the
    landlord holds those that the history does not tell him to have played.
    `history` holds (seat, Play) of every turn so far, passes included. Where play began in the middle, `to_beat` by the
    seat `to_beat_by`, the doublings `factor` and the `plays` of each seat so far may say what the history does not.
    Raises ValueError where these do not fit together.
    """

    def __init__(self, CompiledRules rules not None, *, int seat, hand_t hand, int landlord, counts, hand_t bottom=0,
                 history=(), unseen=None, Play to_beat=None, to_beat_by=None, factor=None, plays=None):
        cdef int index, turn, total = 0
        cdef hand_t played = 0, rest
        cdef Play play
        cdef int players = rules.c.players
        counts, history = tuple(counts), tuple(history)
        if not 0 <= seat < players or not 0 <= landlord < players:
            raise ValueError(f"seat {seat} and landlord {landlord}, expected 0..{players - 1}")
        if len(counts) != players or any(not 0 <= count <= 54 * rules.c.decks for count in counts):
            raise ValueError(f"card counts {counts}, expected {players} numbers of cards")
        if not is_hand(hand) or not is_hand(bottom):
            raise ValueError("own and bottom cards must be packed hands")
        if counts[seat] != hand_size(hand):
            raise ValueError(f"seat {seat} has {hand_size(hand)} cards, but a card count of {counts[seat]}")
        self.rules = rules
        memset(&self.c, 0, sizeof(observation_t))
        for index in range(players):
            self.c.counts[index] = counts[index]
        for turn, play in history:
            if not 0 <= turn < players:
                raise ValueError(f"seat {turn} in the history, expected 0..{players - 1}")
            self.c.counts[turn] += play.c.size
            if not holds(deck_of(&rules.c) - played, play.c.cards):
                raise ValueError(f"the history plays more cards than the pack has: {play}")
            played += play.c.cards
        rest = deck_of(&rules.c) - played
        if unseen is None:
            if not holds(rest, hand):
                raise ValueError("own cards and cards played are more than the pack has")
            rest -= hand
        else:
            if not is_hand(unseen) or not holds(rest, hand) or not holds(rest - hand, <hand_t>unseen):
                raise ValueError("own, unseen and played cards are more than the pack has")
            rest = unseen
        for index in range(players):
            total += counts[index]
        if total - counts[seat] != hand_size(rest):
            raise ValueError(f"the others hold {total - counts[seat]} cards, but {hand_size(rest)} are unseen")
        self.c.hand, self.c.bottom = hand, bottom
        self.c.deck = hand + rest + played
        self.c.factor = 1
        self.c.players = rules.c.players
        self.c.seat, self.c.landlord, self.c.owner = <uint8_t>seat, <uint8_t>landlord, <uint8_t>seat
        for turn, play in history:
            observe_play(&self.c, turn, &play.c, &rules.c)
        if to_beat is not None:
            if to_beat_by is None or not 0 <= to_beat_by < players:
                raise ValueError(f"play to beat by seat {to_beat_by}, expected 0..{players - 1}")
            self.c.last, self.c.owner = to_beat.c, to_beat_by
        if factor is not None:
            if not 1 <= factor <= FACTOR_LIMIT:
                raise ValueError(f"factor {factor}, expected 1 to {FACTOR_LIMIT}")
            self.c.factor = factor
        if plays is not None:
            plays = tuple(plays)
            if len(plays) != players or any(not 0 <= number < 256 for number in plays):
                raise ValueError(f"plays so far {plays}, expected {players} numbers of 0..255")
            for index in range(players):
                self.c.plays[index] = plays[index]

    def record(self, int seat, Play play not None) -> None:
        """Takes note of a play or a pass. Raises ValueError where `seat` cannot have made it."""
        if not 0 <= seat < self.c.players:
            raise ValueError(f"seat {seat}, expected 0..{self.c.players - 1}")
        if not holds(self.c.hand if seat == self.c.seat else unseen_cards(&self.c), play.c.cards):
            raise ValueError(f"seat {seat} cannot hold {play}")
        if play.c.size > self.c.counts[seat]:
            raise ValueError(f"seat {seat} has {self.c.counts[seat]} cards, too few for {play}")
        if seat == self.c.seat:
            self.c.hand -= play.c.cards
        observe_play(&self.c, seat, &play.c, &self.rules.c)

    @property
    def seat(self) -> int:
        """The observing seat."""
        return self.c.seat

    @property
    def hand(self) -> int:
        """Its cards, packed."""
        return self.c.hand

    @property
    def unseen(self) -> int:
        """All cards the other seats hold together, packed."""
        return unseen_cards(&self.c)

    @property
    def to_beat(self) -> Play:
        """The play to beat; a pass where the seat leads."""
        return wrap(&self.c.last)

    @property
    def compiled_rules(self) -> CompiledRules:
        """The rules it was made for."""
        return self.rules
