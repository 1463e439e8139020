"""Memory for kernels: blocks that are freed together, when the object that they were taken from is."""


cdef class Memory:
    cdef void** blocks
    cdef int count

    cdef void* take(self, size_t count, size_t size) except NULL
