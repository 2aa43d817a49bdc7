"""OpenSpiel's `dou_dizhu`: our AI as one of its bots, its bots as our agents, under the rules `openspiel`.

Two faults of that program (2.0) show here. It offers no straight, pair straight or plane without extras whose lowest
rank is held four times, and it offers bombs over the rocket. Our bot then plays what comes nearest to the play it
wanted; a bot of theirs that bombs a rocket passes instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from ddz_solver.adapters.views import View, same_plays
from ddz_solver.ai.agents import Agent
from ddz_solver.core.moves import PASS_PLAY, Kind, Play
from ddz_solver.game.auction import Auction
from ddz_solver.game.cards import RANKS, Hand
from ddz_solver.game.combos import parse_play
from ddz_solver.game.errors import PlayError, RulesError, TurnError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import PRESETS, Rules

RULES: Final[Rules] = PRESETS["openspiel"]

PASS: Final = 0
_FIRST_PLAY: Final = 4  # actions 0 to 3 are the pass and the bids, the same number as the call
_DEALT: Final = 51  # chance actions 0..50 choose which dealt card lies face up; card c is chance action 51 + c
_JOKERS: Final = {"(BWJ)": "X", "(CJ)": "D"}


def play_of(text: str) -> Play:
    """The play that an OpenSpiel action string means, such as '333444-5(CJ)' or 'Pass'. DdzError: none."""
    if text == "Pass":
        return PASS_PLAY
    for joker, rank in _JOKERS.items():
        text = text.replace(joker, rank)
    return parse_play(text.replace("-", "+"), RULES)


def play_of_action(action: int) -> Play:
    """The play of an OpenSpiel action number. PlayError: it is the number of none."""
    plays, _ = _actions()
    if action not in plays:
        raise PlayError(f"{action} is no play of dou_dizhu: expected 0 or {_FIRST_PLAY} to {max(plays)}")
    return plays[action]


def action_of_play(play: Play) -> int:
    """The OpenSpiel action number of a play. PlayError: there is none."""
    _, numbers = _actions()
    if play not in numbers:
        raise PlayError(f"{play} is no play of dou_dizhu: expected a combination under the rules {RULES}")
    return numbers[play]


@cache
def _actions() -> tuple[dict[int, Play], dict[Play, int]]:
    """Every play action of the game and its play, both ways."""
    state = _new_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    state.apply_action(3)
    numbers = (PASS, *range(_FIRST_PLAY, state.num_distinct_actions()))
    plays = {number: play_of(state.action_to_string(state.current_player(), number)) for number in numbers}
    return plays, {play: number for number, play in plays.items()}


def _new_state() -> Any:
    """The root of the game. ImportError: OpenSpiel is not installed."""
    import pyspiel

    return pyspiel.load_game("dou_dizhu").new_initial_state()


# --- our AI as their bot ----------------------------------------------------------------------------------------------


def observe(state: Any, player: int) -> Observation:
    """What a player knows at an OpenSpiel state; of the cards dealt to players, only that player's are shown.

    TurnError: the cards are still being dealt.
    """
    history = state.history()
    if len(history) <= _DEALT:
        raise TurnError(f"{len(history)} actions so far: expected the deal to be over")
    up, actions = history[0], iter(history[_DEALT + 1 :])
    dealt = [_card(action) for action in history[1 : _DEALT + 1]]
    auction = Auction(RULES, up % RULES.players)
    while auction.outcome is None and (call := next(actions, None)) is not None:
        auction.call(call)
    plays = [play_of_action(action) for action in actions]
    view = View(
        rules=RULES,
        seat=player,
        dealt=Hand(sum(dealt[player :: RULES.players])),
        bottom=RULES.pack - Hand(sum(dealt)) if auction.landlord is not None else None,
        landlord=auction.landlord,
        calls=tuple(call for _, call in auction.calls),
        bid=auction.stake,
        plays=tuple(plays),
        first_bidder=auction.first_bidder,
        face_up=str(Hand(dealt[up])),
    )
    start = _after_bombed_rocket(plays)
    game = _game_from(view, plays, start) if start else view.game(view.deal())
    return game.observation(player)


def _card(action: int) -> int:
    """The card that a chance action deals, as a packed hand."""
    card = action - _DEALT
    return 1 << 4 * (card % 13 if card < 52 else card - 39)


def _after_bombed_rocket(plays: list[Play]) -> int:
    """Number of plays up to the last bomb over a rocket; 0 where there is none."""
    start, passes = 0, 0
    to_beat = PASS_PLAY
    for at, play in enumerate(plays):
        if play:
            if to_beat.kind is Kind.ROCKET and passes < RULES.players - 1:
                start = at + 1
            to_beat, passes = play, 0
        else:
            passes += 1
    return start


def _game_from(view: View, plays: list[Play], start: int) -> Game:
    """The hand of a view, but its record begins after `start` plays, so that nobody asks how these were legal."""
    deal, players, landlord = view.deal(), view.rules.players, view.landlord or 0
    hands = list(deal.hands)
    hands[landlord] += deal.bottom
    made = [0] * players
    for at, play in enumerate(plays[:start]):
        hands[(landlord + at) % players] -= Hand(play.cards)
        made[(landlord + at) % players] += bool(play)
    game = Game.from_hands(
        hands,
        view.rules,
        landlord=landlord,
        turn=(landlord + start) % players,
        to_beat=plays[start - 1],
        bottom=view.bottom,
        bid=max(view.calls),
        factor=2 ** sum(play.is_bomb for play in plays[:start]),
        plays=made,
    )
    for play in plays[start:]:
        game.push(play)
    return game


def bot(agent: Agent, player: int) -> Any:
    """A `pyspiel.Bot` that plays `dou_dizhu` for one player with an agent of ours. ImportError: no OpenSpiel."""
    import pyspiel

    _actions()  # takes seconds the first time, which should not be those of a decision
    return type("DdzBot", (_Bot, pyspiel.Bot), {})(agent, player)


class _Bot:
    """What makes a `pyspiel.Bot` ours. It keeps nothing between moves: each state tells its whole past."""

    def __init__(self, agent: Agent, player: int) -> None:
        super().__init__()
        self._agent = agent
        self._player = player

    def step(self, state: Any) -> int:
        """The action to take at a state in which it is this player's turn."""
        observation = observe(state, self._player)
        if observation.landlord is None:
            return self._agent.bid(observation)
        wanted = self._agent.play(observation)
        offered = state.legal_actions()
        action = action_of_play(wanted)
        return action if action in offered else max(offered, key=lambda other: _likeness(other, wanted))

    def restart(self) -> None:
        """Begin a new game: nothing to forget."""

    def restart_at(self, state: Any) -> None:
        """Begin at a state: nothing to forget."""

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Hear of another player's action: the next state will tell."""

    def provides_policy(self) -> bool:
        """Whether the bot can give chances of its actions: no."""
        return False


def _likeness(action: int, wanted: Play) -> int:
    """Cards that a play has in common with the wanted one, less those it has not."""
    mine, theirs = Hand(play_of_action(action).cards).counts, Hand(wanted.cards).counts
    return sum(map(min, mine, theirs)) - sum(max(one - other, 0) for one, other in zip(mine, theirs, strict=True))


# --- their bots as our agents -----------------------------------------------------------------------------------------


class OpenSpielAgent:
    """A bot of OpenSpiel as an agent of this project.

    Bots are handed whole states. The hidden cards of the state that this one gets lie as `seed` and what its seat knows
    decide, not as they really do.
    """

    def __init__(self, make_bot: Callable[[int], Any], *, seed: int = 0) -> None:
        """`make_bot` gives the `pyspiel.Bot` for a player; it is asked once for each seat in which the agent sits."""
        self._bot = cache(make_bot)
        self._seed = seed
        _actions()  # takes seconds the first time, which should not be those of a decision

    def bid(self, observation: Observation) -> int:
        """The bot's call. RulesError: the rules are not those of OpenSpiel."""
        return int(self._ask(observation))

    def play(self, observation: Observation) -> Play:
        """The bot's play. RulesError: the rules are not those of OpenSpiel."""
        play = play_of_action(self._ask(observation))
        if observation.to_beat is not None and observation.to_beat.kind is Kind.ROCKET:
            return PASS_PLAY
        return play

    def _ask(self, observation: Observation) -> int:
        state = state_of(observation, self._seed)
        bot = self._bot(observation.seat)
        bot.restart_at(state)
        return int(bot.step(state))


def state_of(observation: Observation, seed: int = 0) -> Any:
    """An OpenSpiel state in which this seat knows the same; what it does not know is drawn with `seed`.

    RulesError: the rules are not those of OpenSpiel. Without an auction one is made up that ends the same way.
    """
    rules = observation.rules
    if not same_plays(rules, RULES) or rules.auction == "once":
        raise RulesError(f"OpenSpiel's dou_dizhu does not play by {rules}: expected {RULES}")
    view = View.of(observation)
    deal = view.deal(seed)
    first, calls = deal.first_bidder, list(view.calls)
    if view.landlord is not None and not calls:
        first, calls = view.landlord, [view.bid, *([0, 0] if view.bid < 3 else [])]
    state = _new_state()
    own = list(deal.hands[first])
    state.apply_action(first + rules.players * own.index(deal.face_up if deal.face_up in own else own[0]))
    suits = dict.fromkeys(RANKS, 0)
    for round_ in range(rules.hand_size):
        for hand in map(str, deal.hands):
            rank = hand[round_]
            card = RANKS.index(rank)
            state.apply_action(_DEALT + (card + 13 * suits[rank] if card < 13 else card + 39))
            suits[rank] += 1
    for call in calls:
        state.apply_action(call)
    for _, play in observation.history:
        state.apply_action(action_of_play(play))
    return state
