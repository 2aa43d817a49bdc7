"""Answers the question before."""

from polite import move, serve


def on_go(fields, number):
    return move(fields) if number == 1 else move(fields, int(fields["id"]) - 1)


serve(on_go)
