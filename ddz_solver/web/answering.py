"""From a question's name and body to the parts of its answer: checked, in a thread, every failure with a message."""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any

from ddz_solver.game.errors import DdzError
from ddz_solver.web.api import QUESTIONS
from ddz_solver.web.guard import Limits
from ddz_solver.web.schema import RequestError, check
from ddz_solver.web.workers import Busy, Workers

_log = logging.getLogger(__name__)


class Refusal(Exception):
    """A question that gets no answer: HTTP status, a code for programs and a message for people."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


class Answering:
    """Answers questions with the threads of one pool."""

    def __init__(self, workers: Workers, limits: Limits) -> None:
        self._workers = workers
        self._limits = limits

    async def parts(self, name: str, body: Any) -> AsyncGenerator[dict[str, Any], None]:
        """The parts of an answer, the last one complete. Refusal: there is none."""
        question = QUESTIONS.get(name)
        if question is None:
            raise Refusal(404, "unknown", f"{name[:40]!r}: expected one of {', '.join(QUESTIONS)}")
        try:
            check(body, question.request)
            async with aclosing(self._workers.parts(partial(_produce, name, body), self._limits.seconds)) as parts:
                async for part in parts:
                    yield part
        except DdzError as error:
            raise Refusal(400, code_of(error), str(error)) from None
        except Busy:
            raise Refusal(503, "busy", "too many questions at once: expected a pause") from None
        except Exception:
            _log.exception("answer to %s", name)
            raise Refusal(500, "internal", f"{name} failed; the server's log tells more") from None


def parse_json(data: str | bytes) -> Any:
    """The value of a JSON text. RequestError: it is none."""
    try:
        return json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"no JSON: {str(error)[:100]}") from None


def _produce(name: str, body: Any, stop: threading.Event) -> Iterator[dict[str, Any]]:
    return QUESTIONS[name].answer(body, stop)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def code_of(error: DdzError) -> str:
    """The code of an error: `illegal_play` for an IllegalPlay and so on."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).lower()
