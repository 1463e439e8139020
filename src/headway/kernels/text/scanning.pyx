"""Finding sentences, lines and cells in tab-separated bytes. The layout is that of scanning.pxd."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memchr

from headway.kernels.memory cimport Memory

cdef enum:
    OK, COLUMNS, UNEVEN, ID_FORM, ID_ORDER, RANGE_FORM, RANGE_OVERLAP, RANGE_END, EMPTY_ORDER, HEAD_FORM, HEAD_RANGE,
    HEAD_MISSING, CYCLE, NO_ROOT, NO_WORDS, FORM_EMPTY

KINDS = ("word", "comment", "range", "empty")
PROBLEMS = (
    "ok", "columns", "uneven", "id-form", "id-order", "range-form", "range-overlap", "range-end", "empty-order",
    "head-form", "head-range", "head-missing", "cycle", "no-root", "no-words", "form-empty",
)


cdef int digits(const unsigned char* text, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """The number written in text[begin:end], at most a thousand million, or -1 where it is none."""
    cdef int value = 0
    cdef Py_ssize_t i
    if begin >= end:
        return -1
    for i in range(begin, end):
        if text[i] < 48 or text[i] > 57:
            return -1
        value = value * 10 + (text[i] - 48) if value < 100_000_000 else 1_000_000_000
    return value


cdef bint blank(const unsigned char* text, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(begin, end):
        if text[i] != 32 and text[i] != 9:
            return False
    return True


cdef bint formless(
    const unsigned char* text, const int* cells, int columns, int form_column, int form_fallback
) noexcept nogil:
    """Whether there is nothing but spaces where the form of a line should be."""
    cdef int at = choose(text, cells, columns, form_column, form_fallback)
    cdef int begin = cells[at], end = cells[at + 1] - 1
    while begin < end and text[begin] == 32:
        begin += 1
    return begin >= end


cdef int check_tree(const int* heads, int n, int* mark, int* where) noexcept nogil:
    """What is wrong with the heads of n words as a tree; `where` becomes the word (from 0). Linear time."""
    cdef int w, up, roots = 0
    for w in range(n):
        mark[w] = 0
        if heads[w] > n:
            where[0] = w
            return HEAD_RANGE
        roots += heads[w] == 0
    if roots == 0:
        where[0] = 0
        return NO_ROOT
    for w in range(n):
        up = w
        while mark[up] == 0:
            mark[up] = w + 1
            if heads[up] == 0:
                break
            up = heads[up] - 1
        else:
            if mark[up] == w + 1:
                where[0] = up
                return CYCLE
    return OK


def scan(
    const unsigned char[::1] text, int id_column, int form_column, int form_fallback, int head_column,
    int min_columns, int max_columns,
    int[::1] cells, int[::1] first_cell, unsigned char[::1] kind, int[::1] word_line, int[::1] heads,
    int[::1] sentence_line, int[::1] sentence_word, int[::1] sentence_number, int[::1] mark, int[:, ::1] problems,
):
    """Find sentences, lines, cells and heads; sentences with a problem are noted in `problems` and left out.

    `text` ends with a blank line. `problems[i]` is (problem, line of the text, begin and end of the offending
    bytes, first line of the sentence), lines from 0. Returns the counts of sentences, lines, words, cells,
    problems, blank lines too many, and empty cells. Linear time.
    """
    cdef Py_ssize_t size = text.shape[0]
    cdef const unsigned char* raw = &text[0] if size else NULL
    cdef const unsigned char* found
    cdef Py_ssize_t begin = 0, end, at, stop, dash
    cdef int number = 0, lines = 0, words = 0, used = 0, sentences = 0, bad = 0, blanks = 0, empties = 0
    cdef int line_mark = 0, word_mark = 0, cell_mark = 0, first_number = 0, columns, first_columns = 0
    cdef int problem = OK, problem_number = 0, id_value, range_end = 0, range_number = 0, empty_next = 1, n, where = 0
    cdef int headless = 0, range_first = 0, c0, value
    cdef Py_ssize_t problem_begin = 0, problem_end = 0
    with nogil:
        while begin < size:
            found = <const unsigned char*> memchr(raw + begin, 10, size - begin)
            end = found - raw if found != NULL else size
            if blank(raw, begin, end):
                if end > begin:
                    blanks += 1
                if lines == line_mark and problem == OK:
                    blanks += 1
                else:
                    n = words - word_mark
                    if problem == OK:
                        problem_number, problem_begin, problem_end = first_number, 0, 0
                        if n == 0:
                            problem = NO_WORDS
                        elif range_end > n:
                            problem, problem_number = RANGE_END, range_number
                            problem_begin = problem_end = range_first
                            while raw[problem_end] != 9:
                                problem_end += 1
                        elif head_column >= 0 and headless == 0:
                            where = 0
                            problem = check_tree(&heads[word_mark], n, &mark[0], &where)
                            where += word_mark
                            c0 = first_cell[word_line[where]] + head_column
                            problem_begin, problem_end = cells[c0], cells[c0 + 1] - 1
                            problem_number += word_line[where] - line_mark
                        elif head_column >= 0 and headless < n:
                            problem, where = HEAD_MISSING, word_mark
                            while heads[where] >= 0:
                                where += 1
                            problem_number += word_line[where] - line_mark
                    if problem == OK:
                        sentence_line[sentences], sentence_word[sentences] = line_mark, word_mark
                        sentence_number[sentences] = first_number
                        sentences += 1
                        line_mark, word_mark, cell_mark = lines, words, used
                    else:
                        problems[bad, 0], problems[bad, 1], problems[bad, 4] = problem, problem_number, first_number
                        problems[bad, 2], problems[bad, 3] = <int> problem_begin, <int> problem_end
                        bad += 1
                        lines, words, used = line_mark, word_mark, cell_mark
                    problem = OK
                range_end, headless, empty_next = 0, 0, 1
            elif problem == OK:
                if lines == line_mark:
                    first_number, first_columns = number, 0
                c0 = first_cell[lines] = used
                if raw[begin] == 35 and id_column >= 0:
                    cells[used], cells[used + 1] = <int> begin, <int> end + 1
                    used += 2
                    kind[lines] = COMMENT
                else:
                    at = begin
                    while at <= end:
                        found = <const unsigned char*> memchr(raw + at, 9, end - at)
                        stop = found - raw if found != NULL else end
                        empties += stop == at
                        cells[used] = <int> at
                        used += 1
                        at = stop + 1
                    cells[used] = <int> end + 1
                    columns = used - c0
                    used += 1
                    kind[lines] = WORD
                    problem_number, problem_begin, problem_end = number, begin, end
                    if columns < min_columns or columns > max_columns:
                        problem = COLUMNS
                    elif first_columns and columns != first_columns:
                        problem = UNEVEN
                    first_columns = columns
                    if problem == OK and id_column >= 0:
                        at, stop = cells[c0 + id_column], cells[c0 + id_column + 1] - 1
                        problem_begin, problem_end = at, stop
                        dash = at
                        while dash < stop and raw[dash] != 45 and raw[dash] != 46:
                            dash += 1
                        id_value = digits(raw, at, dash)
                        if dash == stop:
                            if id_value < 0:
                                problem = ID_FORM
                            elif id_value != words - word_mark + 1:
                                problem = ID_ORDER
                            empty_next = 1
                        else:
                            value = digits(raw, dash + 1, stop)
                            if id_value < 0 or value < 0:
                                problem = ID_FORM
                            elif raw[dash] == 45:
                                kind[lines] = RANGE
                                if id_value <= range_end:
                                    problem = RANGE_OVERLAP
                                elif id_value != words - word_mark + 1 or value < id_value:
                                    problem = RANGE_FORM
                                range_end, range_number, range_first = value, number, <int> at
                            else:
                                kind[lines] = EMPTY
                                if id_value != words - word_mark or value != empty_next:
                                    problem = EMPTY_ORDER
                                empty_next = value + 1
                    if problem == OK and (raw[cells[c0 + form_column]] <= 32 or form_fallback >= 0):
                        # Only spaces, tabs and line breaks are worth a closer look.
                        if formless(raw, &cells[c0], columns, form_column, form_fallback):
                            problem = FORM_EMPTY
                            problem_begin = problem_end = 0
                    if problem == OK and kind[lines] == WORD:
                        value = -1
                        if head_column >= 0 and head_column < columns:
                            at, stop = cells[c0 + head_column], cells[c0 + head_column + 1] - 1
                            if stop > at and not (stop == at + 1 and raw[at] == 95):
                                value = digits(raw, at, stop)
                                if value < 0:
                                    problem = HEAD_FORM
                                    problem_begin, problem_end = at, stop
                        if value < 0:
                            headless += 1
                        heads[words], word_line[words] = value, lines
                        words += 1
                lines += 1
            begin = end + 1
            number += 1
    sentence_line[sentences], sentence_word[sentences], first_cell[lines] = lines, words, used
    return sentences, lines, words, used, bad, blanks, empties


def fault(const int[::1] heads, const int[::1] offsets):
    """The first sentence whose heads are neither a tree nor -1 for all of its words, or -1.

    Sentence s has the words offsets[s] : offsets[s + 1]. Linear time.
    """
    cdef Py_ssize_t s, found = -1
    cdef int w, n, headless, where = 0, longest = 1
    cdef Memory memory = Memory()
    cdef int* mark
    for s in range(offsets.shape[0] - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    mark = <int*> memory.take(longest, sizeof(int))
    with nogil:
        for s in range(offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            headless = 0
            for w in range(offsets[s], offsets[s + 1]):
                if heads[w] < -1:
                    found = s
                headless += heads[w] < 0
            if headless == 0 and check_tree(&heads[offsets[s]], n, mark, &where) != OK or 0 < headless < n:
                found = s
            if found >= 0:
                break
    return found


def beyond(const int[::1] codes, int count):
    """Whether some codes are no numbers below `count`."""
    cdef Py_ssize_t i
    for i in range(codes.shape[0]):
        if not 0 <= codes[i] < count:
            return True
    return False


def column(
    const unsigned char[::1] text, const int[::1] cells, const int[::1] first_cell, const int[::1] lines,
    Py_ssize_t first, Py_ssize_t last, int index, int fallback,
):
    """The strings of one column for lines[first:last], of column `fallback` where that one is `_`."""
    cdef list out = [None] * (last - first)
    cdef Py_ssize_t i, size
    cdef const unsigned char* cell
    for i in range(first, last):
        size = span(&text[0], cells, first_cell, lines[i], index, fallback, &cell)
        out[i - first] = PyUnicode_DecodeUTF8(<const char*> cell, size, NULL)
    return out


def filled(
    const unsigned char[::1] text, const int[::1] cells, const int[::1] first_cell, const int[::1] lines,
    long long[::1] counts, long long[::1] spaces,
):
    """Add to `counts[c]` the cells of column c that are not `_`, to `spaces[c]` those with a space inside."""
    cdef Py_ssize_t i
    cdef int c, c0, columns, begin, end
    cdef int most = <int> counts.shape[0]
    with nogil:
        for i in range(lines.shape[0]):
            c0 = first_cell[lines[i]]
            columns = columns_of(first_cell, lines[i])
            for c in range(columns):
                begin, end = cells[c0 + c], cells[c0 + c + 1] - 1
                if not is_empty(&text[0], begin, end):
                    counts[c if c < most else most - 1] += 1
                    if memchr(&text[begin], 32, end - begin) != NULL:
                        spaces[c if c < most else most - 1] += 1
