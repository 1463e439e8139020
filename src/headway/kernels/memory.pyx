"""See memory.pxd."""

from libc.stdlib cimport calloc, free, realloc


cdef class Memory:
    """Blocks that are freed together, when this object is: who reserves memory takes it from here and frees nothing."""

    def __dealloc__(self):
        cdef int i
        for i in range(self.count):
            free(self.blocks[i])
        free(self.blocks)

    cdef void* take(self, size_t count, size_t size) except NULL:
        """A block of zeros for `count` things of one size; MemoryError where memory is short."""
        cdef void** blocks = <void**> realloc(self.blocks, (self.count + 1) * sizeof(void*))
        if blocks == NULL:
            raise MemoryError
        self.blocks = blocks
        self.blocks[self.count] = calloc(count if count else 1, size)
        if self.blocks[self.count] == NULL:
            raise MemoryError
        self.count += 1
        return self.blocks[self.count - 1]
