"""One step of an online learner, whichever way its weights are kept.

With δ = f(right) − f(wrong), a rule of rules.pxd is asked with the margin m = μ·δ and its variance v = δᵀΣδ, and says
how far to move: μ ← μ + move · Σδ and Σ⁻¹ ← Σ⁻¹ + shrink · diag(δ²). Σ is diagonal, so that each weight moves on its
own. Learners keep their weights in rows (table_steps.pxd), in one hashed vector (graph/structured.pxd) or in a matrix
(online.pyx): each adds up m and v in its own order and calls `move_weight` for every entry of δ.

Averages cost nothing while weights stay as they are: the sum of a weight takes each move times the time when it was
made. After T examples, weight − sum / (T + 1) is the mean of the weights before the first example and after each,
where the first one has time 1; with time 0 for the first one, weight − sum / T is the mean after each. Freund and
Schapire (1999), Daumé (2006).
"""

from headway.kernels.weights.rules cimport Rule, step_to

ctypedef fused Number:
    float
    double


cdef struct Step:
    double move         # 0 where nothing is to be learned
    double shrink
    double time         # when it is made


cdef inline Step asked(const Rule* rule, double wanted, double m, double v, double time) noexcept nogil:
    """The step of a rule towards a wanted margin."""
    cdef Step step
    step.move = step_to(rule, wanted, m, v, &step.shrink)
    step.time = time
    return step


cdef inline void move_weight(
    Number* weight, Number* variance, Number* sum, const Step* step, double delta, bint rounded
) noexcept nogil:
    """Move the weight of an entry of δ, shrink its variance, keep its sum; NULL for what a learner does not keep.

    `rounded`: the move is rounded to the precision of the weight before it is added, not after.
    """
    cdef double move = step.move * delta
    if variance != NULL:
        move *= variance[0]
        variance[0] = <Number> (variance[0] / (1 + variance[0] * step.shrink * delta * delta))
    if rounded:
        weight[0] += <Number> move
        if sum != NULL:
            sum[0] += <Number> (move * step.time)
    else:
        weight[0] = <Number> (weight[0] + move)
        if sum != NULL:
            sum[0] = <Number> (sum[0] + move * step.time)
