"""The k best projective trees; scores, heads and workspaces are as in eisner.pxd.

They are the k best derivations in its chart (Huang and Chiang 2005). With the outermost child as the split, every tree
has exactly one derivation, so that these are k different trees.
"""

from libc.math cimport INFINITY
from libc.stdlib cimport free, realloc

from headway.kernels.graph.eisner cimport (
    COMPLETE, INCOMPLETE, NONE, Chart, Span, fill, root_of, span_of, split_of,
)
from headway.kernels.memory cimport Memory

cdef enum:
    UNKNOWN = -2


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
    int* first              # the best derivation of each span, or UNKNOWN
    int* waiting            # the heap of derivations of each span that are not ranked yet, or NONE
    int* agenda
    Derivation* pool
    int used
    int size


cdef inline int reserve_forest(Forest* forest, Memory memory, int longest) except -1:
    """Room for the ranks of all spans; derivations get theirs as they are met."""
    cdef size_t width = longest + 1, spans = 2 * width * width + 1
    forest.first = <int*> memory.take(2 * spans, sizeof(int))
    forest.agenda = <int*> memory.take(4 * width, sizeof(int))
    forest.waiting = forest.first + spans
    return 0


cdef inline void release_pool(Forest* forest) noexcept nogil:
    free(forest.pool)


cdef inline bint make_room(Forest* forest, int more) noexcept nogil:
    cdef Derivation* pool
    cdef int size
    if forest.used + more <= forest.size:
        return True
    size = 2 * forest.size + more
    pool = <Derivation*> realloc(forest.pool, size * sizeof(Derivation))
    if pool == NULL:
        return False
    forest.pool = pool
    forest.size = size
    return True


cdef inline int add(Forest* forest, int span, int split, int left, int right, double score) noexcept nogil:
    """A new derivation; there must be room for it."""
    cdef Derivation* new = &forest.pool[forest.used]
    new.span, new.split, new.left, new.right, new.score = span, split, left, right, score
    new.next, new.child, new.sibling = UNKNOWN, NONE, NONE
    forest.used += 1
    return forest.used - 1


cdef inline int meld(Derivation* pool, int a, int b) noexcept nogil:
    """One pairing heap of two. Fredman, Sedgewick, Sleator and Tarjan (1986)."""
    if a == NONE or b == NONE:
        return b if a == NONE else a
    if pool[b].score > pool[a].score:
        a, b = b, a
    pool[b].sibling = pool[a].child
    pool[a].child = b
    return a


cdef inline int pop(Derivation* pool, int* heap) noexcept nogil:
    """Take the best out of a pairing heap, or NONE: its children are paired, then the pairs are melded."""
    cdef int best = heap[0], pairs = NONE, rest, left, right
    rest = NONE if best == NONE else pool[best].child
    heap[0] = NONE
    while rest != NONE:
        left, right = rest, pool[rest].sibling
        rest = NONE if right == NONE else pool[right].sibling
        left = meld(pool, left, right)
        pool[left].sibling = pairs
        pairs = left
    while pairs != NONE:
        rest = pool[pairs].sibling
        heap[0] = meld(pool, heap[0], pairs)
        pairs = rest
    return best


cdef inline int top_of(int n, bint single) noexcept nogil:
    """The span of the whole tree; with a single root it is split by that root and has a number of its own."""
    return 2 * (n + 1) * (n + 1) if single else n


cdef inline double score_of(const Chart* chart, int n, int span) noexcept nogil:
    """The score of the best derivation of any span but the top of a single root."""
    cdef int cells = (n + 1) * (n + 1)
    return chart.complete[span] if span < cells else chart.incomplete[span - cells]


cdef inline void parts(int n, int number, int split, int* left, int* right) noexcept nogil:
    """The spans that a span falls into at a split."""
    cdef int width = n + 1
    cdef Span span = span_of(number, n)
    if number == top_of(n, True):
        left[0], right[0] = split * width + 1, split * width + n
    elif span.kind == COMPLETE:
        left[0], right[0] = (width + span.head) * width + split, split * width + span.end
    else:
        left[0] = min(span.head, span.end) * width + split
        right[0] = max(span.head, span.end) * width + split + 1


cdef inline double arc_score(const double* scores, int n, int span, int split) noexcept nogil:
    """The score of the arc that a span adds to its parts."""
    cdef int cells = (n + 1) * (n + 1)
    if span == top_of(n, True):
        return scores[split]
    return 0 if span < cells else scores[span - cells]


cdef inline int first_of(Forest* forest, const Chart* chart, const double* scores, int n, int number) noexcept nogil:
    """The best derivation of a span, made where it is first asked for; there must be room for it."""
    cdef Span span = span_of(number, n)
    cdef int new, split
    if forest.first[number] == UNKNOWN:
        if number == top_of(n, True):
            split = root_of(chart, scores, NULL, n)
            new = add(
                forest, number, split, UNKNOWN, UNKNOWN,
                chart.complete[split * (n + 1) + 1] + chart.complete[split * (n + 1) + n] + scores[split],
            )
        elif span.head == span.end:
            new = add(forest, number, NONE, NONE, NONE, 0)
            forest.pool[new].next = NONE
        else:
            split = split_of(chart, n, span.kind, span.head, span.end)
            new = add(forest, number, split, UNKNOWN, UNKNOWN, score_of(chart, n, number))
        forest.first[number] = new
    return forest.first[number]


cdef inline void resolve(Forest* forest, const Chart* chart, const double* scores, int n, int which) noexcept nogil:
    """Find the best derivations of the parts where those are meant; there must be room for two."""
    cdef int left, right
    if forest.pool[which].left == UNKNOWN:
        parts(n, forest.pool[which].span, forest.pool[which].split, &left, &right)
        forest.pool[which].left = first_of(forest, chart, scores, n, left)
        forest.pool[which].right = first_of(forest, chart, scores, n, right)


cdef inline void propose(Forest* forest, const double* scores, int n, int like, int left, int right) noexcept nogil:
    """Let a derivation wait that has the split of another and these parts, unless there is no such part."""
    cdef int span = forest.pool[like].span, split = forest.pool[like].split
    cdef double score
    if left != NONE and right != NONE:
        score = forest.pool[left].score + forest.pool[right].score + arc_score(scores, n, span, split)
        forest.waiting[span] = meld(forest.pool, forest.waiting[span], add(forest, span, split, left, right, score))


cdef inline void propose_splits(
    Forest* forest, const Chart* chart, const double* scores, int n, int which
) noexcept nogil:
    """Let the best derivations wait that split the span otherwise than its best one does."""
    cdef int number = forest.pool[which].span, split, left, right, low, high
    cdef Span span = span_of(number, n)
    cdef double score
    low, high = min(span.head, span.end), max(span.head, span.end)
    if number == top_of(n, True):
        low, high = 1, n + 1
    elif span.kind == COMPLETE and span.head < span.end:
        low, high = low + 1, high + 1
    for split in range(low, high):
        if split != forest.pool[which].split:
            parts(n, number, split, &left, &right)
            score = score_of(chart, n, left) + score_of(chart, n, right) + arc_score(scores, n, number, split)
            if score > -INFINITY:
                left = add(forest, number, split, UNKNOWN, UNKNOWN, score)
                forest.waiting[number] = meld(forest.pool, forest.waiting[number], left)


cdef inline bint advance(Forest* forest, const Chart* chart, const double* scores, int n, int wanted) noexcept nogil:
    """Find what comes after a derivation of its span: Huang and Chiang's (2005) third algorithm, without recursion.

    Who follows (left, right) among those of its split is (left, right.next), and (left.next, right) where right is the
    best of its span, so that none is proposed twice. What those are is found out first. False where memory is short.
    """
    cdef int size = 1, here, left, right
    cdef bint is_first
    forest.agenda[0] = wanted
    while size:
        here = forest.agenda[size - 1]
        if forest.pool[here].next != UNKNOWN:
            size -= 1
            continue
        if not make_room(forest, n + 4):
            return False
        resolve(forest, chart, scores, n, here)
        left, right = forest.pool[here].left, forest.pool[here].right
        is_first = right == forest.first[forest.pool[right].span]
        if is_first and forest.pool[left].next == UNKNOWN:
            forest.agenda[size] = left
            size += 1
        elif forest.pool[right].next == UNKNOWN:
            forest.agenda[size] = right
            size += 1
        else:
            if here == forest.first[forest.pool[here].span]:
                propose_splits(forest, chart, scores, n, here)
            if is_first:
                propose(forest, scores, n, here, forest.pool[left].next, right)
            propose(forest, scores, n, here, left, forest.pool[right].next)
            forest.pool[here].next = pop(forest.pool, &forest.waiting[forest.pool[here].span])
    return True


cdef inline bint read_derivation(
    Forest* forest, const Chart* chart, const double* scores, int n, int which, int* heads
) noexcept nogil:
    """Write the heads of a derivation; False where memory is short."""
    cdef int size = 1, here
    cdef Span span
    forest.agenda[0] = which
    while size:
        size -= 1
        here = forest.agenda[size]
        span = span_of(forest.pool[here].span, n)
        if forest.pool[here].span == top_of(n, True):
            heads[forest.pool[here].split] = 0
        elif span.head == span.end:
            continue
        elif span.kind == INCOMPLETE:
            heads[span.end] = span.head
        if not make_room(forest, 2):
            return False
        resolve(forest, chart, scores, n, here)
        forest.agenda[size] = forest.pool[here].left
        forest.agenda[size + 1] = forest.pool[here].right
        size += 2
    return True


cdef inline int k_best_projective(
    Chart* chart, Forest* forest, const double* scores, int n, int k, bint single, int* heads, double* totals
) noexcept nogil:
    """Write up to k trees, the best first; returns how many there are, or -1 where memory is short.

    Tree t is heads[t × (n + 1) + 1] to heads[t × (n + 1) + n], its score totals[t]; what comes after them is left as it
    is. O(n³) for the best tree, then O(n² + n log k) for each at the most.
    """
    cdef int i, here, found = 0, top = top_of(n, single)
    if n == 0:
        totals[0] = 0
        return 1
    fill(chart, scores, NULL, n, single)
    if (root_of(chart, scores, NULL, n) == NONE) if single else (chart.complete[n] == -INFINITY):
        return 0
    for i in range(top_of(n, True) + 1):
        forest.first[i] = UNKNOWN
        forest.waiting[i] = NONE
    forest.used = 0
    if not make_room(forest, 1):
        return -1
    here = first_of(forest, chart, scores, n, top)
    while here != NONE:
        totals[found] = forest.pool[here].score
        if not read_derivation(forest, chart, scores, n, here, heads + found * <Py_ssize_t> (n + 1)):
            return -1
        found += 1
        if found == k:
            break
        if not advance(forest, chart, scores, n, here):
            return -1
        here = forest.pool[here].next
    return found
