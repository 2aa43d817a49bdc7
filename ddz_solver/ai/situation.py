"""What a person tells about one decision, checked and completed: from a hand alone up to everything a seat has seen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ddz_solver.ai.hands import read_cards, single_cards
from ddz_solver.ai.history import HistoryLike, read_history
from ddz_solver.ai.likely import dealt, has_deal, likely_counts, likely_plays
from ddz_solver.ai.notes import Note
from ddz_solver.ai.roles import Role, parse_role, role_name
from ddz_solver.core import moves
from ddz_solver.core.moves import PASS_PLAY, Play
from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.combos import check_play, parse_play
from ddz_solver.game.errors import CardsError, DealError, TurnError
from ddz_solver.game.given import check_bid, check_factor
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.game.rules import Rules, RulesLike


@dataclass(frozen=True)
class Situation:
    """One decision in the play, as far as it is known; seat 0 is the landlord.

    `hidden` are all cards that the other hands may hold: more than they do hold where it is not known which cards are
    gone. `plays` says how often each seat has played, also before the history begins. `assumed` names what was not
    given and had to be guessed.
    """

    rules: Rules
    seat: int
    hand: Hand
    counts: tuple[int, ...]
    hidden: Hand
    bottom: Hand | None
    history: tuple[tuple[int, Play], ...]
    to_beat: Play | None
    to_beat_by: int | None
    plays: tuple[int, ...]
    bid: int
    factor: int
    assumed: tuple[Note, ...]

    @property
    def complete(self) -> bool:
        """Whether the hidden cards are exactly those in the other hands."""
        return len(self.hidden) == sum(self.counts) - len(self.hand)

    def observations(self, count: int, seed: int = 0) -> list[Observation]:
        """What the seat sees: one observation where `complete`, else `count` of them, each with other cards gone."""
        if self.complete:
            return [self._observation(self.hidden)]
        rng = random.Random(seed)
        held = sum(self.counts) - len(self.hand)
        cards = single_cards(self.hidden)
        return [self._observation(Hand(sum(rng.sample(cards, held)))) for _ in range(count)]

    def _observation(self, unseen: Hand) -> Observation:
        return Observation(
            rules=self.rules,
            seat=self.seat,
            phase=Phase.PLAY,
            turn=self.seat,
            hand=self.hand,
            unseen=unseen,
            counts=self.counts,
            landlord=0,
            bottom=self.bottom,
            bid=self.bid,
            factor=self.factor,
            to_beat=self.to_beat,
            to_beat_by=self.to_beat_by,
            plays=self.plays,
            calls=(),
            history=self.history,
            first_bidder=None,
            face_up=None,
        )


def situation(
    hand: HandLike,
    *,
    role: int | str | None = None,
    to_beat: Play | str | None = None,
    to_beat_by: int | str | None = None,
    counts: Sequence[int] | None = None,
    played: HandLike | None = None,
    unseen: HandLike | None = None,
    history: HistoryLike | None = None,
    bottom: HandLike | None = None,
    rules: RulesLike = "classic",
    bid: int = 1,
    factor: int = 1,
) -> Situation:
    """The decision that these facts describe; what is not given gets the most likely value, named in `assumed`.

    - `role`: the landlord; but a hand as dealt that has a play to beat is the player after the landlord.
    - `to_beat`: nothing, so this seat leads. `to_beat_by`: the seat before; those in between have passed.
    - `history`: every play from the landlord's first lead on, passes included; it fixes `role`, `to_beat` and `counts`.
    - `played`: all cards that are gone, those of `to_beat` among them. Not given: any cards may be gone.
    - `unseen`: instead of `played`, all cards in the other hands.
    - `counts`: cards of the other players in playing order after this seat. Not given: as dealt for a hand as dealt,
      else as many as this hand.
    - `bottom`: the bottom cards as dealt. Not given: not known.
    - `bid` (1 to 3) and `factor` (doublings so far): 1.

    DdzError of the fitting sort for facts that cannot be, or not together.
    """
    rules = Rules.of(rules)
    cards = _read_hand(hand, rules)
    assumed: list[Note] = []
    bid, factor = check_bid(bid), check_factor(factor)
    seat = None if role is None else parse_role(role, rules.players)
    if history is not None:
        if played is not None or counts is not None or unseen is not None:
            raise DealError("history together with played, unseen or counts: expected the history alone, it tells all")
        return _from_history(rules, cards, seat, history, to_beat, to_beat_by, bottom, bid, factor)
    beaten = _read_play(to_beat, rules)
    if seat is None:
        seat = 1 if beaten and len(cards) == dealt(rules, 1) and to_beat_by in (None, 0, "landlord") else 0
        assumed.append(Note("assumed_role", role=Role(seat, rules.players)))
    _check_size(cards, seat, rules)
    by = _owner(beaten, to_beat_by, seat, rules)
    line = _trick(beaten, by, seat, rules.players)
    hidden = _hidden(rules, cards, beaten, played, unseen)
    told = len(hidden) if played is not None or unseen is not None else None
    sizes = _counts(rules, seat, cards, beaten, by, counts, told, assumed)
    if told is None and len(hidden) > sum(sizes) - len(cards):
        assumed.append(Note("assumed_gone"))
    if sum(sizes) - len(cards) > len(hidden):
        raise DealError(
            f"{sum(sizes) - len(cards)} cards in the other hands: expected at most {len(hidden)}, all that is left of "
            f"the pack"
        )
    return Situation(
        rules=rules,
        seat=seat,
        hand=cards,
        counts=sizes,
        hidden=hidden,
        bottom=_read_bottom(bottom, cards, seat, rules),
        history=line,
        to_beat=beaten,
        to_beat_by=by,
        plays=likely_plays(rules, seat, sizes, beaten, by, assumed),
        bid=bid,
        factor=factor,
        assumed=tuple(assumed),
    )


def of_observation(seen: Observation) -> Situation:
    """The same decision as a situation with nothing assumed. TurnError if it is not that seat's turn to play."""
    if seen.phase is not Phase.PLAY or seen.turn != seen.seat or seen.landlord is None:
        raise TurnError(f"seat {seen.seat} in the phase {seen.phase.value}: expected the seat to play")
    shift, players = seen.landlord, seen.rules.players
    order = [(shift + seat) % players for seat in range(players)]
    return Situation(
        rules=seen.rules,
        seat=(seen.seat - shift) % players,
        hand=seen.hand,
        counts=tuple(seen.counts[seat] for seat in order),
        hidden=seen.unseen,
        bottom=seen.bottom,
        history=tuple(((seat - shift) % players, play) for seat, play in seen.history),
        to_beat=seen.to_beat,
        to_beat_by=None if seen.to_beat_by is None else (seen.to_beat_by - shift) % players,
        plays=tuple(seen.plays[seat] for seat in order),
        bid=seen.bid,
        factor=seen.factor,
        assumed=(),
    )


def _read_hand(hand: HandLike, rules: Rules) -> Hand:
    cards = read_cards(hand, rules)
    most = dealt(rules, 0)
    if not 1 <= len(cards) <= most:
        raise CardsError(f"{len(cards)} cards in the hand {str(cards)!r}: expected 1 to {most}")
    return cards


def _read_play(play: Play | str | None, rules: Rules) -> Play | None:
    if play is None:
        return None
    return (parse_play(play, rules) if isinstance(play, str) else check_play(play, rules)) or None


def _check_size(cards: Hand, seat: int, rules: Rules) -> None:
    most = dealt(rules, seat)
    if len(cards) > most:
        name = role_name(seat, rules.players)
        raise CardsError(f"{len(cards)} cards in the hand {str(cards)!r} of {name}: expected at most {most}")


def _owner(beaten: Play | None, by: int | str | None, seat: int, rules: Rules) -> int | None:
    """The seat that made the play to beat."""
    if beaten is None:
        if by is not None:
            raise DealError(f"to_beat_by={by} without a play to beat: expected both or neither")
        return None
    owner = (seat - 1) % rules.players if by is None else parse_role(by, rules.players)
    if owner == seat:
        name = role_name(seat, rules.players)
        raise DealError(f"to_beat_by={name}, the seat that is to play: expected another seat")
    return owner


def _trick(beaten: Play | None, by: int | None, seat: int, players: int) -> tuple[tuple[int, Play], ...]:
    """The plays that are known where only the play to beat is: that one and the passes since."""
    if beaten is None or by is None:
        return ()
    passes = ((other % players, PASS_PLAY) for other in range(by + 1, by + (seat - by) % players))
    return ((by, beaten), *passes)


def _hidden(rules: Rules, cards: Hand, beaten: Play | None, played: HandLike | None, unseen: HandLike | None) -> Hand:
    """All cards that the other hands may hold."""
    on_table = Hand(beaten.cards) if beaten else Hand()
    if played is not None and unseen is not None:
        raise DealError("played together with unseen: expected one of them, it tells the other")
    if unseen is not None:
        hidden = read_cards(unseen, rules)
        _rest(rules, cards + on_table + hidden, f"{cards} and unseen {hidden}")
        return hidden
    if played is None:
        return _rest(rules, cards + on_table, str(cards))
    gone = read_cards(played, rules)
    if on_table not in gone:
        raise DealError(f"played cards {str(gone)!r} without the play to beat, {beaten}: expected all cards played")
    return _rest(rules, cards + gone, f"{cards} and played {gone}")


def _rest(rules: Rules, known: Hand, text: str) -> Hand:
    """What is left of the pack without cards that are elsewhere."""
    known.check(rules.decks, text)
    return Hand.pack(rules.decks) - known


def _counts(
    rules: Rules,
    seat: int,
    cards: Hand,
    beaten: Play | None,
    by: int | None,
    given: Sequence[int] | None,
    hidden: int | None,
    assumed: list[Note],
) -> tuple[int, ...]:
    """Cards of every seat. `hidden` is the number of cards in the other hands where it is known."""
    players = rules.players
    others = [(seat + step) % players for step in range(1, players)]
    if given is not None:
        numbers = list(given)
        text = ",".join(map(str, numbers))
        if len(numbers) != len(others):
            raise DealError(f"counts {text}: expected {len(others)} numbers, one a player in turn after you")
        for other, number in zip(others, numbers, strict=True):
            if not 1 <= number <= dealt(rules, other):
                name = role_name(other, players)
                raise DealError(f"counts {text}: {number} cards of {name}, expected 1 to {dealt(rules, other)}")
        if hidden is not None and sum(numbers) != hidden:
            raise DealError(f"counts {text}: expected {hidden} in all, the cards neither held nor played")
    else:
        numbers = likely_counts(rules, seat, cards, beaten, by, hidden)
        assumed += (
            Note("assumed_count", role=Role(other, players), count=number)
            for other, number in zip(others, numbers, strict=True)
        )
    sizes = dict(zip(others, numbers, strict=True)) | {seat: len(cards)}
    return tuple(sizes[other] for other in range(players))


def _read_bottom(bottom: HandLike | None, cards: Hand, seat: int, rules: Rules) -> Hand | None:
    """The bottom cards; they were dealt to the landlord."""
    if bottom is None:
        return None
    dealt_cards = read_cards(bottom, rules)
    if has_deal(rules) and len(dealt_cards) != rules.bottom_size:
        raise DealError(f"{len(dealt_cards)} bottom cards, {str(dealt_cards)!r}: expected {rules.bottom_size}")
    if seat != 0:
        (dealt_cards + cards).check(rules.decks, f"{cards} and bottom cards {dealt_cards}")
    elif len(cards) == dealt(rules, 0) and dealt_cards not in cards:
        raise DealError(f"bottom cards {str(dealt_cards)!r}: expected cards of the landlord's hand {str(cards)!r}")
    return dealt_cards


def _from_history(
    rules: Rules,
    cards: Hand,
    seat: int | None,
    history: HistoryLike,
    to_beat: Play | str | None,
    to_beat_by: int | str | None,
    bottom: HandLike | None,
    bid: int,
    factor: int,
) -> Situation:
    """The decision after a whole history."""
    players = rules.players
    line, beaten, owner = read_history(rules, history)
    turn = len(line) % players
    if seat is not None and seat != turn:
        raise TurnError(
            f"role {role_name(seat, players)} after a history of {len(line)} plays: expected "
            f"{role_name(turn, players)}, whose turn it is"
        )
    said = _read_play(to_beat, rules)
    if said and said != beaten:
        raise DealError(f"the play to beat {said}: expected {beaten or 'none'}, as the history says")
    if to_beat_by is not None and (beaten is None or parse_role(to_beat_by, players) != owner):
        expected = role_name(owner, players) if beaten is not None else "none"
        raise DealError(f"to_beat_by={to_beat_by}: expected {expected}, as the history says")
    gone = [Hand()] * players
    for player, play in line:
        gone[player] += Hand(play.cards)
    counts = tuple(dealt(rules, player) - len(gone[player]) for player in range(players))
    for player, count in enumerate(counts):
        if count < 1:
            name = role_name(player, players)
            raise DealError(f"the history plays {len(gone[player])} cards of {name}: expected less than a whole hand")
    if len(cards) != counts[turn]:
        raise CardsError(
            f"{len(cards)} cards in the hand {str(cards)!r} of {role_name(turn, players)}: expected {counts[turn]} "
            f"after {len(gone[turn])} played"
        )
    out = sum(gone, Hand())
    hidden = _rest(rules, cards + out, f"{cards} and played {out}")
    return Situation(
        rules=rules,
        seat=turn,
        hand=cards,
        counts=counts,
        hidden=hidden,
        bottom=_read_bottom(bottom, cards + gone[turn], turn, rules),
        history=line,
        to_beat=beaten,
        to_beat_by=owner if beaten is not None else None,
        plays=tuple(sum(bool(play) for player, play in line if player == seat) for seat in range(players)),
        bid=bid,
        factor=moves.factor_after(factor, (play for _, play in line), rules.compiled),
        assumed=(),
    )
