"""Writing sentences back as tab-separated bytes, from the layout of text.pxd."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memcpy

from headway.kernels.text cimport COMMENT, MISSING, WORD, choose, columns_of

cdef enum:
    NUMBER = -2

SOURCE_MISSING = MISSING
SOURCE_NUMBER = NUMBER


cdef inline Py_ssize_t put(
    char* out, Py_ssize_t at, const unsigned char* piece, Py_ssize_t size, bint join
) noexcept nogil:
    """Copy a piece to out[at:], spaces as underscores where `join`; only count where `out` is NULL."""
    cdef Py_ssize_t i
    if out != NULL:
        memcpy(out + at, piece, size)
        if join:
            for i in range(at, at + size):
                if out[i] == 32:
                    out[i] = 95
    return at + size


cdef inline Py_ssize_t put_number(char* out, Py_ssize_t at, int value) noexcept nogil:
    cdef unsigned char[12] piece
    cdef int size = 0, i
    cdef unsigned char swap
    if value == 0:
        piece[0] = 48
        size = 1
    while value > 0:
        piece[size] = 48 + value % 10
        value //= 10
        size += 1
    for i in range(size // 2):
        swap = piece[i]
        piece[i] = piece[size - 1 - i]
        piece[size - 1 - i] = swap
    return put(out, at, piece, size, False)


cdef Py_ssize_t write(
    char* out, const unsigned char* raw, const int[::1] cells, const int[::1] first_cell,
    const unsigned char[::1] kind, const int[::1] sentence_line, const int[::1] source, const int[::1] fallback,
    bint comments, bint others, bint tail, bint join, int head_column, int label_column,
    const int[::1] heads, const int[::1] labels, const unsigned char* label_text, const int[::1] label_at,
) noexcept nogil:
    cdef Py_ssize_t at = 0, s
    cdef int line, c, from_column, c0, columns, begin, end, word = 0, number
    cdef int targets = <int> source.shape[0]
    cdef const unsigned char* marks = b"\t\n_"
    for s in range(sentence_line.shape[0] - 1):
        number = 0
        for line in range(sentence_line[s], sentence_line[s + 1]):
            c0 = first_cell[line]
            columns = columns_of(first_cell, line)
            if kind[line] != WORD:
                if (comments if kind[line] == COMMENT else others):
                    at = put(out, at, raw + cells[c0], cells[c0 + columns] - 1 - cells[c0], False)
                    at = put(out, at, marks + 1, 1, False)
                continue
            number += 1
            for c in range(targets):
                if c:
                    at = put(out, at, marks, 1, False)
                from_column = source[c]
                if from_column != NUMBER:
                    from_column = choose(raw, &cells[c0], columns, from_column, fallback[c])
                if c == head_column and heads is not None:
                    at = put_number(out, at, heads[word])
                elif c == label_column and labels is not None:
                    begin, end = label_at[labels[word]], label_at[labels[word] + 1]
                    at = put(out, at, label_text + begin, end - begin, False)
                elif from_column == NUMBER:
                    at = put_number(out, at, number)
                elif from_column == MISSING:
                    at = put(out, at, marks + 2, 1, False)
                else:
                    begin, end = cells[c0 + from_column], cells[c0 + from_column + 1] - 1
                    at = put(out, at, raw + begin, end - begin, join)
            if tail and columns > targets:
                begin, end = cells[c0 + targets] - 1, cells[c0 + columns] - 1
                at = put(out, at, raw + begin, end - begin, False)
            at = put(out, at, marks + 1, 1, False)
            word += 1
        at = put(out, at, marks + 1, 1, False)
    return at


def render(
    const unsigned char[::1] text, const int[::1] cells, const int[::1] first_cell, const unsigned char[::1] kind,
    const int[::1] sentence_line, const int[::1] source, const int[::1] fallback,
    bint comments, bint others, bint tail, bint join, int head_column, int label_column,
    const int[::1] heads, const int[::1] labels, const unsigned char[::1] label_text, const int[::1] label_at,
):
    """The sentences as bytes in another layout.

    Column c of the result is column `source[c]` of the text, or `fallback[c]` where that is `_`; SOURCE_NUMBER
    is the word's number, SOURCE_MISSING is `_`. `heads` and `labels`, one number per word, replace the
    cells of `head_column` and `label_column`; labels are indices of the strings
    `label_text[label_at[i] : label_at[i + 1]]`. `tail` copies the columns beyond the last of `source`, `join`
    writes spaces inside cells as underscores. Linear time.
    """
    cdef const unsigned char* raw = &text[0] if text.shape[0] else NULL
    cdef const unsigned char* names = &label_text[0] if label_text.shape[0] else NULL
    cdef Py_ssize_t size
    cdef char* out
    with nogil:
        size = write(
            NULL, raw, cells, first_cell, kind, sentence_line, source, fallback, comments, others, tail, join,
            head_column, label_column, heads, labels, names, label_at,
        )
    result = PyBytes_FromStringAndSize(NULL, size)
    out = PyBytes_AS_STRING(result)
    with nogil:
        write(
            out, raw, cells, first_cell, kind, sentence_line, source, fallback, comments, others, tail, join,
            head_column, label_column, heads, labels, names, label_at,
        )
    return result
