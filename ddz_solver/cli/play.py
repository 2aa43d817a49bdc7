"""play against the engine, auction included

Type cards to play them, `pass` or `-` to pass, `hint` for advice, `moves`, `show`, `undo`, `save FILE`, `quit`. The
same words work in Chinese: 过, 提示, 出法, 显示, 悔棋, 保存, 退出.
A hand that is over can be saved too, for `ddz review`.

Examples:
  ddz play
  ddz play --rules classic4 --level greedy --seed 7
  ddz play --seat 2 --levels greedy,random --lang zh
  ddz play --save game.txt            saved when you quit
  ddz play --load game.txt            go on where you left; saved there again when you quit
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

from ddz_solver.ai.agents import LEVELS
from ddz_solver.ai.bidding import evaluate_bid
from ddz_solver.ai.evaluator import has_weights
from ddz_solver.ai.hints import hint
from ddz_solver.ai.roles import role_name
from ddz_solver.cli.bid import print_advice
from ddz_solver.cli.common import add_rules, check_seed, print_table
from ddz_solver.cli.hint import print_hint
from ddz_solver.cli.sitting import Sitting
from ddz_solver.cli.words import Words, add_language
from ddz_solver.core.moves import Play
from ddz_solver.game.auction import parse_call
from ddz_solver.game.errors import DdzError, SeatError
from ddz_solver.game.observation import Phase
from ddz_solver.game.rules import Rules

_HINT_SECONDS = 0.5
_COMMANDS = {
    "hint": "hint", "h": "hint", "提示": "hint",
    "moves": "moves", "m": "moves", "出法": "moves",
    "show": "show", "s": "show", "显示": "show",
    "undo": "undo", "u": "undo", "悔棋": "undo",
    "save": "save", "保存": "save",
    "quit": "quit", "q": "quit", "exit": "quit", "退出": "quit",
    "help": "help", "?": "help", "帮助": "help",
}  # fmt: skip
_YES = {"", "y", "yes", "是", "好"}
_NO = {"n", "no", "否", "不"}
_TOLD_BY_FILE = ("seat", "level", "levels", "seed", "rules")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ddz play`."""
    parser.add_argument("--seat", type=int, help="your seat (0)")
    parser.add_argument(
        "--level", help=f"level of the engines: {', '.join(LEVELS)} (the last; greedy where no networks were trained)"
    )
    parser.add_argument("--levels", metavar="LEVEL,...", help="one level a player, in playing order after you")
    parser.add_argument("--seed", type=int, help="seed of the deals and engines (default: drawn at random)")
    parser.add_argument(
        "--load", metavar="FILE", help="go on with a saved game; it is saved there again when you quit, but for --save"
    )
    parser.add_argument("--save", metavar="FILE", help="save to this file when you quit")
    add_rules(parser)
    parser.set_defaults(rules=None)
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Runs `ddz play`."""
    sitting = _loaded(args) if args.load else _new_sitting(args)
    path = Path(args.save or args.load) if args.save or args.load else None
    if path is not None and not path.absolute().parent.is_dir():
        raise DdzError(f"cannot save to {path}: expected a file in a folder that there is")
    Table(sitting, Words(args.lang), path).run()
    return 0


def _loaded(args: argparse.Namespace) -> Sitting:
    given = ", ".join(f"--{name}" for name in _TOLD_BY_FILE if getattr(args, name) is not None)
    if given:
        raise DdzError(f"{given} beside --load: expected --load alone, the saved game tells seats, rules and seed")
    return Sitting.load(args.load)


def _new_sitting(args: argparse.Namespace) -> Sitting:
    rules = Rules.parse("classic" if args.rules is None else args.rules)
    seat = args.seat or 0
    if not 0 <= seat < rules.players:
        raise SeatError(f"--seat {seat}: expected 0 to {rules.players - 1}")
    seed = secrets.randbelow(1 << 32) if args.seed is None else check_seed(args.seed)
    level = args.level or (LEVELS[-1] if has_weights(rules) else "greedy")
    levels = args.levels.split(",") if args.levels else [level] * (rules.players - 1)
    if len(levels) != rules.players - 1:
        raise DdzError(f"--levels {args.levels}: expected {rules.players - 1}, one for each other player")
    return Sitting(rules, seat, tuple(levels), seed)


def read_line(prompt: str) -> str:
    """A line from the person; where nobody types it, it is shown after the prompt. EOFError at the end of the input."""
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)
    return line


class _Quit(Exception):
    """The person leaves the table."""


class Table:
    """The conversation with the person."""

    def __init__(
        self, sitting: Sitting, words: Words, path: Path | None = None, read: Callable[[str], str] = read_line
    ) -> None:
        """A conversation over `sitting`; `path` is where it is saved at the end, `read` asks for a line."""
        self.sitting = sitting
        self.words = words
        self.path = path
        self._read = read

    def run(self) -> None:
        """Play hands until the person leaves."""
        try:
            while True:
                self._greet()
                self._play_hand()
                self._settle()
        except (_Quit, EOFError, KeyboardInterrupt):
            print()
        if self.path is not None:
            self._save(self.path)
        print(self.words("bye", account=self._points(self.sitting.standing)))

    def _play_hand(self) -> None:
        sitting = self.sitting
        while not sitting.game.over:
            before = sitting.game.landlord
            if sitting.game.turn == sitting.person:
                self._ask()
            else:
                self._tell(*sitting.act())
            if before is None:
                self._tell_landlord()

    def _settle(self) -> None:
        """Tell how the hand ended, and go on to the next one."""
        sitting, words, game = self.sitting, self.words, self.sitting.game
        if game.winner is None:
            print(words("redealt" if game.redeal else "nobody"))
            sitting.next_hand()
            return
        who = words("landlord_side" if game.landlord_won else "peasants_side")
        print(words("won", who=who, points=self._points(game.payoffs), account=self._points(sitting.standing)))
        while (line := self._read(words("another")).strip()).lower() not in _YES:
            name, _, rest = line.partition(" ")
            command = "quit" if line.lower() in _NO else _COMMANDS.get(name.lower())
            try:
                if command in ("quit", "save", "show"):
                    self._obey(command, rest.strip())
                else:
                    print(words("help_another"))
            except DdzError as error:
                print(error)
        sitting.next_hand()

    # --- what the person does ---------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Ask until the person has made a call or a play, or has taken one back."""
        sitting, game, words = self.sitting, self.sitting.game, self.words
        auction = game.phase is Phase.AUCTION
        print(words("your_hand", hand=game.hands[sitting.person]))
        calls = " ".join(map(words.call, game.legal_calls))
        while True:
            line = self._read(words("ask_call", calls=calls) if auction else words("ask_play")).strip()
            name, _, rest = line.partition(" ")
            command = _COMMANDS.get(name.lower())
            try:
                if command == "undo":
                    sitting.undo()
                    print(words("taken_back"))
                    return
                if command is not None:
                    self._obey(command, rest.strip())
                elif line:
                    if auction:
                        game.call(parse_call(line))
                    else:
                        game.push(line)
                    return
            except DdzError as error:
                print(error)

    def _obey(self, command: str, rest: str) -> None:
        """Everything that may be typed besides calls and plays."""
        game = self.sitting.game
        if command == "quit":
            raise _Quit
        if command == "save":
            if not rest and self.path is None:
                raise DdzError("save: expected a file name")
            self._save(Path(rest) if rest else self.path or Path())
        elif command == "show":
            self._show()
        elif command == "moves":
            calls, plays = game.legal_calls, game.legal_plays
            print("  ".join([*map(self.words.call, calls), *(self.words.play(play, game.rules) for play in plays)]))
        elif command == "hint" and game.phase is Phase.AUCTION:
            print_advice(evaluate_bid(game.observation()), self.words)
        elif command == "hint":
            print_hint(hint(game.observation(), seconds=_HINT_SECONDS), 5, self.words)
        else:
            print(self.words("help_call" if game.phase is Phase.AUCTION else "help"))

    def _save(self, path: Path) -> None:
        try:
            self.sitting.save(path)
        except OSError as error:
            raise DdzError(f"cannot save to {path}: {error.strerror}") from None
        print(self.words("saved", path=path))

    # --- what the person is told ------------------------------------------------------------------------------------

    def _greet(self) -> None:
        sitting, words = self.sitting, self.words
        players = sitting.rules.players
        engines = (
            words("seat_level", seat=(sitting.person + step) % players, level=level)
            for step, level in enumerate(sitting.levels, start=1)
        )
        print(words("dealt", number=sitting.number + 1, seat=sitting.person, levels=words("and").join(engines)))
        for seat, bid in sitting.game.calls:
            self._tell(seat, bid)
        if sitting.game.landlord is not None:
            self._tell_landlord()
            self._show()

    def _tell(self, seat: int, what: Play | int) -> None:
        """One call or play of an engine."""
        words, game = self.words, self.sitting.game
        if isinstance(what, int):
            call = words("bid", bid=what) if what else words("no_bid")
            print(words("calls", who=self._name(seat, role=False), call=call))
        elif what:
            left = len(game.hands[seat])
            print(words("plays", who=self._name(seat), play=words.play(what, game.rules), left=left))
        else:
            print(words("passes", who=self._name(seat)))

    def _tell_landlord(self) -> None:
        game = self.sitting.game
        if game.landlord is None:
            return
        seen = game.observation(self.sitting.person)
        bottom = "?" if seen.bottom is None else seen.bottom
        print(self.words("landlord", who=self._name(game.landlord, role=False), bid=game.bid, bottom=bottom))

    def _show(self) -> None:
        """The table as the person sees it."""
        sitting, words, game = self.sitting, self.words, self.sitting.game
        seen = game.observation(sitting.person)
        players = game.rules.players
        order = [(sitting.person + step) % players for step in range(players)]
        rows = [(self._name(seat), seen.counts[seat], seen.played_by(seat)) for seat in order]
        print_table((words("player"), words("cards_left"), words("played")), rows, right=(1,))
        print(words("stake", bid=seen.bid, factor=seen.factor, unseen=seen.unseen))
        if seen.to_beat is not None and seen.to_beat_by is not None:
            print(words("to_beat", play=words.play(seen.to_beat, game.rules), role=self._name(seen.to_beat_by)))

    def _name(self, seat: int, role: bool = True) -> str:
        """A seat as the person knows it, with its role where there is a landlord."""
        sitting, words, game = self.sitting, self.words, self.sitting.game
        name = words("you") if seat == sitting.person else words("seat", seat=seat)
        if game.landlord is None or not role:
            return name
        place = (seat - game.landlord) % game.rules.players
        return f"{name} ({role_name(place, game.rules.players, words.lang == 'zh')})"

    def _points(self, points: list[int] | tuple[int, ...]) -> str:
        """Points of all seats, the person's first."""
        sitting = self.sitting
        order = [(sitting.person + step) % sitting.rules.players for step in range(sitting.rules.players)]
        return self.words("and").join(
            f"{self.words('you') if seat == sitting.person else self.words('seat', seat=seat)} {points[seat]:+d}"
            for seat in order
        )
