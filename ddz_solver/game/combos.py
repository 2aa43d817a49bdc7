"""Plays for people: from text, to text, with names. What a combination is, only the compiled core knows.

Text of a play is its cards, ascending. Where a set of cards has several readings, the bare cards mean the longest run;
`333444555+666` (the run or group, then its extras) names another, and so does `XX=joker_bomb` where there are no
extras to tell it by. `parse_play(format_play(play, rules), rules) == play` for every play.
"""

from __future__ import annotations

from typing import Final

from ddz_solver.core import moves
from ddz_solver.core.moves import PASS_PLAY, Kind, Play
from ddz_solver.game.cards import Hand, HandLike
from ddz_solver.game.errors import AmbiguousPlay, CardsError, IllegalPlay, PlayError
from ddz_solver.game.rules import Rules, RulesLike

_NAMES: Final[dict[Kind, tuple[str, str]]] = {
    Kind.PASS: ("pass", "不出"),
    Kind.SOLO: ("solo", "单张"),
    Kind.PAIR: ("pair", "对子"),
    Kind.TRIO: ("trio", "三张"),
    Kind.TRIO_SOLO: ("trio with solo", "三带一"),
    Kind.TRIO_PAIR: ("trio with pair", "三带二"),
    Kind.STRAIGHT: ("straight", "顺子"),
    Kind.PAIR_STRAIGHT: ("pair straight", "连对"),
    Kind.PLANE: ("plane", "飞机"),
    Kind.PLANE_SOLOS: ("plane with solos", "飞机带单"),
    Kind.PLANE_PAIRS: ("plane with pairs", "飞机带对"),
    Kind.QUAD_SOLOS: ("quad with two solos", "四带二"),
    Kind.QUAD_PAIRS: ("quad with two pairs", "四带两对"),
    Kind.QUAD_RUN: ("run of quads", "航天飞机"),
    Kind.QUAD_RUN_SOLOS: ("run of quads with solos", "航天飞机带单"),
    Kind.QUAD_RUN_PAIRS: ("run of quads with pairs", "航天飞机带对"),
    Kind.BOMB: ("bomb", "炸弹"),
    Kind.JOKER_BOMB: ("joker bomb", "王弹"),
    Kind.ROCKET: ("rocket", "火箭"),
}
#: Cards of each group of the run, for the kinds that have extras.
_GROUP: Final = {
    Kind.TRIO_SOLO: 3,
    Kind.TRIO_PAIR: 3,
    Kind.PLANE_SOLOS: 3,
    Kind.PLANE_PAIRS: 3,
    Kind.QUAD_SOLOS: 4,
    Kind.QUAD_PAIRS: 4,
    Kind.QUAD_RUN_SOLOS: 4,
    Kind.QUAD_RUN_PAIRS: 4,
}
_PASS_WORDS: Final = frozenset({"pass", "p", "-", "过", "不出", "要不起"})


def leads(hand: HandLike, rules: RulesLike) -> list[Play]:
    """Every play with which the hand may lead, in a fixed order: by kind, length, rank, extras."""
    return moves.leads(Hand.of(hand).bits, Rules.of(rules).compiled)


def replies(hand: HandLike, to_beat: Play | str, rules: RulesLike) -> list[Play]:
    """Every play of the hand over `to_beat`, the pass not included, in a fixed order; its leads over a pass.

    CardsError, PlayError and AmbiguousPlay, as `parse_play` raises them, where `to_beat` is text.
    """
    rules = Rules.of(rules)
    if isinstance(to_beat, str):
        to_beat = parse_play(to_beat, rules)
    return moves.replies(Hand.of(hand).bits, to_beat, rules.compiled)


def legal_plays(hand: HandLike, to_beat: Play | None, rules: RulesLike) -> list[Play]:
    """Everything that the hand may do: its leads where `to_beat` is None or a pass, else the pass and its replies."""
    return [PASS_PLAY, *replies(hand, to_beat, rules)] if to_beat else leads(hand, rules)


def readings(cards: HandLike, rules: RulesLike) -> list[Play]:
    """Every play that consists of exactly these cards, the longest run first; empty where they are no play."""
    return moves.readings(Hand.of(cards).bits, Rules.of(rules).compiled)


def classify(cards: HandLike, rules: RulesLike) -> Play:
    """The play that bare cards mean: the only reading, or the one with the longest run.

    CardsError for text that is no cards, PlayError where they are no play, AmbiguousPlay where no run is the longest.
    """
    rules = Rules.of(rules)
    hand = Hand.of(cards)
    return _choose(hand, readings(hand, rules), rules)


def parse_play(text: str, rules: RulesLike, to_beat: Play | None = None) -> Play:
    """The play that a text means; `pass`, `-` and `过` are the pass.

    Bare cards mean the reading that beats `to_beat` if there is one, else the one with the longest run;
    `333444555+666` and `XX=joker_bomb` name a reading. CardsError for text that is no cards, PlayError where they are
    no play or no such reading, AmbiguousPlay where bare cards do not decide.
    """
    rules = Rules.of(rules)
    if text.strip().lower() in _PASS_WORDS:
        return PASS_PLAY
    spelled, equals, kind_text = text.partition("=")
    run_text, plus, extras_text = spelled.partition("+")
    run, extras = Hand.parse(run_text, rules.decks), Hand.parse(extras_text, rules.decks)
    cards = run + extras
    if not cards:
        raise CardsError(f"no cards in {text!r}: expected the cards of a play, or pass")
    cards.check(rules.decks, spelled.strip())
    found = readings(cards, rules)
    if not found:
        raise PlayError(f"{text.strip()!r} is no combination under the rules {rules}")
    named = found
    if plus:
        named = [play for play in named if extras_of(play) == extras and extras]
    if equals:
        named = [play for play in named if play.kind.name.lower() == kind_text.strip().lower()]
    if not named:
        raise PlayError(f"{text.strip()!r} is no reading of these cards: expected {_alternatives(found)}")
    if to_beat:
        named = [play for play in named if moves.beats(play, to_beat)] or named
    return _choose(cards, named, rules)


def check_play(play: Play, rules: Rules) -> Play:
    """The same play. PlayError where these rules know no such play, or one of another power."""
    if play and play not in moves.readings(play.cards, rules.compiled):
        raise PlayError(
            f"{play} ({kind_name(play.kind)}) of other rules: expected a combination under the rules {rules}"
        )
    return play


def format_play(play: Play, rules: RulesLike) -> str:
    """Text of a play: its bare cards where they mean it, else the notation that names this reading."""
    found = moves.readings(play.cards, Rules.of(rules).compiled)
    if len(found) <= 1 or (found[0] == play and found[1].length < play.length):
        return str(play)
    return _explicit(play)


def extras_of(play: Play) -> Hand:
    """The extra cards (kickers) of a play; no cards where its kind has none."""
    copies = _GROUP.get(play.kind)
    if copies is None:
        return Hand()
    run = sum(copies << 4 * (play.rank + group) for group in range(play.length))
    return Hand(play.cards - run)


def kind_name(kind: Kind, chinese: bool = False) -> str:
    """What a kind is called, in English or Chinese."""
    return _NAMES[kind][chinese]


def explain_illegal(play: Play, hand: Hand, to_beat: Play | None, rules: Rules) -> IllegalPlay:
    """Why a play may not be made with this hand over this play, as an exception to raise."""
    what = f"{play} ({kind_name(play.kind)})" if play else "a pass"
    if not play:
        return IllegalPlay(f"{what} is not legal for the leader of a trick: expected a play of {str(hand)!r}")
    if Hand(play.cards) not in hand:
        return IllegalPlay(f"{what} is not in the hand {str(hand)!r}: expected cards of that hand")
    if play not in moves.readings(play.cards, rules.compiled):
        return IllegalPlay(f"{what} does not exist under the rules {rules}: expected a combination of those rules")
    if to_beat is None:
        return IllegalPlay(f"{what} is not legal now")
    return IllegalPlay(
        f"{what} does not beat {to_beat} ({kind_name(to_beat.kind)}): expected a pass, a higher "
        f"{kind_name(to_beat.kind)} of {to_beat.size} card{'s' * (to_beat.size > 1)}, or a stronger bomb"
    )


def _choose(cards: Hand, found: list[Play], rules: Rules) -> Play:
    """The default among readings of the same cards."""
    if not found:
        raise PlayError(f"{str(cards)!r} is no combination under the rules {rules}")
    longest = [play for play in found if play.length == found[0].length]
    if len(longest) > 1:
        raise AmbiguousPlay(f"{str(cards)!r} has several readings: write {_alternatives(longest)}")
    return found[0]


def _explicit(play: Play) -> str:
    """The notation that names a reading whatever other readings its cards have."""
    extras = extras_of(play)
    return f"{Hand(play.cards) - extras}+{extras}" if extras else f"{play}={play.kind.name.lower()}"


def _alternatives(plays: list[Play]) -> str:
    return " or ".join(f"{_explicit(play)} ({kind_name(play.kind)})" for play in plays)
