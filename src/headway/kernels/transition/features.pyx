"""The numbers of features.pxd, for the compiler of feature models, and the keys of one configuration."""

from libc.stdint cimport uint64_t

import numpy as np

from headway.kernels.transition.features cimport FROM_QUEUE, FROM_STACK, extract
from headway.kernels.transition.systems.single_root cimport choices, perform
from headway.kernels.transition.state cimport ACTIONS, State, begin, release, reserve
from headway.kernels.transition.systems.system cimport System, SystemKernel
from headway.kernels.features.templates cimport Templates, Words, templates_over

PLACES = {"STACK": FROM_STACK, "QUEUE": FROM_QUEUE}


def keys_after(
    SystemKernel chosen not None, const int[::1] actions, const int[::1] labels, const int[:, ::1] address,
    const int[:, ::1] slot, const int[::1] start, const int[::1] member, const uint64_t[::1] seed,
    const uint64_t[:, ::1] keys, const int[::1] feature_start, const uint64_t[::1] features,
    const uint64_t[::1] label_keys,
):
    """The keys of all features after some actions on one sentence, a word for each row of `keys`.

    `labels` are those of the actions' arcs. The first action that is not legal raises.
    """
    cdef System* system = &chosen.system
    cdef State state
    cdef Templates model
    cdef Words words
    cdef int i, each = 1, n = <int> keys.shape[0]
    model = templates_over(address, slot, start, member, seed, <int> keys.shape[1])
    words.keys, words.feature_start, words.labels = &keys[0, 0], &feature_start[0], &label_keys[0]
    words.features = &features[0] if features.shape[0] else NULL
    for i in range(n):
        each = max(each, feature_start[i + 1] - feature_start[i])
    found = np.empty(model.templates * each, np.uint64)
    cdef uint64_t[::1] view = found
    if not reserve(&state, n):
        raise MemoryError
    try:
        begin(&state, system.root, n)
        for i in range(<int> actions.shape[0]):
            if not (0 <= actions[i] < ACTIONS and choices(&state, system) >> actions[i] & 1):
                raise ValueError(f"{actions[i]} is not legal as action {i + 1}")
            perform(&state, system, actions[i], labels[i])
        return found[: extract(&state, &model, &words, &view[0])]
    finally:
        release(&state)
