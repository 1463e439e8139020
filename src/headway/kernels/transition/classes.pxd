"""What a transition parser chooses between, and the choice: actions with labels, at once or in two steps."""

from headway.kernels.transition.state cimport ACTIONS, LEFT, RIGHT
from headway.kernels.trees.tree cimport NOTHING


cdef struct Classes:
    int count
    bint two_step           # classes are the actions, then the labels of each arc action; else pairs of both
    const int* action       # of each class; -1 for the labels of two steps
    const int* label        # of each class; -1 for actions without one
    const int* number       # class of (action, label) at [action × (labels + 1) + label + 1], or -1; see class_of
    int labels
    int[ACTIONS + 1] first  # the classes of action a are first[a] : first[a + 1]


cdef struct Transition:
    int action
    int label


cdef inline int class_of(const Classes* classes, int action, int label) noexcept nogil:
    """The class of a transition; in two steps that of the label given the action, or of an action without one."""
    return classes.number[action * (classes.labels + 1) + label + 1]


cdef inline int best_of(const Classes* classes, const float* scores, int actions, int without) noexcept nogil:
    """The best class whose action is among the bits `actions`, other than `without`; -1 where there is none."""
    cdef int c, action, best = -1
    for action in range(ACTIONS):
        if actions >> action & 1:
            for c in range(classes.first[action], classes.first[action + 1]):
                if (best < 0 or scores[c] > scores[best]) and c != without:
                    best = c
    return best


cdef inline int best_label(const Classes* classes, const float* scores, int action, int without) noexcept nogil:
    """Two steps: the best label's class given an arc action, other than `without`; -1 where there is none."""
    cdef int label, c, best = -1
    for label in range(classes.labels):
        c = class_of(classes, action, label)
        if c >= 0 and c != without and (best < 0 or scores[c] > scores[best]):
            best = c
    return best


cdef inline Transition choose(const Classes* classes, const float* scores, int actions) noexcept nogil:
    """The best transition whose action is among the bits `actions`."""
    cdef Transition chosen
    cdef int best = best_of(classes, scores, actions, -1)
    chosen.action, chosen.label = classes.action[best], classes.label[best]
    if classes.two_step and (chosen.action == LEFT or chosen.action == RIGHT):
        best = best_label(classes, scores, chosen.action, -1)
        chosen.label = classes.label[best] if best >= 0 else NOTHING
    return chosen
