"""Random numbers for Python: the generator of `rng.pxd`, one seed, the same on every platform."""

cdef class SplitMix64:
    """SplitMix64 (Steele, Lea, Flood 2014) with the seed as its first state.

    >>> rng = SplitMix64(7)
    >>> [rng.below(6) for _ in range(5)]
    [2, 0, 5, 3, 2]
    """

    cdef rng_t rng

    def __init__(self, seed):
        """Starts at `seed`, an integer taken modulo 2**64."""
        self.rng.state = seed & <uint64_t>0xFFFFFFFFFFFFFFFF

    def __reduce__(self):
        return SplitMix64, (self.rng.state,)

    def next_u64(self) -> int:
        """64 random bits."""
        return next_u64(&self.rng)

    def below(self, n) -> int:
        """A uniform number in 0..n-1. Raises ValueError unless n is 1..2**32-1."""
        if not 1 <= n <= 0xFFFFFFFF:
            raise ValueError(f"{n} as the number of outcomes, expected 1..2**32-1")
        return below(&self.rng, n)

    def shuffle(self, list items not None) -> None:
        """Brings a list into random order in place: Fisher-Yates from the last item down."""
        cdef Py_ssize_t last, other
        for last in range(len(items) - 1, 0, -1):
            other = below(&self.rng, <uint32_t>(last + 1))
            items[last], items[other] = items[other], items[last]
