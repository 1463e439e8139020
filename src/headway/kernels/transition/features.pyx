"""The numbers of features.pxd, for the compiler of feature models, and the keys of one configuration."""

from libc.stdint cimport uint64_t

import numpy as np

from headway.kernels.transition.features cimport FROM_QUEUE, FROM_STACK, extract
from headway.kernels.transition.systems.single_root cimport choices, perform
from headway.kernels.transition.state cimport ACTIONS, State, begin, release, reserve
from headway.kernels.transition.systems.system cimport System, SystemKernel
from headway.kernels.features.tables cimport TemplateTable, WordTable, most_keys, templates_over
from headway.kernels.features.templates cimport Templates, Words

PLACES = {"STACK": FROM_STACK, "QUEUE": FROM_QUEUE}


def keys_after(
    SystemKernel chosen not None, const int[::1] actions, const int[::1] labels, TemplateTable templates not None,
    WordTable sentence not None, const uint64_t[::1] label_keys,
):
    """The keys of all features after some actions on a sentence; `labels` are those of the actions' arcs.

    The first action that is not legal raises.
    """
    cdef System* system = &chosen.system
    cdef State state
    cdef Templates model = templates_over(templates, sentence)
    cdef Words words = sentence.words
    cdef int i, n = sentence.count
    found = np.empty(most_keys(templates, sentence) + 1, np.uint64)
    cdef uint64_t[::1] view = found
    words.labels = &label_keys[0]
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
