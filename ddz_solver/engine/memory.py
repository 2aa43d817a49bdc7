"""Memory of processes that run for hours."""

from __future__ import annotations

import ctypes
import platform
from typing import Final

_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
"""Numbers of parameters in glibc's malloc.h."""
_BIG: Final = 128 * 1024
"""glibc's own first threshold."""


def keep_small() -> bool:
    """Lets a process that runs for hours give back what it no longer needs; whether that could be set.

    glibc gives each thread a heap of its own, and raises its threshold for buffers with pages of their own whenever one
    is freed; from then on the buffers of searches share the heaps of threads with small things that live on, and over
    hours of searches in ever new threads the holes add up to tens of MB. So there shall be one heap, and big buffers go
    back to the system when they are freed. Allocators of other systems are left as they are.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(_MMAP_THRESHOLD, _BIG)) and bool(mallopt(_ARENA_MAX, 1))
