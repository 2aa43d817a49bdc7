"""Why a play: remarks that follow from the cards, never decoration."""

from __future__ import annotations

from ddz_solver.ai.analysis import beaten_by, least_plays
from ddz_solver.ai.notes import Note
from ddz_solver.ai.roles import Role
from ddz_solver.ai.situation import Situation
from ddz_solver.core import moves
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import leads


def reasons(of: Situation, play: Play) -> tuple[Note, ...]:
    """What speaks for or against a play of a decision, the weightiest first."""
    if not play:
        return _about_pass(of)
    rest = of.hand - Hand(play.cards)
    if not rest:
        return (Note("goes_out"),)
    return (*_about_control(of, play), _about_rest(of, rest), *_about_bombs(of, play, rest), *_about_others(of))


def _about_control(of: Situation, play: Play) -> tuple[Note, ...]:
    better = beaten_by(of, play)
    if not better:
        return (Note("unbeatable"),)
    return (Note("unbeatable_but_bombs"),) if all(reply.is_bomb for reply in better) else ()


def _about_rest(of: Situation, rest: Hand) -> Note:
    count = least_plays(rest, of.rules.compiled)
    return Note("one_play_left") if count == 1 else Note("plays_left", count=count)


def _about_bombs(of: Situation, play: Play, rest: Hand) -> tuple[Note, ...]:
    if play.is_bomb:
        return (Note("spends_bomb"),)
    bombs = [bomb for bomb in leads(of.hand, of.rules) if bomb.is_bomb]
    broken = [bomb for bomb in bombs if Hand(bomb.cards) not in rest]
    return tuple(Note("breaks_bomb", cards=str(bomb)) for bomb in broken[:1]) or tuple(
        Note("keeps_bomb", cards=str(bomb)) for bomb in bombs[-1:]
    )


def _about_others(of: Situation) -> tuple[Note, ...]:
    """Who is about to go out."""
    notes = []
    for seat, count in enumerate(of.counts):
        role = Role(seat, of.rules.players)
        if seat == of.seat or count > 2:
            continue
        if (seat == 0) == (of.seat == 0):
            notes += [Note("partner_one_card", role=role)] if count == 1 else []
        else:
            notes.append(Note("enemy_one_card" if count == 1 else "enemy_two_cards", role=role))
    return tuple(notes)


def _about_pass(of: Situation) -> tuple[Note, ...]:
    replies = moves.replies(of.hand.bits, of.to_beat, of.rules.compiled) if of.to_beat else []
    if not replies:
        return (Note("only_play"),)
    partner = of.to_beat_by is not None and (of.to_beat_by == 0) == (of.seat == 0)
    notes = [Note("partner_holds_trick")] if partner else []
    if all(reply.is_bomb for reply in replies):
        notes.append(Note("needs_bomb"))
    return (*notes, _about_rest(of, of.hand))
