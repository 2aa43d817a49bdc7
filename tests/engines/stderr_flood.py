"""Logs without end, and does not answer meanwhile."""

import sys

from polite import serve


def on_go(fields, number):
    while True:
        sys.stderr.write("warning: " + "x" * 1000 + "\n")


serve(on_go)
