"""Judging records again: every call and play is made anew, and what follows is compared with what is written."""

from __future__ import annotations

from ddz_solver.engine.faults import EngineFault, Termination
from ddz_solver.engine.records import Record, RecordError, parse_records
from ddz_solver.engine.referee import forfeit_scores, make, substitute
from ddz_solver.game.auction import format_call
from ddz_solver.game.combos import format_play, parse_play
from ddz_solver.game.errors import DdzError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import parse_game, parse_tags
from ddz_solver.game.observation import Phase


def read_hand(text: str, number: int = 1) -> tuple[Game, tuple[str, ...]]:
    """A hand of a text, at its end, and the names of its seats, "" where they are not told.

    The text is a game as `game.notation` writes it, or the records of a match, of which one is taken by its `number`
    from 1. RecordError, NotationError and others of DdzError: what cannot be read, or does not follow from the rules.
    """
    records = parse_records(text)
    most = len(records) or 1
    if not 1 <= number <= most:
        raise RecordError(f"hand {number}: expected 1 to {most}")
    if records:
        record = records[number - 1]
        return rejudge(record), record.players
    game, tags = parse_game(text), parse_tags(text)
    return game, tuple(tags.get(f"Seat{seat}", "") for seat in range(game.rules.players))


def rejudge(record: Record) -> Game:
    """The game of a record at its end. RecordError: what does not follow from the rules, and what would."""
    try:
        game = Game(record.rules, record.deal)
    except DdzError as error:
        raise RecordError(str(error)) from None
    if len(record.players) != game.rules.players:
        raise RecordError(f"{len(record.players)} players: expected {game.rules.players} under the rules {game.rules}")
    substituted = {fault.ply for fault in record.faults if fault.substituted}
    steps: list[tuple[int, str]] = [(seat, format_call(bid)) for seat, bid in record.calls]
    calls = len(steps)
    steps += record.plays
    for ply, (seat, text) in enumerate(steps):
        what = f"decision {ply}, {seat}:{text}"
        if game.turn != seat:
            expected = "the end of the hand" if game.turn is None else f"seat {game.turn}"
            raise RecordError(f"{what}: expected {expected}")
        if (game.phase is Phase.AUCTION) != (ply < calls):
            raise RecordError(f"{what}: expected a decision in the phase {game.phase.value}")
        try:
            decision = record.calls[ply][1] if ply < calls else parse_play(text, game.rules, game.to_beat)
            if ply in substituted and decision != substitute(game):
                raise RecordError(f"{what}: expected what stands in for a failed decision, {_text(game)}")
            make(game, decision)
        except (DdzError, EngineFault) as error:
            raise RecordError(f"{what}: {error}") from None
    _check_end(record, game, len(steps))
    return game


def _check_end(record: Record, game: Game, plies: int) -> None:
    """RecordError where the termination or the scores do not follow."""
    final = next((fault for fault in record.faults if not fault.substituted), None)
    if record.judged:
        expected = Termination.PASSED if game.over and game.winner is None else Termination.NORMAL
        if not game.over or final is not None or record.termination is not expected:
            raise RecordError(f"termination {record.termination}: expected {expected} with the hand at its end")
        scores = game.payoffs
    else:
        if (
            final is None
            or final.termination is not record.termination
            or final.ply != plies
            or game.turn != final.seat
        ):
            raise RecordError(f"termination {record.termination}: expected a fault of that name by the seat to move")
        void = record.tags.get("Policy") == "void"
        scores = (0,) * game.rules.players if void else forfeit_scores(game, final.seat)
    if scores != record.scores:
        raise RecordError(f"scores {record.scores}: expected {scores}")


def _text(game: Game) -> str:
    decision = substitute(game)
    return format_call(decision) if isinstance(decision, int) else format_play(decision, game.rules)
