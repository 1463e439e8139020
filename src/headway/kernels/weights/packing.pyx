"""Learned weights, and those of older files, in the layout of packed.pxd."""

from libc.math cimport fabs, rint, sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memmove, memset

import numpy as np

from headway.kernels.weights.hardware cimport prefetch
from headway.kernels.weights.packed cimport (
    ALSO_WIDE, DENSE, GOES_ON, LINE, LONG, MOST, WIDE, Model, Row, bucket_of, find_in_buckets, next_bucket,
)
from headway.kernels.weights.table cimport WeightRow, WeightTable, Weights, classes_of

from headway.kernels.weights.packed import PackedWeights

cdef enum:
    AHEAD = 16      # rows lie anywhere in memory; this many are fetched while others are read
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

    cdef int classes
    cdef int mark               # bytes of a mark
    cdef int weight             # bytes of a weight
    cdef float scale
    cdef unsigned char* data    # rows in the making
    cdef size_t used
    cdef size_t room
    cdef readonly long long weights

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


cdef int taken_of(
    const WeightTable* table, int f, double steps, double smallest, uint16_t* which, float* numbers
) noexcept nogil:
    """Write the classes and final weights of feature f that are not too small, and return how many there are."""
    cdef int i, found = 0
    cdef double weight
    cdef const uint16_t* classes
    cdef const WeightRow* row = table.rows + f
    if f + AHEAD < table.count:
        prefetch(row[AHEAD].data)
    if row.room == 0:
        return 0
    classes = classes_of(row) if row.room < table.classes else NULL
    for i in range(row.size):
        weight = row.data[i]
        if table.sum_plane:
            weight -= row.data[table.sum_plane * row.room + i] / steps
        if (weight > smallest or weight < -smallest) and <float> weight != 0:
            which[found] = i if classes == NULL else classes[i]
            numbers[found] = <float> weight
            found += 1
    return found


cdef void sort(uint16_t* which, float* numbers, int count) noexcept nogil:
    """By class; most rows have two or three, and long ones are sorted already."""
    cdef int i, j
    cdef uint16_t c
    cdef float number
    for i in range(1, count):
        c, number = which[i], numbers[i]
        j = i - 1
        while j >= 0 and which[j] > c:
            which[j + 1], numbers[j + 1] = which[j], numbers[j]
            j -= 1
        which[j + 1], numbers[j + 1] = c, number


def packed(Weights weights, double steps, double prune=0.0, *, bint exact=False):
    """The learned weights in the layout of packed.pxd, and how many they are.

    With averaging the weights are w − sum / steps. Weights not larger than `prune` times the root mean square of
    all are left out. `exact` ones stay floats. Features keep their order, so that the frequent ones, met early, lie
    close together where their rows are long.
    """
    cdef WeightTable* table = &weights.table
    cdef int i, f, count
    cdef long long numbered = 0
    cdef double total = 0, largest = 0, smallest
    cdef uint16_t[::1] class_buffer = np.empty(table.classes, np.uint16)
    cdef float[::1] number_buffer = np.empty(table.classes, np.float32)
    cdef uint16_t* which = &class_buffer[0]
    cdef float* numbers = &number_buffer[0]
    for f in range(table.count):
        count = taken_of(table, f, steps, 0, which, numbers)
        numbered += count
        for i in range(count):
            total += numbers[i] * numbers[i]
            largest = max(largest, fabs(numbers[i]))
    smallest = prune * sqrt(total / numbered) if numbered else 0
    cdef Packer packer = Packer(table.classes, largest, exact)
    for f in range(table.count):
        count = taken_of(table, f, steps, smallest, which, numbers)
        sort(which, numbers, count)
        packer.add(table.key[f], which, numbers, count)
    return packer.packed(), packer.weights


def from_slots(const uint64_t[::1] slots not None, const uint32_t[::1] rows not None, int classes):
    """Weights of files of format 1 and 2, as they are; ValueError where they are none.

    The upper half of a slot is that of a key, the lower half where its row begins in `rows`, 0 where the slot is free:
    a number of weights n and their classes, of 16 bits, then n floats; where n is 0xffff, a float for every class. At
    the end of the slots are rows[0] pairs of a whole key and where its row begins.
    """
    cdef uint64_t pairs = rows[0], size = slots.shape[0], i, slot, place, extent = rows.shape[0]
    cdef uint16_t[::1] which = np.empty(max(classes, 1 << 16), np.uint16)
    cdef const uint16_t* given
    cdef float[::1] numbers = np.empty(which.shape[0], np.float32)
    cdef uint64_t offset
    cdef int n, j
    cdef Packer packer = Packer(classes, 0, True)
    if 2 * pairs >= size:
        raise ValueError("the second table of the weights is larger than both")
    size -= 2 * pairs
    for i in range(size + pairs):
        slot = slots[i] if i < size else slots[size + 2 * (i - size) + 1]
        place = <uint32_t> slot
        if not slot:
            continue
        if not 0 < place < extent:
            raise ValueError("a feature leads to no row of weights")
        given = <const uint16_t*> &rows[place]
        n = given[0]
        if place + (1 + <uint64_t> classes if n == DENSE else 1 + n // 2 + n) > extent:
            raise ValueError("a row of weights is cut off")
        if n == DENSE:
            n = classes
            for j in range(n):
                which[j] = j
            offset = place + 1
        else:
            for j in range(n):
                which[j] = given[1 + j]
                if which[j] >= classes or j and which[j] <= which[j - 1]:
                    raise ValueError("a row of weights has classes that are not there, or not in order")
            offset = place + 1 + n // 2
        memcpy(&numbers[0], &rows[offset], n * sizeof(float))
        packer.add(slot if i < size else slots[size + 2 * (i - size)], &which[0], &numbers[0], n)
    return packer.packed()
