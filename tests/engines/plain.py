"""A second, independent engine: plain Python from PROTOCOL.md alone, with rules of its own.

It plays solos, pairs, trios, bombs and the rocket, the lowest that will do, and passes otherwise; that is legal under
every preset. It never beats its partners, and bids by counting twos and jokers.
"""

import sys

RANKS = "3456789TJQKA2XD"
PRESETS = ("classic", "classic4", "rlcard", "douzero", "openspiel", "botzone", "tencent")
CODES = {"syntax": "a quote that does not end", "unknown-command": "no such command"}


class Wrong(Exception):
    """A line that is answered with an error."""


def fields_of(text):
    """The fields of a line as a dictionary, quotes taken off."""
    fields, word, quoted, escaped = {}, "", False, False
    for character in text + " ":
        if quoted and escaped:
            word, escaped = word + character, False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character in " \t" and not quoted:
            if word.startswith("#"):
                break
            if word:
                key, _, value = word.partition("=")
                if key in fields or not key:
                    raise Wrong("syntax", f"{word}: expected every key once")
                fields[key] = value
            word = ""
        else:
            word += character
    if quoted:
        raise Wrong("syntax", CODES["syntax"])
    return fields


def seats_of(rules):
    """Number of seats under these rules."""
    preset, *switches = rules.split(",")
    if preset not in PRESETS or any(not switch.startswith("auction=") for switch in switches):
        raise Wrong("unsupported-rules", f"{rules}: expected one of {', '.join(PRESETS)}")
    return 4 if preset == "classic4" else 3


def check(fields):
    """Refuse a position that makes no sense."""
    for key in ("rules", "seat", "hand", "counts"):
        if key not in fields:
            raise Wrong("bad-value", f"no {key}: expected {key}=...")
    seats = seats_of(fields["rules"])
    counts = fields["counts"].split(",")
    if not fields["seat"].isdigit() or int(fields["seat"]) >= seats or len(counts) != seats:
        raise Wrong("bad-value", f"expected a seat and {seats} counts")
    hand = fields["hand"].replace("-", "")
    if any(card not in RANKS for card in hand) or counts[int(fields["seat"])] != str(len(hand)):
        raise Wrong("bad-value", f"hand {hand}: expected {counts[int(fields['seat'])]} cards of {RANKS}")
    return fields


def call(fields):
    """1 for two points of twos and jokers, 2 for three, 3 for four; never below the highest bid."""
    points = sum(fields["hand"].count(card) for card in "2XXDD")
    if fields["rules"] == "classic4":
        points //= 2
    worth = max(0, min(3, points - 1))
    return worth if worth > int(fields.get("bid", "0")) else 0


def lead(hand):
    """The lowest rank, with all its cards up to three."""
    lowest = min(hand, key=RANKS.index)
    most = 1 if lowest in "XD" else 3
    return lowest * min(hand.count(lowest), most)


def play(fields):
    """A play for the position, or pass."""
    hand = fields["hand"]
    beat = fields.get("beat")
    if beat is None:
        return lead(hand)
    landlord, seat, by = fields["landlord"], fields["seat"], fields.get("beat_by", "")
    if seat != landlord and by not in (landlord, ""):
        return "pass"
    same = len(set(beat)) == 1
    if same and len(beat) <= 3:
        for card in RANKS[RANKS.index(beat[0]) + 1 :]:
            if len(beat) <= hand.count(card) <= 3 and (len(beat) < 2 or card not in "XD"):
                return card * len(beat)
    bomb = (len(beat), RANKS.index(beat[0])) if same and len(beat) >= 4 else (0, 0)
    if not set(beat) <= set("XD"):
        for rank, card in enumerate(RANKS[:13]):
            if hand.count(card) >= 4 and (hand.count(card), rank) > bomb:
                return card * hand.count(card)
    return "pass"


def answer(line, state):
    """The lines that answer a command."""
    verb, _, rest = line.partition(" ")
    fields = fields_of(rest)
    ident = f" id={fields['id']}" if "id" in fields else ""
    if verb == "ddz":
        if fields.get("version", "1") == "0":
            raise Wrong("bad-value", "version 0: expected 1")
        return f"id{ident} name=plain author=nobody\nrules{ident} {' '.join(PRESETS)}\nddzok{ident} version=1"
    if verb == "setoption":
        raise Wrong("bad-option", "no options")
    if verb == "newgame" and "rules" in fields:
        seats_of(fields["rules"])
    if verb == "position":
        state.clear()
        state.update(check(fields))
    if verb == "go":
        if not state:
            raise Wrong("bad-value", "no position")
        if state.get("turn", state["seat"]) != state["seat"] or state.get("phase") == "over":
            raise Wrong("not-my-turn", "another seat is to move")
        auction = state.get("phase", "play" if "landlord" in state else "auction") == "auction"
        return f"bestmove{ident} " + (f"call={call(state)}" if auction else f"play={play(state)}")
    finals = {"isready": "readyok", "ping": "pong", "quit": "bye"}
    if verb not in finals and verb not in ("newgame", "position", "stop", "result"):
        raise Wrong("unknown-command", CODES["unknown-command"])
    return finals.get(verb, "ok") + ident


state = {}
for raw in sys.stdin.buffer:
    line = raw.decode("latin-1").strip().replace("\t", " ")
    if not line or line.startswith("#"):
        continue
    try:
        if not (line.isascii() and line.isprintable()):
            raise Wrong("syntax", "expected ASCII")
        said = answer(line, state)
    except Wrong as wrong:
        found = [word[3:] for word in line.split() if word.startswith("id=")]
        said = f'error {f"id={found[0]} " if found else ""}code={wrong.args[0]} text="{wrong.args[1]}"'
    print(said, flush=True)
    if line.split()[0] == "quit":
        break
