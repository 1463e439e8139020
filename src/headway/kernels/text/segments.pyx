"""Segmented text as CoNLL-U: tokens, multiword tokens, spaces and ranges in MISC, comments."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

cdef enum:
    ROOM = 1 << 16


cdef struct Output:
    char* text
    size_t size
    size_t room
    bint failed


cdef void reserve(Output* out, size_t more) noexcept nogil:
    cdef size_t room
    cdef char* text
    if out.size + more <= out.room or out.failed:
        return
    room = 2 * (out.size + more) + ROOM
    text = <char*> realloc(out.text, room)
    if text == NULL:
        out.failed = True
        return
    out.text, out.room = text, room


cdef void put(Output* out, const char* text, size_t size) noexcept nogil:
    reserve(out, size)
    if not out.failed and size:
        memcpy(out.text + out.size, text, size)
        out.size += size


cdef void put_number(Output* out, long long number) noexcept nogil:
    cdef char digits[20]
    cdef int at = 20
    while True:
        at -= 1
        digits[at] = <char> (48 + number % 10)
        number //= 10
        if number == 0:
            break
    put(out, digits + at, 20 - at)


cdef void put_code(Output* out, uint32_t code) noexcept nogil:
    """A character in UTF-8."""
    cdef unsigned char text[4]
    if code < 0x80:
        text[0] = code
        put(out, <const char*> text, 1)
    elif code < 0x800:
        text[0], text[1] = 0xc0 | code >> 6, 0x80 | (code & 0x3f)
        put(out, <const char*> text, 2)
    elif code < 0x10000:
        text[0], text[1], text[2] = 0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f), 0x80 | (code & 0x3f)
        put(out, <const char*> text, 3)
    else:
        text[0], text[1] = 0xf0 | code >> 18, 0x80 | (code >> 12 & 0x3f)
        text[2], text[3] = 0x80 | (code >> 6 & 0x3f), 0x80 | (code & 0x3f)
        put(out, <const char*> text, 4)


cdef inline bint breaks_lines(uint32_t code) noexcept nogil:
    """Characters that no cell can hold: tab, line feed, carriage return, NUL."""
    return code == 9 or code == 10 or code == 13 or code == 0


cdef void put_cell(Output* out, const uint32_t* codes, int begin, int end) noexcept nogil:
    cdef int i
    for i in range(begin, end):
        put_code(out, 32 if breaks_lines(codes[i]) else codes[i])


cdef void put_escaped(Output* out, const uint32_t* codes, int begin, int end) noexcept nogil:
    """Spaces as MISC has them."""
    cdef int i
    cdef char letter
    for i in range(begin, end):
        if codes[i] == 32:
            letter = 115
        elif codes[i] == 9:
            letter = 116
        elif codes[i] == 10:
            letter = 110
        elif codes[i] == 13:
            letter = 114
        elif codes[i] == 124:
            letter = 112
        elif codes[i] == 92:
            letter = 92
        elif codes[i] == 0:
            letter = 48
        else:
            put_code(out, codes[i])
            continue
        put(out, b"\\", 1)
        put(out, &letter, 1)


cdef void name(Output* out, bint* any, const char* text, size_t size) noexcept nogil:
    """The name of a further entry of MISC."""
    if any[0]:
        put(out, b"|", 1)
    any[0] = True
    put(out, text, size)


cdef void put_misc(
    Output* out, const uint32_t* codes, int before, int begin, int end, int after, long long base
) noexcept nogil:
    """MISC of a token, with spaces from `before` to `after`; its range where `base` is not negative."""
    cdef bint any = False, odd = False
    cdef int i
    if before < begin:
        name(out, &any, b"SpacesBefore=", 13)
        put_escaped(out, codes, before, begin)
    if after == end:
        name(out, &any, b"SpaceAfter=No", 13)
    elif after > end + 1 or codes[end] != 32:
        name(out, &any, b"SpacesAfter=", 12)
        put_escaped(out, codes, end, after)
    for i in range(begin, end):
        odd = odd or breaks_lines(codes[i])
    if odd:
        name(out, &any, b"SpacesInToken=", 14)
        put_escaped(out, codes, begin, end)
    if base >= 0:
        name(out, &any, b"TokenRange=", 11)
        put_number(out, base + begin)
        put(out, b":", 1)
        put_number(out, base + end)
    if not any:
        put(out, b"_", 1)


def conllu(
    const uint32_t[::1] codes not None, const int[::1] begins not None, const int[::1] ends not None,
    const uint8_t[::1] last not None, const uint8_t[::1] new not None, const int[::1] parts not None,
    const unsigned char[::1] words not None, const int[::1] word_start not None, int first_number, long long base,
):
    """Tokens `begins[t]` to `ends[t]` of a text as sentences in CoNLL-U.

    `last[t]` says whether a sentence ends with a token, `new[t]` which comments go before the sentence that begins with
    it: 1 for newpar, 2 for newdoc, 3 for both. Token t has the words `parts[t]` to `parts[t + 1]`, if there are any;
    word w is `words[word_start[w] : word_start[w + 1]]`. `base` is the place of the first character in the whole text,
    or -1 where ranges are not asked for. Sentences are numbered from `first_number` on.
    """
    cdef Output out
    cdef int t = 0, first, i, w, word, after, tokens = <int> begins.shape[0], number = first_number
    cdef const uint32_t* raw = &codes[0] if codes.shape[0] else NULL
    out.text, out.size, out.room, out.failed = NULL, 0, 0, False
    with nogil:
        while t < tokens:
            first = t
            while t < tokens - 1 and not last[t]:
                t += 1
            t += 1
            if new[first] & 2:
                put(&out, b"# newdoc\n", 9)
            if new[first] & 1:
                put(&out, b"# newpar\n", 9)
            put(&out, b"# sent_id = ", 12)
            put_number(&out, number)
            put(&out, b"\n# text = ", 10)
            for i in range(first, t):
                put_cell(&out, raw, begins[i], ends[i])
                if i < t - 1 and begins[i + 1] > ends[i]:
                    put(&out, b" ", 1)
            put(&out, b"\n", 1)
            word = 1
            for i in range(first, t):
                after = begins[i + 1] if i + 1 < tokens else <int> codes.shape[0]
                put_number(&out, word)
                if parts[i + 1] > parts[i]:
                    put(&out, b"-", 1)
                    put_number(&out, word + parts[i + 1] - parts[i] - 1)
                put(&out, b"\t", 1)
                put_cell(&out, raw, begins[i], ends[i])
                put(&out, b"\t_\t_\t_\t_\t_\t_\t_\t", 15)
                put_misc(&out, raw, 0 if i == 0 else begins[i], begins[i], ends[i], after, base)
                put(&out, b"\n", 1)
                for w in range(parts[i], parts[i + 1]):
                    put_number(&out, word)
                    put(&out, b"\t", 1)
                    put(&out, <const char*> &words[word_start[w]], word_start[w + 1] - word_start[w])
                    put(&out, b"\t_\t_\t_\t_\t_\t_\t_\t_\n", 17)
                    word += 1
                if parts[i + 1] == parts[i]:
                    word += 1
            put(&out, b"\n", 1)
            number += 1
    try:
        if out.failed:
            raise MemoryError
        return PyBytes_FromStringAndSize(out.text, out.size) if out.size else b""
    finally:
        free(out.text)


def token_keys(
    const uint32_t[::1] codes not None, const int[::1] begins not None, const int[::1] ends not None, int longest,
    uint64_t[::1] keys not None,
):
    """A key for each token, or for its last `longest` characters where that is above 0; 0 for tokens not as long."""
    cdef Py_ssize_t t
    cdef int i, begin
    cdef uint64_t key
    with nogil:
        for t in range(begins.shape[0]):
            begin = begins[t]
            if longest > 0:
                if ends[t] - begin <= longest:
                    keys[t] = 0
                    continue
                begin = ends[t] - longest
            key = <uint64_t> 0xcbf29ce484222325 + longest
            for i in range(begin, ends[t]):
                key = (key ^ codes[i]) * <uint64_t> 0x100000001b3
            key ^= key >> 32
            key *= <uint64_t> 0x9E3779B97F4A7C15
            key ^= key >> 29
            keys[t] = key if key else 1
