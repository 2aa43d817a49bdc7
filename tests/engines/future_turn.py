"""Answers a question that will only be asked next."""

from polite import move, serve

serve(lambda fields, number: move(fields, int(fields["id"]) + 1))
