"""Positions of the protocol: what a seat knows, as the fields of a `position` line. PROTOCOL.md, "position".

Writing gives every field; reading works out whatever is not given and refuses what does not fit together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ddz_solver.core import moves
from ddz_solver.core.moves import MAX_FACTOR, Play
from ddz_solver.engine.limits import read_number
from ddz_solver.engine.lines import ProtocolError, format_line
from ddz_solver.game.auction import Auction
from ddz_solver.game.cards import RANKS, Hand
from ddz_solver.game.combos import format_play, parse_play
from ddz_solver.game.errors import AuctionError, CardsError, PlayError, RulesError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.game.rules import MAX_BID, Rules

_NO_CARDS: Final = "-"
_PHASES: Final = {phase.value: phase for phase in Phase}


def position_line(observation: Observation, *, legal: bool = False) -> str:
    """The `position` line of an observation; with `legal` it lists the legal plays or calls."""
    return format_line("position", **position_fields(observation, legal=legal))


def position_fields(seen: Observation, *, legal: bool = False) -> dict[str, object]:
    """Everything that a seat knows, as fields in their usual order. Fields that say nothing are left out."""
    rules = seen.rules
    fields: dict[str, object] = {
        "rules": rules,
        "seat": seen.seat,
        "phase": seen.phase.value,
        "turn": seen.turn,
        "hand": format_cards(seen.hand),
        "unseen": format_cards(seen.unseen),
        "counts": join(seen.counts),
        "first": seen.first_bidder,
        "up": seen.face_up,
        "calls": join(f"{seat}:{bid}" for seat, bid in seen.calls) or None,
        "landlord": seen.landlord,
        "bid": seen.bid,
        "bottom": None if seen.bottom is None else format_cards(seen.bottom),
    }
    if seen.phase is not Phase.AUCTION:
        fields["factor"] = seen.factor
        fields["plays"] = join(seen.plays)
        fields["history"] = join(f"{seat}:{format_play(play, rules)}" for seat, play in seen.history) or None
        if seen.to_beat is not None:
            fields["beat"] = format_play(seen.to_beat, rules)
            fields["beat_by"] = seen.to_beat_by
    if legal:
        if seen.phase is Phase.AUCTION:
            fields["legal"] = join(seen.legal_calls)
        else:
            fields["legal"] = join(format_play(play, rules) for play in seen.legal_plays)
    return fields


def format_cards(cards: Hand) -> str:
    """Text of cards, `-` for none."""
    return str(cards) or _NO_CARDS


def join(items: Iterable[object]) -> str:
    """A list as the value of a field."""
    return ",".join(map(str, items))


def parse_position(fields: Mapping[str, str]) -> Observation:
    """The observation that the fields of a `position` line describe; unknown fields are ignored.

    ProtocolError: `unsupported-rules`, `illegal-move` for plays that the rules do not know, `bad-value` for everything
    else that is wrong, missing or contradictory.
    """
    return _Reader(fields).observation()


def parse_hands(fields: Mapping[str, str]) -> Game:
    """The open-hand game of a `position` line with `hands`, at the play; for analysis. ProtocolError as above."""
    reader = _Reader(fields)
    hands = [reader.cards_of("hands", part) for part in fields["hands"].split("/")]
    landlord = reader.seat("landlord", 0)
    turn = reader.seat("turn", landlord)
    beat, beat_by = reader.play("beat"), reader.optional_seat("beat_by")
    try:
        return Game.from_hands(
            hands,
            reader.rules,
            landlord=landlord,
            turn=turn,
            to_beat=beat,
            to_beat_by=beat_by,
            bid=reader.number("bid", 1, 1, MAX_BID),
            factor=reader.number("factor", 1, 1, MAX_FACTOR),
            plays=reader.plays(None),
        )
    except ValueError as error:
        raise ProtocolError("bad-value", str(error)) from None


@dataclass
class _Table:
    """What the history of plays leads to."""

    to_beat: Play | None = None
    to_beat_by: int | None = None
    turn: int | None = None
    factor: int = 1


class _Reader:
    """Reads the fields of one `position` line."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields
        self.rules = parse_rules(self._required("rules"))
        self.players = self.rules.players

    def observation(self) -> Observation:
        seat = self.seat("seat")
        landlord = self.optional_seat("landlord")
        phase = self._phase(landlord)
        calls = self._calls()
        history = self._history()
        table = self._table(history)
        hand = self.cards("hand")
        counts = self._counts(seat, hand, phase)
        bottom = self.cards("bottom") if "bottom" in self.fields else None
        highest = max((bid for _, bid in calls), default=0)
        in_play = phase is not Phase.AUCTION
        to_beat, to_beat_by = self.play("beat"), self.optional_seat("beat_by")
        if to_beat is None:
            to_beat, to_beat_by = table.to_beat, table.to_beat_by
        turn = self.optional_seat("turn")
        if phase is Phase.AUCTION:
            self._check_calls(calls)
        if turn is None and phase is not Phase.OVER:
            turn = seat if table.turn is None else table.turn
        if to_beat is not None and to_beat_by is None:
            to_beat_by = (seat - 1) % self.players
        if to_beat is not None and to_beat_by == turn:
            raise ProtocolError("bad-value", f"beat_by={to_beat_by}: expected another seat than the one to move")
        return Observation(
            rules=self.rules,
            seat=seat,
            phase=phase,
            turn=turn if phase is not Phase.OVER else None,
            hand=hand,
            unseen=self._unseen(sum(counts) - len(hand), hand, history, in_play),
            counts=counts,
            landlord=landlord,
            bottom=bottom,
            bid=self.number("bid", max(highest, 1) if in_play else highest, int(in_play), MAX_BID),
            factor=self.number("factor", table.factor, 1, MAX_FACTOR),
            to_beat=to_beat if phase is Phase.PLAY else None,
            to_beat_by=to_beat_by if phase is Phase.PLAY else None,
            plays=self.plays(history),
            calls=calls,
            history=history,
            first_bidder=self.optional_seat("first"),
            face_up=self._face_up(),
        )

    # --- single fields ----------------------------------------------------------------------------------------------

    def cards(self, name: str) -> Hand:
        return self.cards_of(name, self._required(name))

    def cards_of(self, name: str, text: str) -> Hand:
        try:
            return Hand() if text == _NO_CARDS else Hand.parse(text, self.rules.decks)
        except CardsError as error:
            raise ProtocolError("bad-value", f"{name}: {error}") from None

    def number(self, name: str, default: int, least: int, most: int) -> int:
        return read_number(name, self.fields[name], least, most) if name in self.fields else default

    def seat(self, name: str, default: int | None = None) -> int:
        if default is not None and name not in self.fields:
            return default
        return self._seat_of(name, self._required(name))

    def optional_seat(self, name: str) -> int | None:
        return self._seat_of(name, self.fields[name]) if name in self.fields else None

    def play(self, name: str) -> Play | None:
        if name not in self.fields:
            return None
        play = self._play_of(self.fields[name], None)
        if not play:
            raise ProtocolError(
                "bad-value", f"{name}={self.fields[name][:40]}: expected cards, or no {name} for a lead"
            )
        return play

    def plays(self, history: tuple[tuple[int, Play], ...] | None) -> tuple[int, ...]:
        if "plays" not in self.fields:
            made = [0] * self.players
            for seat, play in history or ():
                made[seat] += bool(play)
            return tuple(made)
        plays = self._numbers("plays")
        if not all(count <= 108 for count in plays):
            raise ProtocolError("bad-value", f"plays={self.fields['plays']}: expected numbers up to 108")
        return plays

    def _required(self, name: str) -> str:
        if name not in self.fields:
            raise ProtocolError("bad-value", f"no {name} in the position: expected {name}=...")
        return self.fields[name]

    def _seat_of(self, name: str, text: str) -> int:
        return read_number(name, text, 0, self.players - 1)

    def _numbers(self, name: str) -> tuple[int, ...]:
        text = self._required(name)
        numbers = tuple(read_number(name, part, 0, 1000) for part in text.split(","))
        if len(numbers) != self.players:
            raise ProtocolError("bad-value", f"{name}={text[:40]}: expected {self.players} numbers")
        return numbers

    def _play_of(self, text: str, to_beat: Play | None) -> Play:
        try:
            return parse_play(text, self.rules, to_beat)
        except (CardsError, PlayError) as error:
            raise ProtocolError("illegal-move", str(error)) from None

    def _pairs(self, name: str, meaning: str) -> list[tuple[int, str]]:
        pairs = []
        for item in self.fields.get(name, "").split(",") if self.fields.get(name) else ():
            seat, colon, value = item.partition(":")
            if not colon or not value:
                raise ProtocolError("bad-value", f"{name}: {item[:40]!r}: expected SEAT:{meaning}")
            pairs.append((self._seat_of(name, seat), value))
        return pairs

    # --- what belongs together --------------------------------------------------------------------------------------

    def _phase(self, landlord: int | None) -> Phase:
        name = self.fields.get("phase", "auction" if landlord is None else "play")
        if name not in _PHASES:
            raise ProtocolError("bad-value", f"phase={name[:40]}: expected {' or '.join(_PHASES)}")
        if name == "play" and landlord is None:
            raise ProtocolError("bad-value", "phase=play without landlord: expected landlord=SEAT")
        if name == "auction" and landlord is not None:
            raise ProtocolError("bad-value", f"phase=auction with landlord={landlord}: expected none before the play")
        return _PHASES[name]

    def _calls(self) -> tuple[tuple[int, int], ...]:
        return tuple((seat, read_number("calls", bid, 0, MAX_BID)) for seat, bid in self._pairs("calls", "BID"))

    def _history(self) -> tuple[tuple[int, Play], ...]:
        history: list[tuple[int, Play]] = []
        last: Play | None = None
        passes = 0
        for seat, text in self._pairs("history", "PLAY"):
            play = self._play_of(text, last)
            if history and seat != (history[-1][0] + 1) % self.players:
                raise ProtocolError("bad-value", f"history: seat {seat} after {history[-1][0]}: expected seat order")
            if not play and last is None and any(made for _, made in history):
                raise ProtocolError("illegal-move", f"history: seat {seat} passes with nothing to beat")
            if play and last is not None and not moves.beats(play, last):
                raise ProtocolError("illegal-move", f"history: {play} of seat {seat} does not beat {last}")
            history.append((seat, play))
            passes = 0 if play else passes + 1
            last = None if passes == self.players - 1 else play or last
        return tuple(history)

    def _table(self, history: tuple[tuple[int, Play], ...]) -> _Table:
        table = _Table(turn=(history[-1][0] + 1) % self.players if history else None)
        table.factor = moves.factor_after(1, (play for _, play in history), self.rules.compiled)
        for seat, play in history[1 - self.players :]:
            if play:
                table.to_beat, table.to_beat_by = play, seat
        return table

    def _check_calls(self, calls: tuple[tuple[int, int], ...]) -> None:
        """ProtocolError where these calls are not those of an auction that goes on."""
        if self.rules.auction == "none":
            raise ProtocolError("bad-value", f"phase=auction: expected play, the rules {self.rules} have no auction")
        auction = Auction(self.rules, calls[0][0] if calls else 0)
        for seat, bid in calls:
            if auction.turn is not None and seat != auction.turn:
                raise ProtocolError("bad-value", f"calls: seat {seat}, expected seat {auction.turn}")
            try:
                auction.call(bid)
            except AuctionError as error:
                raise ProtocolError("bad-value", f"calls: {error}") from None
        if auction.outcome is not None:
            raise ProtocolError("bad-value", f"calls={self.fields.get('calls', '')[:40]}: expected an auction to go on")

    def _counts(self, seat: int, hand: Hand, phase: Phase) -> tuple[int, ...]:
        counts = self._numbers("counts")
        if counts[seat] != len(hand):
            raise ProtocolError("bad-value", f"{len(hand)} cards in hand: expected {counts[seat]}, counts[{seat}]")
        dealt = self._deal_sizes()[0] if phase is Phase.AUCTION else None
        if phase is not Phase.OVER and not all(count if dealt is None else count == dealt for count in counts):
            wanted = "cards in every hand" if dealt is None else f"{dealt} cards each before the play"
            raise ProtocolError("bad-value", f"counts={self.fields['counts'][:40]}: expected {wanted}")
        return counts

    def _unseen(self, others: int, hand: Hand, history: tuple[tuple[int, Play], ...], in_play: bool) -> Hand:
        """The unseen cards, `others` of them in the other hands."""
        try:
            gone = sum((Hand(play.cards) for _, play in history), Hand())
            if "unseen" in self.fields:
                unseen = self.cards("unseen")
                (hand + unseen + gone).check(self.rules.decks)
            else:
                unseen = self.rules.pack - hand - gone
        except CardsError as error:
            raise ProtocolError("bad-value", f"hand, unseen and history: {error}") from None
        hidden = 0 if in_play else self._deal_sizes()[1]
        if len(unseen) != others + hidden:
            raise ProtocolError(
                "bad-value", f"{len(unseen)} cards unseen: expected {others + hidden} by the counts of the other seats"
            )
        return unseen

    def _deal_sizes(self) -> tuple[int, int]:
        """Cards dealt to each seat, and bottom cards."""
        try:
            return self.rules.hand_size, self.rules.bottom_size
        except RulesError as error:
            raise ProtocolError("unsupported-rules", str(error)) from None

    def _face_up(self) -> str | None:
        card = self.fields.get("up")
        if card is not None and (len(card) != 1 or card not in RANKS):
            raise ProtocolError("bad-value", f"up={card[:40]}: expected one of {RANKS}")
        return card


def parse_rules(text: str) -> Rules:
    """Rules from a field. ProtocolError `unsupported-rules`."""
    try:
        return Rules.parse(text)
    except RulesError as error:
        raise ProtocolError("unsupported-rules", str(error)) from None
