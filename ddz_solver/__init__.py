"""Solver and AI for Dou Dizhu (斗地主): rules, combinations, hints, exact endgames, engine matches.

The rules and the game are imported at once; hints, bids, the solver and agents when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ddz_solver.core.moves import PASS_PLAY, Kind, Play
from ddz_solver.game.auction import Auction, Outcome
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import classify, format_play, leads, parse_play, readings, replies
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import (
    AmbiguousPlay,
    AuctionError,
    CardsError,
    DdzError,
    DealError,
    IllegalPlay,
    NotationError,
    PlayError,
    RulesError,
    SeatError,
    TurnError,
)
from ddz_solver.game.game import Game
from ddz_solver.game.legal import LegalPlays
from ddz_solver.game.notation import format_game, format_position, parse_game, parse_position
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.game.rules import PRESETS, Rules
from ddz_solver.game.session import Session

if TYPE_CHECKING:
    from ddz_solver.ai.agents import make_agent
    from ddz_solver.ai.analysis import analyse
    from ddz_solver.ai.bidding import evaluate_bid, evaluate_bids
    from ddz_solver.ai.hints import best_move, hint, hint_many, hints
    from ddz_solver.ai.review import review
    from ddz_solver.ai.solver import Limits, solve, solve_many

__version__ = "0.1.0"

__all__ = [
    "PASS_PLAY",
    "PRESETS",
    "AmbiguousPlay",
    "Auction",
    "AuctionError",
    "CardsError",
    "DdzError",
    "Deal",
    "DealError",
    "Game",
    "Hand",
    "IllegalPlay",
    "Kind",
    "LegalPlays",
    "Limits",
    "NotationError",
    "Observation",
    "Outcome",
    "Phase",
    "Play",
    "PlayError",
    "Rules",
    "RulesError",
    "SeatError",
    "Session",
    "TurnError",
    "analyse",
    "best_move",
    "classify",
    "evaluate_bid",
    "evaluate_bids",
    "format_game",
    "format_play",
    "format_position",
    "hint",
    "hint_many",
    "hints",
    "leads",
    "make_agent",
    "parse_game",
    "parse_play",
    "parse_position",
    "readings",
    "replies",
    "review",
    "solve",
    "solve_many",
]

_LAZY = {
    "Limits": "ddz_solver.ai.solver",
    "analyse": "ddz_solver.ai.analysis",
    "best_move": "ddz_solver.ai.hints",
    "evaluate_bid": "ddz_solver.ai.bidding",
    "evaluate_bids": "ddz_solver.ai.bidding",
    "hint": "ddz_solver.ai.hints",
    "hint_many": "ddz_solver.ai.hints",
    "hints": "ddz_solver.ai.hints",
    "make_agent": "ddz_solver.ai.agents",
    "review": "ddz_solver.ai.review",
    "solve": "ddz_solver.ai.solver",
    "solve_many": "ddz_solver.ai.solver",
}


def __getattr__(name: str) -> Any:
    """A public name of the AI, imported when it is first used."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value
