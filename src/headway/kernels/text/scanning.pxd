"""Tab-separated bytes as sentences, lines and cells: one layout for all such formats.

`cells` holds, for every line, the offsets where its cells begin and one more offset, a byte past the line's end: cell c
of line l is `text[cells[first_cell[l] + c] : cells[first_cell[l] + c + 1] - 1]`. A comment is a line of one cell.
Offsets count bytes, ids count from 1.
"""

cdef enum:
    WORD, COMMENT, RANGE, EMPTY

cdef enum:
    MISSING = -1


cdef inline int columns_of(const int[::1] first_cell, int line) noexcept nogil:
    return first_cell[line + 1] - first_cell[line] - 1


cdef inline bint is_empty(const unsigned char* text, int begin, int end) noexcept nogil:
    return end <= begin or (end == begin + 1 and text[begin] == 95)


cdef inline int choose(
    const unsigned char* text, const int* cells, int columns, int index, int fallback
) noexcept nogil:
    """The column to take: `index`, or `fallback` where that is `_` or missing; MISSING where both are."""
    if index < 0 or index >= columns or (fallback >= 0 and is_empty(text, cells[index], cells[index + 1] - 1)):
        index = fallback
    return index if 0 <= index < columns else MISSING


cdef inline Py_ssize_t span(
    const unsigned char* raw, const int[::1] cells, const int[::1] first_cell, int line, int index, int fallback,
    const unsigned char** cell
) noexcept nogil:
    """The bytes of a line's cell, `_` where there is none; returns their number."""
    cdef int c0 = first_cell[line]
    cdef int chosen = choose(raw, &cells[c0], columns_of(first_cell, line), index, fallback)
    if chosen < 0:
        cell[0] = <const unsigned char*> b"_"
        return 1
    cell[0] = raw + cells[c0 + chosen]
    return cells[c0 + chosen + 1] - 1 - cells[c0 + chosen]
