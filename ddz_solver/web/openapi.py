"""The OpenAPI document of the JSON API, made from the same schemas that requests are checked against."""

from __future__ import annotations

from typing import Any

from ddz_solver import __version__
from ddz_solver.web.api import QUESTIONS, Question

_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        }
    },
}
_ERRORS = {
    "400": "The request is of the wrong form, or its cards, plays or rules cannot be.",
    "403": "The request comes from another site, or names another host.",
    "413": "The request is too large.",
    "415": "The request is not application/json.",
    "429": "Too many requests.",
    "503": "The server thinks about too many other requests.",
}


def openapi() -> dict[str, Any]:
    """The document as JSON values."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ddz_solver",
            "version": __version__,
            "description": "Dou Dizhu (斗地主): hints, bids, moves, legal plays, exact endings, whole games. "
            "Requests are stateless: each says everything that its answer depends on. Cards are 3456789TJQKA2, "
            "X (black joker) and D (red joker); `pass` is a play. The same questions are answered over the "
            'WebSocket /api/stream, asked as {"id": 1, "ask": "hint", "body": {...}}, '
            "with parts that get better until the last one.",
        },
        "paths": {f"/api/{name}": {"post": _operation(question)} for name, question in QUESTIONS.items()},
    }


def _operation(question: Question) -> dict[str, Any]:
    answers = {
        status: {"description": meaning, "content": {"application/json": {"schema": _ERROR}}}
        for status, meaning in _ERRORS.items()
    }
    return {
        "operationId": question.name,
        "summary": question.summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": question.request}}},
        "responses": {
            "200": {
                "description": (question.answer.__doc__ or "").strip(),
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            **answers,
        },
    }
