"""Our AI as a bot of OpenSpiel and its bots as our agents, against the real package where it is installed."""

import random
from collections.abc import Sequence

import pytest

from ddz_solver.adapters import openspiel
from ddz_solver.adapters.foreign import foreign_agent
from ddz_solver.ai.agents import AgentError
from ddz_solver.core.hand import contains
from ddz_solver.core.moves import Kind, Play
from ddz_solver.game.combos import parse_play
from ddz_solver.game.errors import PlayError, RulesError, TurnError
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Observation, Phase

np = pytest.importorskip("numpy")
pyspiel = pytest.importorskip("pyspiel")


class RandomAgent:
    """Calls and plays anything legal; remembers what it saw."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.seen: list[Observation] = []

    def bid(self, observation: Observation) -> int:
        self.seen.append(observation)
        return self.rng.choice(observation.legal_calls)

    def play(self, observation: Observation) -> Play:
        self.seen.append(observation)
        return self.rng.choice(observation.legal_plays)


def dealt_state(seed: int) -> "pyspiel.State":
    rng = random.Random(seed)
    state = pyspiel.load_game("dou_dizhu").new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_every_action_is_one_play() -> None:
    plays = {openspiel.play_of_action(action) for action in range(4, 26057)}
    assert len(plays) == 26053
    for action in (0, 4, 500, 20000, 26056):
        assert openspiel.action_of_play(openspiel.play_of_action(action)) == action
    assert openspiel.play_of_action(26056).kind is Kind.ROCKET
    with pytest.raises(PlayError, match="1 is no play"):
        openspiel.play_of_action(1)
    with pytest.raises(PlayError, match="333345"):
        openspiel.action_of_play(parse_play("333345", "classic"))


@pytest.mark.parametrize("run", ["python", "native"])
def test_our_bots_play_whole_games(run: str) -> None:
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    game = pyspiel.load_game("dou_dizhu")
    for seed in range(12):
        agents = [RandomAgent(seed), RandomAgent(seed + 1)]
        bots = [
            openspiel.bot(agents[0], 0),
            pyspiel.make_uniform_random_bot(1, seed),
            openspiel.bot(agents[1], 2),
        ]
        if run == "python":
            returns: Sequence[float] = evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(seed))
        else:
            returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        assert sum(returns) == 0
        for observation in agents[0].seen:
            assert observation.seat == 0 == observation.turn


def test_our_bot_sees_only_its_own_cards() -> None:
    """Two states that differ in what player 0 cannot see give it the same observation."""
    state = dealt_state(5)
    history = state.history()
    up = history[0]
    places = [place for place in range(51) if place % 3 and place != up]
    hidden = [history[1 + place] for place in places]
    random.Random(1).shuffle(hidden)
    twin = pyspiel.load_game("dou_dizhu").new_initial_state()
    for place, action in enumerate(history[1:52]):
        if place == 0:
            twin.apply_action(up)
        twin.apply_action(hidden[places.index(place)] if place in places else action)
    assert twin.history() != history
    assert openspiel.observe(twin, 0) == openspiel.observe(state, 0)


def test_plays_that_openspiel_does_not_offer_are_replaced() -> None:
    """OpenSpiel offers no run whose lowest rank is held four times; the nearest offered play is made."""

    class Runner(RandomAgent):
        wanted: Play

        def play(self, observation: Observation) -> Play:
            missing = {*observation.legal_plays} - offered
            self.wanted = min(missing)
            return self.wanted

    for seed in range(200):
        state = dealt_state(seed)
        state.apply_action(3)
        player = state.current_player()
        offered = {openspiel.play_of_action(action) for action in state.legal_actions()}
        if {*openspiel.observe(state, player).legal_plays} == offered:
            continue
        agent = Runner(seed)
        made = openspiel.play_of_action(openspiel.bot(agent, player).step(state))
        assert made in offered
        assert agent.wanted.kind in (Kind.STRAIGHT, Kind.PAIR_STRAIGHT, Kind.PLANE)
        assert not contains(made.cards, agent.wanted.cards)
        longest = max((play for play in offered if contains(agent.wanted.cards, play.cards)), key=len)
        assert len(made) >= len(longest)
        return
    pytest.fail("no deal with such a run")


def test_a_bomb_over_the_rocket_does_not_stop_our_bot() -> None:
    """OpenSpiel lets a bomb beat the rocket; what our bot sees then begins with that bomb."""
    rocket, bomb = openspiel.action_of_play(parse_play("XD", "openspiel")), 0
    for seed in range(400):
        state = dealt_state(seed)
        state.apply_action(3)
        if rocket not in state.legal_actions():
            continue
        leader = state.current_player()
        state.apply_action(rocket)
        bomb = state.legal_actions()[-1]
        if bomb == 0:
            continue
        state.apply_action(bomb)
        seen = openspiel.observe(state, state.current_player())
        assert str(seen.to_beat) == state.action_to_string(0, bomb)
        assert seen.factor == 4
        assert seen.landlord == leader
        assert seen.plays[leader] == 1
        assert seen.turn == seen.seat
        agent = RandomAgent(seed)
        while not state.is_terminal():
            state.apply_action(openspiel.bot(agent, state.current_player()).step(state))
        return
    pytest.fail("no deal with a rocket and a bomb")


def test_before_the_deal_is_over_there_is_nothing_to_see() -> None:
    state = pyspiel.load_game("dou_dizhu").new_initial_state()
    with pytest.raises(TurnError, match="deal"):
        openspiel.observe(state, 0)


@pytest.mark.parametrize("rules", ["openspiel", "openspiel,auction=none"])
def test_their_bots_play_in_our_games(rules: str) -> None:
    for seed in range(12):
        if rules == "openspiel":
            game = Game(rules, seed=seed)
        else:
            game = Game(rules, seed=seed, landlord=seed % 3, bid=1 + seed % 2)
        agents = [
            foreign_agent("openspiel", "random", seed=seed),
            RandomAgent(seed),
            openspiel.OpenSpielAgent(lambda player: pyspiel.make_uniform_random_bot(player, 1), seed=seed),
        ]
        while not game.over:
            seen = game.observation()
            state = openspiel.state_of(seen, seed)
            assert state.current_player() == seen.seat
            if seen.calls:
                assert openspiel.observe(state, seen.seat) == seen
            if game.phase is Phase.AUCTION:
                game.call(agents[seen.seat].bid(seen))
            else:
                game.push(agents[seen.seat].play(seen))


def test_other_rules_are_refused() -> None:
    agent = foreign_agent("openspiel", "random")
    with pytest.raises(RulesError, match="classic"):
        agent.bid(Game("classic", seed=1).observation())


def test_named_bots() -> None:
    game = Game("openspiel", seed=3, landlord=1)
    for name, options in (("mcts", {"simulations": "3"}), ("fixed_action_preference", {})):
        play = foreign_agent("openspiel", name, seed=5, **options).play(game.observation())
        assert game.can_push(play)
    for name, options, message in (
        ("deep_blue", {}, "unknown bot 'deep_blue'"),
        ("mcts", {"simulations": "few"}, "simulations=few"),
        ("random", {"depth": "2"}, "unknown option depth"),
    ):
        with pytest.raises(AgentError, match=message):
            foreign_agent("openspiel", name, **options)
