"""Projective trees by dynamic programming over spans. Eisner (1996); McDonald and Pereira (2006).

The chart holds scores only: which split was best is found again for the few spans of the tree that is read off, so
that the inner loop is the highest of sums of two rows. With the outermost child as the split, every tree has exactly
one derivation, and the k best derivations (Huang and Chiang 2005) are k different trees.
"""

from libc.limits cimport INT_MAX
from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

cdef enum:
    COMPLETE = 0
    INCOMPLETE = 1
    SHARED = 2
    KINDS = 3

cdef enum:
    NONE = -1
    UNKNOWN = -2


cdef struct Span:
    int kind
    int head
    int end


cdef bint reserve_chart(Chart* chart, int longest) noexcept nogil:
    """Four square matrices, touched only as far as a sentence needs them; the numbers of spans must fit an int."""
    cdef size_t width = longest + 1, cells = width * width
    if KINDS * cells > INT_MAX:
        return False
    if chart.complete != NULL and longest <= chart.room:
        return True
    release_chart(chart)
    chart.complete = <double*> malloc(4 * cells * sizeof(double))
    chart.agenda = <int*> malloc(2 * width * sizeof(int))
    if chart.complete == NULL or chart.agenda == NULL:
        release_chart(chart)
        return False
    chart.mirrored = chart.complete + cells
    chart.incomplete = chart.complete + 2 * cells
    chart.shared = chart.complete + 3 * cells
    chart.room = longest
    return True


cdef void release_chart(Chart* chart) noexcept nogil:
    free(chart.complete)
    free(chart.agenda)
    chart.complete = NULL
    chart.agenda = NULL


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


cdef void fill(Chart* chart, const double* scores, const double* siblings, int n, bint single) noexcept nogil:
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


cdef inline Span span_of(int number, int n) noexcept nogil:
    cdef Span span
    span.end = number % (n + 1)
    span.head = number // (n + 1) % (n + 1)
    span.kind = number // (n + 1) // (n + 1)
    return span


cdef void read_heads(Chart* chart, const double* siblings, int n, int size, int* heads) noexcept nogil:
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


cdef double best_projective_siblings(
    Chart* chart, const double* scores, const double* siblings, int n, bint single, int* heads
) noexcept nogil:
    """Second order, or first order where `siblings` is NULL. O(n³) time, O(n²) memory."""
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


cdef double best_projective(Chart* chart, const double* scores, int n, bint single, int* heads) noexcept nogil:
    """First order. O(n³) time, O(n²) memory."""
    return best_projective_siblings(chart, scores, NULL, n, single, heads)


cdef bint reserve_forest(Forest* forest, int longest) noexcept nogil:
    """Room for the ranks of all spans; derivations get theirs as they are met."""
    cdef size_t width = longest + 1, spans = 2 * width * width + 1
    if forest.first != NULL and longest <= forest.room:
        return True
    release_forest(forest)
    forest.first = <int*> malloc(2 * spans * sizeof(int))
    forest.agenda = <int*> malloc(4 * width * sizeof(int))
    if forest.first == NULL or forest.agenda == NULL:
        release_forest(forest)
        return False
    forest.waiting = forest.first + spans
    forest.room = longest
    return True


cdef void release_forest(Forest* forest) noexcept nogil:
    free(forest.first)
    free(forest.agenda)
    free(forest.pool)
    forest.first = forest.agenda = NULL
    forest.pool = NULL
    forest.size = 0


cdef bint make_room(Forest* forest, int more) noexcept nogil:
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


cdef int pop(Derivation* pool, int* heap) noexcept nogil:
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


cdef int first_of(Forest* forest, const Chart* chart, const double* scores, int n, int number) noexcept nogil:
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


cdef void resolve(Forest* forest, const Chart* chart, const double* scores, int n, int which) noexcept nogil:
    """Find the best derivations of the parts where those are meant; there must be room for two."""
    cdef int left, right
    if forest.pool[which].left == UNKNOWN:
        parts(n, forest.pool[which].span, forest.pool[which].split, &left, &right)
        forest.pool[which].left = first_of(forest, chart, scores, n, left)
        forest.pool[which].right = first_of(forest, chart, scores, n, right)


cdef void propose(Forest* forest, const double* scores, int n, int like, int left, int right) noexcept nogil:
    """Let a derivation wait that has the split of another and these parts, unless there is no such part."""
    cdef int span = forest.pool[like].span, split = forest.pool[like].split
    cdef double score
    if left != NONE and right != NONE:
        score = forest.pool[left].score + forest.pool[right].score + arc_score(scores, n, span, split)
        forest.waiting[span] = meld(forest.pool, forest.waiting[span], add(forest, span, split, left, right, score))


cdef void propose_splits(Forest* forest, const Chart* chart, const double* scores, int n, int which) noexcept nogil:
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


cdef bint advance(Forest* forest, const Chart* chart, const double* scores, int n, int wanted) noexcept nogil:
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


cdef bint read_derivation(
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


cdef int k_best_projective(
    Chart* chart, Forest* forest, const double* scores, int n, int k, bint single, int* heads, double* totals
) noexcept nogil:
    """O(n³) for the best tree, then O(n² + n log k) for each at the most."""
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


cdef Py_ssize_t first_unusable(const double* scores, int n) noexcept nogil:
    cdef Py_ssize_t width = n + 1
    cdef int head, child
    for head in range(n + 1):
        for child in range(1, n + 1):
            if head != child and not scores[head * width + child] < INFINITY:
                return head * width + child
    return -1


def unusable(const double[:, ::1] scores):
    """Where the first +inf or NaN is that counts, as head × width + child, or -1."""
    return first_unusable(&scores[0, 0], <int> scores.shape[0] - 1)


def unusable_siblings(const double[:, :, ::1] siblings):
    """Where the first +inf or NaN is that counts, as (head × width + child) × width + previous, or -1."""
    cdef Py_ssize_t width = siblings.shape[0], head, child, previous, first, last
    for head in range(width):
        for child in range(1, width):
            first, last = (head, child - 1) if head < child else (child + 1, head)
            for previous in range(first, last + 1):
                if not siblings[head, child, previous] < INFINITY:
                    return (head * width + child) * width + previous
    return -1


def decode(const double[:, ::1] scores, bint single, int[::1] heads):
    """Write the heads of words 1 to n into `heads[1:]`; returns the score, -inf where there is no tree."""
    cdef Chart chart
    cdef double total
    cdef int n = <int> scores.shape[0] - 1
    memset(&chart, 0, sizeof(Chart))
    if not reserve_chart(&chart, n):
        raise MemoryError
    with nogil:
        total = best_projective(&chart, &scores[0, 0], n, single, &heads[0])
        release_chart(&chart)
    return total


def decode_siblings(const double[:, ::1] scores, const double[:, :, ::1] siblings, bint single, int[::1] heads):
    """The same with scores of adjacent siblings."""
    cdef Chart chart
    cdef double total
    cdef int n = <int> scores.shape[0] - 1
    memset(&chart, 0, sizeof(Chart))
    if not reserve_chart(&chart, n):
        raise MemoryError
    with nogil:
        total = best_projective_siblings(&chart, &scores[0, 0], &siblings[0, 0, 0], n, single, &heads[0])
        release_chart(&chart)
    return total


def k_best(const double[:, ::1] scores, bint single, int[:, ::1] heads, double[::1] totals):
    """Write up to `len(totals)` trees, the best first, into the rows of `heads`; returns how many there are."""
    cdef Chart chart
    cdef Forest forest
    cdef int n = <int> scores.shape[0] - 1, k = <int> totals.shape[0], found = -1
    memset(&chart, 0, sizeof(Chart))
    memset(&forest, 0, sizeof(Forest))
    with nogil:
        if reserve_chart(&chart, n) and reserve_forest(&forest, n):
            found = k_best_projective(&chart, &forest, &scores[0, 0], n, k, single, &heads[0, 0], &totals[0])
        release_chart(&chart)
        release_forest(&forest)
    if found < 0:
        raise MemoryError
    return found
