"""Segmented text as CoNLL-U: tokens, multiword tokens, spaces and ranges in MISC, comments."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from headway.kernels.text.output cimport Output, empty_output, put, put_number, written


cdef void put_code(Output* out, uint32_t code) noexcept nogil:
    """A character in UTF-8."""
    cdef unsigned char text[4]
    cdef int more = (code >= 0x80) + (code >= 0x800) + (code >= 0x10000), i     # bytes after the first
    text[0] = code if more == 0 else (0xff00 >> (more + 1) & 0xff) | code >> 6 * more
    for i in range(more):
        text[1 + i] = 0x80 | (code >> 6 * (more - 1 - i) & 0x3f)
    put(out, text, 1 + more)


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
    cdef const char* special = b" \t\n\r|\\\0"
    cdef const char* letters = b"stnrp\\0"
    cdef const char* found
    for i in range(begin, end):
        found = <const char*> memchr(special, codes[i], 7) if codes[i] < 128 else NULL
        if found == NULL:
            put_code(out, codes[i])
        else:
            put(out, b"\\", 1)
            put(out, letters + (found - special), 1)


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
    cdef Output out = empty_output()
    cdef int t = 0, first, i, w, word, after, tokens = <int> begins.shape[0], number = first_number
    cdef const uint32_t* raw = &codes[0] if codes.shape[0] else NULL
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
                    put(&out, &words[word_start[w]], word_start[w + 1] - word_start[w])
                    put(&out, b"\t_\t_\t_\t_\t_\t_\t_\t_\n", 17)
                    word += 1
                if parts[i + 1] == parts[i]:
                    word += 1
            put(&out, b"\n", 1)
            number += 1
    return written(&out)
