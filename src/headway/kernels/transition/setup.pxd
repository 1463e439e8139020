"""What all examples and sentences of a parser have in common, and the memory that going through them takes."""

from libc.stdint cimport uint32_t, uint64_t

from headway.kernels.features.templates cimport Templates, Words
from headway.kernels.memory cimport Memory
from headway.kernels.transition.classes cimport Classes
from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport State, begin
from headway.kernels.transition.systems.dispatch cimport apply, guided, prepare
from headway.kernels.transition.systems.system cimport System, SystemKernel


cdef class ClassTable:
    cdef Classes classes
    cdef const uint64_t* label_keys     # as values of features
    cdef int actions                    # those that have classes, as bits
    cdef object keep


cdef class ParserSetup:
    cdef SystemKernel chosen
    cdef System system      # as it was chosen, with the actions that have classes
    cdef Templates templates
    cdef Words words
    cdef Classes classes
    cdef int longest        # words of a sentence
    cdef int most_features  # of a configuration
    cdef object keep


# Scores kept for each word of a sentence: those of the features that only this word and its neighbours decide. A cell
# belongs to a part of the templates and a node (NOTHING, the root, a word). It counts as filled while its stamp is the
# present one, so that all cells are emptied by counting the stamp up.
cdef struct ScoreCache:
    int nodes
    int most            # features of a cell
    long long stamp
    long long* filled   # stamp of each cell's scores
    long long* numbered     # stamp of each cell's features
    float* scores
    int* ids
    int* count


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


cdef inline size_t cell_of(const ScoreCache* cache, int part, int node) noexcept nogil:
    return <size_t> part * cache.nodes + node + 1


cdef inline int first_action(Workspace space, const System* system, const int* heads, int n) noexcept nogil:
    """Begin the way of the static oracle to `heads` (of word 1 at [0]); NOTHING where it ends, as in `guided`."""
    prepare(&space.gold, &space.state, system, heads, n)
    begin(&space.state, system.root, n)
    return guided(&space.state, system, &space.gold, &space.allowed)


cdef inline int next_action(Workspace space, const System* system, int action, int label) noexcept nogil:
    """Take a step of that way, and return the next action."""
    apply(&space.state, system, action, label)
    return guided(&space.state, system, &space.gold, &space.allowed)
