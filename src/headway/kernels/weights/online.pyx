"""One pass of an online learner over weighted examples with binary features, by the rules of rules.pxd.

An example of importance 2.5 is learned from as if it came twice and a half in a row, each time against the same rival:
a step of the rule, another one if the margin that is left asks for it, and half of a third. So an important example
never moves the weights further than it needs, and one that is settled moves nothing, Karampatziakis and Langford
(2011).
"""

from libc.string cimport memset

import numpy as np

from headway.kernels.weights.rules cimport Rule, StepRule, Update, move_weight, update_for


def learn(
    const long long[::1] start, const int[::1] features, const int[::1] target, const double[::1] importance,
    const int[::1] order, double[:, ::1] weights, double[:, ::1] sums, double[:, ::1] variances, StepRule rule not None,
    double time,
):
    """Learn from the examples in the given order; example e has the features features[start[e] : start[e + 1]].

    `weights` are [feature, class]; `sums` and `variances` may be empty. With sums, the mean of the weights over all
    steps is weights - sums / time. Returns how many examples were wrong.
    """
    cdef Rule formula = rule.rule
    cdef Py_ssize_t k, e, at
    cdef int c, y, r, f, classes = <int> weights.shape[1]
    cdef long long mistakes = 0
    cdef double variance, margin, left, share
    cdef Update update
    cdef bint varying = variances.shape[0] > 0
    cdef double[::1] scores = np.empty(classes)
    with nogil:
        for k in range(order.shape[0]):
            e = order[k]
            time += 1
            if importance[e] <= 0:
                continue
            memset(&scores[0], 0, classes * sizeof(double))
            for at in range(start[e], start[e + 1]):
                for c in range(classes):
                    scores[c] += weights[features[at], c]
            y = target[e]
            r = 1 if y == 0 else 0
            for c in range(classes):
                if c != y and scores[c] > scores[r]:
                    r = c
            mistakes += scores[r] >= scores[y]
            margin, left = scores[y] - scores[r], importance[e]
            while left > 0:
                share = left if left < 1 else 1
                variance = 0
                for at in range(start[e], start[e + 1]):
                    f = features[at]
                    variance += variances[f, y] + variances[f, r] if varying else 2
                update = update_for(&formula, 1, margin, variance, time - 1)
                update.step, update.shrink = share * update.step, share * update.shrink
                if update.step == 0:
                    break
                for at in range(start[e], start[e + 1]):
                    f = features[at]
                    move_class(weights, sums, variances, f, y, &update, 1)
                    move_class(weights, sums, variances, f, r, &update, -1)
                margin += update.step * variance
                left -= 1
    rule.check()
    return mistakes


cdef inline void move_class(
    double[:, ::1] weights, double[:, ::1] sums, double[:, ::1] variances, int f, int c, const Update* update,
    double delta,
) noexcept nogil:
    """Move the weight of a feature for one class."""
    cdef double* variance = &variances[f, c] if variances.shape[0] else NULL
    cdef double* sum = &sums[f, c] if sums.shape[0] else NULL
    move_weight(&weights[f, c], variance, sum, update, delta, False)
