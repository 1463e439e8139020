"""Best projective trees, from arc scores alone or with scores of adjacent siblings.

Node 0 is the root, words are nodes 1 to n. `scores[head × (n + 1) + child]` rates an arc; column 0 and the diagonal
are never looked at. `siblings[(head × (n + 1) + child) × (n + 1) + previous]` rates a child beside the next child of
the same head on the same side nearer to it; previous = head where there is none. -inf forbids an arc or a pair of
siblings; +inf and NaN must not occur. Heads are heads[1] to heads[n]; heads[0] is left as it is. `single` lets one
word only hang on the root.

Decoders return the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as
they are. They change nothing but the workspace and `heads`. A workspace serves one thread at a time and lives as long
as the memory that it was reserved from.
"""

from headway.kernels.memory cimport Memory

cdef enum:
    COMPLETE = 0
    INCOMPLETE = 1
    SHARED = 2
    KINDS = 3

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


cdef int reserve_chart(Chart* chart, Memory memory, int longest) except -1

# The best tree; with `siblings` NULL by its arcs alone.
cdef double best_projective(
    Chart* chart, const double* scores, const double* siblings, int n, bint single, int* heads
) noexcept nogil

# The parts, for those who look at more than the best tree.
cdef void fill(Chart* chart, const double* scores, const double* siblings, int n, bint single) noexcept nogil
cdef int split_of(const Chart* chart, int n, int kind, int head, int end) noexcept nogil
cdef int root_of(const Chart* chart, const double* scores, const double* siblings, int n) noexcept nogil


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
