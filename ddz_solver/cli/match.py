"""play engines against each other

An engine is a level (random, greedy, ...), or fields:
  level=greedy name=plain time=100
  cmd="python3 bot.py" name=bot time=500 option.seed=3
  tcp=127.0.0.1:7000 name=remote                        an engine that listens, as ddz engine --tcp 7000 does
  python=package.module:function option.depth=2
  botzone="python3 bot.py" option.keep_running=yes      a Botzone bot, with --rules botzone
  rlcard=doudizhu-rule-v1                               an agent of RLCard, with --rules rlcard
  openspiel=mcts option.simulations=100                 a bot of OpenSpiel, with --rules openspiel
Limits are time (ms a decision), nodes, worlds, depth. Every deal is played in all its seatings. With --record every
finished hand is kept at once, and the same command goes on where it was killed.

Examples:
  ddz match greedy random --deals 200
  ddz match greedy 'cmd="./my-engine" time=200' --rules classic4 --record my.ddz --concurrency 2
  ddz match net greedy --sprt 0 100 --deals 100000
Exit codes: 0 done, 1 an engine made faults or the sequential test accepted H0, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from pathlib import Path

from ddz_solver.cli.common import add_json, add_rules
from ddz_solver.engine.client import Timing
from ddz_solver.engine.executors import NAMES, open_executor
from ddz_solver.engine.match import Match, MatchError
from ddz_solver.engine.memory import keep_small
from ddz_solver.engine.progress import LiveProgress
from ddz_solver.engine.records import Record
from ddz_solver.engine.referee import POLICIES
from ddz_solver.engine.report import results_json, sprt_text, tables
from ddz_solver.engine.results import METRICS, Results, SprtTest
from ddz_solver.engine.schedule import FORMATS, read_deals
from ddz_solver.game.rules import Rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz match`."""
    parser.add_argument("engines", nargs="+", metavar="ENGINE", help="two or more engines")
    add_rules(parser)
    parser.add_argument("--deals", type=int, metavar="N", help="number of deals (100, or all of --deal-file)")
    parser.add_argument("--seed", type=int, default=0, help="what the deals are drawn from (0)")
    parser.add_argument("--deal-file", type=Path, metavar="FILE", help="deals to play, one a line, as ddz deal prints")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="who meets whom; gauntlet: the first all")
    parser.add_argument(
        "--policy",
        choices=POLICIES,
        default=POLICIES[0],
        help="what a fault means: the hand is forfeited, a pass or the first legal play is made instead, or it is void",
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep all hands here (.jsonl for JSON) and resume")
    parser.add_argument("--executor", default="processes", help=f"{', '.join(NAMES)} or dask://HOST:PORT (processes)")
    parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="hands played at the same time (1)")
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("H0", "H1"),
        help="stop when the first engine is shown to be at H0 or H1",
    )
    parser.add_argument(
        "--sprt-metric",
        choices=METRICS,
        default=METRICS[0],
        help="unit of H0 and H1: rating, win rate from 0 to 1, or points a hand (elo)",
    )
    parser.add_argument("--alpha", type=float, default=0.05, help="chance to accept H1 where H0 holds (0.05)")
    parser.add_argument("--beta", type=float, default=0.05, help="chance to accept H0 where H1 holds (0.05)")
    timing = Timing()
    for name, meaning in (
        ("start", "for starting"),
        ("margin", "over a time limit that is let pass"),
        ("stall", "for a decision without a time limit"),
    ):
        default = getattr(timing, name)
        parser.add_argument(
            f"--{name}", type=float, default=default, metavar="S", help=f"seconds {meaning} ({default})"
        )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz match`."""
    match = _match(args)
    keep_small()
    with ExitStack() as stack:
        inline = args.executor == "processes" and args.concurrency == 1
        executor, concurrency = stack.enter_context(
            open_executor("inline" if inline else args.executor, args.concurrency)
        )
        match.use(executor, concurrency)
        live = None if args.json else stack.enter_context(LiveProgress(match))

        def on_hand(record: Record, results: Results) -> None:
            if live is not None:
                live.update(record, results)
            else:
                print(json.dumps({"event": "hand", **record.to_json()}), flush=True)

        match.on_hand = on_hand
        results = match.run()
    if args.json:
        print(json.dumps({"event": "result", **results_json(results)}))
    else:
        _print(results)
    state = results.sprt_state
    return int(results.faults() > 0 or (state is not None and state.decision == "H0"))


def _match(args: argparse.Namespace) -> Match:
    """The match that the arguments describe. DdzError: they describe none."""
    if args.concurrency < 1:
        raise MatchError(f"--concurrency {args.concurrency}: expected 1 or more")
    rules = Rules.parse(args.rules)
    try:
        sprt = None
        if args.sprt is not None:
            sprt = SprtTest.make(args.sprt_metric, args.sprt[0], args.sprt[1], args.alpha, args.beta)
        deals = None if args.deal_file is None else read_deals(args.deal_file, rules)
    except OSError as error:
        raise MatchError(f"--deal-file {args.deal_file}: {error.strerror}") from None
    except ValueError as error:
        raise MatchError(str(error)) from None
    if deals is not None and args.deals is not None:
        if not 1 <= args.deals <= len(deals):
            raise MatchError(f"--deals {args.deals}: expected 1 to {len(deals)}, the deals of {args.deal_file}")
        deals = deals[: args.deals]
    return Match(
        args.engines,
        rules,
        deals=deals if deals is not None else 100 if args.deals is None else args.deals,
        seed=args.seed,
        format=args.format,
        policy=args.policy,
        record=args.record,
        sprt=sprt,
        timing=Timing(start=args.start, margin=args.margin, stall=args.stall),
    )


def _print(results: Results) -> None:
    from rich.console import Console

    console = Console(soft_wrap=True, markup=False, emoji=False, width=None if sys.stdout.isatty() else 200)
    pairs = ", ".join(str(len(results.deals(pair))) for pair in results.pairs)
    print(f"{pairs} deal{'s' * (pairs != '1')} of {results.hands_per_deal} hands; ± is 95 % over deals")
    for table in tables(results):
        console.print(table)
    if (sprt := sprt_text(results)) is not None:
        print(sprt)
    if results.void_deals():
        print(f"{results.void_deals()} deals are void and do not count", file=sys.stderr)
