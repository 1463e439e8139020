"""See classes.pxd."""

from libc.stdint cimport uint64_t

from headway.kernels.transition.state cimport ACTIONS, LEFT, RIGHT
from headway.kernels.trees.tree cimport NOTHING


cdef class ClassTable:
    """The classes of a parser: the action and the label of each, the class of each action and label, keys of labels."""

    def __init__(
        self, *, const int[::1] action not None, const int[::1] label not None, const int[::1] number not None,
        const uint64_t[::1] label_keys not None, bint two_step,
    ):
        cdef Py_ssize_t c, count = action.shape[0], each = label_keys.shape[0] + 1
        cdef int a
        if not count or label.shape[0] != count:
            raise ValueError(f"{count} classes have actions, {label.shape[0]} have labels")
        if number.shape[0] != ACTIONS * each:
            raise ValueError(f"the classes of {number.shape[0]} transitions are numbered, not of {ACTIONS * each}")
        self.classes.count, self.classes.labels, self.classes.two_step = <int> count, <int> each - 1, two_step
        self.classes.action, self.classes.label, self.classes.number = &action[0], &label[0], &number[0]
        self.label_keys = &label_keys[0] if each > 1 else NULL
        for c in range(count):
            for a in range(action[c] + 1, ACTIONS + 1):
                self.classes.first[a] += action[c] >= 0
        for c in range(number.shape[0]):
            if number[c] >= 0:
                self.actions |= 1 << c // each
        self.keep = (action, label, number, label_keys)


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
