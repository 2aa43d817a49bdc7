"""Solver and AI for Dou Dizhu (斗地主): rules, combinations, hints, exact endgames, engine matches."""

__version__ = "0.1.0"
