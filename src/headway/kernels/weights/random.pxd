"""Random numbers for kernels: each training has a state of its own, and the same seed gives the same numbers."""

from libc.stdint cimport uint64_t


cdef inline double random(uint64_t* seed) noexcept nogil:
    """A number from 0 to 1. SplitMix64, Steele, Lea and Flood (2014)."""
    cdef uint64_t z
    seed[0] += <uint64_t> 0x9E3779B97F4A7C15
    z = seed[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    z = z ^ (z >> 31)
    return (z >> 11) * (1.0 / 9007199254740992.0)
