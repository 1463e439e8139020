"""Transition systems that somebody else has compiled: their functions, asked so that a mistake becomes a fault.

A fault stays in the configuration, which then counts as final; `SystemKernel.check` makes a sentence of it.
"""

from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport State
from headway.kernels.transition.systems.system cimport System

cdef bint is_final(const State* state, const System* system) noexcept nogil
cdef int legal(const State* state, const System* system) noexcept nogil
cdef int child_of(const State* state, const System* system, int action) noexcept nogil
cdef int head_of(const State* state, const System* system, int action) noexcept nogil
cdef void apply(State* state, const System* system, int action, int label) noexcept nogil
cdef int static_action(const State* state, const System* system, const Gold* gold) noexcept nogil
cdef void prepare(Gold* gold, State* scratch, const System* system, const int* heads, int n) noexcept nogil
cdef void costs(const State* state, const System* system, const Gold* gold, int* cost) noexcept nogil
cdef void complete(State* state, const System* system, int* heads) noexcept nogil
