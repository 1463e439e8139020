"""The k best trees of any kind; scores, heads and workspaces are as in eisner.pxd.

Each is the best of those that obey some choices of arcs. The second best tree of a contraction costs no more than the
best: it takes another arc into one word or one cycle. Camerini, Fratta and Maffioli (1980); Zmigrod, Vieira and
Cotterell (2021).
"""

from libc.math cimport INFINITY
from libc.string cimport memcpy

from headway.kernels.graph.spanning cimport BROKEN, Contraction, find_tree, number_nodes, roots_of, total_of
from headway.kernels.memory cimport Memory
from headway.kernels.trees.tree cimport dominates

cdef struct Candidate:      # what comes after a tree
    double promise          # the score of its best tree
    int tree                # the tree that it comes after
    int word                # a word that has another head in it
    int choice              # the last choice that it obeys


cdef struct Choice:         # of an arc
    int before              # the choice before it
    int head
    int child
    bint taken              # whether the arc is in the tree


cdef struct TreeRanking:
    double* scores          # the arcs that the choices at hand leave
    Candidate* candidate
    Choice* choice          # number 0 is none


cdef inline double parallel(const Contraction* work, const double* scores, int n, int cycle) noexcept nogil:
    """The adjusted score of the second best arc into a cycle from the node where its best one begins, or -inf. O(n).

    Columns know the best arc from each node only. The second best is the best one into another member, or else
    the second best into the member that the best one enters.
    """
    cdef Py_ssize_t width = n + 1
    cdef int head = work.head[cycle], inside = work.child[cycle], member
    cdef double second = -INFINITY, value
    while inside != cycle:
        second -= work.best[inside]
        member = work.member[work.parent[inside]]
        while member:
            if member != inside:
                value = scores[head * width + member] if member <= n else work.columns[(member - width) * width + head]
                second = max(second, value - work.best[member])
            member = work.following[member]
        inside = work.parent[inside]
    return second


cdef inline double least_loss(Contraction* work, const double* scores, int n, bint single, int* word) noexcept nogil:
    """What the second best tree loses against the tree just found, and a word that has another head in it. O(n²).

    One node that is not BROKEN takes another arc than its best one, from a node that is not below it; +inf where
    there is none. Camerini, Fratta and Maffioli (1980), with arcs that enter the same cycle from the same node
    counted (Zmigrod, Vieira and Cotterell 2021).
    """
    cdef Py_ssize_t width = n + 1
    cdef int node, source, child
    cdef double least = INFINITY, value, rival
    number_nodes(work, work.heads, n)
    for node in range(1, work.last + 1):
        if work.state[node] == BROKEN:
            continue
        child = work.child[node]
        rival = -INFINITY if node <= n else parallel(work, scores, n, node)
        for source in range(1 if single else 0, n + 1):
            value = scores[source * width + node] if node <= n else work.columns[(node - width) * width + source]
            if (value > rival and source != work.head[node]
                    and not dominates(work.enter, work.leave, child, source)):
                rival = value
        if work.best[node] - rival < least:
            least = work.best[node] - rival
            word[0] = child
    return least


cdef inline int reserve_ranking(TreeRanking* ranking, Memory memory, int longest, int trees) except -1:
    """Each tree after the first comes from one candidate and adds two, by two choices."""
    ranking.scores = <double*> memory.take((<size_t> longest + 1) * (longest + 1), sizeof(double))
    ranking.candidate = <Candidate*> memory.take(2 * <size_t> trees, sizeof(Candidate))
    ranking.choice = <Choice*> memory.take(2 * <size_t> trees, sizeof(Choice))
    return 0


cdef inline bint best_under(
    Contraction* work, TreeRanking* ranking, const double* scores, int n, bint single, int choice
) noexcept nogil:
    """Find the best tree that obeys a choice and those before it. False where there is no tree."""
    cdef Py_ssize_t width = n + 1
    cdef int head
    cdef const Choice* one
    memcpy(ranking.scores, scores, width * width * sizeof(double))
    while choice:
        one = &ranking.choice[choice]
        for head in range(n + 1):
            if (head != one.head) == one.taken:
                ranking.scores[head * width + one.child] = -INFINITY
        choice = one.before
    return find_tree(work, ranking.scores, n, single) and not (single and roots_of(work.heads, n) != 1)


cdef inline int add_candidate(
    Contraction* work, TreeRanking* ranking, int n, bint single, int count, int choice, int tree, double total
) noexcept nogil:
    """Add what comes after a tree, the best of those that obey a choice, if anything does; returns how many there are.

    The tree just found may be another one that is as good. Then nothing is lost by the next one, and at the word where
    that differs from the tree found, leaving the arc of either tree keeps one of all those that are as good.
    """
    cdef Candidate* new = &ranking.candidate[count]
    new.promise = total - least_loss(work, ranking.scores, n, single, &new.word)
    new.tree, new.choice = tree, choice
    return count + (new.promise > -INFINITY)


cdef inline Candidate take_candidate(TreeRanking* ranking, int count) noexcept nogil:
    """Take out the best candidate; the last one takes its place."""
    cdef int i, best = 0
    cdef Candidate taken
    for i in range(1, count):
        if ranking.candidate[i].promise > ranking.candidate[best].promise:
            best = i
    taken = ranking.candidate[best]
    ranking.candidate[best] = ranking.candidate[count - 1]
    return taken


cdef inline void sort(int* heads, double* totals, int n, int count) noexcept nogil:
    """Put trees in the order of their scores, from which rounding alone can keep them."""
    cdef Py_ssize_t width = n + 1
    cdef int last, at, word
    for last in range(1, count):
        at = last
        while at and totals[at] > totals[at - 1]:
            totals[at], totals[at - 1] = totals[at - 1], totals[at]
            for word in range(n + 1):
                heads[at * width + word], heads[(at - 1) * width + word] = (
                    heads[(at - 1) * width + word], heads[at * width + word]
                )
            at -= 1


cdef inline int k_best_spanning(
    Contraction* work, TreeRanking* ranking, const double* scores, int n, int k, bint single, int* heads, double* totals
) noexcept nogil:
    """Write up to k trees, as `k_best_projective` does; returns how many there are. O(kn² + k²).

    A candidate stands for all trees that obey its choices, but for the best of them, its `tree`.
    They are parted by an arc of that tree which the best of the rest does without: those that leave the arc, of which
    that one is the best, and those that take it, of which the tree is. Lawler (1972).
    """
    cdef Py_ssize_t width = n + 1
    cdef int found = 1, candidates, choices = 0
    cdef int* here = heads
    cdef Candidate last
    totals[0] = here[0] = 0
    if n == 0:
        return 1
    if not best_under(work, ranking, scores, n, single, 0):
        return 0
    memcpy(here + 1, work.heads + 1, n * sizeof(int))
    totals[0] = total_of(scores, here, n)
    candidates = add_candidate(work, ranking, n, single, 0, 0, 0, totals[0])
    while found < k and candidates:
        last = take_candidate(ranking, candidates)
        candidates -= 1
        ranking.choice[choices + 1] = Choice(last.choice, heads[last.tree * width + last.word], last.word, False)
        if not best_under(work, ranking, scores, n, single, choices + 1):
            continue    # sums beyond the largest number; otherwise what is promised exists
        here = heads + found * width
        here[0] = 0
        memcpy(here + 1, work.heads + 1, n * sizeof(int))
        totals[found] = total_of(scores, here, n)
        candidates = add_candidate(work, ranking, n, single, candidates, choices + 1, found, totals[found])
        found += 1
        choices += 2
        ranking.choice[choices] = Choice(last.choice, heads[last.tree * width + last.word], last.word, True)
        if found < k and best_under(work, ranking, scores, n, single, choices):
            candidates = add_candidate(work, ranking, n, single, candidates, choices, last.tree, totals[last.tree])
    sort(heads, totals, n, found)
    return found
