"""An update of an online learner, whichever way its weights are kept: written once.

With δ = f(right) − f(wrong), a rule of rules.pxd is asked with the margin m = μ·δ and its variance v = δᵀΣδ, and says
how far to go: μ ← μ + step · Σδ and Σ⁻¹ ← Σ⁻¹ + shrink · diag(δ²). Σ is diagonal, so that each weight moves on its
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
