"""Solver and AI for Dou Dizhu (斗地主): rules, combinations, hints, exact endgames, engine matches."""

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
from ddz_solver.game.game import Game, LegalPlays
from ddz_solver.game.notation import format_game, format_position, parse_game, parse_position
from ddz_solver.game.observation import Observation, Phase
from ddz_solver.game.rules import PRESETS, Rules
from ddz_solver.game.session import Session

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
    "classify",
    "format_game",
    "format_play",
    "format_position",
    "leads",
    "parse_game",
    "parse_play",
    "parse_position",
    "readings",
    "replies",
]
