"""See packer.pxd."""

from libc.math cimport fabs, rint, sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memmove, memset

import numpy as np

from headway.kernels.weights.packed cimport (
    ALSO_WIDE, DENSE, GOES_ON, LINE, LONG, MOST, WIDE, Model, Row, bucket_of, find_in_buckets, next_bucket,
)

from headway.kernels.weights.packed import PackedWeights

cdef enum:
    HEAD = 8        # bytes of a row in the making: the upper half of its key, its size
    SHORT = 20      # bytes of the longest row that stands in a bucket
    MANY = 3        # a row is dense where it has more than a third of the classes, which is faster
    LARGEST = 127   # number of a byte

FULL = 0.75
"""How much of the buckets is taken, if that is possible."""
FAR = 0.5
"""How far features may stand from their own bucket on average."""


cdef class Packer:
    """Takes rows one after the other, and packs them when all are known."""

    def __cinit__(self, int classes, double largest, bint exact):
        """`largest` is that of all weights, without signs; `exact` ones stay floats."""
        self.classes = classes
        self.scale = 0 if exact else <float> max(largest / (LARGEST * LARGEST), 1e-30)
        self.mark, self.weight = (4, 4) if exact else (2, 1)

    def __dealloc__(self):
        free(self.data)

    cdef int write(self, unsigned char* to, float number) noexcept nogil:
        """Write a weight; whether it is not zero."""
        cdef int root
        cdef uint32_t bits
        if self.scale == 0:
            memcpy(&bits, &number, 4)
            write_number(to, bits)
            return number != 0
        root = <int> rint(sqrt(fabs(number) / self.scale))
        root = root if root < LARGEST else LARGEST
        to[0] = <unsigned char> <signed char> (-root if number < 0 else root)
        return root != 0

    cdef int add(self, uint64_t key, uint16_t* which, float* numbers_of, int count) except -1:
        """Take the row of a feature: ascending classes, and their weights; both change."""
        cdef size_t most = HEAD + max(count * <size_t> (2 + self.weight), <size_t> self.classes * self.weight)
        cdef unsigned char* head
        cdef unsigned char* numbers
        cdef int i, gap, before = -1, widest = 0, kept = 0
        cdef uint32_t upper = <uint32_t> (key >> 32)
        cdef uint16_t form
        if self.used + most > self.room:
            self.room = 2 * (self.room + most)
            head = <unsigned char*> realloc(self.data, self.room)
            if head == NULL:
                raise MemoryError
            self.data = head
        head = self.data + self.used
        numbers = head + HEAD
        for i in range(count):      # first all weights, to see which are left
            if self.write(numbers, numbers_of[i]):
                numbers += self.weight
                which[kept], numbers_of[kept] = which[i], numbers_of[i]
                widest, before = max(widest, which[i] - before - 1), which[i]
                kept += 1
        if not kept:
            return 0
        self.weights += kept
        if MANY * kept > self.classes and self.size_of(kept) > SHORT:
            form = DENSE
            memset(head + HEAD, 0, <size_t> self.classes * self.weight)
            for i in range(kept):
                self.write(head + HEAD + which[i] * self.weight, numbers_of[i])
        else:
            form, before = kept | (ALSO_WIDE if widest > 0xff else 0), -1
            numbers = head + HEAD + kept * (2 if widest > 0xff else 1)
            for i in range(kept):
                gap = which[i] - before - 1
                if widest > 0xff:
                    head[HEAD + 2 * i], head[HEAD + 2 * i + 1] = gap & 0xff, gap >> 8
                else:
                    head[HEAD + i] = gap
                self.write(numbers + i * self.weight, numbers_of[i])
                before = which[i]
        memcpy(head, &upper, 4)
        memcpy(head + 4, &form, 2)
        self.used += HEAD + self.size_of(form)
        return 0

    cdef size_t size_of(self, uint16_t form) noexcept nogil:
        """Bytes of a row that is dense, or has so many weights."""
        if form == DENSE:
            return <size_t> self.classes * self.weight
        return (form & ~ALSO_WIDE) * <size_t> (1 + self.weight + (1 if form & ALSO_WIDE else 0))

    cdef size_t stored(self, size_t at, const unsigned char** row, uint16_t* form) noexcept nogil:
        """A row in the making; returns its bytes."""
        memcpy(form, self.data + at + 4, 2)
        row[0] = self.data + at + HEAD
        return self.size_of(form[0])

    def packed(self):
        """The weights of all rows."""
        cdef size_t at = 0, size, in_lines = 0, in_rows = 0
        cdef uint16_t form
        cdef const unsigned char* row
        cdef double full = FULL
        while at < self.used:
            size = self.stored(at, &row, &form)
            in_lines += self.mark + 1 + (size if is_short(form, size) else 4)
            in_rows += 0 if is_short(form, size) else 2 + size
            at += HEAD + size
        if in_rows >> 32:
            raise OverflowError("the model has more than 4 GiB of long rows")
        found = None
        while found is None:
            found = self.filled(prime_from(1 + <size_t> (in_lines / (full * (LINE - 1)))), in_rows)
            full *= 0.9
        return PackedWeights({**found, "scale": np.array([self.scale], np.float32)}, self.classes)

    cdef object filled(self, size_t buckets, size_t in_rows):
        """The rows in so many buckets; None where too many features stand far from their own."""
        cdef unsigned char[::1] lines = aligned(LINE * buckets)
        cdef unsigned char[::1] long_rows = np.zeros(in_rows, np.uint8)
        cdef unsigned char[::1] taken = np.ones(buckets, np.uint8)
        cdef unsigned char[4] place
        cdef const unsigned char* row
        cdef size_t at = 0, size, end = 0
        cdef uint32_t upper
        cdef uint16_t form
        cdef Model model
        cdef Row found
        cdef long long features = 0, behind = 0, most = max(buckets // 8, 8)
        model.mark, model.weight, model.buckets, model.lines = self.mark, self.weight, buckets, &lines[0]
        model.extent, model.long_rows = in_rows, &long_rows[0] if in_rows else NULL
        while at < self.used and behind <= FAR * features + most:
            memcpy(&upper, self.data + at, 4)
            size = self.stored(at, &row, &form)
            # Two features that agree in the bits that count are taken for one: that of the first.
            if find_in_buckets(&model, <uint64_t> upper << 32, &found):
                pass
            elif is_short(form, size):
                behind += insert(&model, &taken[0], upper, row, size, size | (WIDE if form & ALSO_WIDE else 0))
            else:
                write_number(place, <uint32_t> end)
                behind += insert(&model, &taken[0], upper, place, 4, LONG)
                long_rows[end], long_rows[end + 1] = form & 0xff, form >> 8
                memcpy(&long_rows[end + 2], row, size)
                end += 2 + size
            features += 1
            at += HEAD + size
        return None if behind > FAR * features + most else {"lines": lines.base, "long_rows": long_rows.base[:end]}


cdef size_t prime_from(size_t number) noexcept:
    """The first prime number that is not smaller."""
    cdef size_t divisor
    while True:
        number = max(number, 2)
        divisor = 2
        while divisor * divisor <= number and number % divisor:
            divisor += 1
        if divisor * divisor > number:
            return number
        number += 1


cdef inline bint is_short(uint16_t form, size_t size) noexcept nogil:
    """Whether a row stands in a bucket."""
    return form != DENSE and size <= SHORT


cdef inline void write_number(unsigned char* to, uint32_t number) noexcept nogil:
    """Write a number as `number_at` reads it."""
    to[0], to[1], to[2], to[3] = number & 0xff, number >> 8 & 0xff, number >> 16 & 0xff, number >> 24


cdef object aligned(size_t size):
    """Zeros that begin where a line of the cache does."""
    found = np.zeros(size + LINE, np.uint8)
    first = -found.ctypes.data % LINE
    return found[first : first + size]


cdef long long insert(
    Model* model, unsigned char* taken, uint32_t upper, const unsigned char* row, int bytes, int size
) noexcept nogil:
    """Put a feature into its bucket, or into the next on its way that has room; how far, a lot where none has."""
    cdef uint64_t at = bucket_of(<uint64_t> upper << 32, model.buckets)
    cdef unsigned char* line = <unsigned char*> model.lines + LINE * at
    cdef unsigned char[4] mark
    cdef long long behind = 0
    cdef int n, sizes
    while taken[at] + model.mark + 1 + bytes > LINE or line[0] & 0x7f == MOST:
        line[0] |= GOES_ON
        behind += 1
        if behind > <long long> model.buckets:
            return 1 << 40
        at = next_bucket(at, upper, model.buckets)
        line = <unsigned char*> model.lines + LINE * at
    n = line[0] & 0x7f
    sizes = 1 + n * model.mark
    memmove(line + sizes + n + model.mark + 1, line + sizes + n, taken[at] - sizes - n)
    memmove(line + sizes + model.mark, line + sizes, n)
    write_number(mark, upper)
    memcpy(line + sizes, mark, model.mark)
    line[sizes + model.mark + n] = size
    memcpy(line + taken[at] + model.mark + 1, row, bytes)
    taken[at] += model.mark + 1 + bytes
    line[0] += 1
    return behind
