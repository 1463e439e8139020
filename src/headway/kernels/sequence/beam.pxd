"""A beam: the best ways to decide about the positions of a sequence so far.

Of two that end in the same `memory` choices the better is kept, so that a beam that is wide enough finds the best of
all: Viterbi's algorithm.
"""

from libc.string cimport memcpy

from headway.kernels.memory cimport Memory

cdef struct Beam:
    int width
    int memory
    int found                   # items that are kept for the next position
    double* score               # of each item, at [0 : width], and of those that are found, behind them
    int* recent                 # the last choices of each item, and of those that are found
    int* choice                 # choice[i * width + item]
    int* parent                 # the item before


cdef inline int reserve(Beam* beam, Memory space, int longest, int width, int memory) except -1:
    """Room for sequences of up to `longest` positions."""
    cdef size_t cells = <size_t> (longest + 1) * width
    beam.width, beam.memory = width, memory
    beam.score = <double*> space.take(2 * width, sizeof(double))
    beam.recent = <int*> space.take(2 * <size_t> width * memory, sizeof(int))
    beam.choice = <int*> space.take(2 * cells, sizeof(int))
    beam.parent = beam.choice + cells
    return 0


cdef inline bint ends_alike(const Beam* beam, const int* before, int choice, const int* other) noexcept nogil:
    """Whether the choices after `before` and `choice` are those of `other`."""
    cdef int j
    for j in range(beam.memory - 1):
        if before[j + 1] != other[j]:
            return False
    return beam.memory == 0 or other[beam.memory - 1] == choice


cdef inline void offer(Beam* beam, int at, int item, int choice, double value) noexcept nogil:
    """Keep a way to go on if it is among the best; they stand in descending order."""
    cdef double* score = beam.score + beam.width
    cdef int* recent = beam.recent + <size_t> beam.width * beam.memory
    cdef const int* before = beam.recent + <size_t> item * beam.memory
    cdef int* choices = beam.choice + <size_t> at * beam.width
    cdef int* parents = beam.parent + <size_t> at * beam.width
    cdef int place, j, same = -1
    if beam.found == beam.width and value <= score[beam.width - 1]:
        return
    for j in range(beam.found):
        if ends_alike(beam, before, choice, recent + <size_t> j * beam.memory):
            same = j
            break
    if same >= 0:
        if value <= score[same]:
            return
        place = same
    elif beam.found < beam.width:
        place = beam.found
        beam.found += 1
    else:
        place = beam.width - 1
    while place > 0 and score[place - 1] < value:
        score[place], choices[place], parents[place] = score[place - 1], choices[place - 1], parents[place - 1]
        memcpy(
            recent + <size_t> place * beam.memory, recent + <size_t> (place - 1) * beam.memory,
            beam.memory * sizeof(int),
        )
        place -= 1
    score[place], choices[place], parents[place] = value, choice, item
    if beam.memory:
        memcpy(recent + <size_t> place * beam.memory, before + 1, (beam.memory - 1) * sizeof(int))
        recent[<size_t> place * beam.memory + beam.memory - 1] = choice


cdef inline int commit(Beam* beam, int at) noexcept nogil:
    """Those that were found become the items of the next position; how many there are."""
    memcpy(beam.score, beam.score + beam.width, beam.found * sizeof(double))
    memcpy(
        beam.recent, beam.recent + <size_t> beam.width * beam.memory,
        <size_t> beam.found * beam.memory * sizeof(int),
    )
    return beam.found


cdef inline void write_best(const Beam* beam, int n, int* chosen) noexcept nogil:
    """The choices that lead to the best item of the last position."""
    cdef int i, item = 0
    for i in range(n - 1, -1, -1):
        chosen[i] = beam.choice[<size_t> i * beam.width + item]
        item = beam.parent[<size_t> i * beam.width + item]
