"""See structured.pxd."""

from libc.math cimport fabs, fmax
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from headway.kernels.weights.rules cimport Rule, StepRule, Update, move_weight, update_for

cdef enum:
    SMALLEST = 1 << 12
    ROUNDS = 10000      # of Hildreth's algorithm, at most

cdef double CLOSE = 1e-8


cdef bint reserve_delta(Delta* delta) noexcept nogil:
    """Room for some entries; False where memory is short."""
    delta.size, delta.used, delta.failed = SMALLEST, 0, False
    delta.index = <int*> malloc(SMALLEST * sizeof(int))
    delta.count = <int*> malloc(SMALLEST * sizeof(int))
    if delta.index == NULL or delta.count == NULL:
        release_delta(delta)
        return False
    clear_delta(delta)
    return True


cdef void release_delta(Delta* delta) noexcept nogil:
    free(delta.index)
    free(delta.count)


cdef void clear_delta(Delta* delta) noexcept nogil:
    """Take all entries out."""
    memset(delta.index, 0xff, delta.size * sizeof(int))
    delta.used = 0


cdef void grow_delta(Delta* delta) noexcept nogil:
    """Twice the room."""
    cdef Delta larger
    cdef int i
    larger.size, larger.used, larger.failed = 2 * delta.size, 0, False
    larger.index = <int*> malloc(larger.size * sizeof(int))
    larger.count = <int*> malloc(larger.size * sizeof(int))
    if larger.index == NULL or larger.count == NULL:
        free(larger.index)
        free(larger.count)
        delta.failed = True
        clear_delta(delta)
        return
    clear_delta(&larger)
    for i in range(delta.size):
        if delta.index[i] >= 0:
            add_to(&larger, delta.index[i], delta.count[i])
    release_delta(delta)
    delta[0] = larger


cdef double margin_of(const HashedWeights* learned, const Delta* delta, double* variance) noexcept nogil:
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


cdef void move_by(HashedWeights* learned, const Delta* delta, const Update* update) noexcept nogil:
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


cdef bint learn_one(
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


cdef double product(const Delta* a, const Delta* b) noexcept nogil:
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


cdef int solve(const double* gram, const double* wanted, int count, double* steps) noexcept nogil:
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
        if largest < CLOSE:
            return rounds
    return ROUNDS


cdef int learn_all(
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


def hildreth(const double[:, ::1] gram, const double[::1] wanted, double[::1] steps):
    """Write the steps of Hildreth's algorithm; the number of rounds it took."""
    return solve(&gram[0, 0], &wanted[0], <int> wanted.shape[0], &steps[0])


def update(
    float[::1] weights, float[::1] sums, float[::1] variances, const int[::1] index, const int[::1] count,
    StepRule rule not None, double loss, double time, double beyond=0,
):
    """One step of a learner along a sparse δ; `sums` and `variances` may be empty. Whether anything was learned."""
    cdef HashedWeights learned
    cdef Delta delta
    cdef int i
    learned.weights = &weights[0]
    learned.sums = &sums[0] if sums.shape[0] else NULL
    learned.variances = &variances[0] if variances.shape[0] else NULL
    if not reserve_delta(&delta):
        raise MemoryError
    for i in range(<int> index.shape[0]):
        add_to(&delta, index[i], count[i])
    moved = learn_one(&learned, &delta, &rule.rule, loss, beyond, time)
    release_delta(&delta)
    rule.check()
    return bool(moved)
