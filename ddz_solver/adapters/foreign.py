"""Players of other programs as agents of this project, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from ddz_solver.ai.agents import Agent, AgentError


def foreign_agent(kind: str, name: str, *, seed: int = 0, **options: str) -> Agent:
    """An agent that another program plays.

    `botzone`: `name` is the command of a bot; options `game`, `keep_running` (yes or no) and `seconds`. `rlcard`:
    `random`, or a model that RLCard knows, such as `doudizhu-rule-v1`. `openspiel`: `random`, `mcts` with the option
    `simulations`, or a bot that OpenSpiel registers. An agent with `close` must be closed. AgentError: there is no such
    kind, name or option. ImportError: the other program is not installed.
    """
    if kind not in KINDS:
        raise AgentError(f"unknown kind of agent {kind!r}: expected {', '.join(KINDS)}")
    return KINDS[kind](name, seed, options)


def _botzone(command: str, seed: int, options: Mapping[str, str]) -> Agent:
    from ddz_solver.adapters.botzone_program import BotzoneAgent

    given: dict[str, Any] = dict(_known(options, "game", "keep_running", "seconds"))
    if "keep_running" in given:
        if given["keep_running"] not in ("yes", "no"):
            raise AgentError(f"keep_running={given['keep_running']}: expected yes or no")
        given["keep_running"] = given["keep_running"] == "yes"
    if "seconds" in given:
        given["seconds"] = _number("seconds", given["seconds"])
    return BotzoneAgent(command, **given)


def _rlcard(name: str, seed: int, options: Mapping[str, str]) -> Agent:
    from rlcard import agents, models

    from ddz_solver.adapters.rlcard import ACTIONS, RLCardAgent

    _known(options)
    if name == "random":
        return RLCardAgent(agents.RandomAgent(ACTIONS))
    try:
        model = models.load(name)
    except ValueError:
        raise AgentError(f"unknown agent {name!r} of RLCard: expected random or a model of doudizhu") from None
    return RLCardAgent(model.agents[0])


def _openspiel(name: str, seed: int, options: Mapping[str, str]) -> Agent:
    import pyspiel

    from ddz_solver.adapters.openspiel import OpenSpielAgent

    game = pyspiel.load_game("dou_dizhu")
    seed31 = seed & 0x7FFFFFFF  # OpenSpiel takes no larger ones
    if name == "random":
        _known(options)
        return OpenSpielAgent(lambda player: pyspiel.make_uniform_random_bot(player, seed31), seed=seed)
    if name == "mcts":
        simulations = int(_number("simulations", _known(options, "simulations").get("simulations", "200")))
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed31)
        return OpenSpielAgent(
            lambda player: pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 64, False, seed31, False), seed=seed
        )
    if not pyspiel.is_bot_registered(name):
        known = ", ".join(("random", "mcts", *pyspiel.registered_bots()))
        raise AgentError(f"unknown bot {name!r} of OpenSpiel: expected one of {known}")
    _known(options)
    return OpenSpielAgent(lambda player: pyspiel.load_bot(name, game, player), seed=seed)


#: The kinds of foreign agents, and what makes them.
KINDS: Final[Mapping[str, Callable[[str, int, Mapping[str, str]], Agent]]] = MappingProxyType(
    {"botzone": _botzone, "rlcard": _rlcard, "openspiel": _openspiel}
)


def _known(options: Mapping[str, str], *names: str) -> Mapping[str, str]:
    """The same options. AgentError: there are others than these."""
    for name in options:
        if name not in names:
            raise AgentError(f"unknown option {name} of an agent: expected {', '.join(names) or 'none'}")
    return options


def _number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise AgentError(f"{name}={text}: expected a number above 0")
    return number
