"""Waiting until a pipe or a socket can be read or written, whatever the number of its descriptor."""

from __future__ import annotations

import selectors
import socket
from typing import Final

READ: Final = selectors.EVENT_READ
WRITE: Final = selectors.EVENT_WRITE


def wait_ready(file: int | socket.socket, event: int, seconds: float | None = None) -> bool:
    """Whether `file` can be read (or written) within so many seconds; without a limit it waits as long as it takes.

    Unlike `select.select` it takes descriptors above 1023. ValueError, OSError: the file is closed.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(file, event)
        return bool(selector.select(seconds))
