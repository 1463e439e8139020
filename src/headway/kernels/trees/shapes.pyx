"""The shape of dependency trees, and lifting arcs until a tree is projective.

Sentence s of a batch has the words `offsets[s] : offsets[s + 1]`; `heads` counts from 1 within the sentence,
0 is the root. Inside, node 0 is the root and node w word w, so arrays of nodes have one cell more than there
are words. `work` is scratch space: at least `WORK` rows of one cell more than the longest sentence has words.
"""

from libc.stdlib cimport abs as distance

from headway.kernels.trees.tree cimport dominates, traverse

WORK = 6


cdef int mark_nonprojective(
    const int* heads, int n, const int* enter, const int* leave, int* left, int* right, unsigned char* marks
) noexcept nogil:
    """Mark each word whose head does not dominate all words between them; returns how many there are.

    left[v] to right[v] is the longest stretch around v in which v dominates every word, and an arc is
    projective exactly if it ends inside its head's stretch. A stretch is found by jumping over the stretches
    that it is made of, and each of them becomes part of one other only. Linear time.
    """
    cdef int word, head, at, count = 0
    for word in range(1, n + 1):
        at = word - 1
        while at > 0 and dominates(enter, leave, word, at):
            at = left[at] - 1
        left[word] = at + 1
    for word in range(n, 0, -1):
        at = word + 1
        while at <= n and dominates(enter, leave, word, at):
            at = right[at] + 1
        right[word] = at - 1
    for word in range(1, n + 1):
        head = heads[word - 1]
        marks[word - 1] = head != 0 and not left[head] <= word <= right[head]
        count += marks[word - 1]
    return count


cdef bint no_crossing(
    const int* heads, int n, const int* child, const int* sibling, int* opening, int* later, int* stack
) noexcept nogil:
    """Whether no two arcs between words cross: the last to open is the first to close. Linear time.

    An arc is known by its dependent. `opening[v]` is the longest arc that has its left end at v, `later[a]`
    the next shorter one. The stack holds the right ends of the arcs that are open, the nearest on top.
    """
    cdef int word, arc, end, open_arcs = 0
    for word in range(1, n + 1):
        opening[word] = 0
    for word in range(1, n + 1):
        if 0 < heads[word - 1] < word:
            later[word] = opening[heads[word - 1]]
            opening[heads[word - 1]] = word
        arc = child[word]
        while arc and arc < word:
            later[arc] = opening[arc]
            opening[arc] = arc
            arc = sibling[arc]
    for word in range(1, n + 1):
        while open_arcs and stack[open_arcs - 1] == word:
            open_arcs -= 1
        arc = opening[word]
        while arc:
            end = max(arc, heads[arc - 1])
            if open_arcs and stack[open_arcs - 1] < end:
                return False
            stack[open_arcs] = end
            open_arcs += 1
            arc = later[arc]
    return True


def shapes(
    const int[::1] heads, const int[::1] offsets, int[:, ::1] work,
    unsigned char[::1] trees, unsigned char[::1] projective, unsigned char[::1] planar, int[::1] roots,
    unsigned char[::1] nonprojective, int[::1] depths,
):
    """Fill in the shape of each sentence (`trees`, `projective`, `planar`, `roots`) and word (the last two).

    Where the heads are no tree, only `trees`, `roots` and `depths` say anything. Linear time.
    """
    cdef Py_ssize_t s
    cdef int n, w
    cdef const int* head
    with nogil:
        for s in range(offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            if n == 0:
                trees[s] = projective[s] = planar[s] = True
                roots[s] = 0
                continue
            head = &heads[offsets[s]]
            roots[s] = 0
            for w in range(n):
                roots[s] += head[w] == 0
                nonprojective[offsets[s] + w] = False
            trees[s] = n == traverse(
                head, n, &work[0, 0], &work[1, 0], &work[2, 0], &work[3, 0], &depths[offsets[s]]
            )
            projective[s] = trees[s] and 0 == mark_nonprojective(
                head, n, &work[2, 0], &work[3, 0], &work[4, 0], &work[5, 0], &nonprojective[offsets[s]]
            )
            # Arcs of a projective tree never cross, so the second test is only for the others.
            planar[s] = trees[s] and (projective[s] or no_crossing(
                head, n, &work[0, 0], &work[1, 0], &work[2, 0], &work[3, 0], &work[4, 0]
            ))


def lift(
    int[::1] heads, const int[::1] offsets, int[:, ::1] work,
    unsigned char[::1] crossed, unsigned char[::1] marks, int[::1] depths,
):
    """Change the heads of trees until all are projective, always lifting the shortest non-projective arc.

    The leftmost dependent is taken of arcs of the same length; its new head is its head's head. `crossed`
    becomes true for every word over whose arc another word was lifted. `marks` and `depths` are scratch
    space, a cell for each word. Linear time for each lift. Nivre & Nilsson (2005).
    """
    cdef Py_ssize_t s
    cdef int n, word, best
    cdef int* head
    with nogil:
        for s in range(offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            if n == 0:
                continue
            head = &heads[offsets[s]]
            while True:
                traverse(head, n, &work[0, 0], &work[1, 0], &work[2, 0], &work[3, 0], &depths[offsets[s]])
                if 0 == mark_nonprojective(
                    head, n, &work[2, 0], &work[3, 0], &work[4, 0], &work[5, 0], &marks[offsets[s]]
                ):
                    break
                best = 0
                for word in range(1, n + 1):
                    if marks[offsets[s] + word - 1] and (
                        not best or distance(word - head[word - 1]) < distance(best - head[best - 1])
                    ):
                        best = word
                crossed[offsets[s] + head[best - 1] - 1] = True
                head[best - 1] = head[head[best - 1] - 1]
