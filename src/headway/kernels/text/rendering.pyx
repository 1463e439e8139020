"""Writing sentences back as tab-separated bytes, from the layout of scanning.pxd."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memcpy

from headway.kernels.text.scanning cimport COMMENT, EMPTY, MISSING, WORD, columns_of, is_empty

cdef enum:
    NUMBER = -2
    HEADS = -3
    ROWS = -4

SOURCE_MISSING = MISSING
SOURCE_NUMBER = NUMBER
SOURCE_HEADS = HEADS
SOURCE_ROWS = ROWS


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


cdef struct Piece:
    const unsigned char* text
    int size


cdef inline Piece taken(
    const unsigned char* raw, const int* cells, int columns, const int* origins, int choices,
    const int* codes, Py_ssize_t words, const unsigned char* names, const int* name_at, const int* first_name,
) noexcept nogil:
    """The cell of a column: that of the first of its sources that is filled, or else of the last.

    The word's code in row r is codes[r * words].
    """
    cdef Piece piece
    cdef int begin, end, name, j, origin
    piece.text, piece.size = <const unsigned char*> b"_", 1
    for j in range(choices):
        origin = origins[j]
        if origin == MISSING:
            break
        if origin <= ROWS:
            name = first_name[ROWS - origin] + codes[(ROWS - origin) * words]
            begin, end = name_at[name], name_at[name + 1] - 1
            piece.text, piece.size = names + begin, end - begin
            if not is_empty(names, begin, end):
                break
        elif origin >= columns:
            piece.text, piece.size = <const unsigned char*> b"_", 1
        else:
            begin, end = cells[origin], cells[origin + 1] - 1
            piece.text, piece.size = raw + begin, end - begin
            if not is_empty(raw, begin, end):
                break
    return piece


cdef bint has_key(const unsigned char* line, const unsigned char* end, const unsigned char[::1] keys) noexcept nogil:
    """Whether a comment is `# key = …` with one of the keys."""
    cdef Py_ssize_t i = 0, j
    cdef const unsigned char* start = line + 1
    while start < end and start[0] == 32:
        start += 1
    while i < keys.shape[0]:
        j = i
        while keys[j] != 10 and start + (j - i) < end and start[j - i] == keys[j]:
            j += 1
        if keys[j] == 10:
            line = start + (j - i)
            while line < end and line[0] == 32:
                line += 1
            if line < end and line[0] == 61:
                return True
        while keys[j] != 10:
            j += 1
        i = j + 1
    return False


cdef Py_ssize_t write(
    char* out, const unsigned char* raw, const int[::1] cells, const int[::1] first_cell,
    const unsigned char[::1] kind, const int[::1] sentence_line, const int[:, ::1] source, int fewest,
    bint comments, bint others, bint same, bint join, const int[::1] heads, const int[:, ::1] codes,
    const unsigned char* names, const int[::1] name_at, const int[::1] first_name,
    const unsigned char* added, const int[::1] added_at, const unsigned char[::1] keys,
) noexcept nogil:
    cdef bint adding
    cdef Py_ssize_t at = 0, s, word = 0
    cdef int line, c, c0, columns, begin, end, number, origin, written
    cdef int targets = <int> source.shape[0], choices = <int> source.shape[1]
    cdef Py_ssize_t words = codes.shape[1]
    cdef const int* first_code = &codes[0, 0] if codes.shape[0] and words else NULL
    cdef Piece piece
    cdef const unsigned char* marks = b"\t\n_"
    for s in range(sentence_line.shape[0] - 1):
        number = 0
        adding = comments and added_at.shape[0] > 0
        for line in range(sentence_line[s], sentence_line[s + 1]):
            c0 = first_cell[line]
            columns = columns_of(first_cell, line)
            if adding and kind[line] != COMMENT:
                at = put(out, at, added + added_at[s], added_at[s + 1] - added_at[s], False)
                adding = False
            if kind[line] == EMPTY and same:
                for c in range(columns):
                    if c:
                        at = put(out, at, marks, 1, False)
                    if c < targets and source[c, 0] == MISSING:
                        at = put(out, at, marks + 2, 1, False)
                    else:
                        begin, end = cells[c0 + c], cells[c0 + c + 1] - 1
                        at = put(out, at, raw + begin, end - begin, False)
                at = put(out, at, marks + 1, 1, False)
                continue
            if kind[line] != WORD:
                if kind[line] == COMMENT and has_key(raw + cells[c0], raw + cells[c0 + columns] - 1, keys):
                    continue
                if (comments if kind[line] == COMMENT else others):
                    at = put(out, at, raw + cells[c0], cells[c0 + columns] - 1 - cells[c0], False)
                    at = put(out, at, marks + 1, 1, False)
                continue
            number += 1
            written = min(targets, max(columns, fewest))
            for c in range(written):
                if c:
                    at = put(out, at, marks, 1, False)
                origin = source[c, 0]
                if 0 <= origin < columns and (choices == 1 or source[c, 1] == MISSING):
                    begin, end = cells[c0 + origin], cells[c0 + origin + 1] - 1
                    at = put(out, at, raw + begin, end - begin, join)
                elif origin == NUMBER:
                    at = put_number(out, at, number)
                elif origin == HEADS and heads[word] >= 0:
                    at = put_number(out, at, heads[word])
                elif origin == HEADS or origin == MISSING:
                    at = put(out, at, marks + 2, 1, False)
                else:
                    piece = taken(
                        raw, &cells[c0], columns, &source[c, 0], choices,
                        first_code + word if first_code != NULL else NULL, words, names, &name_at[0], &first_name[0],
                    )
                    at = put(out, at, piece.text, piece.size, join)
            if same and columns > targets:
                begin, end = cells[c0 + targets] - 1, cells[c0 + columns] - 1
                at = put(out, at, raw + begin, end - begin, False)
            at = put(out, at, marks + 1, 1, False)
            word += 1
        at = put(out, at, marks + 1, 1, False)
    return at


def render(
    const unsigned char[::1] text, const int[::1] cells, const int[::1] first_cell, const unsigned char[::1] kind,
    const int[::1] sentence_line, const int[:, ::1] source, int fewest,
    bint comments, bint others, bint same, bint join, const int[::1] heads, const int[:, ::1] codes,
    const unsigned char[::1] names, const int[::1] name_at, const int[::1] first_name,
    const unsigned char[::1] added, const int[::1] added_at, const unsigned char[::1] keys,
):
    """The sentences as bytes in another layout.

    Column c of the result is taken from the first of `source[c]` that is filled: a column of the text,
    SOURCE_MISSING for `_` and no more sources, or SOURCE_ROWS - r for row r of `codes`, which has a number for each
    word. The string of number i in row r is `names[name_at[n] : name_at[n + 1] - 1]`, n = first_name[r] + i. A column
    whose first source is SOURCE_NUMBER is the word's number, SOURCE_HEADS is `heads`, `_` where that is negative.

    `same` says that the layout is that of the text: lines end where they did, but not before column `fewest`, columns
    beyond the last of `source` are copied, and empty nodes lose what is missing. `join` writes spaces inside cells as
    underscores.

    Behind the comments of sentence s stand the lines added[added_at[s] : added_at[s + 1]], where `added_at` is not
    empty; comments `# key = …` with one of `keys`, each of which ends in a line break, are left out. Linear time.
    """
    cdef const unsigned char* raw = &text[0] if text.shape[0] else NULL
    cdef const unsigned char* name_text = &names[0] if names.shape[0] else NULL
    cdef const unsigned char* added_text = &added[0] if added.shape[0] else NULL
    cdef Py_ssize_t size
    cdef char* out
    with nogil:
        size = write(
            NULL, raw, cells, first_cell, kind, sentence_line, source, fewest, comments, others, same, join,
            heads, codes, name_text, name_at, first_name, added_text, added_at, keys,
        )
    result = PyBytes_FromStringAndSize(NULL, size)
    out = PyBytes_AS_STRING(result)
    with nogil:
        write(
            out, raw, cells, first_cell, kind, sentence_line, source, fewest, comments, others, same, join,
            heads, codes, name_text, name_at, first_name, added_text, added_at, keys,
        )
    return result
