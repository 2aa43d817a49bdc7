"""What takes part in a match, as text: a built-in level, a program, an address, or an adapter, with options and limits.

- `greedy`
- `level=greedy name=plain`
- `cmd="python3 bot.py --fast" name=bot time=500 option.seed=3`
- `tcp=127.0.0.1:7000 name=remote`
- `python=my_package.agents:make option.depth=2`
- `botzone="./bot" option.keep_running=yes`, `rlcard=doudizhu-rule-v1`, `openspiel=mcts`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from ddz_solver.engine.limits import LIMIT_NAMES, Limits
from ddz_solver.engine.lines import ProtocolError, in_quotes, parse_fields, quote
from ddz_solver.game.errors import DdzError

#: Where an engine comes from: the key of its specification, and what its value is.
KINDS: Final = {
    "level": "a built-in level",
    "cmd": "a program that speaks the protocol",
    "tcp": "HOST:PORT where an engine listens that speaks the protocol",
    "python": "MODULE:FUNCTION that makes an agent of a seed and the options",
    "botzone": "a Botzone bot program",
    "rlcard": "an agent of RLCard",
    "openspiel": "a bot of OpenSpiel",
}


class SpecError(DdzError):
    """A specification of an engine that cannot be understood."""


@dataclass(frozen=True)
class EngineSpec:
    """One participant of a match."""

    name: str
    kind: str
    value: str
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def parse(cls, text: str) -> EngineSpec:
        """The participant that a text describes; a bare word is a built-in level. SpecError says what is wrong."""
        try:
            fields = parse_fields(text)
            limits = Limits.parse(fields)
        except ProtocolError as error:
            raise SpecError(f"engine {text!r}: {error}") from None
        bare = [key for key, value in fields.items() if not value]
        if bare:
            del fields[bare[0]]
            fields["level"] = bare[0]
        kinds = [kind for kind in KINDS if kind in fields]
        if len(kinds) != 1 or len(bare) > 1 or set(bare) & set(KINDS):
            raise SpecError(f"engine {text!r}: expected one of {', '.join(f'{kind}=...' for kind in KINDS)}")
        kind = kinds[0]
        options = {key[7:]: value for key, value in fields.items() if key.startswith("option.")}
        unknown = set(fields) - {kind, "name", *LIMIT_NAMES} - {f"option.{name}" for name in options}
        if unknown:
            raise SpecError(
                f"engine {text!r}: unknown {', '.join(sorted(unknown))}: expected name, {', '.join(LIMIT_NAMES)} or "
                "option.NAME"
            )
        name = fields.get("name") or fields[kind]
        if set(name) & set('"#') or not name.isprintable():
            raise SpecError(
                f"engine {text!r}: name {name!r}: expected characters that can be printed, no quotes and no #; give "
                "another with name=..."
            )
        return cls(name, kind, fields[kind], MappingProxyType(options), limits)

    def renamed(self, name: str) -> EngineSpec:
        """The same participant under another name."""
        return replace(self, name=name)

    def __str__(self) -> str:
        fields: dict[str, object] = {self.kind: self.value, "name": self.name, **self.limits.fields()}
        fields |= {f"option.{name}": value for name, value in self.options.items()}
        return " ".join(f"{key}={_lossless(str(value))}" for key, value in fields.items())

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.name, self.kind, self.value, dict(self.options), self.limits)


def _lossless(text: str) -> str:
    """A value as it stands in a specification, also with characters that no line of the protocol may have."""
    return quote(text) if text.isascii() and text.isprintable() else in_quotes(text)


def _restored(name: str, kind: str, value: str, options: dict[str, str], limits: Limits) -> EngineSpec:
    """A pickled specification."""
    return EngineSpec(name, kind, value, MappingProxyType(options), limits)
