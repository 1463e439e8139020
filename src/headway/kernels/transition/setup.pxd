"""What all examples and sentences of a parser have in common, and the memory that going through them takes.

A parser chooses between classes: actions with labels, at once or in two steps.
"""

from libc.stdint cimport uint64_t

from headway.kernels.features.templates cimport Templates, Words
from headway.kernels.memory cimport Memory
from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.state cimport ACTIONS, LEFT, RIGHT, State, begin
from headway.kernels.transition.systems.dispatch cimport apply, guided, prepare
from headway.kernels.transition.systems.system cimport System, SystemKernel
from headway.kernels.trees.tree cimport NOTHING
from headway.kernels.weights.packed cimport Row


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
    cdef Row* rows          # their weights
    cdef int* ids           # or their numbers
    cdef float* scores      # of all classes
    cdef float* others      # and once more


cdef Workspace derivation_workspace(int longest)
cdef Workspace parser_workspace(ParserSetup setup, int most)


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
