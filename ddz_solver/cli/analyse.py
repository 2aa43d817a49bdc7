"""take a hand apart: least plays, a good split, sure winners

The number of plays is the least that empties the hand, exactly; the split has so many plays and, of those splits, the
most that no enemy can beat. What can beat a play follows from the cards that are not in the hand and not gone.

Examples:
  ddz analyse 3344556789TJQKA222XD
  ddz analyse 77899TTA2 --role up --counts 3,5
  ddz analyse 33444555667788999TTJJQQKKAA222XDD --rules classic4 --lang zh
"""

from __future__ import annotations

import argparse

from ddz_solver.ai.analysis import Analysis, analyse
from ddz_solver.cli.common import add_json, add_rules, print_json, print_table
from ddz_solver.cli.hint import add_facts, read_facts
from ddz_solver.cli.words import Words, add_language
from ddz_solver.game.combos import format_play


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz analyse`."""
    parser.add_argument("hand", nargs="+", metavar="HAND", help="the cards, such as 33445566TJQKA2X")
    add_facts(parser)
    add_rules(parser)
    add_language(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz analyse`."""
    found = analyse(read_facts(args))
    if args.json:
        print_json(_describe(found))
    else:
        print_analysis(found, Words(args.lang))
    return 0


def print_analysis(found: Analysis, words: Words) -> None:
    """Prints the parts of a hand."""
    rules = found.of.rules
    print(f"{found.hand}  {words('least', count=found.least_plays, beatable=found.leads_needed)}")
    sure = found.sure
    rows = [
        (words.play(play, rules), words.kind(play), words("unbeatable") if play in sure else "")
        for play in found.partition
    ]
    print_table((words("partition"), words("kind"), ""), rows)
    bombs = " ".join(words.play(play, rules) for play in found.bombs)
    winners = " ".join(words.play(play, rules) for play in found.winners)
    print(words("bombs", bombs=bombs or words("none")))
    print(words("winners", plays=winners or words("none")))
    if found.sure_win:
        print(words("sure_win"))
    if found.of.assumed:
        print(words("assumed", facts=words("and").join(note.text(words.lang) for note in found.of.assumed)))


def _describe(found: Analysis) -> dict[str, object]:
    """An analysis as JSON values."""
    rules, sure = found.of.rules, found.sure
    return {
        "hand": str(found.hand),
        "rules": str(rules),
        "assumed": [str(note) for note in found.of.assumed],
        "least_plays": found.least_plays,
        "leads_needed": found.leads_needed,
        "sure_win": found.sure_win,
        "partition": [
            {"play": format_play(play, rules), "kind": play.kind.name.lower(), "unbeatable": play in sure}
            for play in found.partition
        ],
        "bombs": [format_play(play, rules) for play in found.bombs],
        "winners": [format_play(play, rules) for play in found.winners],
    }
