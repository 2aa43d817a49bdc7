"""Says good-bye by itself, with exit status 0."""

import sys

from polite import move, serve


def on_go(fields, number):
    if number == 2:
        sys.exit(0)
    return move(fields)


serve(on_go)
