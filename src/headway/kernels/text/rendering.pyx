"""Writing sentences back as tab-separated bytes, from the layout of scanning.pxd."""

from headway.kernels.text.output cimport Output, empty_output, put, put_number, written
from headway.kernels.text.scanning cimport COMMENT, EMPTY, MISSING, WORD, columns_of, is_empty

cdef enum:
    NUMBER = -2
    HEADS = -3
    ROWS = -4

SOURCE_MISSING = MISSING
SOURCE_NUMBER = NUMBER
SOURCE_HEADS = HEADS
SOURCE_ROWS = ROWS


cdef inline void put_cell(Output* out, const unsigned char* text, Py_ssize_t size, bint join) noexcept nogil:
    """Copy a cell, its spaces as underscores where `join`."""
    cdef size_t at
    put(out, text, size)
    if join and not out.failed:
        for at in range(out.size - size, out.size):
            if out.text[at] == 32:
                out.text[at] = 95


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
    cdef Output out = empty_output()
    cdef bint adding
    cdef Py_ssize_t s, word = 0, words = codes.shape[1]
    cdef int line, c, c0, columns, begin, end, number, origin
    cdef int targets = <int> source.shape[0], choices = <int> source.shape[1]
    cdef const int* first_code = &codes[0, 0] if codes.shape[0] and words else NULL
    cdef Piece piece
    with nogil:
        for s in range(sentence_line.shape[0] - 1):
            number = 0
            adding = comments and added_at.shape[0] > 0
            for line in range(sentence_line[s], sentence_line[s + 1]):
                c0 = first_cell[line]
                columns = columns_of(first_cell, line)
                if adding and kind[line] != COMMENT:
                    if added_at[s + 1] > added_at[s]:
                        put(&out, &added[added_at[s]], added_at[s + 1] - added_at[s])
                    adding = False
                if kind[line] == EMPTY and same:
                    for c in range(columns):
                        if c:
                            put(&out, b"\t", 1)
                        if c < targets and source[c, 0] == MISSING:
                            put(&out, b"_", 1)
                        else:
                            begin, end = cells[c0 + c], cells[c0 + c + 1] - 1
                            put(&out, raw + begin, end - begin)
                    put(&out, b"\n", 1)
                    continue
                if kind[line] != WORD:
                    begin, end = cells[c0], cells[c0 + columns] - 1
                    if kind[line] == COMMENT and has_key(raw + begin, raw + end, keys):
                        continue
                    if (comments if kind[line] == COMMENT else others):
                        put(&out, raw + begin, end - begin)
                        put(&out, b"\n", 1)
                    continue
                number += 1
                for c in range(min(targets, max(columns, fewest))):
                    if c:
                        put(&out, b"\t", 1)
                    origin = source[c, 0]
                    if 0 <= origin < columns and (choices == 1 or source[c, 1] == MISSING):
                        begin, end = cells[c0 + origin], cells[c0 + origin + 1] - 1
                        put_cell(&out, raw + begin, end - begin, join)
                    elif origin == NUMBER:
                        put_number(&out, number)
                    elif origin == HEADS and heads[word] >= 0:
                        put_number(&out, heads[word])
                    elif origin == HEADS or origin == MISSING:
                        put(&out, b"_", 1)
                    else:
                        piece = taken(
                            raw, &cells[c0], columns, &source[c, 0], choices,
                            first_code + word if first_code != NULL else NULL, words, name_text, &name_at[0],
                            &first_name[0],
                        )
                        put_cell(&out, piece.text, piece.size, join)
                if same and columns > targets:
                    begin, end = cells[c0 + targets] - 1, cells[c0 + columns] - 1
                    put(&out, raw + begin, end - begin)
                put(&out, b"\n", 1)
                word += 1
            put(&out, b"\n", 1)
    return written(&out)
