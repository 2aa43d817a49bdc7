"""Rules as data: every switch of the game, the presets, and their text.

A `Rules` value is frozen and validated. Its text is a preset name and the switches that differ from it, such as
`classic` or `rlcard,payoff=points,spring=each`; `Rules.parse` reads that back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from ddz_solver.core.moves import CompiledRules, Kind
from ddz_solver.game.cards import Hand
from ddz_solver.game.errors import RulesError, SeatError

Auction: TypeAlias = Literal["rounds", "once", "none"]
AllPass: TypeAlias = Literal["redeal", "end", "forced"]
FirstBidder: TypeAlias = Literal["face_up", "seat0"]
Payoff: TypeAlias = Literal["points", "win"]
Spring: TypeAlias = Literal["no", "once", "each"]

MAX_BID: Final = 3

#: The kinds that can be switched on and off; joker bombs have a switch of their own.
SWITCHABLE_KINDS: Final = tuple(kind for kind in Kind if kind not in (Kind.PASS, Kind.JOKER_BOMB))
_QUAD_RUNS: Final = frozenset({Kind.QUAD_RUN, Kind.QUAD_RUN_SOLOS, Kind.QUAD_RUN_PAIRS})
_USUAL_KINDS: Final = frozenset(SWITCHABLE_KINDS) - _QUAD_RUNS
_SINGLE_KICKERS: Final = frozenset({Kind.TRIO_SOLO, Kind.PLANE_SOLOS, Kind.QUAD_SOLOS, Kind.QUAD_PAIRS})
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "auction": get_args(Auction),
    "all_pass": get_args(AllPass),
    "first_bidder": get_args(FirstBidder),
    "payoff": get_args(Payoff),
    "spring": get_args(Spring),
}
_DEALS: Final = {(3, 1): (17, 3), (4, 2): (25, 8)}  # (players, decks): cards each, bottom cards


def _check(right: bool, name: str, value: object, expected: str) -> None:
    if not right:
        raise RulesError(f"rules switch {name}={_write(value)}: expected {expected}")


def _all_in(values: tuple[int, ...], least: int, most: int) -> bool:
    return all(least <= value <= most for value in values)


def _hint(word: str, known: Mapping[str, object]) -> str:
    """The known word that was probably meant, in brackets."""
    import difflib  # only where something is wrong: it takes a while to load

    near = difflib.get_close_matches(word, known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _read_bool(name: str, value: str) -> bool:
    words = {"yes": True, "no": False, "on": True, "off": False, "true": True, "false": False, "1": True, "0": False}
    if value.lower() not in words:
        raise RulesError(f"rules switch {name}={value}: expected yes or no")
    return words[value.lower()]


def _read(name: str, value: str) -> Any:
    """A switch's value from text, of the type that the switch has."""
    example = _DEFAULTS[name]
    if isinstance(example, bool):
        return _read_bool(name, value)
    if isinstance(example, str):
        return value
    try:
        numbers = tuple(int(part) for part in value.split("/"))
    except ValueError:
        raise RulesError(f"rules switch {name}={value}: expected {_write(example)} or other numbers") from None
    if isinstance(example, tuple):
        return numbers
    if len(numbers) != 1:
        raise RulesError(f"rules switch {name}={value}: expected one number")
    return numbers[0]


def _write(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return "/".join(map(str, value))
    return str(value)


def _kind_name(kind: Kind) -> str:
    return kind.name.lower()


_KINDS_BY_NAME: Final = {_kind_name(kind): kind for kind in SWITCHABLE_KINDS}


@dataclass(frozen=True)
class Rules:
    """One set of rules. The defaults are `classic`: three players, one deck, no equal extras.

    The product of all doublings by bombs counts up to 2**24. Two-player rules, and other pairs of players and decks
    than 3 with 1 and 4 with 2, are for given hands: they have no deal. RulesError: a switch out of its range, or
    switches that make no game.
    """

    players: int = 3
    decks: int = 1
    kinds: frozenset[Kind] = _USUAL_KINDS
    equal_kickers: bool = False
    trio_kickers: bool = False
    quad_kickers: bool = False
    adjacent_kickers: bool = False
    joker_kickers: bool = False
    quad_pair_kickers: bool = False
    auction: Auction = "rounds"
    all_pass: AllPass = "redeal"
    first_bidder: FirstBidder = "face_up"
    payoff: Payoff = "points"
    spring: Spring = "no"
    bomb_factors: tuple[int, ...] = (2, 2, 2, 2, 2)
    rocket_factor: int = 2
    joker_bombs: tuple[int, int] = (0, 0)
    joker_factors: tuple[int, int] = (1, 1)
    bottom_shown: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", frozenset(self.kinds))
        for name in ("bomb_factors", "joker_bombs", "joker_factors"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _check(2 <= self.players <= 4, "players", self.players, "2, 3 or 4")
        _check(1 <= self.decks <= 2, "decks", self.decks, "1 or 2")
        unknown = self.kinds - set(SWITCHABLE_KINDS)
        _check(not unknown, "kinds", sorted(unknown), f"some of {', '.join(map(_kind_name, SWITCHABLE_KINDS))}")
        _check(Kind.SOLO in self.kinds, "solo", "no", "yes: without solos a leader may have no play")
        for name, words in _WORDS.items():
            _check(getattr(self, name) in words, name, getattr(self, name), " or ".join(words))
        factors = self.bomb_factors
        _check(len(factors) == 5 and _all_in(factors, 1, 9), "bomb_factors", factors, "five numbers, 1 to 9")
        _check(1 <= self.rocket_factor <= 9, "rocket_factor", self.rocket_factor, "1 to 9")
        ranks = self.joker_bombs
        _check(
            len(ranks) == 2 and all(n == 0 or 4 <= n <= 8 for n in ranks), "joker_bombs", ranks, "0 or 4 to 8, twice"
        )
        _check(self.decks == 2 or ranks == (0, 0), "joker_bombs", ranks, "0/0 with one deck, where both are the rocket")
        factors = self.joker_factors
        _check(len(factors) == 2 and _all_in(factors, 1, 9), "joker_factors", factors, "two numbers, 1 to 9")

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Rules from a preset name and switches, such as `classic,equal_kickers=yes,quad_solos=no`.

        Every field is a switch, and so is every kind of play by its name. RulesError names what is unknown.
        """
        name, *switches = (part.strip() for part in text.split(","))
        if name not in PRESETS:
            raise RulesError(f"unknown rules {name!r}{_hint(name, PRESETS)}: expected one of {', '.join(PRESETS)}")
        base = PRESETS[name]
        changes: dict[str, Any] = {}
        for switch in switches:
            key, equals, value = (part.strip() for part in switch.partition("="))
            if not equals or key not in SWITCHES:
                names = ", ".join(SWITCHES)
                raise RulesError(
                    f"unknown switch {switch!r}{_hint(key, SWITCHES)}: expected name=value, name one of {names}"
                )
            if key in _KINDS_BY_NAME:
                kinds = changes.get("kinds", base.kinds)
                kind = _KINDS_BY_NAME[key]
                changes["kinds"] = kinds | {kind} if _read_bool(key, value) else kinds - {kind}
            else:
                changes[key] = _read(key, value)
        return replace(base, **changes) if changes else base

    @classmethod
    def of(cls, rules: RulesLike) -> Rules:
        """Rules from rules or from their text."""
        return rules if isinstance(rules, Rules) else cls.parse(rules)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat. RulesError where these rules have no deal."""
        return self._deal_sizes()[0]

    @property
    def bottom_size(self) -> int:
        """Bottom cards. RulesError where these rules have no deal."""
        return self._deal_sizes()[1]

    @cached_property
    def pack(self) -> Hand:
        """All cards of the game."""
        return Hand.pack(self.decks)

    @cached_property
    def compiled(self) -> CompiledRules:
        """The same rules in the form that the compiled core reads."""
        jokers = {number: rank for number, rank in zip((2, 3), self.joker_bombs, strict=True) if rank}
        kinds = self.kinds | {Kind.JOKER_BOMB} if jokers else self.kinds
        copies = {1: True, 2: self.equal_kickers, 3: self.trio_kickers, 4: self.quad_kickers}
        return CompiledRules(
            kinds=sum(1 << kind for kind in kinds),
            players=self.players,
            decks=self.decks,
            kicker_copies=sum(1 << number for number, allowed in copies.items() if allowed),
            kicker_beside=self.adjacent_kickers,
            kicker_jokers=self.joker_kickers,
            kicker_quad=self.quad_pair_kickers,
            bomb_factor=(1, 1, 1, 1, *self.bomb_factors),
            rocket_factor=self.rocket_factor,
            joker_power=[16 * (jokers[number] - 4) + 15 if number in jokers else 0 for number in range(4)],
            joker_factor=(1, 1, *self.joker_factors),
            spring=get_args(Spring).index(self.spring),
        )

    def check_seat(self, name: str, seat: int) -> int:
        """The same number. SeatError if it is no seat; `name` is what the message calls it."""
        if not 0 <= seat < self.players:
            raise SeatError(f"{name}={seat}: expected a seat, 0 to {self.players - 1}")
        return seat

    def switches(self) -> dict[str, str]:
        """Every switch and its value as text, each kind of play among them."""
        kinds = {_kind_name(kind): _write(kind in self.kinds) for kind in SWITCHABLE_KINDS}
        return {name: kinds[name] if name in kinds else _write(getattr(self, name)) for name in SWITCHES}

    @cached_property
    def _text(self) -> str:
        mine = self.switches()
        texts: list[list[str]] = []
        for name, preset in PRESETS.items():
            theirs = preset.switches()
            texts.append([name] + [f"{key}={value}" for key, value in mine.items() if value != theirs[key]])
        shortest = min(texts, key=len)
        return ",".join(shortest)

    def __str__(self) -> str:
        """The preset with the fewest differences, and the differences."""
        return self._text

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules.parse, (str(self),)

    def _deal_sizes(self) -> tuple[int, int]:
        if (self.players, self.decks) not in _DEALS:
            raise RulesError(
                f"{self.players} players with {self.decks} deck(s) have no deal: expected given hands, or rules for "
                "three players with one deck or four with two"
            )
        return _DEALS[self.players, self.decks]


RulesLike: TypeAlias = Rules | str

_DEFAULTS: Final = {item.name: item.default for item in fields(Rules)}

#: Every switch that `Rules.parse` knows, and what it means.
SWITCHES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "players": "seats, 2 to 4",
        "decks": "packs of 54 cards, 1 or 2",
        "equal_kickers": "two equal solos may be extras: 33344455",
        "trio_kickers": "three equal solos may be extras: 333444555777",
        "quad_kickers": "four equal solos may be extras: 3334445556669999",
        "adjacent_kickers": "three or four equal extras may have the rank next to the run",
        "joker_kickers": "both jokers may be extras of one play: 333344XD",
        "quad_pair_kickers": "four of a kind may be two extra pairs: 33335555",
        "auction": "rounds: whoever passed may bid again; once: one call a seat; none: no auction",
        "all_pass": "nobody bids: redeal, end (nobody scores), or forced (first bidder, at 1)",
        "first_bidder": "who calls first: face_up (whoever is dealt that card) or seat0",
        "payoff": "points: zero-sum, bid times doublings; win: 1 for each winner, 0 for each loser",
        "spring": "doubling for spring and anti-spring: no, once a hand, or each of the two",
        "bomb_factors": "what a bomb of 4/5/6/7/8 cards multiplies points by",
        "rocket_factor": "what the rocket multiplies points by",
        "joker_bombs": "2/3 jokers are a bomb just above bombs of that many cards; 0: none",
        "joker_factors": "what a bomb of 2/3 jokers multiplies points by",
        "bottom_shown": "everybody sees the bottom cards after the auction",
    }
    | {name: f"plays of the kind {name.replace('_', ' ')} exist" for name in _KINDS_BY_NAME}
)

_CLASSIC = Rules()
_RLCARD = replace(_CLASSIC, equal_kickers=True, trio_kickers=True, auction="none", payoff="win")
_DOUZERO = replace(_RLCARD, quad_kickers=True, adjacent_kickers=True, joker_kickers=True, payoff="points")

#: The rule sets of the programs and sites that users come from, by name.
PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "classic": _CLASSIC,
        "classic4": replace(
            _CLASSIC, players=4, decks=2, kinds=_USUAL_KINDS - _SINGLE_KICKERS, bomb_factors=(1, 1, 2, 2, 2)
        ),
        "rlcard": _RLCARD,
        "douzero": _DOUZERO,
        "openspiel": replace(
            _CLASSIC,
            kinds=_USUAL_KINDS - {Kind.QUAD_SOLOS, Kind.QUAD_PAIRS},
            equal_kickers=True,
            trio_kickers=True,
            adjacent_kickers=True,
            all_pass="end",
            spring="once",
        ),
        "botzone": replace(
            _CLASSIC,
            kinds=_USUAL_KINDS | _QUAD_RUNS,
            joker_kickers=True,
            auction="once",
            all_pass="forced",
            first_bidder="seat0",
            spring="each",
        ),
        "tencent": replace(_DOUZERO, quad_pair_kickers=True, auction="once", spring="each"),
    }
)
