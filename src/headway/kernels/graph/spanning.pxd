"""Best trees of any kind, projective or not; scores, heads, workspaces and what is returned are as in eisner.pxd."""

from headway.kernels.memory cimport Memory

cdef enum:          # states of words and cycles
    NEW = 0
    OPEN = 1
    DONE = 2
    BROKEN = 3      # its best arc gave way to one that enters a cycle around it


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
    int* left               # of each node: its last child before the word that is looked at, 0 where there is none
    int* right              # its first child after it
    int* after              # of each word: the next child of its head


cdef int reserve_contraction(Contraction* work, Memory memory, int longest) except -1

cdef double best_spanning(Contraction* work, const double* scores, int n, bint single, int* heads) noexcept nogil

# The parts, for those who look at more than the best tree.
cdef bint find_tree(Contraction* work, const double* scores, int n, bint single) noexcept nogil
cdef int roots_of(const int* heads, int n) noexcept nogil
cdef double total_of(const double* scores, const int* heads, int n) noexcept nogil
cdef void number_nodes(Contraction* work, const int* heads, int n) noexcept nogil


cdef inline bint is_below(const Contraction* work, int node, int top) noexcept nogil:
    """Whether a node is in the subtree of `top`, itself included, under the numbers of `number_nodes`."""
    return work.enter[top] <= work.enter[node] <= work.leave[top]
