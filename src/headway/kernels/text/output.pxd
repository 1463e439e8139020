"""Bytes that are written piece by piece, before anybody knows how many there will be."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

cdef enum:
    ROOM = 1 << 16


cdef struct Output:         # begins as `empty_output` and ends in `written`
    char* text
    size_t size
    size_t room
    bint failed             # whether memory was short


cdef inline Output empty_output() noexcept nogil:
    return Output(NULL, 0, 0, False)


cdef inline void lengthen(Output* out, size_t more) noexcept nogil:
    cdef size_t room = 2 * (out.size + more) + ROOM
    cdef char* text = <char*> realloc(out.text, room)
    out.failed = text == NULL
    if not out.failed:
        out.text, out.room = text, room


cdef inline void put(Output* out, const void* piece, size_t size) noexcept nogil:
    if out.size + size > out.room and not out.failed:
        lengthen(out, size)
    if not out.failed and size:
        memcpy(out.text + out.size, piece, size)
        out.size += size


cdef inline void put_number(Output* out, long long number) noexcept nogil:
    cdef char[20] digits
    cdef int at = 20
    while True:
        at -= 1
        digits[at] = <char> (48 + number % 10)
        number //= 10
        if number == 0:
            break
    put(out, digits + at, 20 - at)


cdef inline bytes written(Output* out):
    """What was put there, which is freed."""
    try:
        if out.failed:
            raise MemoryError
        return PyBytes_FromStringAndSize(out.text, out.size)
    finally:
        free(out.text)
