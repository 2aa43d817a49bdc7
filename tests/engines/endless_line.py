"""Writes a line that does not end."""

import sys

from polite import serve


def on_go(fields, number):
    while True:
        sys.stdout.write("info text=" + "x" * 1000)


serve(on_go)
