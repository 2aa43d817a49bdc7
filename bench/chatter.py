"""Random conversations with `ddz engine`: every question has its one final answer in time, and no answer is wrong.

    with Chatter(random.Random(1)) as chatter:
        chatter.exchange()

Anything else raises Misbehaviour with what was said last.
"""

from __future__ import annotations

import random
import string
import sys
import time
from collections import Counter, deque
from collections.abc import Callable

from ddz_solver.ai.agents import LEVELS
from ddz_solver.engine.client import FINAL_VERBS
from ddz_solver.engine.inbox import ProgramFault
from ddz_solver.engine.lines import ERROR_CODES, Line, ProtocolError, parse_line
from ddz_solver.engine.positions import position_line
from ddz_solver.engine.process import Process
from ddz_solver.game.game import Game
from ddz_solver.game.observation import Phase
from ddz_solver.game.rules import PRESETS

#: Longest wait for an answer, in seconds; far above every limit that is given, for machines that are busy.
PATIENCE = 60.0


class Misbehaviour(Exception):
    """What the engine said or failed to say, and the lines before it."""


class Chatter:
    """Talks with one engine process about random positions; the same generator says the same things."""

    def __init__(self, rng: random.Random) -> None:
        """Start an engine and shake hands."""
        self.rng = rng
        self.said: Counter[str] = Counter()
        """Commands by verb; `noise` for lines without a meaning."""
        self._log: deque[str] = deque(maxlen=12)
        self._asked = 0
        self._engine = Process([sys.executable, "-m", "ddz_solver", "engine"])
        self._ask("ddz version=1", "ddzok")

    def __enter__(self) -> Chatter:
        return self

    def __exit__(self, *exc: object) -> None:
        self._engine.kill()

    @property
    def pid(self) -> int:
        """The process id of the engine."""
        return self._engine.pid

    def exchange(self) -> None:
        """Say something about a new random position."""
        game = random_game(self.rng)
        topics: tuple[tuple[Callable[[Game], None], int], ...] = (
            (self._decide, 10),
            (self._analyse, 4),
            (self._interrupt, 1),
            (self._small_talk, 3),
            (self._noise, 6),
        )
        self.rng.choices([topic for topic, _ in topics], [weight for _, weight in topics])[0](game)

    def quit(self) -> None:
        """End the conversation; the engine process must be gone at once."""
        self._ask("quit", "bye")
        if not self._engine.wait(5):
            raise self._wrong("the engine goes on after quit")

    # --- topics -----------------------------------------------------------------------------------------------------

    def _decide(self, game: Game) -> None:
        """A decision, which has to be legal."""
        self._ask(position_line(game.observation()), "ok")
        limit = self.rng.choice(["time=1", "time=30", "time=100", "worlds=4", "nodes=50"])
        answer = self._ask(f"go {limit}", "bestmove")
        self._check_decision(game, answer)
        if self.rng.random() < 0.2:
            zeros = ",".join("0" * game.rules.players)
            self._ask(f"result scores={zeros} termination=normal", "ok")

    def _analyse(self, game: Game) -> None:
        """What is known about a position, the cards hidden or open."""
        if game.phase is Phase.PLAY and self.rng.random() < 0.7:
            hands = "/".join(str(hand) for hand in game.hands)
            self._ask(f"position rules={game.rules} hands={hands} turn={game.turn} landlord={game.landlord}", "ok")
            question = self.rng.choice(["solve time=100", "solve objective=score nodes=20000", "perft depth=2"])
        else:
            self._ask(position_line(game.observation()), "ok")
            question = "bids worlds=3" if game.phase is Phase.AUCTION else "hint n=2 time=50"
        self._ask(self.rng.choice([question, "moves", "display"]), "ok", "error")

    def _interrupt(self, game: Game) -> None:
        """A search without an end: ping is answered meanwhile, everything else is refused, and stop ends it."""
        self._ask(position_line(game.observation()), "ok")
        search = self._say("go infinite")
        self._ask("ping", "pong")
        if self._ask("moves", "error").fields["code"] != "busy":
            raise self._wrong("expected code=busy")
        time.sleep(self.rng.random() / 20)
        stop = self._say("stop")
        answers = self._finals({search, stop})
        if answers[search].verb != "bestmove" or answers[stop].verb != "ok":
            raise self._wrong("expected bestmove and ok")
        self._check_decision(game, answers[search])

    def _small_talk(self, game: Game) -> None:
        """Commands around the play."""
        level = self.rng.choice(LEVELS)
        self._ask(f"setoption level={level} seed={self.rng.randrange(100)} threads={self.rng.choice('112')}", "ok")
        self._ask(self.rng.choice(["isready", "ping", "stop", "ddz"]), "readyok", "pong", "ok", "ddzok")
        self._ask(f"newgame rules={game.rules} seat={self.rng.randrange(game.rules.players)}", "ok")

    def _noise(self, game: Game) -> None:
        """A line that is wrong or strange; afterwards the engine is as ready as before."""
        right = [position_line(game.observation()), "go time=20", "hint n=1 time=20", "moves", "newgame rules=classic"]
        text = scrambled(self.rng, self.rng.choice(right))
        if text.split(" ")[0] in ("quit", "perft"):
            return
        self.said["noise"] += 1
        self._send(text)
        self._ask("stop", "ok")
        deadline = time.monotonic() + PATIENCE
        while self._ask("newgame rules=douzero", "ok", "error").verb == "error":  # busy with what the noise has asked
            if time.monotonic() > deadline:
                raise self._wrong("busy long after stop")
            time.sleep(0.02)

    # --- questions and answers --------------------------------------------------------------------------------------

    def _check_decision(self, game: Game, answer: Line) -> None:
        """Misbehaviour where a `bestmove` is not a legal decision."""
        if game.phase is Phase.AUCTION:
            legal = answer.fields.get("call", "") in map(str, game.legal_calls)
        else:
            legal = game.can_push(answer.fields.get("play", ""))
        if not legal:
            raise self._wrong(f"an illegal decision: {answer}")

    def _ask(self, text: str, *expected: str) -> Line:
        """Say a line; its final answer. Misbehaviour where the verb is not as expected."""
        ident = self._say(text)
        answer = self._finals({ident})[ident]
        if answer.verb not in expected:
            raise self._wrong(f"expected {' or '.join(expected)}")
        return answer

    def _say(self, text: str) -> str:
        """Say a line with a new id, which it gives."""
        self._asked += 1
        ident = f"q{self._asked}"
        verb, *fields = text.split(" ")
        self.said[verb] += 1
        self._send(" ".join([verb, f"id={ident}", *fields]))
        return ident

    def _send(self, text: str) -> None:
        self._log.append(f"> {text}")
        try:
            self._engine.send(text + "\n", time.monotonic() + PATIENCE)
        except ProgramFault as fault:
            raise self._wrong(str(fault)) from None

    def _finals(self, idents: set[str]) -> dict[str, Line]:
        """The final answers to these questions; answers to noise, which have other ids, are passed over."""
        found: dict[str, Line] = {}
        deadline = time.monotonic() + PATIENCE
        while idents - found.keys():
            try:
                text = self._engine.receive(deadline)
                self._log.append(f"< {text}")
                line = parse_line(text)
            except (ProgramFault, ProtocolError) as error:
                raise self._wrong(str(error)) from None
            if line is None or line.verb not in FINAL_VERBS:
                continue
            if line.verb == "error" and line.fields.get("code") not in ERROR_CODES[:-1]:
                raise self._wrong("an internal error")
            if line.id in idents:
                if line.id in found:
                    raise self._wrong(f"two answers to {line.id}")
                found[line.id] = line
        return found

    def _wrong(self, what: str) -> Misbehaviour:
        return Misbehaviour("\n".join([what, *self._log]))


def random_game(rng: random.Random) -> Game:
    """A game that goes on, anywhere between the first call and the last play; often near the end."""
    rules = rng.choice(list(PRESETS.values()))
    while True:
        game = Game(rules, seed=rng.getrandbits(48))
        stages = [game.copy()]
        while not game.over:
            if game.legal_calls:
                game.call(rng.choice(game.legal_calls))
            else:
                game.push(rng.choice(game.legal_plays))
            stages.append(game.copy())
        del stages[-1]
        if rng.random() < 0.5:
            return rng.choice(stages)
        return rng.choice(stages[-12:])


def scrambled(rng: random.Random, text: str) -> str:
    """A line of printable characters and worse that is somewhat like a right one; never empty, never a comment."""
    kind = rng.randrange(4)
    if kind == 0:
        text = "".join(rng.choices(string.printable[:-6], k=rng.randrange(1, 60)))
    elif kind == 1:
        words = text.split(" ")
        rng.shuffle(words)
        text = " ".join(words[: rng.randrange(1, len(words) + 1)])
    elif kind == 2:
        text *= rng.choice((2, 10, 400))
    else:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(string.printable[:95] + "\0\x1b\x7f") + text[at + rng.randrange(3) :]
    return text
