"""Stops reading its input, which fills up."""

import time

from polite import serve


def on_command(verb):
    if verb == "newgame":
        time.sleep(600)


serve(lambda fields, number: None, on_command)
