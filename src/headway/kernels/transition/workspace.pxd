"""The memory that going through sentences takes, and the way of the static oracle through it."""

from libc.stdint cimport uint32_t, uint64_t

from headway.kernels.memory cimport Memory
from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.score_cache cimport ScoreCache
from headway.kernels.transition.setup cimport ParserSetup
from headway.kernels.transition.state cimport State, begin
from headway.kernels.transition.systems.dispatch cimport apply
from headway.kernels.transition.systems.oracle cimport guided, prepare
from headway.kernels.transition.systems.system cimport System


cdef class Workspace(Memory):
    cdef State state
    cdef Gold gold
    cdef int allowed    # on the way of the static oracle: the legal actions as bits
    cdef ScoreCache cache
    cdef uint64_t* keys     # of the features of a configuration
    cdef uint32_t* places   # where their weights begin
    cdef int* ids           # or their numbers
    cdef float* scores      # of all classes
    cdef float* others      # and once more


cdef Workspace derivation_workspace(int longest)
cdef Workspace parser_workspace(ParserSetup setup, int most)


cdef inline int first_action(Workspace space, const System* system, const int* heads, int n) noexcept nogil:
    """Begin the way of the static oracle to `heads` (of word 1 at [0]); NOTHING where it ends, as in `guided`."""
    prepare(&space.gold, &space.state, system, heads, n)
    begin(&space.state, system.root, n)
    return guided(&space.state, system, &space.gold, &space.allowed)


cdef inline int next_action(Workspace space, const System* system, int action, int label) noexcept nogil:
    """Take a step of that way, and return the next action."""
    apply(&space.state, system, action, label)
    return guided(&space.state, system, &space.gold, &space.allowed)
