"""Best trees of any kind, projective or not; scores, heads, workspaces and what is returned are as in eisner.pxd.

Maximum spanning trees of dense graphs: Chu and Liu (1965); Edmonds (1967); Camerini, Fratta and Maffioli (1980).

Every word takes its best incoming arc, and a cycle of such arcs becomes one node, into which an arc is worth its score
less that of the arc it replaces. Nodes are looked at along one growing path, so that a cycle is met where it closes
(Gabow, Galil, Spencer and Tarjan 1986), and each of at most 2n nodes costs O(n): O(n²) in all.

A single root costs nothing more. Let arcs be compared first by whether they leave the root, the others being better,
and then by score: adding and comparing such pairs obeys the same laws as numbers do, so that the algorithm finds the
best of the trees with the fewest roots. A node that takes an arc from the root is never contracted, so the first parts
of the pairs stay as they are, and it is enough to take arcs from the root only where no others are left.
"""

from libc.math cimport INFINITY
from libc.string cimport memcpy

from headway.kernels.memory cimport Memory
from headway.kernels.trees.tree cimport traverse

cdef enum:          # states of words and cycles
    NEW, OPEN, DONE
    BROKEN          # its best arc gave way to one that enters a cycle around it


cdef struct Contraction:
    int last                # the last cycle, numbered from n + 1 on; the words are the numbers before
    double* best            # of each word or cycle: the adjusted score of the best arc that enters it
    int* head               # where that arc begins
    int* child              # the word where it ends
    int* parent             # the cycle that the word or cycle was contracted into
    int* member             # the first member of each cycle
    int* following          # the next member of the same cycle
    int* state
    int* path
    int* place              # the outermost cycle around each word, or the word
    double* columns         # of each cycle: the adjusted score of the best arc that enters it from each node
    int* entries            # the words where those arcs end
    int* heads              # the tree
    int* enter              # the subtree of a node is the nodes with numbers enter to leave
    int* leave
    int* left               # three rows for those who look at the tree, one after the other
    int* right
    int* after


cdef inline int reserve_contraction(Contraction* work, Memory memory, int longest) except -1:
    """Two matrices, touched only as far as there are cycles, and some rows."""
    cdef size_t width = longest + 1
    cdef int* rows = <int*> memory.take((21 + width) * width, sizeof(int))
    work.best = <double*> memory.take((2 + width) * width, sizeof(double))
    work.columns = work.best + 2 * width
    work.head, work.child = rows, rows + 2 * width
    work.parent, work.member = rows + 4 * width, rows + 6 * width
    work.following, work.state = rows + 8 * width, rows + 10 * width
    work.path, work.place = rows + 12 * width, rows + 14 * width
    work.heads = rows + 15 * width
    work.enter, work.leave = rows + 16 * width, rows + 17 * width
    work.left, work.right, work.after = rows + 18 * width, rows + 19 * width, rows + 20 * width
    work.entries = rows + 21 * width
    return 0


cdef inline void begin(Contraction* work, const double* scores, int n, bint single) noexcept nogil:
    """The best arc into every word."""
    cdef Py_ssize_t width = n + 1
    cdef int head, child, side
    cdef const double* row
    cdef double* best = work.best
    cdef int* heads = work.head
    work.last = n
    for child in range(n + 1):
        best[child] = -INFINITY
        heads[child] = work.parent[child] = 0
        work.child[child] = work.place[child] = child
        work.state[child] = NEW
    work.state[0] = DONE
    for head in range(1 if single else 0, n + 1):
        row = scores + head * width
        for side in range(2):
            for child in range(head + 1 if side else 1, n + 1 if side else head):
                heads[child] = head if row[child] > best[child] else heads[child]
                best[child] = row[child] if row[child] > best[child] else best[child]
    for child in range(1, n + 1):
        if single and best[child] == -INFINITY:
            heads[child] = 0
            best[child] = scores[child]


cdef inline void choose(Contraction* work, int n, int cycle, bint single) noexcept nogil:
    """The best arc into a cycle."""
    cdef Py_ssize_t width = n + 1
    cdef const double* column = work.columns + (cycle - width) * width
    cdef const int* entry = work.entries + (cycle - width) * width
    cdef int node, found = 0
    cdef double best = -INFINITY if single else column[0]
    for node in range(1, n + 1):
        if column[node] > best:
            best = column[node]
            found = node
    work.best[cycle] = column[found]
    work.head[cycle] = found
    work.child[cycle] = entry[found]


cdef inline void merge(
    double* column, int* entry, int n, const double* scores, Py_ssize_t step, const int* words, int word, double best
) noexcept nogil:
    """Let arcs into a member of a cycle be arcs into the cycle. They end at `words`, or all at one word."""
    cdef int node
    cdef double value
    for node in range(n + 1):
        value = scores[node * step] - best
        if value > column[node]:
            column[node] = value
            entry[node] = word if words == NULL else words[node]


cdef inline int contract(Contraction* work, const double* scores, int n, int size, int source) noexcept nogil:
    """Make one node of the cycle at the end of the path, which `source` begins; returns the size of the rest."""
    cdef Py_ssize_t width = n + 1
    cdef int node, member = 0, cycle = work.last + 1
    cdef double* column = work.columns + (cycle - width) * width
    cdef int* entry = work.entries + (cycle - width) * width
    work.last = cycle
    work.parent[cycle] = work.member[cycle] = 0
    work.state[cycle] = NEW
    for node in range(n + 1):
        column[node] = -INFINITY
        entry[node] = 0
    while member != source:
        size -= 1
        member = work.path[size]
        work.parent[member] = cycle
        work.following[member] = work.member[cycle]
        work.member[cycle] = member
        if member <= n:
            merge(column, entry, n, scores + member, width, NULL, member, work.best[member])
        else:
            merge(
                column, entry, n, work.columns + (member - width) * width, 1,
                work.entries + (member - width) * width, 0, work.best[member],
            )
    for node in range(1, n + 1):
        if work.parent[work.place[node]] == cycle:
            work.place[node] = cycle
            column[node] = -INFINITY
    return size


cdef inline void expand(Contraction* work) noexcept nogil:
    """Write the heads: the arc into a cycle breaks those of all members around the word where it ends. O(n)."""
    cdef int node, inside
    for node in range(work.last, 0, -1):
        if work.state[node] != BROKEN:
            inside = work.child[node]
            work.heads[inside] = work.head[node]
            while inside != node:
                work.state[inside] = BROKEN
                inside = work.parent[inside]


cdef inline bint find_tree(Contraction* work, const double* scores, int n, bint single) noexcept nogil:
    """The best tree into `work.heads`, with `single` the best of the fewest roots; False where there is none.

    The arcs that the tree takes are the best ones of those nodes that are not BROKEN.
    """
    cdef int word, here, size
    begin(work, scores, n, single)
    for word in range(1, n + 1):
        here = work.place[word]
        size = 0
        while work.state[here] != DONE:
            if work.state[here] == OPEN:
                size = contract(work, scores, n, size, here)
                here = work.last
                choose(work, n, here, single)
            if work.best[here] == -INFINITY:
                return False
            work.state[here] = OPEN
            work.path[size] = here
            size += 1
            here = work.place[work.head[here]]
        while size:
            size -= 1
            work.state[work.path[size]] = DONE
    expand(work)
    return True


cdef inline int roots_of(const int* heads, int n) noexcept nogil:
    cdef int word, roots = 0
    for word in range(1, n + 1):
        roots += heads[word] == 0
    return roots


cdef inline double total_of(const double* scores, const int* heads, int n) noexcept nogil:
    cdef Py_ssize_t width = n + 1
    cdef int word
    cdef double total = 0
    for word in range(1, n + 1):
        total += scores[heads[word] * width + word]
    return total


cdef inline double best_spanning(
    Contraction* work, const double* scores, int n, bint single, int* heads
) noexcept nogil:
    """O(n²) time and memory. The best of all trees is also the best of those with one root, if it has one root."""
    if not find_tree(work, scores, n, False):
        return -INFINITY
    if single and n and roots_of(work.heads, n) != 1:
        if not find_tree(work, scores, n, True) or roots_of(work.heads, n) != 1:
            return -INFINITY
    memcpy(heads + 1, work.heads + 1, n * sizeof(int))
    return total_of(scores, heads, n)


cdef inline void number_nodes(Contraction* work, const int* heads, int n) noexcept nogil:
    """Number the nodes so that each subtree is the numbers `enter` to `leave` of its top. O(n)."""
    traverse(heads + 1, n, work.left, work.right, work.enter, work.leave, work.after)
