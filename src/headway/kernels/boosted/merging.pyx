"""Weights that are added to those of a linear model, both in the order of features and their classes."""

from libc.stdint cimport uint64_t


def merge(
    const uint64_t[::1] keys, const long long[::1] start, const int[::1] classes, const float[::1] weights,
    const uint64_t[::1] more_keys, const int[::1] more_classes, const float[::1] more_weights,
    uint64_t[::1] merged_keys, long long[::1] merged_start, int[::1] merged_classes, float[::1] merged_weights,
):
    """Write the model with more weights, which come one by one and add to its own; how many features it has then.

    Feature keys[f] has weights[start[f] : start[f + 1]] for as many `classes`. O(weights).
    """
    cdef Py_ssize_t known = keys.shape[0], most = more_keys.shape[0], f = 0, e = 0, features = 0
    cdef long long at, end, size = 0
    with nogil:
        while f < known or e < most:
            at = end = 0
            if f < known and (e == most or keys[f] <= more_keys[e]):
                merged_keys[features], at, end = keys[f], start[f], start[f + 1]
                f += 1
            else:
                merged_keys[features] = more_keys[e]
            merged_start[features] = size
            while at < end or (e < most and more_keys[e] == merged_keys[features]):
                if at < end and not (
                    e < most and more_keys[e] == merged_keys[features] and more_classes[e] <= classes[at]
                ):
                    merged_classes[size], merged_weights[size] = classes[at], weights[at]
                    at += 1
                else:
                    merged_classes[size], merged_weights[size] = more_classes[e], more_weights[e]
                    if at < end and classes[at] == more_classes[e]:
                        merged_weights[size] += weights[at]
                        at += 1
                    e += 1
                size += 1
            features += 1
        merged_start[features] = size
    return features
