"""Weights of a model that learns on: private copies, rows that change are dense and lie behind all others.

The layout is that of frozen.pxd, so that parsing reads them as any other weights. The upper half of the number before
an own row is one more than how many weights the feature had when it was copied: rare features have few.
"""

from libc.stdint cimport uint32_t, uint64_t

from headway.kernels.weights.frozen cimport Model


cdef class OwnWeights:
    cdef readonly int classes
    cdef object slot_array
    cdef object row_array
    cdef uint64_t[::1] slots
    cdef uint32_t[::1] rows
    cdef Py_ssize_t used        # 32-bit numbers of rows that are taken
    cdef Py_ssize_t begin       # where own rows begin
    cdef Py_ssize_t features    # slots that are taken

    cdef Model model(self) noexcept
    cdef int size_of(self, uint64_t key) noexcept
    cdef float* row_of(self, uint64_t key) except NULL
