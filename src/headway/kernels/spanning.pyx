"""Maximum spanning trees of dense graphs. Chu and Liu (1965); Edmonds (1967); Camerini, Fratta and Maffioli (1980).

Every word takes its best incoming arc, and a cycle of such arcs becomes one node, into which an arc is worth its score
less that of the arc it replaces. Nodes are looked at along one growing path, so that a cycle is met where it closes
(Gabow, Galil, Spencer and Tarjan 1986), and each of at most 2n nodes costs O(n): O(n²) in all.

A single root costs nothing more. Let arcs be compared first by whether they leave the root, the others being better,
and then by score: adding and comparing such pairs obeys the same laws as numbers do, so that the algorithm finds the
best of the trees with the fewest roots. A node that takes an arc from the root is never contracted, so the first parts
of the pairs stay as they are, and it is enough to take arcs from the root only where no others are left.
"""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    NEW = 0
    OPEN = 1
    DONE = 2
    BROKEN = 3      # its best arc gave way to one that enters a cycle around it


cdef bint reserve_contraction(Contraction* work, int longest) noexcept nogil:
    """Two matrices, touched only as far as there are cycles, and some rows."""
    cdef size_t width = longest + 1
    cdef double* numbers
    cdef int* rows
    if work.best != NULL and longest <= work.room:
        return True
    release_contraction(work)
    numbers = <double*> malloc((2 + width) * width * sizeof(double))
    rows = <int*> malloc((21 + width) * width * sizeof(int))
    work.best, work.head = numbers, rows
    if numbers == NULL or rows == NULL:
        release_contraction(work)
        return False
    work.columns = numbers + 2 * width
    work.child = rows + 2 * width
    work.parent = rows + 4 * width
    work.member = rows + 6 * width
    work.following = rows + 8 * width
    work.state = rows + 10 * width
    work.path = rows + 12 * width
    work.place = rows + 14 * width
    work.heads = rows + 15 * width
    work.enter = rows + 16 * width
    work.leave = rows + 17 * width
    work.left = rows + 18 * width
    work.right = rows + 19 * width
    work.after = rows + 20 * width
    work.entries = rows + 21 * width
    work.room = longest
    return True


cdef void release_contraction(Contraction* work) noexcept nogil:
    free(work.best)
    free(work.head)
    work.best = NULL
    work.head = NULL


cdef void begin(Contraction* work, const double* scores, int n, bint single) noexcept nogil:
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


cdef void choose(Contraction* work, int n, int cycle, bint single) noexcept nogil:
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


cdef int contract(Contraction* work, const double* scores, int n, int size, int source) noexcept nogil:
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


cdef void expand(Contraction* work) noexcept nogil:
    """Write the heads: the arc into a cycle breaks those of all members around the word where it ends. O(n)."""
    cdef int node, inside
    for node in range(work.last, 0, -1):
        if work.state[node] != BROKEN:
            inside = work.child[node]
            work.heads[inside] = work.head[node]
            while inside != node:
                work.state[inside] = BROKEN
                inside = work.parent[inside]


cdef bint find_tree(Contraction* work, const double* scores, int n, bint single) noexcept nogil:
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


cdef int roots_of(const int* heads, int n) noexcept nogil:
    cdef int word, roots = 0
    for word in range(1, n + 1):
        roots += heads[word] == 0
    return roots


cdef double total_of(const double* scores, const int* heads, int n) noexcept nogil:
    cdef Py_ssize_t width = n + 1
    cdef int word
    cdef double total = 0
    for word in range(1, n + 1):
        total += scores[heads[word] * width + word]
    return total


cdef double best_spanning(Contraction* work, const double* scores, int n, bint single, int* heads) noexcept nogil:
    """O(n²) time and memory. The best of all trees is also the best of those with one root, if it has one root."""
    if not find_tree(work, scores, n, False):
        return -INFINITY
    if single and n and roots_of(work.heads, n) != 1:
        if not find_tree(work, scores, n, True) or roots_of(work.heads, n) != 1:
            return -INFINITY
    memcpy(heads + 1, work.heads + 1, n * sizeof(int))
    return total_of(scores, heads, n)


cdef void number_nodes(Contraction* work, const int* heads, int n) noexcept nogil:
    """Number the nodes so that each subtree is the numbers `enter` to `leave` of its top. O(n)."""
    cdef int word, here, size, count = 0
    cdef int* order = work.place        # words, heads first
    cdef int* vacant = work.path        # the first number in the subtree of each node that is not given away
    cdef int* sizes = work.leave
    memset(sizes, 0, (n + 1) * sizeof(int))
    for word in range(1, n + 1):
        here, size = word, 0
        while here and not sizes[here]:
            sizes[here] = 1
            work.path[size] = here
            size += 1
            here = heads[here]
        while size:
            size -= 1
            order[count] = work.path[size]
            count += 1
    for word in range(n - 1, -1, -1):
        sizes[heads[order[word]]] += sizes[order[word]]
    work.enter[0], work.leave[0], vacant[0] = 0, n, 1
    for word in range(n):
        here = order[word]
        work.enter[here] = vacant[heads[here]]
        vacant[heads[here]] += sizes[here]
        vacant[here] = work.enter[here] + 1
        work.leave[here] = work.enter[here] + sizes[here] - 1


cdef inline bint is_below(const Contraction* work, int node, int top) noexcept nogil:
    return work.enter[top] <= work.enter[node] <= work.leave[top]


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


cdef bint reserve_ranking(Ranking* ranking, int longest, int trees) noexcept nogil:
    """Each tree after the first comes from one candidate and adds two, by two choices."""
    cdef size_t cells = (<size_t> longest + 1) * (longest + 1), most = 2 * <size_t> trees
    cdef int* rows
    if ranking.scores != NULL and longest <= ranking.room and trees <= ranking.trees:
        return True
    release_ranking(ranking)
    ranking.scores = <double*> malloc((cells + most) * sizeof(double))
    ranking.tree = rows = <int*> malloc(7 * most * sizeof(int))
    if ranking.scores == NULL or rows == NULL:
        release_ranking(ranking)
        return False
    ranking.promise = ranking.scores + cells
    ranking.word = rows + most
    ranking.choice = rows + 2 * most
    ranking.before = rows + 3 * most
    ranking.head = rows + 4 * most
    ranking.child = rows + 5 * most
    ranking.taken = rows + 6 * most
    ranking.room, ranking.trees = longest, trees
    return True


cdef void release_ranking(Ranking* ranking) noexcept nogil:
    free(ranking.scores)
    free(ranking.tree)
    ranking.scores = NULL
    ranking.tree = NULL


cdef bint best_under(
    Contraction* work, Ranking* ranking, const double* scores, int n, bint single, int choice
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


cdef int add_choice(Ranking* ranking, int choice, int before, int head, int child, bint taken) noexcept nogil:
    ranking.before[choice], ranking.taken[choice] = before, taken
    ranking.head[choice], ranking.child[choice] = head, child
    return choice


cdef int add_candidate(
    Contraction* work, Ranking* ranking, int n, bint single, int count, int choice, int tree, double total
) noexcept nogil:
    """Add what comes after a tree, the best of those that obey a choice, if anything does; returns how many there are.

    The tree just found may be another one that is as good. Then nothing is lost by the next one, and at the word where
    that differs from the tree found, leaving the arc of either tree keeps one of all those that are as good.
    """
    ranking.promise[count] = total - least_loss(work, ranking.scores, n, single, &ranking.word[count])
    ranking.tree[count], ranking.choice[count] = tree, choice
    return count + (ranking.promise[count] > -INFINITY)


cdef int take_candidate(Ranking* ranking, int count) noexcept nogil:
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
    Contraction* work, Ranking* ranking, const double* scores, int n, int k, bint single, int* heads, double* totals
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


cdef double score_siblings(
    Contraction* work, const double* scores, const double* siblings, int n, const int* heads
) noexcept nogil:
    """The score of a tree under arc and sibling scores. O(n)."""
    cdef Py_ssize_t width = n + 1
    cdef int word, head
    cdef int* previous = work.left
    cdef double total = total_of(scores, heads, n)
    for word in range(n + 1):
        previous[word] = word
    for word in range(1, n + 1):
        head = heads[word]
        if head < word:
            total += siblings[(head * width + word) * width + previous[head]]
            previous[head] = word
    for word in range(n + 1):
        previous[word] = word
    for word in range(n, 0, -1):
        head = heads[word]
        if head > word:
            total += siblings[(head * width + word) * width + previous[head]]
            previous[head] = word
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


def decode(const double[:, ::1] scores, bint single, int[::1] heads):
    """Write the heads of words 1 to n into `heads[1:]`; returns the score, -inf where there is no tree."""
    cdef Contraction work
    cdef double total
    cdef int n = <int> scores.shape[0] - 1
    memset(&work, 0, sizeof(Contraction))
    if not reserve_contraction(&work, n):
        raise MemoryError
    with nogil:
        total = best_spanning(&work, &scores[0, 0], n, single, &heads[0])
        release_contraction(&work)
    return total


def k_best(const double[:, ::1] scores, bint single, int[:, ::1] heads, double[::1] totals):
    """Write up to `len(totals)` trees, the best first, into the rows of `heads`; returns how many there are."""
    cdef Contraction work
    cdef Ranking ranking
    cdef int n = <int> scores.shape[0] - 1, k = <int> totals.shape[0], found = -1
    memset(&work, 0, sizeof(Contraction))
    memset(&ranking, 0, sizeof(Ranking))
    with nogil:
        if reserve_contraction(&work, n) and reserve_ranking(&ranking, n, k):
            found = k_best_spanning(&work, &ranking, &scores[0, 0], n, k, single, &heads[0, 0], &totals[0])
        release_contraction(&work)
        release_ranking(&ranking)
    if found < 0:
        raise MemoryError
    return found


def rearrange(const double[:, ::1] scores, const double[:, :, ::1] siblings, bint single, int[::1] heads):
    """Better the tree in `heads[1:]` under arc and sibling scores; returns its score."""
    cdef Contraction work
    cdef double total
    cdef int n = <int> scores.shape[0] - 1
    memset(&work, 0, sizeof(Contraction))
    if not reserve_contraction(&work, n):
        raise MemoryError
    with nogil:
        total = rearrange_siblings(&work, &scores[0, 0], &siblings[0, 0, 0], n, single, &heads[0])
        release_contraction(&work)
    return total
