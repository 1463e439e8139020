"""Better trees of any kind by one changed head at a time; scores and heads are as in eisner.pxd.

McDonald and Pereira (2006).
"""

from headway.kernels.graph.eisner cimport adjacent
from headway.kernels.graph.spanning cimport Contraction, number_nodes, total_of
from headway.kernels.trees.tree cimport dominates


cdef inline double score_siblings(
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
    const double* scores, const double* siblings, Py_ssize_t width, int head, int child, int left, int right
) noexcept nogil:
    """What a tree without `child` gains by hanging it on `head`, between the head's children `left` and `right`, or 0.
    """
    cdef int inner = head, outer = right if head < child else left
    cdef double gain
    if head < child:
        inner = max(inner, left)
    elif right and right < head:
        inner = right
    gain = scores[head * width + child] + siblings[(head * width + child) * width + inner]
    if outer:
        gain += siblings[(head * width + outer) * width + child] - siblings[(head * width + outer) * width + inner]
    return gain


cdef inline void attach_everywhere(
    const double* scores, const double* siblings, const int* heads, int n, int* rows, double* gains
) noexcept nogil:
    """Write what each word gains on each head if all others stay: gains[head × (n + 1) + child].

    O(n²): all words are swept with their neighbours among the children of each head; `rows` has room for three rows.
    """
    cdef Py_ssize_t width = n + 1
    cdef int* left = rows               # of each node: its last child before the word that is looked at, or 0
    cdef int* right = rows + width      # its first child after it
    cdef int* after = rows + 2 * width  # of each word: the next child of its head
    cdef int child, head
    for head in range(n + 1):
        left[head] = right[head] = 0
    for child in range(n, 0, -1):
        after[child] = right[heads[child]]
        right[heads[child]] = child
    for child in range(1, n + 1):
        right[heads[child]] = after[child]
        for head in range(n + 1):
            if head != child:
                gains[head * width + child] = attachment(
                    scores, siblings, width, head, child, left[head], right[head]
                )
        left[heads[child]] = child


cdef inline double best_move(
    Contraction* work, const double* scores, const double* siblings, int n, bint single, const int* heads,
    int* word, int* new_head,
) noexcept nogil:
    """What the best change of one head gains, and which it is. O(n²)."""
    cdef Py_ssize_t width = n + 1
    cdef int child, head
    cdef double best = 0, gain
    attach_everywhere(scores, siblings, heads, n, work.left, work.columns)
    number_nodes(work, heads, n)
    for child in range(1, n + 1):
        for head in range(1 if single else 0, n + 1):
            if head != heads[child] and not dominates(work.enter, work.leave, child, head):
                gain = work.columns[head * width + child] - work.columns[heads[child] * width + child]
                if gain > best:
                    best = gain
                    word[0], new_head[0] = child, head
    return best


cdef inline double rearrange_siblings(
    Contraction* work, const double* scores, const double* siblings, int n, bint single, int* heads
) noexcept nogil:
    """Better the tree in `heads` under arc and sibling scores; returns its score. O(n²) for each change.

    With `single`, the word on the root stays the only one. McDonald and Pereira (2006), figure 5. Rounding cannot keep
    it going: the score grows.
    """
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
