"""Whole numbers of any type, such as those of NumPy, as ints."""

from __future__ import annotations

import operator
from typing import SupportsIndex


def whole(value: object) -> int | None:
    """The same number as an int; None for what is no whole number: fractions, and True and False."""
    return operator.index(value) if isinstance(value, SupportsIndex) and not isinstance(value, bool) else None
