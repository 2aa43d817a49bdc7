"""Random numbers owned by the caller: SplitMix64 (Steele, Lea, Flood 2014), the same on every platform.

`ddz_solver.game.deal` documents how deals come from it, so they can be reproduced elsewhere.
"""

from libc.stdint cimport uint32_t, uint64_t

ctypedef struct rng_t:
    uint64_t state


cdef inline uint64_t next_u64(rng_t* rng) noexcept nogil:
    """64 random bits."""
    cdef uint64_t z
    rng.state += <uint64_t>0x9E3779B97F4A7C15
    z = rng.state
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint32_t below(rng_t* rng, uint32_t n) noexcept nogil:
    """A uniform number in 0..n-1, n >= 1 (multiply-shift with rejection, Lemire 2019)."""
    cdef uint64_t product = (next_u64(rng) >> 32) * n
    cdef uint32_t threshold
    if <uint32_t>product < n:
        threshold = (0 - n) % n
        while <uint32_t>product < threshold:
            product = (next_u64(rng) >> 32) * n
    return <uint32_t>(product >> 32)


cdef inline double uniform(rng_t* rng) noexcept nogil:
    """A uniform number in [0, 1)."""
    return (next_u64(rng) >> 11) * (1.0 / 9007199254740992.0)
