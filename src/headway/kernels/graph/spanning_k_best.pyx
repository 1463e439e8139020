"""The k best spanning trees. Camerini, Fratta and Maffioli (1980); Zmigrod, Vieira and Cotterell (2021).

Each is the best of those that obey some choices of arcs. The second best tree of a contraction costs no more than the
best: it takes another arc into one word or one cycle.
"""

from libc.math cimport INFINITY
from libc.string cimport memcpy

from headway.kernels.graph.spanning cimport BROKEN, Contraction, find_tree, is_below, number_nodes, roots_of, total_of


cdef double parallel(const Contraction* work, const double* scores, int n, int cycle) noexcept nogil:
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


cdef double least_loss(Contraction* work, const double* scores, int n, bint single, int* word) noexcept nogil:
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
            if value > rival and source != work.head[node] and not is_below(work, source, child):
                rival = value
        if work.best[node] - rival < least:
            least = work.best[node] - rival
            word[0] = child
    return least


cdef int reserve_ranking(TreeRanking* ranking, Memory memory, int longest, int trees) except -1:
    """Each tree after the first comes from one candidate and adds two, by two choices."""
    cdef size_t cells = (<size_t> longest + 1) * (longest + 1), most = 2 * <size_t> trees
    cdef int* rows = <int*> memory.take(7 * most, sizeof(int))
    ranking.scores = <double*> memory.take(cells + most, sizeof(double))
    ranking.promise = ranking.scores + cells
    ranking.tree, ranking.word, ranking.choice = rows, rows + most, rows + 2 * most
    ranking.before, ranking.head = rows + 3 * most, rows + 4 * most
    ranking.child, ranking.taken = rows + 5 * most, rows + 6 * most
    return 0


cdef bint best_under(
    Contraction* work, TreeRanking* ranking, const double* scores, int n, bint single, int choice
) noexcept nogil:
    """Find the best tree that obeys a choice and those before it; choice 0 is none. False where there is no tree."""
    cdef Py_ssize_t width = n + 1
    cdef int head, child
    memcpy(ranking.scores, scores, width * width * sizeof(double))
    while choice:
        child = ranking.child[choice]
        if ranking.taken[choice]:
            for head in range(n + 1):
                if head != ranking.head[choice]:
                    ranking.scores[head * width + child] = -INFINITY
        else:
            ranking.scores[ranking.head[choice] * width + child] = -INFINITY
        choice = ranking.before[choice]
    return find_tree(work, ranking.scores, n, single) and not (single and roots_of(work.heads, n) != 1)


cdef int add_choice(TreeRanking* ranking, int choice, int before, int head, int child, bint taken) noexcept nogil:
    ranking.before[choice], ranking.taken[choice] = before, taken
    ranking.head[choice], ranking.child[choice] = head, child
    return choice


cdef int add_candidate(
    Contraction* work, TreeRanking* ranking, int n, bint single, int count, int choice, int tree, double total
) noexcept nogil:
    """Add what comes after a tree, the best of those that obey a choice, if anything does; returns how many there are.

    The tree just found may be another one that is as good. Then nothing is lost by the next one, and at the word where
    that differs from the tree found, leaving the arc of either tree keeps one of all those that are as good.
    """
    ranking.promise[count] = total - least_loss(work, ranking.scores, n, single, &ranking.word[count])
    ranking.tree[count], ranking.choice[count] = tree, choice
    return count + (ranking.promise[count] > -INFINITY)


cdef int take_candidate(TreeRanking* ranking, int count) noexcept nogil:
    """Put the best candidate last; returns its place."""
    cdef int i, best = 0, last = count - 1
    for i in range(1, count):
        if ranking.promise[i] > ranking.promise[best]:
            best = i
    ranking.promise[best], ranking.promise[last] = ranking.promise[last], ranking.promise[best]
    ranking.tree[best], ranking.tree[last] = ranking.tree[last], ranking.tree[best]
    ranking.word[best], ranking.word[last] = ranking.word[last], ranking.word[best]
    ranking.choice[best], ranking.choice[last] = ranking.choice[last], ranking.choice[best]
    return last


cdef void sort(int* heads, double* totals, int n, int count) noexcept nogil:
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


cdef int k_best_spanning(
    Contraction* work, TreeRanking* ranking, const double* scores, int n, int k, bint single, int* heads, double* totals
) noexcept nogil:
    """O(kn² + k²). A candidate stands for all trees that obey its choices, but for the best of them, its `tree`.

    They are parted by an arc of that tree which the best of the rest does without: those that leave the arc, of which
    that one is the best, and those that take it, of which the tree is. Lawler (1972).
    """
    cdef Py_ssize_t width = n + 1
    cdef int found = 1, candidates, choices = 0, choice, before, tree, word
    cdef int* here = heads
    totals[0] = here[0] = 0
    if n == 0:
        return 1
    if not best_under(work, ranking, scores, n, single, 0):
        return 0
    memcpy(here + 1, work.heads + 1, n * sizeof(int))
    totals[0] = total_of(scores, here, n)
    candidates = add_candidate(work, ranking, n, single, 0, 0, 0, totals[0])
    while found < k and candidates:
        candidates = take_candidate(ranking, candidates)
        before, tree, word = ranking.choice[candidates], ranking.tree[candidates], ranking.word[candidates]
        choice = add_choice(ranking, choices + 1, before, heads[tree * width + word], word, False)
        if not best_under(work, ranking, scores, n, single, choice):
            continue    # sums beyond the largest number; otherwise what is promised exists
        here = heads + found * width
        here[0] = 0
        memcpy(here + 1, work.heads + 1, n * sizeof(int))
        totals[found] = total_of(scores, here, n)
        candidates = add_candidate(work, ranking, n, single, candidates, choice, found, totals[found])
        found += 1
        choice = add_choice(ranking, choices + 2, before, heads[tree * width + word], word, True)
        choices += 2
        if found < k and best_under(work, ranking, scores, n, single, choice):
            candidates = add_candidate(work, ranking, n, single, candidates, choice, tree, totals[tree])
    sort(heads, totals, n, found)
    return found
