"""Answers without saying what."""

from polite import serve

serve(lambda fields, number: f"bestmove id={fields['id']}")
