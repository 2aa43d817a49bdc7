"""Text of positions and of whole games; both read back to what they came from.

A position is one line, hands of all seats between slashes and then what differs from the usual:

    >>> parse_position("33344456/3456")
    <Game classic,players=2 play: 33344456/3456, turn 0, landlord 0>
    >>> format_position(parse_position("QQTT5/A3/88 rules=rlcard landlord=1 turn=2 beat=77 by=1 bid=3 factor=2"))
    '5TTQQ/3A/88 rules=rlcard landlord=1 turn=2 beat=77 bid=3 factor=2'

Keys: `rules` (default: classic, classic4 or two players by the number of hands), `landlord` (0), `turn` (the landlord),
`beat` (none: the seat to move leads), `by` (the seat before), `bid` (1), `factor` (1), `plays` (how often each seat has
played, 0/0/0; written where the rules know spring), `bottom` (the bottom cards as dealt).

A game is tags, the auction, and one line a trick:

    [Rules "classic"]
    [Deal "3456.../...//X2D first=2 up=7 dealer=1"]
    [Result "-4 2 2"]

    auction 2:pass 0:1 1:pass 2:2 0:pass 1:pass
    1. 2:34567 0:pass 1:pass
    2. 2:33 0:99 1:pass 2:pass

A game without an auction has `[Landlord "0"]` and `[Bid "1"]`, one that started from given hands `[Position "..."]`
in place of the deal. `#` starts a comment, but not in a tag. Other tags are kept by `parse_tags` and mean nothing here.
Characters that cannot be printed, such as those that steer a terminal, are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from ddz_solver.core.moves import Play
from ddz_solver.game.auction import format_call, parse_call
from ddz_solver.game.cards import Hand
from ddz_solver.game.combos import format_play, parse_play
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError, NotationError
from ddz_solver.game.game import Game
from ddz_solver.game.rules import Rules, RulesLike

_DEFAULT_RULES: Final = {2: "classic,players=2", 3: "classic", 4: "classic4"}
_KEYS: Final = ("rules", "landlord", "turn", "beat", "by", "bid", "factor", "plays", "bottom")
_OWN_TAGS: Final = ("Rules", "Deal", "Position", "Landlord", "Bid", "Result")
_TAG: Final = re.compile(r'\[(\w+) "([^"]*)"\]')
_TRICK: Final = re.compile(r"\d+\.")
_STEP: Final = re.compile(r"(\d):(\S+)")


# --- positions --------------------------------------------------------------------------------------------------------


def parse_position(text: str, rules: RulesLike | None = None) -> Game:
    """A game that starts in the position of a line.

    `rules` serve where the line names none; two hands may be given under rules for more players. NotationError for
    text of another form, and the errors of its parts: CardsError, RulesError, PlayError, DealError.
    """
    words = text.split()
    if not words:
        raise NotationError("an empty line is no position: expected hands between slashes, such as 33344456/3456")
    values = dict.fromkeys(_KEYS, "")
    for word in words[1:]:
        key, _, value = word.partition("=")
        if key not in values or not value:
            keys = ", ".join(_KEYS)
            raise NotationError(f"unknown part {word!r} of a position: expected key=value with a key of {keys}")
        if values[key]:
            raise NotationError(f"{key} twice in the position {text!r}: expected once")
        values[key] = value
    hands = words[0].split("/")
    if len(hands) not in _DEFAULT_RULES:
        raise NotationError(f"{len(hands)} hands in {words[0]!r}: expected two to four, between slashes")
    rules = Rules.of(values["rules"] or rules or _DEFAULT_RULES[len(hands)])
    if len(hands) == 2:
        rules = replace(rules, players=2)
    landlord = _number("landlord", values["landlord"], 0)
    return Game.from_hands(
        [Hand.parse(hand, rules.decks) for hand in hands],
        rules,
        landlord=landlord,
        turn=_number("turn", values["turn"], landlord),
        to_beat=parse_play(values["beat"], rules) if values["beat"] else None,
        to_beat_by=_number("by", values["by"], 0) if values["by"] else None,
        bottom=Hand.parse(values["bottom"], rules.decks) if values["bottom"] else None,
        bid=_number("bid", values["bid"], 1),
        factor=_number("factor", values["factor"], 1),
        plays=[_number("plays", count, 0) for count in values["plays"].split("/")] if values["plays"] else None,
    )


def format_position(game: Game) -> str:
    """The line of a game's position. NotationError outside the play, where there is no position."""
    position = game.position
    if position is None or position.over:
        raise NotationError(f"a game in the phase {game.phase.value} has no position: expected one in the play")
    rules, last = game.rules, position.last
    values: dict[str, object] = {
        "rules": "" if str(rules) == _DEFAULT_RULES[rules.players] else rules,
        "landlord": position.landlord or "",
        "turn": position.turn if position.turn != position.landlord else "",
        "beat": format_play(last, rules) if last is not None else "",
        "by": position.owner if last is not None and position.owner != (position.turn - 1) % rules.players else "",
        "bid": game.bid if game.bid != 1 else "",
        "factor": position.factor if position.factor != 1 else "",
        "plays": "/".join(map(str, position.plays)) if rules.spring != "no" and any(position.plays) else "",
        "bottom": game.bottom or "",
    }
    hands = "/".join(map(str, game.hands))
    return " ".join([hands, *(f"{key}={value}" for key, value in values.items() if value != "")])


# --- games ------------------------------------------------------------------------------------------------------------


def format_game(game: Game, tags: Mapping[str, str] | None = None) -> str:
    """A whole game as text, from its deal to where it stands; `tags` are further tags to put first.

    NotationError: a tag that cannot be written, or one that says something else of the game than the game does.
    """
    tags, own = tags or {}, _own_tags(game)
    for key in _OWN_TAGS:
        if key in tags and tags[key] != own.get(key):
            expected = f"expected {own[key]!r} or none" if key in own else "expected none"
            raise NotationError(f"the tag {key} {tags[key]!r} does not follow from the game: {expected}")
    lines = [f'[{key} "{value}"]' for key, value in {**tags, **own}.items()]
    for line in lines:
        if not _TAG.fullmatch(line) or not line.isprintable():
            raise NotationError(
                f"{line!a} is no tag: expected letters and digits, then one line of text without quotes"
            )
    lines.append("")
    if game.calls:
        lines.append(" ".join(["auction", *(f"{seat}:{format_call(bid)}" for seat, bid in game.calls)]))
    for number, trick in enumerate(tricks(game), start=1):
        lines.append(" ".join([f"{number}.", *(f"{seat}:{format_play(play, game.rules)}" for seat, play in trick)]))
    return "\n".join(lines) + "\n"


def parse_game(text: str) -> Game:
    """The game that a text tells, at its end. NotationError names the line that cannot be read or is not legal."""
    tags = parse_tags(text)
    game = _start(tags)
    for number, line in _lines(text):
        if line.startswith("["):
            continue
        head, *steps = line.split()
        if head == "auction":
            _replay(number, steps, game, lambda game, word: game.call(parse_call(word)))
        elif _TRICK.fullmatch(head):
            _replay(number, steps, game, Game.push)
        else:
            raise NotationError(f"line {number}, {line!r}: expected a tag, the auction or a numbered trick")
    if "Result" in tags:
        if not game.over:
            raise NotationError(f"the result {tags['Result']!r} of a game that has not ended: expected no result")
        result = " ".join(map(str, game.payoffs))
        if tags["Result"] != result:
            raise NotationError(f"the result {tags['Result']!r} does not follow from the game: expected {result!r}")
    return game


def parse_tags(text: str) -> dict[str, str]:
    """The tags of a game's text. NotationError for a broken or repeated tag."""
    tags: dict[str, str] = {}
    for number, line in _lines(text):
        if not line.startswith("["):
            continue
        tag = _TAG.fullmatch(line)
        if tag is None:
            raise NotationError(f'line {number}, {line!r}: expected a tag such as [Rules "classic"]')
        if tag[1] in tags:
            raise NotationError(f"line {number}: the tag {tag[1]} twice, expected once")
        tags[tag[1]] = tag[2]
    return tags


def tricks(game: Game) -> list[list[tuple[int, Play]]]:
    """The plays of a game, trick by trick: a lead and what followed, passes included."""
    found: list[list[tuple[int, Play]]] = []
    start = game.start
    owner = start.owner if start is not None and start.last is not None else None
    for seat, play in game.history:
        if not found or seat == owner or owner is None:
            found.append([])
        found[-1].append((seat, play))
        if play:
            owner = seat
    return found


def _own_tags(game: Game) -> dict[str, str]:
    """The tags that a game's text needs to be read back, and its result."""
    tags = {"Rules": str(game.rules)}
    if game.deal is None:
        start = game.copy()
        while start.history:
            start.pop()
        tags["Position"] = format_position(start)
    else:
        tags["Deal"] = str(game.deal)
        if not game.has_auction:
            tags |= {"Landlord": str(game.landlord), "Bid": str(game.bid)}
    if game.over:
        tags["Result"] = " ".join(map(str, game.payoffs))
    return tags


def _start(tags: Mapping[str, str]) -> Game:
    """The game as the tags begin it."""
    if "Rules" not in tags or ("Deal" in tags) == ("Position" in tags):
        raise NotationError(f"tags {', '.join(tags) or 'missing'}: expected Rules and either Deal or Position")
    rules = Rules.parse(tags["Rules"])
    if "Position" in tags:
        return parse_position(tags["Position"], rules)
    deal = Deal.parse(tags["Deal"])
    if "Landlord" in tags:
        landlord = _number("Landlord", tags["Landlord"], 0)
        return Game(rules, deal, landlord=landlord, bid=_number("Bid", tags.get("Bid", ""), 1))
    return Game(rules, deal)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of every line that says something, comments cut off; there are none after tags."""
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip() if line.lstrip().startswith("[") else line.partition("#")[0].strip()
        if not content.replace("\t", " ").isprintable():
            raise NotationError(f"line {number}, {content!a}: expected characters that can be printed")
        if content:
            yield number, content


def _replay(line: int, steps: Iterable[str], game: Game, act: Callable[[Game, str], object]) -> None:
    """Make the calls or plays of a line, each SEAT:TEXT."""
    for step in steps:
        match = _STEP.fullmatch(step)
        if match is None:
            raise NotationError(f"line {line}, {step!r}: expected SEAT:CALL or SEAT:PLAY, such as 0:pass")
        if game.turn is None:
            raise NotationError(f"line {line}, {step!r}: expected nothing, the hand has ended")
        if int(match[1]) != game.turn:
            raise NotationError(f"line {line}, {step!r}: expected seat {game.turn} to act")
        try:
            act(game, match[2])
        except DdzError as error:
            raise NotationError(f"line {line}, {step!r}: {error}") from error


def _number(name: str, text: str, default: int) -> int:
    if not text:
        return default
    if not text.isdecimal() or len(text) > 9:
        raise NotationError(f"{name}={text}: expected a number, 0 or higher")
    return int(text)
