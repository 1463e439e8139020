"""Best trees of any kind, projective or not; scores, heads, workspaces and what is returned are as in eisner.pxd."""


cdef struct Contraction:
    int room                # longest sentence
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


cdef struct Ranking:
    int room                # longest sentence
    int trees               # how many trees at the most
    double* scores          # the arcs that the choices at hand leave
    double* promise         # of each candidate: the score of its best tree
    int* tree               # the tree that it comes after
    int* word               # a word that has another head in it
    int* choice             # the last choice that it obeys
    int* before             # of each choice: the one before it
    int* head               # the arc that is chosen
    int* child
    int* taken              # whether the arc is in the tree


cdef bint reserve_contraction(Contraction* work, int longest) noexcept nogil    # False where memory is short
cdef void release_contraction(Contraction* work) noexcept nogil
cdef bint reserve_ranking(Ranking* ranking, int longest, int trees) noexcept nogil
cdef void release_ranking(Ranking* ranking) noexcept nogil

cdef double best_spanning(Contraction* work, const double* scores, int n, bint single, int* heads) noexcept nogil

# Up to k trees in the order of their scores: tree t is heads[t × (n + 1) + 1] to heads[t × (n + 1) + n], its score
# totals[t]. Returns how many there are. What comes after them is left as it is.
cdef int k_best_spanning(
    Contraction* work, Ranking* ranking, const double* scores, int n, int k, bint single, int* heads, double* totals
) noexcept nogil

# Better the tree in `heads` by one head at a time under arc and sibling scores; returns its score. With `single`, the
# word on the root stays the only one.
cdef double rearrange_siblings(
    Contraction* work, const double* scores, const double* siblings, int n, bint single, int* heads
) noexcept nogil
cdef double score_siblings(
    Contraction* work, const double* scores, const double* siblings, int n, const int* heads
) noexcept nogil
