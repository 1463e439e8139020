"""How far a learner moves: the step of each online learner for the right class y against the best wrong class r.

With δ = f(x, y) − f(x, r), m = μ·δ the margin and v = δᵀΣδ its variance:
μ ← μ + step · Σδ and Σ⁻¹ ← Σ⁻¹ + shrink · diag(δ²).
Learners without variances have Σ = I and no shrink, so that v is ‖δ‖².

Kernels take a `StepRule` and hand its `Rule` on. A rule of Python is asked with the interpreter's lock; its first
exception is kept, it asks for no step from then on, and the kernel raises the exception by `check` when it is done.
"""

from libc.math cimport fmax, fmin, sqrt

cdef enum:
    PERCEPTRON = 0
    PA = 1
    PA_1 = 2
    PA_2 = 3
    CW_DEVIATION = 4
    CW_VARIANCE = 5
    AROW = 6
    OF_PYTHON = 7


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


cdef inline bint is_settled(const Rule* rule, double m, double v) noexcept nogil:
    """Whether no variance up to v could ask for an update; a rule of Python decides for itself."""
    return is_settled_for(rule, 1, m, v)


cdef inline bint is_settled_for(const Rule* rule, double wanted, double m, double v) noexcept nogil:
    """The same for a wanted margin other than 1."""
    if rule.kind == CW_DEVIATION:
        return m > 0 and m * m >= rule.strength * rule.strength * v
    if rule.kind == CW_VARIANCE:
        return m >= rule.strength * v
    if rule.kind == PERCEPTRON:
        return m > 0
    return m >= wanted and rule.kind != OF_PYTHON


cdef inline double step_of(const Rule* rule, double m, double v, double* shrink) noexcept nogil:
    """The step, 0 where nothing is to be learned."""
    return step_to(rule, 1, m, v, shrink)


cdef inline double step_to(const Rule* rule, double wanted, double m, double v, double* shrink) noexcept nogil:
    """The step for a wanted margin other than 1, such as the loss of a tree; CW has a margin of its own."""
    shrink[0] = 0
    if v <= 0 or is_settled_for(rule, wanted, m, v):
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
