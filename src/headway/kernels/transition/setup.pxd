"""What all examples and sentences of a parser have in common, and the choice between its transitions."""

from headway.kernels.transition.state cimport ACTIONS
from headway.kernels.transition.systems.system cimport System, SystemKernel
from headway.kernels.features.templates cimport Templates, Words


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


cdef class Setup:
    cdef SystemKernel chosen
    cdef System system      # as it was chosen, with the actions that have classes
    cdef Templates templates
    cdef Words words
    cdef Classes classes
    cdef int longest
    cdef int most_features
    cdef object keep


cdef inline int class_of(const Classes* classes, int action, int label) noexcept nogil:
    """The class of a transition; in two steps that of the label given the action, or of an action without one."""
    return classes.number[action * (classes.labels + 1) + label + 1]


cdef int best_of(const Classes* classes, const float* scores, int actions, int without) noexcept nogil
cdef int best_label(const Classes* classes, const float* scores, int action, int without) noexcept nogil
cdef Transition choose(const Classes* classes, const float* scores, int actions) noexcept nogil
