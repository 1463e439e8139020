"""Labels that stand at most once under a head: where a tree has one twice, the dearest keeps it, others change."""

from libc.math cimport INFINITY
from libc.string cimport memset

from headway.kernels.memory cimport Memory
from headway.kernels.trees.tree cimport NOTHING, ROOT


cdef struct Labels:
    int number
    const unsigned char* single     # of each label whether it stands at most once
    const float* score              # [word, label] given the arcs; -inf for what a word cannot have
    int* count                      # of each label under one head


cdef int best_other(const Labels* labels, int word, int label) noexcept nogil:
    """The best label for a word beside its own, of those that may still stand there; NOTHING where there is none."""
    cdef const float* score = labels.score + <size_t> word * labels.number
    cdef int other, best = NOTHING
    for other in range(labels.number):
        if other != label and score[other] > -INFINITY and not (labels.single[other] and labels.count[other]):
            if best == NOTHING or score[other] > score[best]:
                best = other
    return best


cdef float loss_of(const Labels* labels, int word, int label) noexcept nogil:
    """What a word loses with its best other label."""
    cdef const float* score = labels.score + <size_t> word * labels.number
    cdef int other = best_other(labels, word, label)
    return score[label] - score[other] if other != NOTHING else INFINITY


def doubled(
    const unsigned char[::1] single not None, const int[::1] heads not None, const int[::1] labels not None,
    const int[::1] offsets not None,
):
    """The sentences in which a label that is `single` stands twice under a head that is a word. Linear time."""
    cdef Memory memory = Memory()
    cdef list found = []
    cdef int s, w, n, label, count = 0, longest = 0, number = <int> single.shape[0]
    cdef int* column = <int*> memory.take(number, sizeof(int))
    cdef int* seen      # in which sentence, counted from 1, a head was last met with a label
    if heads.shape[0] != labels.shape[0] or offsets[offsets.shape[0] - 1] > heads.shape[0]:
        raise ValueError("the arrays do not fit each other")
    for label in range(number):
        column[label] = count
        count += single[label]
    for s in range(<int> offsets.shape[0] - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    seen = <int*> memory.take(<size_t> (longest + 1) * count, sizeof(int))
    for s in range(<int> offsets.shape[0] - 1):
        n = offsets[s + 1] - offsets[s]
        for w in range(offsets[s], offsets[s + 1]):
            label = labels[w]
            if heads[w] > n or not label < number:
                raise ValueError(f"word {w} has head {heads[w]} and label {label}")
            if heads[w] > ROOT and label >= 0 and single[label]:
                if seen[<size_t> heads[w] * count + column[label]] == s + 1:
                    found.append(s)
                    break
                seen[<size_t> heads[w] * count + column[label]] = s + 1
    return found


def settle(
    const unsigned char[::1] single not None, const float[:, ::1] scores not None, const int[::1] heads not None,
    int[::1] chosen not None,
):
    """Change the labels `chosen` of one sentence so that no label which is `single` stands twice under a head.

    `scores` has those of all labels for each word, -inf for what it cannot have. The word that would lose most keeps
    the label; the others take their best other ones, from left to right. A word that has none keeps its own, and the
    root may have any. Linear in words times labels.
    """
    cdef Labels labels
    cdef Memory memory = Memory()
    cdef int n = <int> heads.shape[0], number = <int> single.shape[0], word, head, i, j, label, keeper, other
    cdef float loss, most
    if chosen.shape[0] != n or scores.shape[0] != n or scores.shape[1] != number:
        raise ValueError("the arrays do not fit each other")
    for word in range(n):
        if not 0 <= heads[word] <= n or not 0 <= chosen[word] < number:
            raise ValueError(f"word {word + 1} has head {heads[word]} and label {chosen[word]}")
    if not n:
        return
    labels.number, labels.single, labels.score = number, &single[0], &scores[0, 0]
    labels.count = <int*> memory.take(number, sizeof(int))
    cdef int* start = <int*> memory.take(n + 2, sizeof(int))    # of the children of each head
    cdef int* child = <int*> memory.take(n, sizeof(int))        # counted from 0
    with nogil:
        for word in range(n):
            start[heads[word]] += 1
        for head in range(1, n + 2):
            start[head] += start[head - 1]
        for word in range(n - 1, -1, -1):
            start[heads[word]] -= 1
            child[start[heads[word]]] = word
        for head in range(ROOT + 1, n + 1):
            if start[head + 1] - start[head] < 2:
                continue
            memset(labels.count, 0, number * sizeof(int))
            for i in range(start[head], start[head + 1]):
                labels.count[chosen[child[i]]] += 1
            for i in range(start[head], start[head + 1]):
                label = chosen[child[i]]
                if not single[label] or labels.count[label] < 2:
                    continue
                keeper, most = NOTHING, -INFINITY
                for j in range(i, start[head + 1]):
                    if chosen[child[j]] == label:
                        loss = loss_of(&labels, child[j], label)
                        if keeper == NOTHING or loss > most:
                            keeper, most = child[j], loss
                for j in range(i, start[head + 1]):
                    word = child[j]
                    if chosen[word] == label and word != keeper:
                        other = best_other(&labels, word, label)
                        if other != NOTHING:
                            chosen[word] = other
                            labels.count[other] += 1
                labels.count[label] = 1     # whoever has it beside the keeper can have no other
