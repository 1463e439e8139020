"""How far a learner moves: the step of each online learner for the right class y against the best wrong class r.

With δ = f(x, y) − f(x, r), m = μ·δ the margin and v = δᵀΣδ its variance:
μ ← μ + step · Σδ and Σ⁻¹ ← Σ⁻¹ + shrink · diag(δ²).
Learners without variances have Σ = I and no shrink, so that v is ‖δ‖². Σ is diagonal, so that each weight moves on its
own. Learners keep their weights in rows (table.pxd), in one hashed vector (graph/structured.pxd) or in a matrix
(online.pyx): each adds up m and v in its own order and calls `move_weight` for every entry of δ.

Averages cost nothing while weights stay as they are: the sum of a weight takes each move times the time when it was
made. After T examples, weight − sum / (T + 1) is the mean of the weights before the first example and after each,
where the first one has time 1; with time 0 for the first one, weight − sum / T is the mean after each. Freund and
Schapire (1999), Daumé (2006).

Kernels take a `StepRule` and hand its `Rule` on. A rule of Python is asked with the interpreter's lock; its first
exception is kept, it asks for no step from then on, and the kernel raises the exception by `check` when it is done.
"""

from libc.math cimport fmax, fmin, sqrt

cdef enum:
    PERCEPTRON, PA, PA_1, PA_2, CW_DEVIATION, CW_VARIANCE, AROW, OF_PYTHON


cdef struct Rule:
    int kind
    double strength     # C of the passive-aggressive learners, φ of CW, r of AROW
    void* owner         # the StepRule, for a rule of Python


cdef class StepRule:
    cdef Rule rule
    cdef object function        # (margin, variance, wanted) → (step, shrink), for a rule of Python
    cdef object error           # the first exception of that function
    cdef bint failed            # whether there is one

    cdef double ask(self, double wanted, double m, double v, double* shrink)


cdef double ask_python(const Rule* rule, double wanted, double m, double v, double* shrink) noexcept with gil


cdef inline bint is_settled(const Rule* rule, double wanted, double m, double v) noexcept nogil:
    """Whether no variance up to v could ask for an update; a rule of Python decides for itself."""
    if rule.kind == CW_DEVIATION:
        return m > 0 and m * m >= rule.strength * rule.strength * v
    if rule.kind == CW_VARIANCE:
        return m >= rule.strength * v
    if rule.kind == PERCEPTRON:
        return m > 0
    return m >= wanted and rule.kind != OF_PYTHON


cdef inline double step_to(const Rule* rule, double wanted, double m, double v, double* shrink) noexcept nogil:
    """The step, 0 where nothing is to be learned. 1 is wanted, or the loss of a tree; CW has a margin of its own."""
    shrink[0] = 0
    if v <= 0 or is_settled(rule, wanted, m, v):
        return 0
    if rule.kind == PERCEPTRON:
        return 1
    if rule.kind == PA:
        return (wanted - m) / v
    if rule.kind == PA_1:
        return fmin(rule.strength, (wanted - m) / v)
    if rule.kind == PA_2:
        return (wanted - m) / (v + 0.5 / rule.strength)
    if rule.kind == AROW:
        shrink[0] = 1 / rule.strength
        return (wanted - m) / (v + rule.strength)
    if rule.kind == CW_DEVIATION:
        return _deviation(rule.strength, m, v, shrink)
    if rule.kind == CW_VARIANCE:
        return _variance(rule.strength, m, v, shrink)
    return ask_python(rule, wanted, m, v, shrink)


cdef inline double _deviation(double phi, double m, double v, double* shrink) noexcept nogil:
    """The least change of the distribution that makes m ≥ φ√v, Crammer, Dredze and Pereira (2008), equation 10.

    Both square roots of theirs are written so that no large numbers are subtracted from each other.
    """
    cdef double square = phi * phi, psi = 1 + square / 2, xi = 1 + square, step, root
    root = sqrt(m * m * square * square / 4 + v * square * xi)
    if m > 0:
        step = fmax(0, square * v - m * m) / (v * (m * psi + root))
    else:
        step = (root - m * psi) / (v * xi)
    shrink[0] = step * phi * (step * phi + sqrt(step * step * square + 4 / v)) / 2
    return step


cdef inline double _variance(double phi, double m, double v, double* shrink) noexcept nogil:
    """The same with the variance in place of the standard deviation, m ≥ φv. Dredze, Crammer and Pereira (2008)."""
    cdef double u = 1 + 2 * phi * m, step, root
    root = sqrt((1 - 2 * phi * m) * (1 - 2 * phi * m) + 8 * phi * phi * v)
    if u > 0:
        step = 2 * (phi * v - m) / (v * (u + root))
    else:
        step = (root - u) / (4 * phi * v)
    shrink[0] = 2 * step * phi
    return step


ctypedef fused Number:
    float
    double


cdef struct Update:
    double step         # 0 where nothing is to be learned
    double shrink
    double time         # when it is made


cdef inline Update update_for(const Rule* rule, double wanted, double m, double v, double time) noexcept nogil:
    """What a rule asks for, where a margin is wanted."""
    cdef Update update
    update.step = step_to(rule, wanted, m, v, &update.shrink)
    update.time = time
    return update


cdef inline void move_weight(
    Number* weight, Number* variance, Number* sum, const Update* update, double delta, bint rounded
) noexcept nogil:
    """Move the weight of an entry of δ, shrink its variance, keep its sum; NULL for what a learner does not keep.

    `rounded`: the move is rounded to the precision of the weight before it is added, not after.
    """
    cdef double move = update.step * delta
    if variance != NULL:
        move *= variance[0]
        variance[0] = <Number> (variance[0] / (1 + variance[0] * update.shrink * delta * delta))
    if rounded:
        weight[0] += <Number> move
        if sum != NULL:
            sum[0] += <Number> (move * update.time)
    else:
        weight[0] = <Number> (weight[0] + move)
        if sum != NULL:
            sum[0] = <Number> (sum[0] + move * update.time)
