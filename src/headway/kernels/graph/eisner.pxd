"""Best projective trees, from arc scores alone or with scores of adjacent siblings.

Node 0 is the root, words are nodes 1 to n. `scores[head × (n + 1) + child]` rates an arc; column 0 and the diagonal
are never looked at. `siblings[(head × (n + 1) + child) × (n + 1) + previous]` rates a child beside the next child of
the same head on the same side nearer to it; previous = head where there is none. -inf forbids an arc or a pair of
siblings; +inf and NaN must not occur. Heads are heads[1] to heads[n]; heads[0] is left as it is. `single` lets one
word only hang on the root.

Decoders return the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as
they are. They change nothing but the workspace and `heads`. A workspace serves one thread at a time and lives as long
as the memory that it was reserved from.

By dynamic programming over spans: Eisner (1996); McDonald and Pereira (2006). The chart holds scores only: which split
was best is found again for the few spans of the tree that is read off, so that the inner loop is the highest of sums of
two rows.
"""

from libc.limits cimport INT_MAX
from libc.math cimport INFINITY

from headway.kernels.memory cimport Memory

cdef enum:
    COMPLETE, INCOMPLETE, SHARED, KINDS

cdef enum:
    NONE = -1


cdef struct Span:
    int kind
    int head
    int end


cdef struct Chart:
    double* complete        # [head, end]: the best tree over head to end with all of them below head
    double* mirrored        # the same as [end, head]
    double* incomplete      # [head, child]: the best trees over head to child with the arc between them
    double* shared          # [left, right] and [right, left]: the best two trees that share out left to right
    int* agenda             # spans whose heads are not written yet


cdef inline Span span_of(int number, int n) noexcept nogil:
    """The span of a number (kind × width + head) × width + end."""
    cdef Span span
    span.end = number % (n + 1)
    span.head = number // (n + 1) % (n + 1)
    span.kind = number // (n + 1) // (n + 1)
    return span


cdef inline void adjacent(const int* heads, int n, int* nearest, int* previous) noexcept nogil:
    """For each word, the next child of its head on the same side and nearer to it, or the head where there is none."""
    cdef int c, h
    for c in range(n + 1):
        nearest[c] = c
    for c in range(1, n + 1):
        h = heads[c]
        if h < c:
            previous[c] = nearest[h]
            nearest[h] = c
    for c in range(n + 1):
        nearest[c] = c
    for c in range(n, 0, -1):
        h = heads[c]
        if h > c:
            previous[c] = nearest[h]
            nearest[h] = c


cdef inline int reserve_chart(Chart* chart, Memory memory, int longest) except -1:
    """Four square matrices, touched only as far as a sentence needs them; the numbers of spans must fit an int."""
    cdef size_t width = longest + 1, cells = width * width
    if KINDS * cells > INT_MAX:
        raise MemoryError
    chart.complete = <double*> memory.take(4 * cells, sizeof(double))
    chart.agenda = <int*> memory.take(2 * width, sizeof(int))
    chart.mirrored = chart.complete + cells
    chart.incomplete = chart.complete + 2 * cells
    chart.shared = chart.complete + 3 * cells
    return 0


cdef inline double highest(const double* a, const double* b, int count) noexcept nogil:
    """The highest a[i] + b[i], or -inf. Four at a time, because each comparison waits for the one before it."""
    cdef double first = -INFINITY, second = -INFINITY, third = -INFINITY, fourth = -INFINITY
    cdef int i = 0
    while i + 4 <= count:
        first = max(first, a[i] + b[i])
        second = max(second, a[i + 1] + b[i + 1])
        third = max(third, a[i + 2] + b[i + 2])
        fourth = max(fourth, a[i + 3] + b[i + 3])
        i += 4
    while i < count:
        first = max(first, a[i] + b[i])
        i += 1
    return max(max(first, second), max(third, fourth))


cdef inline double highest_of_three(const double* a, const double* b, const double* c, int count) noexcept nogil:
    cdef double first = -INFINITY, second = -INFINITY
    cdef int i = 0
    while i + 2 <= count:
        first = max(first, a[i] + b[i] + c[i])
        second = max(second, a[i + 1] + b[i + 1] + c[i + 1])
        i += 2
    if i < count:
        first = max(first, a[i] + b[i] + c[i])
    return max(first, second)


cdef inline void fill(Chart* chart, const double* scores, const double* siblings, int n, bint single) noexcept nogil:
    """All spans of words, and those of the root where it may have several children. O(n³)."""
    cdef Py_ssize_t width = n + 1
    cdef int left, right
    for right in range(n + 1):
        chart.complete[right * width + right] = chart.mirrored[right * width + right] = 0
        for left in range(right - 1, 0 if single else -1, -1):
            fill_span(chart, scores, siblings, width, left, right)


cdef inline void fill_span(
    Chart* chart, const double* scores, const double* siblings, Py_ssize_t width, int left, int right
) noexcept nogil:
    """The spans between two nodes, from those inside them; no arc leads to the root."""
    cdef double* complete_left = chart.complete + left * width
    cdef double* complete_right = chart.complete + right * width
    cdef double* mirrored_left = chart.mirrored + left * width
    cdef double* mirrored_right = chart.mirrored + right * width
    cdef double* incomplete_left = chart.incomplete + left * width
    cdef double* incomplete_right = chart.incomplete + right * width
    cdef double best = highest(complete_left + left, complete_right + left + 1, right - left), inner = best
    if siblings != NULL:
        chart.shared[left * width + right] = chart.shared[right * width + left] = best
        inner = inside(chart, siblings, width, left, right)
    incomplete_left[right] = inner + scores[left * width + right]
    complete_left[right] = mirrored_right[left] = highest(
        incomplete_left + left + 1, mirrored_right + left + 1, right - left
    )
    if left:
        inner = best if siblings == NULL else inside(chart, siblings, width, right, left)
        incomplete_right[left] = inner + scores[right * width + left]
        complete_right[left] = mirrored_left[right] = highest(
            incomplete_right + left, mirrored_left + left, right - left
        )


cdef inline double inside(
    const Chart* chart, const double* siblings, Py_ssize_t width, int head, int child
) noexcept nogil:
    """The best of what lies between a head and its child: a sibling's span, or words of the child alone."""
    cdef int first = min(head, child) + 1
    cdef const double* row = siblings + (head * width + child) * width
    return max(
        innermost(chart, row, width, head, child),
        highest_of_three(
            chart.incomplete + head * width + first, chart.shared + child * width + first, row + first,
            max(head, child) - first,
        ),
    )


cdef inline double innermost(
    const Chart* chart, const double* row, Py_ssize_t width, int head, int child
) noexcept nogil:
    """The best of what lies between a head and its child where no sibling does."""
    return chart.complete[child * width + (head + 1 if head < child else head - 1)] + row[head]


cdef inline int argmax(const double* a, const double* b, const double* c, int count) noexcept nogil:
    """Where a[i] + b[i] + c[i] is highest; c may be NULL. NONE where all are -inf."""
    cdef double best = -INFINITY, value
    cdef int i, found = NONE
    for i in range(count):
        value = a[i] + b[i] if c == NULL else a[i] + b[i] + c[i]
        if value > best:
            best = value
            found = i
    return found


cdef inline int split_of(const Chart* chart, int n, int kind, int head, int end) noexcept nogil:
    """The outermost child of a complete span; for others the last word of the left part."""
    cdef Py_ssize_t width = n + 1
    cdef int left = min(head, end), right = max(head, end)
    cdef int first = left + 1 if kind == COMPLETE and head < end else left
    if kind == COMPLETE:
        return first + argmax(
            chart.incomplete + head * width + first, chart.mirrored + end * width + first, NULL, right - left
        )
    return first + argmax(
        chart.complete + left * width + left, chart.complete + right * width + left + 1, NULL, right - left
    )


cdef inline int root_of(const Chart* chart, const double* scores, const double* siblings, int n) noexcept nogil:
    """The best single child of the root, or NONE. Siblings are looked at where they are not NULL."""
    cdef Py_ssize_t width = n + 1
    cdef double best = -INFINITY, value
    cdef int word, found = NONE
    for word in range(1, n + 1):
        value = chart.mirrored[width + word] + chart.mirrored[n * width + word] + scores[word]
        if siblings != NULL:
            value += siblings[word * width]
        if value > best:
            best = value
            found = word
    return found


cdef inline int put(int* agenda, int size, int n, int kind, int head, int end) noexcept nogil:
    """Add a span to the agenda unless it is one word alone; returns the new size."""
    if head == end:
        return size
    agenda[size] = (kind * (n + 1) + head) * (n + 1) + end
    return size + 1


cdef inline void read_heads(Chart* chart, const double* siblings, int n, int size, int* heads) noexcept nogil:
    """Write the heads of the spans on the agenda. O(n²): spans are taken apart until nothing is left between words."""
    cdef Py_ssize_t width = n + 1
    cdef int* agenda = chart.agenda
    cdef int split, left, right
    cdef Span span
    cdef const double* row
    while size:
        size -= 1
        span = span_of(agenda[size], n)
        left, right = min(span.head, span.end), max(span.head, span.end)
        if span.kind == INCOMPLETE:
            heads[span.end] = span.head
            if siblings != NULL:
                row = siblings + (span.head * width + span.end) * width
                split = left + 1 + argmax(
                    chart.incomplete + span.head * width + left + 1, chart.shared + span.end * width + left + 1,
                    row + left + 1, right - left - 1,
                )
                if split > left and innermost(chart, row, width, span.head, span.end) < (
                    chart.incomplete[span.head * width + split] + chart.shared[span.end * width + split] + row[split]
                ):
                    size = put(agenda, size, n, INCOMPLETE, span.head, split)
                    size = put(agenda, size, n, SHARED, split, span.end)
                else:
                    size = put(agenda, size, n, COMPLETE, span.end, left + 1 if span.head == left else right - 1)
                continue
        split = split_of(chart, n, span.kind, span.head, span.end)
        if span.kind == COMPLETE:
            size = put(agenda, size, n, INCOMPLETE, span.head, split)
            size = put(agenda, size, n, COMPLETE, split, span.end)
        else:
            size = put(agenda, size, n, COMPLETE, left, split)
            size = put(agenda, size, n, COMPLETE, right, split + 1)


cdef inline double best_projective(
    Chart* chart, const double* scores, const double* siblings, int n, bint single, int* heads
) noexcept nogil:
    """The best tree; where `siblings` is NULL by its arcs alone. O(n³) time, O(n²) memory."""
    cdef Py_ssize_t width = n + 1
    cdef int root, size
    cdef double total
    if n == 0:
        return 0
    fill(chart, scores, siblings, n, single)
    if not single:
        total = chart.complete[n]
        if total > -INFINITY:
            read_heads(chart, siblings, n, put(chart.agenda, 0, n, COMPLETE, 0, n), heads)
        return total
    root = root_of(chart, scores, siblings, n)
    if root == NONE:
        return -INFINITY
    heads[root] = 0
    size = put(chart.agenda, 0, n, COMPLETE, root, 1)
    size = put(chart.agenda, size, n, COMPLETE, root, n)
    read_heads(chart, siblings, n, size, heads)
    total = chart.mirrored[width + root] + chart.mirrored[n * width + root] + scores[root]
    return total if siblings == NULL else total + siblings[root * width]
