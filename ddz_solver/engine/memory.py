"""Memory of processes that run for hours."""

from __future__ import annotations

import ctypes
import platform
from typing import Final

_MMAP_THRESHOLD: Final = -3
"""The parameter's number in glibc's malloc.h."""
_BIG: Final = 128 * 1024
"""glibc's own first threshold."""


def return_big_buffers() -> bool:
    """Big buffers go back to the system as soon as they are freed, so the process stays small; whether that was set.

    glibc raises its threshold for this whenever a bigger buffer is freed; then the buffers of searches share the
    heaps of threads with small things that live on, and over hours of searches in ever new threads the holes add up to
    tens of MB. Allocators of other systems are left as they are.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    return bool(ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _BIG))
