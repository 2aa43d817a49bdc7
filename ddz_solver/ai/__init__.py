"""Deciding: evaluation, search, agents. Everything here is handed an Observation and never a Game."""
