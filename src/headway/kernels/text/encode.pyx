"""Columns of a batch as 64-bit keys: each cell is hashed once, and no text is kept."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t
from libc.string cimport memcmp

from headway.kernels.memory cimport Memory
from headway.kernels.text.scanning cimport is_empty, span

cdef extern from "Python.h":
    bint Py_UNICODE_ISALPHA(Py_UCS4 character) noexcept nogil
    bint Py_UNICODE_ISDIGIT(Py_UCS4 character) noexcept nogil
    bint Py_UNICODE_ISLOWER(Py_UCS4 character) noexcept nogil
    bint Py_UNICODE_ISTITLE(Py_UCS4 character) noexcept nogil
    bint Py_UNICODE_ISUPPER(Py_UCS4 character) noexcept nogil

cdef enum:
    WHOLE, PREFIX, SUFFIX, FEATURE, LOWER, SHAPE, OUTLINE, LONGER_PREFIX, LONGER_SUFFIX

KINDS = {
    "whole": WHOLE, "prefix": PREFIX, "suffix": SUFFIX, "feature": FEATURE, "lower": LOWER, "shape": SHAPE,
    "outline": OUTLINE, "longer-prefix": LONGER_PREFIX, "longer-suffix": LONGER_SUFFIX,
}


cdef inline uint64_t finished(uint64_t key) noexcept nogil:
    """A last mix, so that all bits depend on all bytes."""
    key ^= key >> 32
    key *= <uint64_t> 0x9E3779B97F4A7C15
    return key ^ (key >> 29)


cdef inline uint64_t hashed(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """FNV-1a of bytes, finished."""
    cdef uint64_t key = <uint64_t> 0xcbf29ce484222325
    cdef Py_ssize_t i
    for i in range(size):
        key = (key ^ text[i]) * <uint64_t> 0x100000001b3
    return finished(key)


cdef uint64_t hashed_lower(const unsigned char* text, Py_ssize_t size) except? 0 nogil:
    """The same of the text in lower case, as `str.lower` has it; only what is not ASCII asks Python."""
    cdef uint64_t key = <uint64_t> 0xcbf29ce484222325
    cdef Py_ssize_t i
    for i in range(size):
        if text[i] >= 128:
            with gil:
                small = PyUnicode_DecodeUTF8(<const char*> text, size, NULL).lower().encode()
                return key_of(small)
        key = (key ^ (text[i] + 32 if 65 <= text[i] <= 90 else text[i])) * <uint64_t> 0x100000001b3
    return finished(key)


cdef inline Py_ssize_t decoded(const unsigned char* text, Py_ssize_t size, unsigned int* character) noexcept nogil:
    """The character that valid UTF-8 text begins with; returns its bytes."""
    cdef int length = 1 if text[0] < 0x80 else 2 if text[0] < 0xe0 else 3 if text[0] < 0xf0 else 4
    cdef int i
    character[0] = text[0] if length == 1 else text[0] & (0xff >> (length + 1))
    if length > size:
        return size
    for i in range(1, length):
        character[0] = character[0] << 6 | (text[i] & 0x3f)
    return length


cdef uint64_t shape(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """The key of a word's shape: `X` for upper case, `x` for lower case, `d` for digits, letters without case as `c`,
    all else as it is; of a kind not more than two in a row count."""
    cdef uint64_t key = <uint64_t> 0xcbf29ce484222325
    cdef unsigned int character, kind, last = 0
    cdef int run = 0
    cdef Py_ssize_t at = 0
    while at < size:
        at += decoded(text + at, size - at, &character)
        if Py_UNICODE_ISUPPER(<Py_UCS4> character) or Py_UNICODE_ISTITLE(<Py_UCS4> character):
            kind = 88
        elif Py_UNICODE_ISLOWER(<Py_UCS4> character):
            kind = 120
        elif Py_UNICODE_ISDIGIT(<Py_UCS4> character):
            kind = 100
        elif Py_UNICODE_ISALPHA(<Py_UCS4> character):
            kind = 99
        else:
            kind = character
        run = run + 1 if kind == last else 1
        last = kind
        if run <= 2:
            key = (key ^ kind) * <uint64_t> 0x100000001b3
    return finished(key)


cdef uint64_t outline(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """The key of a word's outline: `X` for upper case, `x` for other letters, `d` for digits, all else as it is; a `+`
    stands for more of a kind in a row."""
    cdef uint64_t key = <uint64_t> 0xcbf29ce484222325
    cdef unsigned int character, kind, last = 0
    cdef int run = 0
    cdef Py_ssize_t at = 0, begin, i
    while at < size:
        begin = at
        at += decoded(text + at, size - at, &character)
        kind = character
        if Py_UNICODE_ISUPPER(<Py_UCS4> character):
            kind = 88
        elif Py_UNICODE_ISALPHA(<Py_UCS4> character):
            kind = 120
        elif Py_UNICODE_ISDIGIT(<Py_UCS4> character):
            kind = 100
        run = run + 1 if kind == last and run else 1
        last = kind
        if run == 1 and kind != character:
            key = (key ^ kind) * <uint64_t> 0x100000001b3
        elif run == 1:
            for i in range(begin, at):
                key = (key ^ text[i]) * <uint64_t> 0x100000001b3
        elif run == 2:
            key = (key ^ 43) * <uint64_t> 0x100000001b3
    return finished(key)


def key_of(const unsigned char[::1] text):
    """The key of a string's bytes."""
    return hashed(&text[0], text.shape[0]) if text.shape[0] else hashed(NULL, 0)


cdef inline Py_ssize_t prefix(const unsigned char* text, Py_ssize_t size, int characters) noexcept nogil:
    """Bytes of the first characters of UTF-8 text."""
    cdef Py_ssize_t i
    for i in range(size):
        if text[i] & 0xc0 != 0x80:
            if characters == 0:
                return i
            characters -= 1
    return size


cdef inline Py_ssize_t suffix(const unsigned char* text, Py_ssize_t size, int characters) noexcept nogil:
    """Where the last characters of UTF-8 text begin."""
    cdef Py_ssize_t i = size
    while i > 0 and characters > 0:
        i -= 1
        if text[i] & 0xc0 != 0x80:
            characters -= 1
    return i


cdef uint64_t feature(
    const unsigned char* text, Py_ssize_t size, const unsigned char* name, Py_ssize_t name_size
) noexcept nogil:
    """The key of the value of one feature of `A=b|C=d`, or of `_` where it is missing."""
    cdef Py_ssize_t i = 0, end
    while i < size:
        end = i
        while end < size and text[end] != 124:
            end += 1
        if end - i > name_size and text[i + name_size] == 61 and memcmp(text + i, name, name_size) == 0:
            return hashed(text + i + name_size + 1, end - i - name_size - 1)
        i = end + 1
    return hashed(<const unsigned char*> b"_", 1)


cdef int take(
    const unsigned char* cell, Py_ssize_t size, const int[:, ::1] how, const unsigned char[::1] names, uint64_t* keys
) except -1 nogil:
    """Fill a row of keys from a cell; see `columns`."""
    cdef Py_ssize_t c, skipped
    cdef int at, kind
    for c in range(how.shape[0]):
        at, kind = how[c, 0], how[c, 1]
        if kind == WHOLE:
            keys[at] = hashed(cell, size)
        elif kind == PREFIX:
            keys[at] = hashed(cell, prefix(cell, size, how[c, 2]))
        elif kind == SUFFIX:
            skipped = suffix(cell, size, how[c, 2])
            keys[at] = hashed(cell + skipped, size - skipped)
        elif kind == LONGER_PREFIX:
            skipped = prefix(cell, size, how[c, 2])
            keys[at] = hashed(cell, skipped) if skipped < size else 0
        elif kind == LONGER_SUFFIX:
            skipped = suffix(cell, size, how[c, 2])
            keys[at] = hashed(cell + skipped, size - skipped) if skipped else 0
        elif kind == LOWER:
            keys[at] = hashed_lower(cell, size)
        elif kind == SHAPE:
            keys[at] = shape(cell, size)
        elif kind == OUTLINE:
            keys[at] = outline(cell, size)
        else:
            keys[at] = feature(cell, size, &names[how[c, 3]], how[c, 4] - how[c, 3])
    return 0


def columns(
    const unsigned char[::1] text, const int[::1] cells, const int[::1] first_cell, const int[::1] lines, int index,
    int fallback, const int[:, ::1] how, const unsigned char[::1] names, uint64_t[:, ::1] keys,
):
    """Fill columns of `keys` with what is taken of each line's cell in one column.

    A row of `how` is a column of keys; a kind: the cell as a whole, in lower case, its shape, its outline, a piece (0
    where the cell must be longer, and is not), or one feature; so many characters of a piece; and where the name of
    the feature begins and ends in `names`.
    """
    cdef Py_ssize_t i, size
    cdef const unsigned char* cell
    with nogil:
        for i in range(lines.shape[0]):
            size = span(&text[0], cells, first_cell, lines[i], index, fallback, &cell)
            take(cell, size, how, names, &keys[i, 0])


def columns_of_strings(strings, const int[:, ::1] how, const unsigned char[::1] names, uint64_t[:, ::1] keys):
    """The same of strings."""
    cdef Py_ssize_t i = 0, size
    cdef const char* text
    for string in strings:
        text = PyUnicode_AsUTF8AndSize(string, &size)
        take(<const unsigned char*> text, size, how, names, &keys[i, 0])
        i += 1


def features(
    const unsigned char[::1] text, const int[::1] cells, const int[::1] first_cell, const int[::1] lines, int index,
    int[::1] start, uint64_t[::1] keys,
):
    """The single features `A=b` of each word's FEATS: those of word i are keys[start[i] : start[i + 1]].

    With an empty `keys` they are only counted. Returns their number.
    """
    cdef Py_ssize_t i, at, end, size
    cdef int count = 0
    cdef const unsigned char* cell
    cdef bint writing = keys.shape[0] > 0
    with nogil:
        for i in range(lines.shape[0]):
            if writing:
                start[i] = count
            size = span(&text[0], cells, first_cell, lines[i], index, -1, &cell)
            at = size if is_empty(cell, 0, <int> size) else 0
            while at < size:
                end = at
                while end < size and cell[end] != 124:
                    end += 1
                if end > at:
                    if writing:
                        keys[count] = hashed(cell + at, end - at)
                    count += 1
                at = end + 1
        start[lines.shape[0]] = count
    return count


def taken(
    const int[::1] start, const uint64_t[::1] keys, const int[::1] which, int[::1] begins, uint64_t[::1] found,
):
    """The keys of lists by number, one list after the other: those of list `which[i]` are found[begins[i] :].

    List k has keys[start[k] : start[k + 1]]. With an empty `found` they are only counted. Returns their number.
    """
    cdef Py_ssize_t i
    cdef int at, count = 0
    cdef bint writing = found.shape[0] > 0
    with nogil:
        for i in range(which.shape[0]):
            begins[i] = count
            for at in range(start[which[i]], start[which[i] + 1]):
                if writing:
                    found[count] = keys[at]
                count += 1
        begins[which.shape[0]] = count
    return count


def number(
    const unsigned char[::1] text, const int[::1] cells, const int[::1] first_cell, const int[::1] lines, int index,
    int fallback, int[::1] numbers, int[::1] first,
):
    """Give equal cells of a column equal numbers: `numbers[i]` for line i, counted in the order of first use.

    `first[k]` becomes the place in `lines` where number k was first met. Returns how many numbers there are. Linear
    time.
    """
    cdef const unsigned char* raw = &text[0] if text.shape[0] else NULL
    cdef const unsigned char* cell
    cdef const unsigned char* other
    cdef Py_ssize_t i, size, other_size
    cdef uint64_t at, mask = 1
    cdef int count = 0
    cdef Memory memory = Memory()
    cdef int* table     # places are numbers from 1, 0 where there is none
    while mask <= <uint64_t> lines.shape[0]:
        mask *= 2
    table = <int*> memory.take(2 * mask, sizeof(int))
    mask = 2 * mask - 1
    with nogil:
        for i in range(lines.shape[0]):
            size = span(raw, cells, first_cell, lines[i], index, fallback, &cell)
            at = hashed(cell, size) & mask
            while table[at]:
                other_size = span(raw, cells, first_cell, lines[first[table[at] - 1]], index, fallback, &other)
                if size == other_size and memcmp(cell, other, size) == 0:
                    break
                at = (at + 1) & mask
            if table[at] == 0:
                first[count] = <int> i
                count += 1
                table[at] = count
            numbers[i] = table[at] - 1
    return count
