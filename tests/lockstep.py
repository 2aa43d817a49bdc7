"""Whole random hands in our `Game` and in another program, step by step; what differs is an AssertionError.

Both programs get the same cards and make the same choices. At every step the seat to move, what it may do, and at the
end the winner and everybody's payoff must be the same. Where the other program is wrong, the difference is stated
here exactly: it must show wherever it is due and nowhere else.
"""

from __future__ import annotations

import random
from collections.abc import Set
from types import SimpleNamespace
from typing import Any

from ddz_solver.adapters import openspiel, rlcard
from ddz_solver.core.moves import Kind, Play
from ddz_solver.game.cards import RANKS, Hand
from ddz_solver.game.combos import extras_of, leads, replies
from ddz_solver.game.deal import Deal
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Phase

DEALT, SEATS = 51, 3
DOUZERO_CARDS = dict(zip(RANKS, [*range(3, 15), 17, 20, 30], strict=True))
RUNS = (Kind.STRAIGHT, Kind.PAIR_STRAIGHT, Kind.PLANE)


def openspiel_hand(root: Any, rng: random.Random) -> int:
    """Plays one hand in OpenSpiel from `root`, the state before the deal, and in ours; returns the number of steps."""
    state = root.clone()
    deck = rng.sample(range(DEALT, DEALT + 54), 54)
    up = rng.randrange(DEALT)
    for action in (up, *deck[:DEALT]):
        state.apply_action(action)
    ranks = [RANKS[card % 13 if card < 52 else card - 39] for card in (action - DEALT for action in deck)]
    hands = tuple(Hand.parse("".join(ranks[seat:DEALT:SEATS])) for seat in range(SEATS))
    game = Game("openspiel", Deal(hands, Hand.parse("".join(ranks[DEALT:])), up % SEATS, ranks[up]))
    steps = 0
    while not game.over:
        assert not state.is_terminal()
        assert state.current_player() == game.turn
        offered = state.legal_actions()
        if game.phase is Phase.AUCTION:
            assert tuple(offered) == game.legal_calls
            call = rng.choice(offered)
            state.apply_action(call)
            game.call(call)
        else:
            theirs = dict(zip(map(openspiel.play_of_action, offered), offered, strict=True))
            ours = set(game.legal_plays)
            missing, added = openspiel_faults(game, ours)
            assert theirs.keys() == (ours - missing) | added, game
            play = rng.choice(sorted(theirs.keys() - added))
            state.apply_action(theirs[play])
            game.push(play)
        steps += 1
    assert state.is_terminal()
    assert tuple(state.returns()) == game.payoffs
    return steps


def openspiel_faults(game: Game, legal: Set[Play]) -> tuple[set[Play], set[Play]]:
    """The plays that OpenSpiel 2.0 leaves out, and those that it adds, each a fault of its own.

    Left out: a straight, pair straight or plane without extras whose lowest rank the hand holds four times. (Breaking
    up a bomb is allowed, also there: it offers the same run where another of its ranks is held four times, and planes
    with extras.) Added: every bomb over the rocket, which beats everything.
    """
    hand = game.hands[game.turn or 0]
    left_out = {play for play in legal if play.kind in RUNS and hand.counts[play.rank] == 4}
    if game.to_beat is None or game.to_beat.kind is not Kind.ROCKET:
        return left_out, set()
    return left_out, {play for play in leads(hand, game.rules) if play.kind is Kind.BOMB}


def rlcard_hand(env: Any, rng: random.Random) -> int:
    """Plays one hand in an RLCard environment and in ours; returns the number of steps."""
    state, player = env.reset()
    hands = [rlcard.hand_of(cards.replace(" ", "")) for cards in env.get_perfect_information()["hand_cards"]]
    bottom = rlcard.hand_of(state["raw_obs"]["seen_cards"])
    game = Game("rlcard", Deal((hands[0] - bottom, hands[1], hands[2]), bottom))
    steps = 0
    while not game.over:
        assert not env.is_over()
        assert player == game.turn
        raw = state["raw_obs"]
        assert rlcard.hand_of(raw["current_hand"]) == game.hands[player]
        ours = {rlcard.action_of(play): play for play in game.legal_plays}
        assert sorted(raw["actions"]) == sorted(ours), game
        action = rng.choice(sorted(ours))
        state, player = env.step(action, raw_action=True)
        game.push(ours[action])
        steps += 1
    assert env.is_over()
    assert env.game.winner_id == game.winner
    assert tuple(env.get_payoffs()) == game.payoffs
    return steps


def douzero_codes(cards: Hand) -> tuple[int, ...]:
    """DouZero's numbers of cards, ascending."""
    return tuple(DOUZERO_CARDS[card] for card in str(cards))


def douzero_leads(hand: Hand) -> int:
    """Compares all leads of a hand with DouZero's, as sets of cards; returns how many there are.

    DouZero lists a tenth of its plays more than once, and knows no readings: 333444555666 is one play there.
    """
    from douzero.env.move_generator import MovesGener

    theirs = {tuple(sorted(play)) for play in MovesGener(list(douzero_codes(hand))).gen_moves()}
    ours = {douzero_codes(Hand(play.cards)) for play in leads(hand, "douzero")}
    assert theirs == ours, hand
    return len(ours)


def douzero_replies(hand: Hand, last: Play) -> int:
    """Compares all replies of a hand to a play with DouZero's, as sets of cards; returns how many were compared.

    DouZero ranks a plane with solos by its highest trio, even where that is an extra, and does not recognise such a
    play at all from 16 cards on. So a plane with three or four equal extras is left out here, as the play to beat and
    among the replies.
    """
    from douzero.env.game import GameEnv

    if misranked(last):
        return 0
    env = GameEnv.__new__(GameEnv)
    env.acting_player_position = "landlord"
    env.info_sets = {"landlord": SimpleNamespace(player_hand_cards=list(douzero_codes(hand)))}
    env.card_play_action_seq = [list(douzero_codes(Hand(last.cards)))]
    found = replies(hand, last, "douzero")
    left_out = {douzero_codes(Hand(play.cards)) for play in leads(hand, "douzero") if misranked(play)}
    theirs = {tuple(play) for play in env.get_legal_card_play_actions()} - left_out
    ours = {(), *(douzero_codes(Hand(play.cards)) for play in found)} - left_out
    assert theirs == ours, (hand, last)
    return len(ours)


def misranked(play: Play) -> bool:
    """Whether a play is a plane whose extras hold three or four of a rank."""
    return play.kind is Kind.PLANE_SOLOS and max(extras_of(play).counts) >= 3
