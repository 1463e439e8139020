from headway.kernels.features cimport Templates, Words
from headway.kernels.state cimport ACTIONS, System


cdef struct Classes:
    int count
    bint two_step           # classes are the actions, then the labels; else pairs of both
    const int* action       # of each class; -1 for the labels of two steps
    const int* label        # of each class; -1 for actions without one
    const int* number       # class of (action, label) at [action × (labels + 1) + label + 1], or -1
    int labels
    int[ACTIONS + 1] first  # the classes of action a are first[a] : first[a + 1]


cdef struct Transition:
    int action
    int label


cdef class Setup:
    cdef System system
    cdef Templates templates
    cdef Words words
    cdef Classes classes
    cdef int longest
    cdef int most_features
    cdef object keep


cdef Words words_at(Setup setup, int first) noexcept nogil
cdef Transition choose(const Classes* classes, const float* scores, int actions) noexcept nogil
