"""RLCard's `doudizhu`: our AI as one of its agents, its agents as ours, under the rules `rlcard`.

    >>> env = rlcard.make("doudizhu")                                              # doctest: +SKIP
    >>> env.set_agents([RLCardPlayer(make_agent("greedy", seed=1)), *rule_agents])  # doctest: +SKIP
    >>> trajectories, payoffs = env.run()                                          # doctest: +SKIP

RLCard has no auction: seat 0 is the landlord. It writes X as B and D as R. The bottom cards of its states lose every
card of a rank as soon as the landlord plays one; what is missing is made up from what the landlord has played, which
leaves what is known of the landlord's hand as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ddz_solver.adapters.views import View, same_plays
from ddz_solver.ai.agents import Agent
from ddz_solver.core.moves import Play
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import parse_play
from ddz_solver.game.errors import RulesError, TurnError
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import PRESETS, Rules

RULES: Final[Rules] = PRESETS["rlcard"]
LANDLORD: Final = 0
ACTIONS: Final = 27_472  # its action numbers, the pass among them

_TO_THEIRS: Final = str.maketrans("XD", "BR")
_TO_OURS: Final = str.maketrans("BR", "XD")


def hand_of(cards: str) -> Hand:
    """The cards of RLCard's text, '' for none."""
    return Hand.parse(cards.translate(_TO_OURS))


def text_of(cards: Hand) -> str:
    """RLCard's text of cards."""
    return str(cards).translate(_TO_THEIRS)


def play_of(action: str) -> Play:
    """The play of an RLCard action string. DdzError: it is none."""
    return parse_play(action.translate(_TO_OURS), RULES)


def action_of(play: Play) -> str:
    """The RLCard action string of a play."""
    return text_of(Hand(play.cards)) or "pass"


# --- our AI as their agent --------------------------------------------------------------------------------------------


def observe(raw: Mapping[str, Any]) -> Observation:
    """What a player knows by a raw state of RLCard (`state['raw_obs']`)."""
    seat = int(raw["self"])
    plays = tuple(hand_of("" if action == "pass" else action) for _, action in raw["trace"])
    played = [sum(plays[other :: RULES.players], Hand()) for other in range(RULES.players)]
    bottom = hand_of(raw["seen_cards"])
    hidden = hand_of(raw["others_hand"])
    missing = RULES.bottom_size - len(bottom)
    # Landlord's plays first; after them cards of ranks that the landlord has played, as many as the pack still has.
    spare = list(played[LANDLORD]) + [card for card in hidden if card in played[LANDLORD]]
    bottom += Hand.parse("".join(spare[:missing]))
    dealt = hand_of(raw["current_hand"]) + played[seat]
    if seat == LANDLORD:
        dealt -= bottom
    return View(RULES, seat, dealt, bottom, LANDLORD, plays=plays).observation()


class RLCardPlayer:
    """An agent of ours as an RLCard agent that takes raw actions."""

    use_raw: Final = True

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def step(self, state: Mapping[str, Any]) -> str:
        """The action to take at a state."""
        return action_of(self._agent.play(observe(state["raw_obs"])))

    def eval_step(self, state: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The action to take at a state, and nothing else to tell about it."""
        return self.step(state), {}


# --- their agents as ours ---------------------------------------------------------------------------------------------


def raw_state(observation: Observation) -> dict[str, Any]:
    """RLCard's raw state of what a seat knows; its seats count from the landlord. RulesError: other rules of play."""
    if not same_plays(observation.rules, RULES) or observation.landlord is None:
        raise RulesError(f"RLCard's doudizhu does not play by {observation.rules}: expected {RULES}")
    seats = RULES.players
    order = [(observation.landlord + seat) % seats for seat in range(seats)]
    played = [observation.played_by(seat) for seat in order]
    seen = "".join(card for card in observation.bottom or "" if card not in played[LANDLORD])
    return {
        "seen_cards": seen.translate(_TO_THEIRS),
        "landlord": LANDLORD,
        "trace": [(order.index(seat), action_of(play)) for seat, play in observation.history],
        "played_cards": [text_of(cards) for cards in played],
        "self": order.index(observation.seat),
        "current_hand": text_of(observation.hand),
        "others_hand": text_of(observation.unseen),
        "num_cards_left": [observation.counts[seat] for seat in order],
        "actions": [action_of(play) for play in observation.legal_plays],
    }


class RLCardAgent:
    """An agent of RLCard as an agent of this project. Random ones draw from NumPy's global generator."""

    #: A match need not make it anew for each hand.
    seeded: Final = False

    def __init__(self, agent: Any) -> None:
        """`agent` has RLCard's `eval_step` and `use_raw`. ImportError: RLCard is not installed."""
        import rlcard

        self._agent = agent
        self._env = rlcard.make("doudizhu")

    def bid(self, observation: Observation) -> int:
        """RLCard's agents do not bid: TurnError."""
        raise TurnError("RLCard's doudizhu has no auction: expected rules with auction=none")

    def play(self, observation: Observation) -> Play:
        """The agent's play. RulesError: the rules are not those of RLCard."""
        raw = raw_state(observation)
        self._env.game.state = raw
        self._env.action_recorder = list(raw["trace"])
        action, _ = self._agent.eval_step(self._env._extract_state(raw))
        return play_of(action if self._agent.use_raw else self._env._decode_action(action))
