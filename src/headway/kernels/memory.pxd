"""Memory for kernels: blocks that are freed together with the object that they came from, and blocks that grow."""

from libc.stdlib cimport free, malloc


cdef class Memory:
    cdef void** blocks
    cdef int count

    cdef void* take(self, size_t count, size_t size) except NULL


cdef struct Kept:       # one block that grows; all zeros before its first use
    void* block
    size_t size


cdef inline void* at_least(Kept* kept, size_t size) noexcept nogil:
    """So many bytes, whatever they hold; NULL where memory is short. Whoever has them frees `kept.block` at the end."""
    if kept.block == NULL or size > kept.size:
        free(kept.block)
        kept.block, kept.size = malloc(size), size
    return kept.block
