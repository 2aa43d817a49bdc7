"""Our AI as an agent of RLCard and its agents as ours, against the real package where it is installed."""

import random
from typing import Any

import pytest

from ddz_solver.adapters.foreign import foreign_agent
from ddz_solver.adapters.rlcard import RLCardAgent, RLCardPlayer, action_of, observe, play_of, raw_state
from ddz_solver.ai.agents import AgentError
from ddz_solver.core.moves import Play
from ddz_solver.game.errors import PlayError, RulesError, TurnError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation

rlcard = pytest.importorskip("rlcard")


class RandomAgent:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def bid(self, observation: Observation) -> int:
        return self.rng.choice(observation.legal_calls)

    def play(self, observation: Observation) -> Play:
        return self.rng.choice(observation.legal_plays)


@pytest.fixture(scope="module")
def rules_agent() -> Any:
    from rlcard import models

    return models.load("doudizhu-rule-v1").agents[0]


def environment(seed: int) -> Any:
    return rlcard.make("doudizhu", config={"seed": seed})


def test_actions_are_plays() -> None:
    from rlcard.games.doudizhu.utils import ACTION_2_ID

    plays = {play_of(action) for action in ACTION_2_ID}
    assert len(plays) == len(ACTION_2_ID) == 27472
    assert {action_of(play) for play in plays} == set(ACTION_2_ID)
    with pytest.raises(PlayError, match="34"):
        play_of("34")


def test_our_agents_play_whole_games(rules_agent: Any) -> None:
    env = environment(1)
    for seed in range(4):
        seats = [RLCardPlayer(RandomAgent(seed)) if seed >> seat & 1 else rules_agent for seat in range(3)]
        env.set_agents(seats)
        _, payoffs = env.run()
        assert sorted(payoffs) in ([0, 0, 1], [0, 1, 1])


def test_raw_states_come_back() -> None:
    """RLCard's raw state -> what the seat knows -> raw state, at every step of random games."""
    rng = random.Random(3)
    env = environment(3)
    for _ in range(12):
        state, _ = env.reset()
        while not env.is_over():
            theirs = dict(state["raw_obs"])
            ours = raw_state(observe(theirs))
            assert sorted(ours.pop("actions")) == sorted(theirs.pop("actions"))
            assert ours == theirs
            state, _ = env.step(rng.choice(list(state["legal_actions"])))


def test_their_agents_play_in_our_games(rules_agent: Any) -> None:
    agents = [RLCardAgent(rules_agent), RandomAgent(1), foreign_agent("rlcard", "random")]
    for seed in range(4):
        game = Game("rlcard,payoff=points", seed=seed, landlord=seed % 3)
        while not game.over:
            game.push(agents[game.turn].play(game.observation()))


def test_named_agents() -> None:
    game = Game("rlcard", seed=3)
    assert game.can_push(foreign_agent("rlcard", "doudizhu-rule-v1", seed=1).play(game.observation()))
    with pytest.raises(AgentError, match="unknown agent 'alpha'"):
        foreign_agent("rlcard", "alpha")
    with pytest.raises(AgentError, match="unknown kind of agent 'zed'"):
        foreign_agent("zed", "random")


def test_other_rules_and_auctions_are_refused(rules_agent: Any) -> None:
    agent = RLCardAgent(rules_agent)
    with pytest.raises(RulesError, match="classic"):
        agent.play(Game("classic", seed=1, landlord=0).observation())
    with pytest.raises(TurnError, match="no auction"):
        agent.bid(Game("classic", seed=1).observation())
