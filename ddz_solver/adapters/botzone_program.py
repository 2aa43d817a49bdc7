"""Any Botzone bot program as an agent of this project.

The agent plays the judge: it tells the program's seat what Botzone would tell it and reads the answer. What the program
does wrong is an `EngineFault`, as with every other program in a match.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ddz_solver.adapters.botzone import GAMES, KEEP_RUNNING, hand_of, pick
from ddz_solver.adapters.views import View, same_plays
from ddz_solver.core.moves import Play
from ddz_solver.engine.faults import EngineFault, Termination
from ddz_solver.engine.inbox import ProgramFault
from ddz_solver.engine.process import Process
from ddz_solver.game.cards import RANKS, Hand
from ddz_solver.game.combos import parse_play
from ddz_solver.game.errors import DdzError, RulesError, TurnError
from ddz_solver.game.observation import Observation


@dataclass(frozen=True)
class Conversation:
    """All that a judge and a bot have said in a hand up to an open request, and the bot's own cards now."""

    requests: tuple[Mapping[str, Any], ...]
    responses: tuple[int | list[int], ...]
    cards: tuple[int, ...]


def conversation(observation: Observation, game: str, played: Sequence[Sequence[int]] = ()) -> Conversation:
    """What Botzone would have said to a seat and heard from it, up to the decision that is due.

    Suits are made up, always in the same way: each card that comes to light gets the lowest number of its rank that is
    free. `played` are the seat's own plays by the numbers it chose, as far as they are known. TurnError: the game has
    no auction.
    """
    view, seat, landlord = View.of(observation), observation.seat, observation.landlord
    fresh = _Numbers()
    own = fresh.take(view.dealt)
    requests: list[Mapping[str, Any]] = []
    responses: list[int | list[int]] = []
    for index, (caller, call) in enumerate(observation.calls):
        if caller == seat:
            requests.append({"own": own, "bid": list(view.calls[:index])})
            responses.append(call)
    if landlord is None:
        if game != "FightTheLandlord2":
            raise TurnError(f"{game} has no auction: expected rules with auction=none")
        requests.append({"own": own, "bid": list(view.calls)})
        return Conversation(tuple(requests), tuple(responses), tuple(own))
    bottom = fresh.take(view.bottom or Hand())
    held = {landlord: sorted(bottom)}
    held[seat] = sorted([*own, *held.get(seat, [])])
    told: dict[str, Any] = {"own": own, "publiccard": bottom}
    if game == "FightTheLandlord2":
        told |= {"landlord": landlord, "pos": seat, "finalbid": observation.bid}
    elif seat == landlord:
        told["own"] = [*bottom, *own]
    history: list[list[int]] = [[], []]
    own_plays = iter(played)
    for player, play in observation.history:
        cards = pick(held.get(player, ()), Hand(play.cards))
        if player == seat:
            chosen = next(own_plays, cards)
            if {*chosen} <= {*held[seat]} and hand_of(chosen) == Hand(play.cards):
                cards = list(chosen)
            requests.append({"history": history[-2:]} | told)
            responses.append(cards)
            told = {}
        held[player] = [card for card in held.get(player, ()) if card not in cards]
        history.append(sorted([*cards, *fresh.take(Hand(play.cards) - hand_of(cards))]))
    requests.append({"history": history[-2:]} | told)
    return Conversation(tuple(requests), tuple(responses), tuple(held[seat]))


class _Numbers:
    """Gives cards their Botzone numbers, each number once."""

    def __init__(self) -> None:
        self._used = [0] * len(RANKS)

    def take(self, cards: Hand) -> list[int]:
        """Numbers for these cards, ascending."""
        numbers: list[int] = []
        for rank, count in enumerate(cards.counts):
            first = 4 * rank + self._used[rank] if rank < len(RANKS) - 1 else 4 * rank - 3
            numbers += range(first, first + count)
            self._used[rank] += count
        return numbers


class BotzoneAgent:
    """A Botzone bot program as an agent.

    As on Botzone, the program is started for each decision, or, with `keep_running`, goes on running to the end of the
    hand once it has asked for that; what it gives as `globaldata` it gets back in later hands too.
    """

    #: A match need not make it anew for each hand.
    seeded: Final = False

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        game: str = "FightTheLandlord2",
        keep_running: bool = False,
        seconds: float = 10.0,
    ) -> None:
        """`command` starts the program, `seconds` are for each decision. RulesError: no such game of Botzone."""
        if game not in GAMES:
            raise RulesError(f"unknown game {game!r} of Botzone: expected {' or '.join(GAMES)}")
        self._command, self._game, self._keep, self._seconds = command, game, keep_running, seconds
        self._process: Process | None = None
        self._heard: Conversation | None = None  # what a running program knows
        self._played: list[list[int]] = []
        self._memory: dict[str, Any] = {}  # `data` and `globaldata` that the program wants back

    def bid(self, observation: Observation) -> int:
        """The program's call. EngineFault: what it did wrong. RulesError: not the rules of this game."""
        response = self._ask(self._conversation(observation))
        text = str(response)
        if not (text.isascii() and text.isdecimal() and len(text) == 1):
            raise EngineFault(Termination.PROTOCOL, f"bid {json.dumps(response)[:60]}: expected 0 to 3")
        return int(text)

    def play(self, observation: Observation) -> Play:
        """The program's play. EngineFault: what it did wrong. RulesError: not the rules of this game."""
        talk = self._conversation(observation)
        response = self._ask(talk)
        if not isinstance(response, list) or not all(type(card) is int for card in response):
            raise EngineFault(Termination.PROTOCOL, f"play {json.dumps(response)[:60]}: expected a list of cards")
        if not {*response} <= {*talk.cards} or len({*response}) != len(response):
            raise EngineFault(Termination.ILLEGAL, f"play {response}: expected cards out of {list(talk.cards)}")
        self._played.append(response)
        try:
            return parse_play(str(hand_of(response)) or "pass", observation.rules, observation.to_beat)
        except DdzError as error:
            raise EngineFault(Termination.ILLEGAL, str(error)) from None

    def close(self) -> None:
        """End the program, if it runs."""
        if self._process is not None:
            self._process.kill()
        self._process = self._heard = None

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()

    def _conversation(self, observation: Observation) -> Conversation:
        if not same_plays(observation.rules, GAMES[self._game]):
            expected = GAMES[self._game]
            raise RulesError(f"Botzone's {self._game} does not play by {observation.rules}: expected {expected}")
        turns = sum(seat == observation.seat for seat, _ in observation.history)
        del self._played[turns:]
        talk = conversation(observation, self._game, self._played)
        if len(talk.requests) == 1:
            self._memory.pop("data", None)
        return talk

    def _ask(self, talk: Conversation) -> Any:
        """What the program answers to the open request."""
        if self._heard is not None and self._heard.requests != talk.requests[:-1]:
            self.close()
        deadline = time.monotonic() + self._seconds
        try:
            if self._process is None:
                self._process = Process(self._command)
                whole = {"requests": talk.requests, "responses": talk.responses}
                self._process.send(json.dumps(whole | self._memory) + "\n", deadline)
                if not self._keep:
                    self._process.close_input()
            else:
                self._process.send(json.dumps(talk.requests[-1]) + "\n", deadline)
            answer = self._listen(self._process, deadline)
        except ProgramFault as fault:
            self.close()
            raise EngineFault.of(fault) from None
        except (OSError, ValueError) as error:
            raise EngineFault(Termination.CRASH, f"cannot start {self._command!r}: {error}") from None
        if self._process is not None:
            self._heard = talk
        return self._unwrap(answer)

    def _listen(self, process: Process, deadline: float) -> str:
        """The program's whole answer, up to its wish to be kept running or its end."""
        lines: list[str] = []
        while True:
            try:
                line = process.receive(deadline)
            except ProgramFault as fault:
                lines.append(process.unfinished)
                if fault.reason not in ("exit", "closed") or not any(map(str.strip, lines)):
                    raise
                self.close()
                return "\n".join(lines)
            if line.strip() == KEEP_RUNNING:
                if not self._keep:
                    self.close()
                return "\n".join(lines)
            lines.append(line)

    def _unwrap(self, answer: str) -> Any:
        """The response in an answer, which may stand bare; keeps what the program wants to be told again."""
        try:
            value = json.loads(answer)
        except (ValueError, RecursionError):
            raise EngineFault(Termination.PROTOCOL, f"{answer.strip()[:80]!r} is no JSON") from None
        if not isinstance(value, dict):
            return value
        self._memory |= {key: value[key] for key in ("data", "globaldata") if value.get(key) is not None}
        return value.get("response")
