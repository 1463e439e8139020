"""Learning from whole trees: how far weights move so that a right tree beats wrong ones.

With δ = F(right) − F(wrong), the difference of the features of two trees, a learner moves along Σδ as rules.pxd says.
Features that both trees have cancel out, and what falls on the same weight counts together, so that ‖δ‖² is exact.
"""

from libc.math cimport fabs, fmax
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from headway.kernels.weights.rules cimport Rule, Update, move_weight, update_for

cdef enum:
    SMALLEST = 1 << 12
    ROUNDS = 10000      # of Hildreth's algorithm, at most


cdef struct HashedWeights:
    float* weights
    float* sums         # for averaging, NULL where there is none
    float* variances    # NULL where there are none


cdef struct Delta:      # a sparse vector of whole numbers
    int size            # slots of the hash table, a power of two
    int used
    int* index          # of each slot, -1 where it is free
    int* count
    bint failed         # memory was short


cdef inline bint reserve_delta(Delta* delta, int size) noexcept nogil:
    """A vector without entries in a table of this size, a power of two; False where memory is short."""
    delta.size, delta.used, delta.failed = size, 0, False
    delta.index = <int*> malloc(size * sizeof(int))
    delta.count = <int*> malloc(size * sizeof(int))
    if delta.index == NULL or delta.count == NULL:
        release_delta(delta)
        return False
    clear_delta(delta)
    return True


cdef inline void release_delta(Delta* delta) noexcept nogil:
    free(delta.index)
    free(delta.count)
    delta.index = delta.count = NULL


cdef inline void clear_delta(Delta* delta) noexcept nogil:
    """Take all entries out."""
    memset(delta.index, 0xff, delta.size * sizeof(int))
    delta.used = 0


cdef inline void add_to(Delta* delta, int index, int count) noexcept nogil:
    """Add to one entry."""
    cdef unsigned int at = (<unsigned int> index * 2654435769u) & (delta.size - 1)
    while delta.index[at] != index and delta.index[at] >= 0:
        at = (at + 1) & (delta.size - 1)
    if delta.index[at] < 0:
        delta.index[at] = index
        delta.count[at] = 0
        delta.used += 1
    delta.count[at] += count
    if 2 * delta.used > delta.size:
        grow_delta(delta)


cdef inline void grow_delta(Delta* delta) noexcept nogil:
    """Twice the room."""
    cdef Delta larger
    cdef int i
    if not reserve_delta(&larger, 2 * delta.size):
        delta.failed = True
        clear_delta(delta)
        return
    for i in range(delta.size):
        if delta.index[i] >= 0:
            add_to(&larger, delta.index[i], delta.count[i])
    release_delta(delta)
    delta[0] = larger


cdef inline double margin_of(const HashedWeights* learned, const Delta* delta, double* variance) noexcept nogil:
    """μ·δ; and δᵀΣδ, which is ‖δ‖² without variances."""
    cdef int i, at
    cdef double margin = 0, spread = 0
    for i in range(delta.size):
        at = delta.index[i]
        if at >= 0 and delta.count[i]:
            margin += <double> learned.weights[at] * delta.count[i]
            spread += <double> delta.count[i] * delta.count[i] * (learned.variances[at] if learned.variances else 1)
    variance[0] = spread
    return margin


cdef inline void move_by(HashedWeights* learned, const Delta* delta, const Update* update) noexcept nogil:
    """Move every weight of δ."""
    cdef int i, at
    cdef float* variance = NULL
    cdef float* sum = NULL
    for i in range(delta.size):
        at = delta.index[i]
        if at < 0 or delta.count[i] == 0:
            continue
        if learned.variances:
            variance = learned.variances + at
        if learned.sums:
            sum = learned.sums + at
        move_weight(learned.weights + at, variance, sum, update, delta.count[i], True)


cdef inline bint learn_one(
    HashedWeights* learned, const Delta* delta, const Rule* rule, double loss, double beyond, double time
) noexcept nogil:
    """Move the weights as the rule wants it for one wrong tree with its loss; whether anything was learned.

    The margin counts `beyond` a number. With the loss for it, CW moves the distribution as little as makes w·δ ≥ loss
    as likely as it wants, the condition by which the tree was found where losses are added to scores.
    """
    cdef double variance, margin = margin_of(learned, delta, &variance)
    cdef Update update = update_for(rule, loss, margin - beyond, variance, time)
    if update.step == 0:
        return False
    move_by(learned, delta, &update)
    return True


cdef inline double product(const Delta* a, const Delta* b) noexcept nogil:
    """The product of two sparse vectors."""
    cdef int i
    cdef unsigned int at
    cdef double total = 0
    for i in range(a.size):
        if a.index[i] >= 0 and a.count[i]:
            at = (<unsigned int> a.index[i] * 2654435769u) & (b.size - 1)
            while b.index[at] >= 0:
                if b.index[at] == a.index[i]:
                    total += <double> a.count[i] * b.count[at]
                    break
                at = (at + 1) & (b.size - 1)
    return total


cdef inline int solve(const double* gram, const double* wanted, int count, double* steps) noexcept nogil:
    """Steps α ≥ 0 that make ½ αᵀGα − wanted·α least: Hildreth's algorithm, each step in turn as good as it can be.

    The weights w + Σ αᵢδᵢ are then the nearest ones that meet all margins. Censor and Zenios (1997). Rounds taken.
    """
    cdef int rounds, i, j
    cdef double gradient, step, largest
    memset(steps, 0, count * sizeof(double))
    for rounds in range(ROUNDS):
        largest = 0
        for i in range(count):
            if gram[i * count + i] <= 0:
                continue
            gradient = wanted[i]
            for j in range(count):
                gradient -= gram[i * count + j] * steps[j]
            step = fmax(-steps[i], gradient / gram[i * count + i])
            steps[i] += step
            largest = fmax(largest, fabs(step) * gram[i * count + i])
        if largest < 1e-8:
            return rounds
    return ROUNDS


cdef inline int learn_all(
    HashedWeights* learned, const Delta* deltas, const double* losses, int count, double* space, double time
) noexcept nogil:
    """Move the weights as little as gives each of several wrong trees its margin; how many took part.

    `space` holds count × (count + 2) numbers. Crammer and Singer (2003), McDonald, Crammer and Pereira (2005).
    """
    cdef double* gram = space
    cdef double* wanted = space + count * count
    cdef double* steps = wanted + count
    cdef double variance
    cdef Update update
    cdef int i, j, moved = 0
    for i in range(count):
        wanted[i] = losses[i] - margin_of(learned, &deltas[i], &variance)
        gram[i * count + i] = variance
        for j in range(i):
            gram[i * count + j] = gram[j * count + i] = product(&deltas[i], &deltas[j])
    solve(gram, wanted, count, steps)
    for i in range(count):
        if steps[i] > 0:
            update.step, update.shrink, update.time = steps[i], 0, time
            move_by(learned, &deltas[i], &update)
            moved += 1
    return moved
