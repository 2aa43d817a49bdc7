"""Answers, but after the limit."""

import time

from polite import move, serve


def on_go(fields, number):
    time.sleep(int(fields["time"]) / 1000 + 0.3)
    return move(fields)


serve(on_go)
