"""One person at a table of engines: the hands, the account, and how they are saved and resumed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ddz_solver.ai.agents import Agent, make_agent
from ddz_solver.cli.common import read_text
from ddz_solver.core.moves import Play
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DdzError, NotationError, TurnError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_game, parse_game, parse_tags
from ddz_solver.game.observation import Phase
from ddz_solver.game.rules import Rules


@dataclass
class Sitting:
    """Any number of hands of one person against engines, with a running account."""

    rules: Rules
    person: int
    levels: tuple[str, ...]
    """The engines' levels in playing order after the person."""
    seed: int
    number: int = 0
    """How many hands were dealt before the current one."""
    account: list[int] = field(default_factory=list)
    """Points of every seat before the current hand."""
    game: Game = field(init=False)
    _agents: dict[int, Agent] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.account = self.account or [0] * self.rules.players
        seats = [(self.person + step) % self.rules.players for step in range(1, self.rules.players)]
        self._agents = {
            seat: make_agent(level, seed=self.seed + seat) for seat, level in zip(seats, self.levels, strict=True)
        }
        self.deal()

    def deal(self) -> None:
        """Deal the hand of the current number, from a seed that follows from it."""
        seed = (self.seed + self.number) % (1 << 64)
        self.game = Game(self.rules, Deal.random(self.rules, seed))

    @property
    def standing(self) -> list[int]:
        """Points of every seat, those of the current hand included where it is over."""
        if not self.game.over:
            return list(self.account)
        return [total + points for total, points in zip(self.account, self.game.payoffs, strict=True)]

    def next_hand(self) -> None:
        """Book the hand that is over and deal the next one."""
        self.account = self.standing
        self.number += 1
        self.deal()

    def act(self) -> tuple[int, Play | int]:
        """Let the engine whose turn it is call or play; who did what."""
        seat = self.game.turn
        if seat is None or seat == self.person:
            raise TurnError("no engine is to act: expected an engine's turn")
        observation = self.game.observation()
        if observation.phase is Phase.AUCTION:
            bid = self._agents[seat].bid(observation)
            self.game.call(bid)
            return seat, bid
        play = self._agents[seat].play(observation)
        self.game.push(play)
        return seat, play

    def undo(self) -> None:
        """Go back to the person's last decision. TurnError where there is none in this hand."""
        seats = [seat for seat, _ in (*self.game.calls, *self.game.history)]
        if self.person not in seats:
            raise TurnError("nothing to take back: expected a decision of yours in this hand")
        for seat in reversed(seats):
            self.game.pop()
            if seat == self.person:
                return

    def save(self, path: Path) -> None:
        """Write the sitting to a file. OSError."""
        tags = {
            "Person": str(self.person),
            "Levels": ",".join(self.levels),
            "Seed": str(self.seed),
            "Number": str(self.number),
            "Account": " ".join(map(str, self.account)),
        }
        path.write_text(format_game(self.game, tags), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Sitting:
        """The sitting that `save` wrote. DdzError: the file cannot be read; NotationError for anything else."""
        text = read_text(path)
        tags, game = parse_tags(text), parse_game(text)
        players = game.rules.players
        try:
            person, seed, number = (int(tags[name]) for name in ("Person", "Seed", "Number"))
            account = [int(points) for points in tags["Account"].split()]
            levels = tuple(tags["Levels"].split(","))
            if not (0 <= person < players and seed >= 0 and number >= 0):
                raise ValueError(f"Person {person}, Seed {seed}, Number {number}")
            if len(account) != players or len(levels) != players - 1:
                raise ValueError(f"{len(account)} accounts and {len(levels)} levels for {players} players")
            sitting = cls(game.rules, person, levels, seed, number, account)
        except (KeyError, ValueError) as error:
            if isinstance(error, DdzError):
                raise
            raise NotationError(
                f"{path} is no saved sitting ({error}): expected a file that `ddz play` saved"
            ) from None
        sitting.game = game
        return sitting
