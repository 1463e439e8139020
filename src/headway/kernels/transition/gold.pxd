"""The gold tree as oracles see it."""

from headway.kernels.memory cimport Memory
from headway.kernels.trees.tree cimport NOTHING, ROOT


cdef struct Gold:
    int* head           # of words 1 to n at [1..n]
    int* children       # how many children a node has
    int* first          # the leftmost child, ROOT where there is none
    int* order          # place of a word in the projective order (swap)
    int* component      # maximal projective component of a word (swap)


cdef inline int reserve_gold(Gold* gold, Memory memory, int longest) except -1:
    """Room for sentences of up to `longest` words."""
    cdef size_t room = longest + 2
    cdef int* block = <int*> memory.take(5 * room, sizeof(int))
    gold.head, gold.children, gold.first = block, block + room, block + 2 * room
    gold.order, gold.component = block + 3 * room, block + 4 * room
    return 0


cdef inline void take_heads(Gold* gold, const int* heads, int n) noexcept nogil:
    """Make `heads` (of word 1 at [0]) the gold tree; `component` is not known then, and `order` is 0."""
    cdef int word
    gold.head[ROOT] = NOTHING
    gold.children[ROOT] = gold.first[ROOT] = 0
    for word in range(1, n + 1):
        gold.head[word] = heads[word - 1]
        gold.children[word] = gold.first[word] = gold.order[word] = 0
    for word in range(n, 0, -1):
        gold.children[gold.head[word]] += 1
        gold.first[gold.head[word]] = word
