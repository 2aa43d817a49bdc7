"""Answers without the id of the question."""

from polite import move, serve

serve(lambda fields, number: move(fields).replace(f"id={fields['id']} ", ""))
