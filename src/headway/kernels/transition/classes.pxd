"""What a transition parser chooses between, and the choice: actions with labels, at once or in two steps."""

from libc.stdint cimport uint64_t

from headway.kernels.transition.state cimport ACTIONS


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


cdef class ClassTable:
    cdef Classes classes
    cdef const uint64_t* label_keys     # as values of features
    cdef int actions                    # those that have classes, as bits
    cdef object keep


cdef inline int class_of(const Classes* classes, int action, int label) noexcept nogil:
    """The class of a transition; in two steps that of the label given the action, or of an action without one."""
    return classes.number[action * (classes.labels + 1) + label + 1]


cdef int best_of(const Classes* classes, const float* scores, int actions, int without) noexcept nogil
cdef int best_label(const Classes* classes, const float* scores, int action, int without) noexcept nogil
cdef Transition choose(const Classes* classes, const float* scores, int actions) noexcept nogil
