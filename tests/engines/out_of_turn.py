"""Answers twice."""

from polite import move, serve

serve(lambda fields, number: move(fields) + "\n" + move(fields))
