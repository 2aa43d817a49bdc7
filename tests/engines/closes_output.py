"""Closes its output and goes on running."""

import os
import time

from polite import serve


def on_go(fields, number):
    os.close(1)
    time.sleep(600)


serve(on_go)
