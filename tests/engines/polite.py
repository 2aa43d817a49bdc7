"""What the hostile programs of this folder have in common: they answer everything but their sin.

`serve(on_go)` speaks the protocol and calls `on_go(fields, number)` for the `number`-th question (from 1); what it
returns is printed, `move(fields)` is a decent answer.
"""

import sys


def move(fields, ident=None):
    """A legal answer to a question: the first thing that the host lists."""
    key = "call" if fields["phase"] == "auction" else "play"
    return f"bestmove id={ident or fields['id']} {key}={fields['legal'].split(',')[0]}"


def serve(on_go, on_command=lambda verb: None):
    """Speak the protocol on standard input and output."""
    position, number = {}, 0
    for line in sys.stdin:
        verb, *words = line.split() or [""]
        given = dict(word.split("=", 1) for word in words if "=" in word)
        on_command(verb)
        if verb == "ddz":
            said = "id name=hostile\nfeature legal=yes\nrules classic classic4 douzero\nddzok version=1"
        elif verb == "position":
            position, said = given, "ok"
        elif verb == "go":
            number += 1
            said = on_go({**position, **given}, number)
        else:
            said = {"isready": "readyok", "ping": "pong", "quit": "bye"}.get(verb, "ok")
        if said is not None:
            print(said, flush=True)
        if verb == "quit":
            return
