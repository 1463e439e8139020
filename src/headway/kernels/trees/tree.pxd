"""A tree, complete or being built: heads and labels, and the children of each node in the order of the sentence.

Nodes are numbers: words 1 to n, ROOT 0, NOTHING -1. Children are a list: `first` and `last` child, `before` and
`after` sibling.
"""

from headway.kernels.memory cimport Memory

cdef enum:
    ROOT = 0
    NOTHING = -1

cdef enum:                  # steps from a node, as `features.language.STEPS` numbers them
    HEAD, FIRST_CHILD, LAST_CHILD, LEFT_SIBLING, RIGHT_SIBLING, PREVIOUS_WORD, FOLLOWING_WORD, FIRST_LEFT_CHILD,
    LAST_RIGHT_CHILD, SECOND_LEFT_CHILD, SECOND_RIGHT_CHILD


cdef struct Tree:
    int n
    int* head       # NOTHING where there is none yet
    int* label      # NOTHING where it is not known
    int* first
    int* last
    int* before
    int* after
    int* left       # number of children before the node
    int* right


cdef inline int reserve_tree(Tree* tree, Memory memory, int longest) except -1:
    """Room for trees of up to `longest` words."""
    cdef size_t room = longest + 2
    cdef int* block = <int*> memory.take(8 * room, sizeof(int))
    tree.head, tree.label, tree.first, tree.last = block, block + room, block + 2 * room, block + 3 * room
    tree.before, tree.after = block + 4 * room, block + 5 * room
    tree.left, tree.right = block + 6 * room, block + 7 * room
    return 0


cdef inline void clear_tree(Tree* tree, int n) noexcept nogil:
    """n words without heads."""
    cdef int i
    tree.n = n
    for i in range(n + 1):
        tree.head[i] = tree.label[i] = NOTHING
        tree.first[i] = tree.last[i] = tree.before[i] = tree.after[i] = NOTHING
        tree.left[i] = tree.right[i] = 0


cdef inline void add_arc(Tree* tree, int head, int child, int label) noexcept nogil:
    """Give a word its head. Constant time where it becomes the first or the last child."""
    cdef int left_of = NOTHING
    tree.head[child] = head
    tree.label[child] = label
    if child < head:
        tree.left[head] += 1
    else:
        tree.right[head] += 1
    if child > tree.first[head]:
        left_of = tree.last[head]
        while left_of > child:
            left_of = tree.before[left_of]
    tree.before[child] = left_of
    if left_of == NOTHING:
        tree.after[child] = tree.first[head]
        tree.first[head] = child
    else:
        tree.after[child] = tree.after[left_of]
        tree.after[left_of] = child
    if tree.after[child] == NOTHING:
        tree.last[head] = child
    else:
        tree.before[tree.after[child]] = child


cdef inline void drop_children(Tree* tree, int head) noexcept nogil:
    """Leave the children of a node without a head. Linear in their number."""
    cdef int child = tree.first[head], following
    while child != NOTHING:
        following = tree.after[child]
        tree.head[child] = tree.label[child] = tree.before[child] = tree.after[child] = NOTHING
        child = following
    tree.first[head] = tree.last[head] = NOTHING
    tree.left[head] = tree.right[head] = 0


cdef inline int step(const Tree* tree, int node, int how) noexcept nogil:
    """The node that one step leads to from a node that exists."""
    if how == HEAD:
        return tree.head[node]
    if how == FIRST_CHILD:
        return tree.first[node]
    if how == LAST_CHILD:
        return tree.last[node]
    if how == LEFT_SIBLING:
        return tree.before[node]
    if how == RIGHT_SIBLING:
        return tree.after[node]
    if how == PREVIOUS_WORD:
        return node - 1 if node > 1 else NOTHING
    if how == FOLLOWING_WORD:
        return node + 1 if ROOT < node < tree.n else NOTHING
    if how == FIRST_LEFT_CHILD:
        return tree.first[node] if tree.left[node] > 0 else NOTHING
    if how == LAST_RIGHT_CHILD:
        return tree.last[node] if tree.right[node] > 0 else NOTHING
    if how == SECOND_LEFT_CHILD:
        return tree.after[tree.first[node]] if tree.left[node] > 1 else NOTHING
    return tree.before[tree.last[node]] if tree.right[node] > 1 else NOTHING


cdef inline bint dominates(const int* enter, const int* leave, int head, int word) noexcept nogil:
    """Whether a word is in the subtree of a head, under the numbers of `traverse`."""
    return enter[head] <= enter[word] <= leave[head]


cdef inline int traverse(
    const int* heads, int n, int* child, int* sibling, int* enter, int* leave, int* depths
) noexcept nogil:
    """Number the nodes in preorder: the subtree of v is exactly the nodes with numbers enter[v] to leave[v].

    `child` and `sibling` become each node's first dependent and next sister from left to right, 0 where there
    is none; `depths[w - 1]` is the number of arcs from the root to word w, 0 where none lead there. Returns
    how many words the root reaches: all n of them exactly if the heads are a tree. Linear time.
    """
    cdef int word, node = 0, depth = 0, count = 0
    for word in range(n + 1):
        child[word] = 0
    for word in range(n, 0, -1):
        depths[word - 1] = 0
        if 0 <= heads[word - 1] <= n:
            sibling[word] = child[heads[word - 1]]
            child[heads[word - 1]] = word
    enter[0] = 0
    while True:
        if child[node]:
            node = child[node]
            depth += 1
        else:
            leave[node] = count
            while node and not sibling[node]:
                node = heads[node - 1]
                leave[node] = count
                depth -= 1
            if not node:
                return count
            node = sibling[node]
        count += 1
        enter[node] = count
        depths[node - 1] = depth
