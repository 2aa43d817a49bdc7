"""Transposition table: the owner of its memory."""

class Table:
    """Owns the memory of a transposition table: as many buckets, a power of two, as fit in `size` bytes (>= 64)."""

    def __init__(self, size: int) -> None: ...
    def clear(self) -> None:
        """Forgets everything."""
    @property
    def size(self) -> int:
        """Bytes of all entries."""
