"""Runs the web application on this machine."""

from __future__ import annotations

import ipaddress
import socket
import webbrowser
from collections.abc import Iterable
from typing import Final

import uvicorn

from ddz_solver.game.errors import DdzError
from ddz_solver.web.app import make_app
from ddz_solver.web.guard import Limits

#: Requests that may be open at once.
_CONCURRENCY: Final = 256


class ServeError(DdzError):
    """An address or a port that cannot be listened on."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(host: str, port: int, *, names: Iterable[str] = (), browse: bool = False) -> None:
    """Serves until it is interrupted. ServeError: the address cannot be had."""
    limits = Limits()
    listener = _listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/"
    app = make_app(limits, loopback=is_loopback(host), names=[*names, host])
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=_CONCURRENCY,
        ws_max_size=limits.body,
        timeout_graceful_shutdown=1,
    )
    print(f"ddz_solver is at {address} (Ctrl-C ends it)", flush=True)
    if browse:
        webbrowser.open(address)
    with listener:
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(128)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise ServeError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return listener
