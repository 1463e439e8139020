"""See setup.pxd."""

from libc.stdint cimport uint64_t

import numpy as np

from headway.kernels.transition.state cimport ACTIONS, LEFT, RIGHT
from headway.kernels.features.templates cimport templates_over
from headway.kernels.trees.tree cimport NOTHING


cdef class Setup:
    """What all examples have in common: system, templates, classes, and the words of the treebank."""

    def __init__(
        self, SystemKernel chosen not None, const int[:, ::1] address, const int[:, ::1] slot, const int[::1] start,
        const int[::1] member, const uint64_t[::1] seed, const int[::1] part, const int[::1] base, int columns,
        const uint64_t[:, ::1] keys, const int[::1] feature_start, const uint64_t[::1] features,
        const uint64_t[::1] label_keys, const int[::1] class_action, const int[::1] class_label,
        const int[::1] class_number, bint two_step, int longest, int most_features,
    ):
        self.chosen, self.system = chosen, chosen.system
        seen = np.asarray(class_number).reshape(ACTIONS, -1).max(axis=1) >= 0
        self.system.actions = sum(1 << action for action in range(ACTIONS) if seen[action])
        self.templates = templates_over(address, slot, start, member, seed, columns)
        self.templates.parts = <int> base.shape[0]
        self.templates.part, self.templates.base = &part[0], &base[0]
        self.words.keys = &keys[0, 0]
        self.words.feature_start = &feature_start[0]
        self.words.features = &features[0] if features.shape[0] else NULL
        self.words.labels = &label_keys[0]
        self.classes.count = <int> class_action.shape[0]
        self.classes.two_step = two_step
        self.classes.action = &class_action[0]
        self.classes.label = &class_label[0]
        self.classes.number = &class_number[0]
        self.classes.labels = <int> label_keys.shape[0]
        each = np.asarray(class_action)
        for action in range(ACTIONS + 1):
            self.classes.first[action] = <int> np.count_nonzero((each >= 0) & (each < action))
        self.longest = longest
        self.most_features = most_features
        self.keep = (
            address, slot, start, member, seed, part, base, keys, feature_start, features, label_keys,
            class_action, class_label, class_number,
        )


cdef int best_of(const Classes* classes, const float* scores, int actions, int without) noexcept nogil:
    """The best class whose action is among the bits `actions`, other than `without`; -1 where there is none."""
    cdef int c, action, best = -1
    for action in range(ACTIONS):
        if actions >> action & 1:
            for c in range(classes.first[action], classes.first[action + 1]):
                if (best < 0 or scores[c] > scores[best]) and c != without:
                    best = c
    return best


cdef int best_label(const Classes* classes, const float* scores, int action, int without) noexcept nogil:
    """Two steps: the best label's class given an arc action, other than `without`; -1 where there is none."""
    cdef int label, c, best = -1
    for label in range(classes.labels):
        c = class_of(classes, action, label)
        if c >= 0 and c != without and (best < 0 or scores[c] > scores[best]):
            best = c
    return best


cdef Transition choose(const Classes* classes, const float* scores, int actions) noexcept nogil:
    """The best transition whose action is among the bits `actions`."""
    cdef Transition chosen
    cdef int best = best_of(classes, scores, actions, -1)
    chosen.action, chosen.label = classes.action[best], classes.label[best]
    if classes.two_step and (chosen.action == LEFT or chosen.action == RIGHT):
        best = best_label(classes, scores, chosen.action, -1)
        chosen.label = classes.label[best] if best >= 0 else NOTHING
    return chosen
