"""Best projective trees, from arc scores alone or with scores of adjacent siblings.

Node 0 is the root, words are nodes 1 to n. `scores[head × (n + 1) + child]` rates an arc; column 0 and the diagonal
are never looked at. `siblings[(head × (n + 1) + child) × (n + 1) + previous]` rates a child beside the next child of
the same head on the same side nearer to it; previous = head where there is none. -inf forbids an arc or a pair of
siblings; +inf and NaN must not occur. Heads are heads[1] to heads[n]; heads[0] is left as it is. `single` lets one
word only hang on the root.

Decoders return the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as
they are. They change nothing but the workspace and `heads`. A workspace serves one thread at a time; it is all zeros
before it is first reserved (memset, or the field of a new cdef class), and reserving it for longer sentences grows it.
"""


cdef struct Chart:
    int room                # longest sentence
    double* complete        # [head, end]: the best tree over head to end with all of them below head
    double* mirrored        # the same as [end, head]
    double* incomplete      # [head, child]: the best trees over head to child with the arc between them
    double* shared          # [left, right] and [right, left]: the best two trees that share out left to right
    int* agenda             # spans whose heads are not written yet


cdef struct Derivation:
    double score
    int span
    int split
    int left                # derivations of the two parts, UNKNOWN where they are the best ones
    int right
    int next                # the next best of the same span, NONE, or UNKNOWN
    int child               # links of the heap that it waits in
    int sibling


cdef struct Forest:
    int room                # longest sentence
    int* first              # the best derivation of each span, or UNKNOWN
    int* waiting            # the heap of derivations of each span that are not ranked yet, or NONE
    int* agenda
    Derivation* pool
    int used
    int size


cdef bint reserve_chart(Chart* chart, int longest) noexcept nogil   # False where memory is short, here and below
cdef void release_chart(Chart* chart) noexcept nogil
cdef bint reserve_forest(Forest* forest, int longest) noexcept nogil
cdef void release_forest(Forest* forest) noexcept nogil

cdef double best_projective(Chart* chart, const double* scores, int n, bint single, int* heads) noexcept nogil
cdef double best_projective_siblings(
    Chart* chart, const double* scores, const double* siblings, int n, bint single, int* heads
) noexcept nogil

# Up to k trees in the order of their scores: tree t is heads[t × (n + 1) + 1] to heads[t × (n + 1) + n], its score
# totals[t]. Returns how many there are, or -1 where memory is short. What comes after them is left as it is.
cdef int k_best_projective(
    Chart* chart, Forest* forest, const double* scores, int n, int k, bint single, int* heads, double* totals
) noexcept nogil

# Where the first of `scores` is that must not occur, as an index, or -1.
cdef Py_ssize_t first_unusable(const double* scores, int n) noexcept nogil
