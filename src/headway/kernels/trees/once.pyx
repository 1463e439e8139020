"""See once.pxd."""

from libc.math cimport INFINITY
from libc.string cimport memset

from headway.kernels.trees.tree cimport NOTHING, ROOT


cdef class OnceTable:
    """Of each label of a parser whether it stands at most once under a head."""

    def __init__(self, const unsigned char[::1] once not None):
        self.labels = <int> once.shape[0]
        self.once = &once[0] if self.labels else NULL
        self.any = any(once)
        self.keep = once


cdef int reserve_once(Once* once, OnceTable table, Memory memory, int longest) except -1:
    """Room for sentences of up to `longest` words; none where no label stands once."""
    once.labels, once.once = table.labels, table.once if table.any else NULL
    if table.any:
        once.scores = <float*> memory.take(<size_t> max(1, longest) * table.labels, sizeof(float))
        once.start = <int*> memory.take(longest + 2, sizeof(int))
        once.child = <int*> memory.take(max(1, longest), sizeof(int))
        once.count = <int*> memory.take(table.labels, sizeof(int))
    return 0


cdef int best_other(const Once* once, int word, int label) noexcept nogil:
    """The best label for a word beside its own, of those that may still stand there; NOTHING where there is none."""
    cdef const float* scores = once.scores + <size_t> (word - 1) * once.labels
    cdef int other, best = NOTHING
    for other in range(once.labels):
        if other != label and scores[other] > -INFINITY and not (once.once[other] and once.count[other]):
            if best == NOTHING or scores[other] > scores[best]:
                best = other
    return best


cdef float loss_of(const Once* once, int word, int label) noexcept nogil:
    """What a word loses with its best other label."""
    cdef const float* scores = once.scores + <size_t> (word - 1) * once.labels
    cdef int other = best_other(once, word, label)
    return scores[label] - scores[other] if other != NOTHING else INFINITY


cdef void settle_once(Once* once, const int* heads, int* labels, int n) noexcept nogil:
    """Change labels[0 : n] so that under no head[0 : n] but the root a label stands twice that stands once.

    The word that would lose most keeps it; the others take their best other labels, from left to right. A word that has
    none keeps its own. Linear in words times labels.
    """
    cdef int word, head, i, j, keeper, label
    cdef float loss, most
    memset(once.start, 0, (n + 2) * sizeof(int))
    for word in range(n):
        once.start[heads[word]] += 1
    for head in range(1, n + 2):
        once.start[head] += once.start[head - 1]
    for word in range(n, 0, -1):
        once.start[heads[word - 1]] -= 1
        once.child[once.start[heads[word - 1]]] = word
    for head in range(ROOT + 1, n + 1):
        for i in range(once.start[head], once.start[head + 1]):
            once.count[labels[once.child[i] - 1]] += 1
        for i in range(once.start[head], once.start[head + 1]):
            label = labels[once.child[i] - 1]
            if not once.once[label] or once.count[label] < 2:
                continue
            keeper, most = NOTHING, -INFINITY
            for j in range(i, once.start[head + 1]):
                word = once.child[j]
                if labels[word - 1] == label:
                    loss = loss_of(once, word, label)
                    if keeper == NOTHING or loss > most:
                        keeper, most = word, loss
            for j in range(i, once.start[head + 1]):
                word = once.child[j]
                if labels[word - 1] == label and word != keeper:
                    labels[word - 1] = best_other(once, word, label)
                    if labels[word - 1] == NOTHING:
                        labels[word - 1] = label
                    else:
                        once.count[labels[word - 1]] += 1
                        once.count[label] -= 1
            once.count[label] = 1       # whoever still has it has no other
        for i in range(once.start[head], once.start[head + 1]):
            once.count[labels[once.child[i] - 1]] = 0


def settled(OnceTable table not None, const float[:, ::1] scores not None, const int[::1] heads not None, int[::1] labels not None):
    """Settle the labels of one sentence; `scores` has a row of labels for each word, -inf for what it cannot have."""
    cdef Once once
    cdef Memory memory = Memory()
    cdef int n = <int> heads.shape[0], word, label
    if labels.shape[0] != n or scores.shape[0] != n or scores.shape[1] != table.labels:
        raise ValueError("the arrays do not fit each other")
    reserve_once(&once, table, memory, n)
    if once.once == NULL or not n:
        return
    for word in range(n):
        if not 0 <= heads[word] <= n or not 0 <= labels[word] < table.labels:
            raise ValueError(f"word {word + 1} has head {heads[word]} and label {labels[word]}")
        for label in range(table.labels):
            once.scores[word * table.labels + label] = scores[word, label]
    settle_once(&once, &heads[0], &labels[0], n)
