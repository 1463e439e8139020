"""Better trees by one changed head at a time. McDonald and Pereira (2006)."""

from headway.kernels.graph.eisner cimport adjacent
from headway.kernels.graph.spanning cimport (
    Contraction, is_below, number_nodes, reserve_contraction, total_of,
)
from headway.kernels.memory cimport Memory


cdef double score_siblings(
    Contraction* work, const double* scores, const double* siblings, int n, const int* heads
) noexcept nogil:
    """The score of a tree under arc and sibling scores. O(n)."""
    cdef Py_ssize_t width = n + 1
    cdef int word
    cdef int* previous = work.right
    cdef double total = total_of(scores, heads, n)
    adjacent(heads, n, work.left, previous)
    for word in range(1, n + 1):
        if heads[word] < word:
            total += siblings[(heads[word] * width + word) * width + previous[word]]
    for word in range(n, 0, -1):
        if heads[word] > word:
            total += siblings[(heads[word] * width + word) * width + previous[word]]
    return total


cdef inline double attachment(
    const Contraction* work, const double* scores, const double* siblings, int n, int head, int child
) noexcept nogil:
    """What a tree without `child` gains by hanging it on `head`, between the siblings `left` and `right` of it."""
    cdef Py_ssize_t width = n + 1
    cdef int inner = head, outer
    cdef double gain
    if head < child:
        outer = work.right[head]
        if work.left[head] > head:
            inner = work.left[head]
    else:
        outer = work.left[head]
        if work.right[head] and work.right[head] < head:
            inner = work.right[head]
    gain = scores[head * width + child] + siblings[(head * width + child) * width + inner]
    if outer:
        gain += siblings[(head * width + outer) * width + child] - siblings[(head * width + outer) * width + inner]
    return gain


cdef double best_move(
    Contraction* work, const double* scores, const double* siblings, int n, bint single, const int* heads,
    int* word, int* new_head,
) noexcept nogil:
    """What the best change of one head gains, and which it is. O(n²): all words are swept with their neighbours."""
    cdef int child, head
    cdef double best = 0, now, gain
    number_nodes(work, heads, n)
    for head in range(n + 1):
        work.left[head] = work.right[head] = 0
    for child in range(n, 0, -1):
        work.after[child] = work.right[heads[child]]
        work.right[heads[child]] = child
    for child in range(1, n + 1):
        work.right[heads[child]] = work.after[child]
        now = attachment(work, scores, siblings, n, heads[child], child)
        for head in range(1 if single else 0, n + 1):
            if head != heads[child] and not is_below(work, head, child):
                gain = attachment(work, scores, siblings, n, head, child) - now
                if gain > best:
                    best = gain
                    word[0], new_head[0] = child, head
        work.left[heads[child]] = child
    return best


cdef double rearrange_siblings(
    Contraction* work, const double* scores, const double* siblings, int n, bint single, int* heads
) noexcept nogil:
    """O(n²) for each change. McDonald and Pereira (2006), figure 5. Rounding cannot keep it going: the score grows."""
    cdef int word, new_head, old_head
    cdef double changed, total = score_siblings(work, scores, siblings, n, heads)
    while best_move(work, scores, siblings, n, single, heads, &word, &new_head) > 0:
        old_head = heads[word]
        heads[word] = new_head
        changed = score_siblings(work, scores, siblings, n, heads)
        if not changed > total:
            heads[word] = old_head
            break
        total = changed
    return total


def rearrange(const double[:, ::1] scores, const double[:, :, ::1] siblings, bint single, int[::1] heads):
    """Better the tree in `heads[1:]` under arc and sibling scores; returns its score."""
    cdef Contraction work
    cdef Memory memory = Memory()
    cdef int n = <int> scores.shape[0] - 1
    reserve_contraction(&work, memory, n)
    return rearrange_siblings(&work, &scores[0, 0], &siblings[0, 0, 0], n, single, &heads[0])
