"""Checks JSON values against the part of JSON Schema that the API's requests are described in.

One description serves for the check and for the OpenAPI document. Known keywords: `type` (object, array, string,
integer, number, boolean, any), `properties`, `required`, `items`, `enum`, `minimum`, `maximum`, `maxLength`,
`minItems`, `maxItems`; an object takes no other properties than those named, except where `additionalProperties` says
which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ddz_solver.game.errors import DdzError

Schema: TypeAlias = Mapping[str, Any]

_QUOTED: Final = 40


class RequestError(DdzError):
    """A request that is not of the form that it should have."""


def text(description: str, most: int = 200, **more: Any) -> Schema:
    """A text of limited length."""
    return {"type": "string", "maxLength": most, "description": description, **more}


def whole(description: str, least: int, most: int, **more: Any) -> Schema:
    """A whole number in a range, both ends included."""
    return {"type": "integer", "minimum": least, "maximum": most, "description": description, **more}


def flag(description: str) -> Schema:
    """True or false, false where it is left out."""
    return {"type": "boolean", "description": description, "default": False}


def many(items: Schema, most: int, description: str, **more: Any) -> Schema:
    """A list of limited length."""
    return {"type": "array", "items": items, "maxItems": most, "description": description, **more}


def record(description: str, required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """An object with these properties and no others."""
    found: dict[str, Any] = {"type": "object", "description": description, "properties": properties}
    if required:
        found["required"] = list(required)
    return found | {"additionalProperties": False}


def check(value: Any, schema: Schema, where: str = "the request") -> None:
    """RequestError that names the place and what was expected there, if the value does not fit."""
    kind = schema["type"]
    if not _TYPES[kind](value):
        raise RequestError(f"{where}: expected {_wanted(schema)}, got {_quote(value)}")
    if "enum" in schema and value not in schema["enum"]:
        raise RequestError(f"{where}: expected {' or '.join(map(str, schema['enum']))}, got {_quote(value)}")
    if kind in ("integer", "number"):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            raise RequestError(f"{where}: expected {_wanted(schema)}, got {_quote(value)}")
    elif kind == "string":
        if len(value) > schema.get("maxLength", len(value)):
            raise RequestError(f"{where}: {len(value)} characters, expected at most {schema['maxLength']}")
    elif kind == "array":
        _check_array(value, schema, where)
    elif kind == "object":
        _check_object(value, schema, where)


def _check_array(value: list[Any], schema: Schema, where: str) -> None:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        raise RequestError(f"{where}: {len(value)} items, expected {least} to {most}")
    for index, item in enumerate(value):
        check(item, schema["items"], f"{where}[{index}]")


def _check_object(value: dict[str, Any], schema: Schema, where: str) -> None:
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", False)
    for name in schema.get("required", ()):
        if name not in value:
            raise RequestError(f"{where}: no {name}, expected {_wanted(properties[name])}")
    for name, item in value.items():
        if name in properties:
            check(item, properties[name], name if where == "the request" else f"{where}.{name}")
        elif others:
            check(item, others, f"{where}.{name[:_QUOTED]}")
        else:
            raise RequestError(f"{where}: unknown {name[:_QUOTED]!r}, expected some of {', '.join(properties)}")


def _wanted(schema: Schema) -> str:
    """What a schema asks for, in words."""
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    name = {
        "string": "a text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "array": "a list",
        "object": "an object",
    }[schema["type"]]
    if "minimum" in schema and "maximum" in schema:
        name += f" from {schema['minimum']} to {schema['maximum']}"
    return name


def _quote(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= _QUOTED else f"{shown[:_QUOTED]}..."


_TYPES: Final[Mapping[str, Callable[[Any], bool]]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "any": lambda value: True,
}
