"""Takes forever to load its weights."""

import time

from polite import move, serve


def on_command(verb):
    if verb == "isready":
        time.sleep(600)


serve(lambda fields, number: move(fields), on_command)
