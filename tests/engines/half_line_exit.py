"""Writes half a line and ends."""

import sys

from polite import serve


def on_go(fields, number):
    sys.stdout.write(f"bestmove id={fields['id']} pl")
    sys.stdout.flush()
    sys.exit(3)


serve(on_go)
