"""Closes its input with its first answer and goes on running."""

import os
import time

from polite import move, serve


def on_go(fields, number):
    os.close(0)  # before the answer, so that the host's next line surely meets a closed pipe
    print(move(fields), flush=True)
    time.sleep(600)


serve(on_go)
