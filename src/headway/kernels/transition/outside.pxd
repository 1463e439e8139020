"""Transition systems that somebody else has compiled: their functions, asked so that a mistake becomes a fault.

A fault stays in the configuration, which then counts as final; `ChosenSystem.check` makes a sentence of it.
"""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport State, System

cdef bint outside_is_final(const State* state, const System* system) noexcept nogil
cdef int outside_legal(const State* state, const System* system) noexcept nogil
cdef int outside_child(const State* state, const System* system, int action) noexcept nogil
cdef int outside_head(const State* state, const System* system, int action) noexcept nogil
cdef void outside_apply(State* state, const System* system, int action, int label) noexcept nogil
cdef int outside_static(const State* state, const System* system, const Gold* gold) noexcept nogil
cdef void outside_prepare(Gold* gold, State* scratch, const System* system, const int* heads, int n) noexcept nogil
cdef void outside_costs(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil
cdef void outside_complete(State* state, const System* system, int* heads) noexcept nogil
