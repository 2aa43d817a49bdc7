"""Lines of the protocol: a verb and fields, to and from text. The grammar is in PROTOCOL.md, "Lines".

Nothing here knows what a verb means; both sides of the protocol, the record files and the engine specifications of a
match are written in this grammar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ddz_solver.game.errors import DdzError

VERSION: Final = 1

#: Longest line that either side sends, in bytes, the line end included.
MAX_LINE: Final = 65_536
#: Longest `position` line for an engine that asked for lists of legal plays.
MAX_LEGAL_LINE: Final = 1_048_576

#: The fixed error codes.
ERROR_CODES: Final = (
    "syntax",
    "unknown-command",
    "bad-option",
    "bad-value",
    "unsupported-rules",
    "illegal-move",
    "not-my-turn",
    "busy",
    "internal",
)

_VERB: Final = re.compile(r"[a-z][a-z0-9-]*")
_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,32}")
_FIELD: Final = re.compile(
    r"""[ \t]+ (?:
        (?P<comment> \#.* )
      | (?P<key> [^ \t="\#]+ ) (?: = (?: "(?P<quoted> (?: [^"\\] | \\["\\] )* )" | (?P<bare> [^ \t"]* ) ) )? (?![^ \t])
    )""",
    re.VERBOSE,
)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_BARE: Final = re.compile(r'[^ \t"#][^ \t"]*')


class ProtocolError(DdzError):
    """A line that gets an `error` answer: `code` is one of ERROR_CODES, the message says what is wrong."""

    def __init__(self, code: str, text: str) -> None:
        """An error with its fixed code and its text."""
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Line:
    """A verb and its fields in order; a field without `=` has the value ""."""

    verb: str
    fields: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return format_line(self.verb, **self.fields)

    @property
    def id(self) -> str | None:
        """The id that ties an answer to its command; None without one."""
        return self.fields.get("id")


def parse_line(text: str) -> Line | None:
    """The line that a text means; None for a blank line or a comment.

    ProtocolError `syntax`: characters that are not printable ASCII, a bad verb, key or quoted string, a key twice.
    """
    text = text.strip(" \t\r\n")
    if not text or text[0] == "#":
        return None
    for character in text:
        if not (" " <= character <= "~" or character == "\t"):
            raise ProtocolError("syntax", f"character {character!a}: expected printable ASCII")
    verb = re.split(r"[ \t]", text, maxsplit=1)[0]
    if not _VERB.fullmatch(verb):
        raise ProtocolError("syntax", f"{_clip(verb)}: expected a command, a word of small letters")
    return Line(verb, parse_fields(text[len(verb) :]))


def parse_fields(text: str) -> dict[str, str]:
    """The fields of a text: `key=value`, `key="quoted value"` or `key`, separated by blanks. ProtocolError `syntax`."""
    fields: dict[str, str] = {}
    at = 0
    text = " " + text.rstrip(" \t")
    while at < len(text.rstrip(" \t")):
        found = _FIELD.match(text, at)
        if found is None:
            raise ProtocolError("syntax", f'{_clip(text[at:].lstrip())}: expected key=value, key="text" or a word')
        at = found.end()
        if found["comment"] is not None:
            break
        key = found["key"]
        if not _KEY.fullmatch(key):
            raise ProtocolError("syntax", f"{_clip(key)}: expected a name of letters, digits and _ . -")
        if key in fields:
            raise ProtocolError("syntax", f"{_clip(key)} is given twice")
        quoted = found["quoted"]
        fields[key] = _ESCAPE.sub(r"\1", quoted) if quoted is not None else found["bare"] or ""
    if "id" in fields and not _ID.fullmatch(fields["id"]):
        raise ProtocolError("syntax", f"id={_clip(fields['id'])}: expected 1 to 32 letters, digits and _ . -")
    return fields


def format_line(verb: str, /, **fields: object) -> str:
    """Text of a line without its line end. Fields that are None are left out; True writes the bare key."""
    parts = [verb]
    for key, value in fields.items():
        if value is True:
            parts.append(key)
        elif value is not None:
            parts.append(f"{key}={quote(value)}")
    return " ".join(parts)


def quote(value: object) -> str:
    """A value as it stands in a line: bare where that is possible, else in double quotes, other characters as `?`.

    Floats have four decimals.
    """
    text = f"{value:.4f}" if isinstance(value, float) else str(value)
    if _BARE.fullmatch(text) and text.isascii() and text.isprintable():
        return text
    return in_quotes("".join(character if " " <= character <= "~" else "?" for character in text))


def in_quotes(text: str) -> str:
    """A text as a quoted value, none of its characters changed."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def error_line(error: ProtocolError, id: str | None = None) -> str:
    """The `error` line of an error."""
    return format_line("error", id=id, code=error.code, text=_short(str(error)))


def _clip(text: str, most: int = 60) -> str:
    """A text for a message, quoted, cut where it is long."""
    return repr(_short(text, most))


def _short(text: str, most: int = 1000) -> str:
    """A text, its middle left out where it is long."""
    return text if len(text) <= most else f"{text[: most // 2 - 3]} ... {text[-most // 2 + 3 :]}"
