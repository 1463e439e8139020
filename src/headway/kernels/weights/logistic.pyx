"""Multinomial logistic regression on binary features by coordinate descent, with steps that can only go down.

    minimise  Σᵢ aᵢ · −log p(yᵢ | i)  +  λ Σ w  +  κ/2 Σ w²,   every w ≥ lowest

One weight of a feature and a class at a time, as Goodman (2002). Along it the slope of the loss is E − O, with
E = Σ aᵢ pᵢ and O = Σ aᵢ [yᵢ = class] over the examples that have the feature, and the curvature is Σ aᵢ pᵢ (1 − pᵢ).
Two convex functions lie above the loss and touch it here, so that a step to the least of either goes down and never
beyond the least of the loss itself:

- the curvature grows at most as e^|δ|, since the third derivative is at most the second. This gives
  |δ| = log(1 + |slope| / curvature);
- by Jensen's inequality, A log(1 + q (e^δ − 1)) with A = Σ aᵢ and q = E / A. This makes the odds of q those of O / A.

The longer of the two is taken. An example keeps e^score of each class, so that a step costs one exponential, not one
for each example. What is missing at the optimum is measured by the sum of |slope| over all weights, where a weight at
its lowest counts only if the slope would make it larger: 0 at the optimum and nowhere else (Karush, Kuhn and Tucker).

Where each wrong class of an example has an importance of its own, as AdaBoost.M2 asks for, the loss of an example is
Σ_y aᵢ(y) · −log p(yᵢ | i, yᵢ or y), a choice between the right class and each wrong one.
"""

from libc.math cimport INFINITY, exp, fabs, log
from libc.string cimport memcpy

import numpy as np

from headway.kernels.memory cimport Memory

cdef enum:
    REFRESH = 16            # sweeps before scores are summed up anew and all weights are looked at

cdef double LONGEST_STEP = 4.0


cdef struct LogisticProblem:
    Py_ssize_t examples
    Py_ssize_t features
    int classes
    const long long* start      # feature f is in the examples member[start[f] : start[f + 1]]
    const int* member
    const int* target           # yᵢ
    const double* importance    # aᵢ
    const double* mislabels     # aᵢ(y): [example, class], or NULL
    double* weights             # [feature, class]; a place in this array is feature × classes + class
    const double* observed      # O: [feature, class]
    double linear               # λ
    double quadratic            # κ
    double lowest
    double* grown               # e^score: [example, class]
    double* total               # their sum: [example]
    const Py_ssize_t* places    # of the weights that can be anything but the lowest
    Py_ssize_t count
    Py_ssize_t* active          # of those that are looked at


cdef void refresh(LogisticProblem* problem) noexcept nogil:
    """Sum up the scores of all examples; the largest score of an example becomes 0."""
    cdef Py_ssize_t f, i, at, k
    cdef int c, classes = problem.classes
    cdef double weight, largest
    cdef double* row
    for i in range(problem.examples * classes):
        problem.grown[i] = 0
    for k in range(problem.count):
        f, c = problem.places[k] // classes, problem.places[k] % classes
        weight = problem.weights[problem.places[k]]
        if weight != 0:
            for at in range(problem.start[f], problem.start[f + 1]):
                problem.grown[<Py_ssize_t> problem.member[at] * classes + c] += weight
    for i in range(problem.examples):
        row = problem.grown + i * classes
        largest = row[0]
        for c in range(1, classes):
            if row[c] > largest:
                largest = row[c]
        problem.total[i] = 0
        for c in range(classes):
            row[c] = exp(row[c] - largest)
            problem.total[i] += row[c]


cdef struct Sums:
    double mass                 # A
    double expected             # E
    double curvature


cdef inline void add_to(Sums* sums, double importance, double p) noexcept nogil:
    """One choice, in which the class that has the weight is as probable as this."""
    sums.mass += importance
    sums.expected += importance * p
    sums.curvature += importance * p * (1 - p)


cdef inline double among_two(double mine, double other) noexcept nogil:
    return mine / (mine + other) if mine + other > 0 else 0.5


cdef inline void add_choices(Sums* sums, const LogisticProblem* problem, Py_ssize_t i, int which) noexcept nogil:
    """All choices of an example in which a class takes part."""
    cdef const double* grown = problem.grown + i * problem.classes
    cdef const double* importance = problem.mislabels + i * problem.classes
    cdef int y = problem.target[i]
    if y != which:
        add_to(sums, importance[which], among_two(grown[which], grown[y]))
        return
    for y in range(problem.classes):
        if y != which and importance[y] > 0:
            add_to(sums, importance[y], among_two(grown[which], grown[y]))


cdef inline double step_along(const LogisticProblem* problem, Py_ssize_t place, double* missing) noexcept nogil:
    """How far to change a weight, and how far its slope is from what the optimum asks for."""
    cdef Py_ssize_t at, i, f = place // problem.classes
    cdef int which = place % problem.classes
    cdef double observed = problem.observed[place]
    cdef double slope, curvature, step, wanted, share
    cdef double weight = problem.weights[place]
    cdef Sums sums = Sums(0, 0, 0)
    for at in range(problem.start[f], problem.start[f + 1]):
        i = problem.member[at]
        if problem.mislabels != NULL:
            add_choices(&sums, problem, i, which)
        else:
            add_to(&sums, problem.importance[i], problem.grown[i * problem.classes + which] / problem.total[i])
    slope = sums.expected - observed + problem.linear + problem.quadratic * weight
    curvature = sums.curvature + problem.quadratic
    missing[0] = fabs(slope) if weight > problem.lowest or slope < 0 else 0
    if missing[0] == 0:
        return 0
    step = log(1 + fabs(slope) / curvature) if curvature > 0 else LONGEST_STEP
    if sums.mass == 0:
        return max(-step, problem.lowest - weight) if slope > 0 else min(step, LONGEST_STEP)
    wanted, share = (observed - problem.linear) / sums.mass, sums.expected / sums.mass
    if wanted <= 0 and problem.quadratic == 0:
        step = LONGEST_STEP
    elif problem.quadratic == 0 and wanted < 1 and 0 < share < 1:
        step = max(step, fabs(log(wanted / (1 - wanted)) - log(share / (1 - share))))
    step = min(step, LONGEST_STEP)
    return max(-step, problem.lowest - weight) if slope > 0 else step


cdef inline void change(LogisticProblem* problem, Py_ssize_t place, double step) noexcept nogil:
    cdef Py_ssize_t at, i, f = place // problem.classes
    cdef int which = place % problem.classes
    cdef double before, more = exp(step) - 1
    problem.weights[place] += step
    for at in range(problem.start[f], problem.start[f + 1]):
        i = problem.member[at]
        before = problem.grown[i * problem.classes + which]
        problem.grown[i * problem.classes + which] = before + more * before
        problem.total[i] += more * before


cdef double sweep(LogisticProblem* problem, Py_ssize_t* active, bint moving) noexcept nogil:
    """One step along every active weight, or none; those that want to stay at the lowest are no longer active.

    Returns the sum of what was missing.
    """
    cdef Py_ssize_t k, place, kept = 0
    cdef double step, missing, total = 0
    for k in range(active[0]):
        place = problem.active[k]
        step = step_along(problem, place, &missing)
        total += missing
        if missing > 0 or problem.weights[place] > problem.lowest:
            problem.active[kept] = place
            kept += 1
        if step != 0 and moving:
            change(problem, place, step)
    active[0] = kept
    return total


cdef double look_at_all(LogisticProblem* problem, Py_ssize_t* active) noexcept nogil:
    """Make all weights active that would move, and return the sum of what is missing."""
    refresh(problem)
    active[0] = problem.count
    memcpy(problem.active, problem.places, problem.count * sizeof(Py_ssize_t))
    return sweep(problem, active, False)


cdef int minimise(LogisticProblem* problem, double tolerance, int sweeps, double* missing) noexcept nogil:
    """Sweep until what is missing over all weights is at most the tolerance; how many sweeps it took."""
    cdef Py_ssize_t active = 0
    cdef int done = 0
    missing[0] = look_at_all(problem, &active)
    while missing[0] > tolerance and done < sweeps:
        missing[0] = sweep(problem, &active, True)
        done += 1
        if missing[0] <= tolerance or done % REFRESH == 0 or done == sweeps:
            missing[0] = look_at_all(problem, &active)
    return done


def fit(
    const long long[::1] start, const int[::1] member, const int[::1] target, const double[::1] importance,
    const double[:, ::1] mislabels, double[:, ::1] weights,
    double linear, double quadratic, double lowest, double tolerance, int sweeps,
):
    """Change `weights` [feature, class] until no more than `tolerance` is missing for each unit of importance.

    Feature f is in the examples member[start[f] : start[f + 1]], in each once. `mislabels` [example, class] has no
    rows, or shares out the importance of each example among its wrong classes. Returns how many sweeps it took, and
    what is missing for each unit of importance.
    """
    cdef LogisticProblem problem
    cdef Memory memory = Memory()
    cdef Py_ssize_t i, f, at
    cdef int done
    cdef double missing = INFINITY, unit = 0
    problem.examples, problem.features, problem.classes = target.shape[0], weights.shape[0], <int> weights.shape[1]
    for i in range(problem.examples):
        unit += importance[i]
    if unit == 0 or member.shape[0] == 0:
        return 0, 0.0
    problem.start, problem.member, problem.importance = &start[0], &member[0], &importance[0]
    problem.target = &target[0]
    problem.mislabels = &mislabels[0, 0] if mislabels.shape[0] else NULL
    problem.weights = &weights[0, 0]
    problem.linear, problem.quadratic, problem.lowest = linear, quadratic, lowest
    # A class that was seen no more than λ times with a feature has no weight to be learned.
    observed = np.zeros(weights.size)
    cdef double[::1] seen = observed
    with nogil:
        for f in range(problem.features):
            for at in range(start[f], start[f + 1]):
                seen[f * problem.classes + target[member[at]]] += importance[member[at]]
    learned = (observed > linear) | (lowest < 0) | (np.asarray(weights).ravel() > lowest)
    cdef Py_ssize_t[::1] places = np.append(np.flatnonzero(learned), 0)
    problem.observed, problem.places, problem.count = &seen[0], &places[0], places.shape[0] - 1
    problem.active = <Py_ssize_t*> memory.take(problem.count, sizeof(Py_ssize_t))
    problem.grown = <double*> memory.take(problem.examples * problem.classes, sizeof(double))
    problem.total = <double*> memory.take(problem.examples, sizeof(double))
    with nogil:
        done = minimise(&problem, tolerance * unit, sweeps, &missing)
    return done, missing / unit
