"""rank the plays of a hand, with win chances and reasons

What is not said is assumed, and the assumptions are printed. Cards of the other players and the history are told in
playing order; a history starts with the landlord's first lead.

Examples:
  ddz hint 33445566789TJQKA22XD                 the landlord leads
  ddz hint 3445667789TTJQKA2 --last 99          the next player over a pair of nines
  ddz hint 33445566789TJQKA22XD --seconds 2     plan for two seconds
  ddz hint 99TTKK2 --role up --last 55 --by landlord --counts 6,11
  ddz hint 3349K --role up --last 8 --counts 3,3 --unseen 66667A
  ddz hint 99TJJQQKAA22XD --history "345678 - 56789T - - 7"
  ddz hint 33444555667788999TTJJQQKKAA222XDD --rules classic4 --lang zh
"""

from __future__ import annotations

import argparse

from ddz_solver.ai.hints import Hint, hint
from ddz_solver.ai.roles import Role
from ddz_solver.ai.situation import Situation, situation
from ddz_solver.cli.common import add_json, add_rules, print_json, print_table
from ddz_solver.cli.words import Words, add_language
from ddz_solver.game.combos import format_play
from ddz_solver.game.errors import DdzError, DealError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz hint`."""
    parser.add_argument("hand", nargs="+", metavar="HAND", help="your cards, such as 33445566TJQKA2X")
    add_facts(parser)
    parser.add_argument("--objective", metavar="win|score", help="what to rank by (by the payoff of the rules)")
    parser.add_argument("--seconds", type=float, default=0, metavar="S", help="think for so long (0: answer at once)")
    parser.add_argument("--top", type=int, default=5, metavar="N", help="how many plays to show (5)")
    parser.add_argument("--seed", type=int, default=0, help="seed of everything that is drawn at random (0)")
    add_rules(parser)
    add_language(parser)
    add_json(parser)


def add_facts(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that describe a decision."""
    parser.add_argument("--last", metavar="PLAY", help="the play to beat (default: none, you lead)")
    parser.add_argument("--by", metavar="ROLE", help="who made it (default: the player before you)")
    parser.add_argument(
        "--role", help="landlord, down (plays after the landlord), up (before), across; 地主, 下家, ..."
    )
    parser.add_argument("--counts", metavar="N,N", help="cards of the other players, in playing order after you")
    parser.add_argument("--played", metavar="CARDS", help="all cards that are gone")
    parser.add_argument("--unseen", metavar="CARDS", help="instead: all cards in the other hands")
    parser.add_argument("--history", metavar="PLAYS", help='all plays so far, such as "33 44 - AA - -"')
    parser.add_argument("--bottom", metavar="CARDS", help="the bottom cards")
    parser.add_argument("--bid", type=int, default=1, help="what the hand is played for (1)")
    parser.add_argument("--factor", type=int, default=1, help="doublings so far, multiplied; a history tells them (1)")


def read_facts(args: argparse.Namespace) -> Situation:
    """The decision that the arguments describe."""
    return situation(
        " ".join(args.hand),
        role=args.role,
        to_beat=args.last,
        to_beat_by=args.by,
        counts=None if args.counts is None else _numbers(args.counts),
        played=args.played,
        unseen=args.unseen,
        history=args.history,
        bottom=args.bottom,
        rules=args.rules,
        bid=args.bid,
        factor=args.factor,
    )


def run(args: argparse.Namespace) -> int:
    """Runs `ddz hint`."""
    if args.top < 1:
        raise DdzError(f"--top {args.top}: expected 1 or more")
    found = hint(read_facts(args), seconds=args.seconds, objective=args.objective, seed=args.seed)
    if args.json:
        print_json(describe(found, args.top))
    else:
        print_hint(found, args.top, Words(args.lang))
    return 0


def print_hint(found: Hint, top: int, words: Words) -> None:
    """Prints the best plays as a table."""
    of = found.situation
    role = Role(of.seat, of.rules.players)
    if of.to_beat and of.to_beat_by is not None:
        owner = Role(of.to_beat_by, of.rules.players)
        what = words("to_beat", play=words.play(of.to_beat, of.rules), role=owner.text(words.lang))
    else:
        what = words("leads")
    print(f"{of.hand} ({role.text(words.lang)}), {what}")
    percent = found.objective == "win"
    rows = [
        (
            words.play(choice.play, of.rules),
            words.kind(choice.play) if choice.play else "",
            f"{choice.win:.1%}",
            f"{choice.score:+.2f}",
            words("proven") if choice.proven else _interval(choice.interval, percent),
            words("and").join(note.text(words.lang) for note in choice.reasons),
        )
        for choice in found[:top]
    ]
    print_table([words(key) for key in ("play", "kind", "win", "score", "sure", "why")], rows, right=(2, 3))
    if line := found.best.line:
        print(words("line", plays=" | ".join(words.play(play, of.rules) for _, play in line)))
    if len(found) > top:
        print(words("more", count=len(found) - top, all=len(found)))
    if of.assumed:
        print(words("assumed", facts=words("and").join(note.text(words.lang) for note in of.assumed)))


def _interval(bounds: tuple[float, float] | None, percent: bool) -> str:
    """An interval of win chances or points as text, "" for none."""
    if bounds is None:
        return ""
    low, high = (f"{bound:.1%}" if percent else f"{bound:+.2f}" for bound in bounds)
    return f"{low} … {high}"


def describe(found: Hint, top: int) -> dict[str, object]:
    """A hint as JSON values."""
    of, words = found.situation, Words("en")
    return {
        "hand": str(of.hand),
        "role": str(Role(of.seat, of.rules.players)),
        "rules": str(of.rules),
        "to_beat": format_play(of.to_beat, of.rules) if of.to_beat else None,
        "counts": list(of.counts),
        "objective": found.objective,
        "source": found.source,
        "assumed": [str(note) for note in of.assumed],
        "legal_plays": len(found),
        "plays": [
            {
                "play": words.play(choice.play, of.rules),
                "kind": choice.play.kind.name.lower(),
                "win": round(choice.win, 4),
                "score": round(choice.score, 4),
                "proven": choice.proven,
                "interval": choice.interval and [round(bound, 4) for bound in choice.interval],
                "worlds": choice.worlds,
                "reasons": [note.key for note in choice.reasons],
                "line": [[seat, words.play(play, of.rules)] for seat, play in choice.line],
            }
            for choice in found[:top]
        ],
    }


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise DealError(f"--counts {text}: expected numbers with commas, such as 5,11") from None
