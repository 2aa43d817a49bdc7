"""Closes its input after its first answer and goes on running."""

import os
import time

from polite import move, serve


def on_go(fields, number):
    print(move(fields), flush=True)
    os.close(0)
    time.sleep(600)


serve(on_go)
