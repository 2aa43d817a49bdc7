"""Writes half a line and waits."""

import sys
import time

from polite import serve


def on_go(fields, number):
    sys.stdout.write(f"bestmove id={fields['id']} pl")
    sys.stdout.flush()
    time.sleep(600)


serve(on_go)
