"""The web application: the page, the JSON API, its OpenAPI document and the WebSocket."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from ddz_solver.web.answering import Answering, Refusal, parse_json
from ddz_solver.web.guard import Buckets, Guard, Limits, error_body
from ddz_solver.web.openapi import openapi
from ddz_solver.web.schema import RequestError
from ddz_solver.web.stream import Streams
from ddz_solver.web.workers import Workers

STATIC: Final = Path(__file__).parent / "static"


def make_app(limits: Limits | None = None, *, loopback: bool = True, names: Iterable[str] = ()) -> Starlette:
    """The application. `loopback`: it is reached from this machine alone; `names`: other names it is reached by."""
    limits = limits or Limits()
    for ending, kind in ((".js", "text/javascript"), (".svg", "image/svg+xml"), (".json", "application/json")):
        mimetypes.add_type(kind, ending)  # the system may know others
    buckets = Buckets(limits)
    workers = Workers(limits.waiting)
    answering = Answering(workers, limits)
    api = _Api(answering, limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        workers.close()

    return Starlette(
        routes=[
            Route("/", _page),
            Route("/openapi.json", _document),
            Route("/api/{name}", api.endpoint, methods=["POST"]),
            WebSocketRoute("/api/stream", Streams(answering, buckets, limits).endpoint),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, buckets=buckets, loopback=loopback, names=names)],
        exception_handlers={HTTPException: _http_error},
        lifespan=lifespan,
    )


class _Api:
    """The HTTP side of the questions."""

    def __init__(self, answering: Answering, limits: Limits) -> None:
        self._answering = answering
        self._limits = limits

    async def endpoint(self, request: Request) -> Response:
        try:
            if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                raise Refusal(415, "type", "content-type: expected application/json")
            body = parse_json(await self._body(request))
            answer: dict[str, Any] = {}
            async with aclosing(self._answering.parts(request.path_params["name"], body)) as parts:
                async for part in parts:
                    answer = part
            return _json(answer)
        except Refusal as refusal:
            return _json(error_body(refusal.code, refusal.message), refusal.status)
        except RequestError as error:
            return _json(error_body("request", str(error)), 400)
        except ClientDisconnect:
            return Response(status_code=499)

    async def _body(self, request: Request) -> bytes:
        """The whole body. Refusal: it is too large."""
        data = bytearray()
        async for chunk in request.stream():
            data += chunk
            if len(data) > self._limits.body:
                raise Refusal(413, "size", f"the request: expected at most {self._limits.body} bytes")
        return bytes(data)


async def _page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def _document(_: Request) -> Response:
    return _json(openapi())


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _json(error_body("http", str(error.detail)), error.status_code)


def _json(value: Any, status: int = 200) -> Response:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, media_type="application/json")
