"""The best projective tree under scores of links in states, by halves of heads: Eisner's (1996) spans with states.

Decoders return the score of the tree, or -inf where every tree holds something forbidden; then the heads are left as
they are. Heads are heads[1] to heads[n]. A workspace is all zeros before its first use and serves one thread at a time.
"""

from headway.kernels.links cimport Links

# A half of a head is a tree over head to end with all of them below head. [a, b] is a × (n + 1) + b.
cdef struct Halves:
    size_t room  # doubles reserved
    size_t nodes  # nodes reserved
    double* memory
    size_t* half_at  # [head, end]: where the halves are, by state of the head
    size_t* linked_at  # [head, child]: where halves up to a link are, by first child of the child and rank of the head
    size_t* shown_at  # [head]: where [first child, end] of a head is that shows its first child
    double* half
    double* linked
    double* shown  # the best half by first child
    double* done  # [head, end]: the best half whatever its state
    double* reached  # states before a link
    int* agenda  # head, end and state of halves whose heads are not written yet

# How many doubles a sentence needs.
cdef size_t halves_size(const Links* links) noexcept nogil

# Room for a sentence, kept for the next; False where memory is short.
cdef bint reserve_halves(Halves* halves, const Links* links) noexcept nogil
cdef void release_halves(Halves* halves) noexcept nogil

# O(n³ × states) time, where states = numbers of children × tags of the sentence; O(n² × states) memory. A word that
# shows its first child costs as much as n others.
cdef double best_split_head(Halves* halves, const Links* links, bint single, int* heads) noexcept nogil
