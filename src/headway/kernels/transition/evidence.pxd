"""How sure a transition parser was: a row of evidence for each word, written while it parses.

A margin is how far the score of what was chosen is above that of the best other choice; infinite where there is none.
"""

from libc.math cimport INFINITY

from headway.kernels.transition.setup cimport Classes, best_label, best_of, class_of
from headway.kernels.transition.state cimport ACTIONS, State, ahead, top
from headway.kernels.transition.systems.dispatch cimport child_of
from headway.kernels.transition.systems.system cimport ARC_EAGER, System
from headway.kernels.trees.tree cimport NOTHING, ROOT

cdef enum:          # columns; the first tells most
    LEAST = 0       # least margin of the actions for which the word was one of the two looked at, up to its arc
    ARC = 1         # margin of the action that made the word's arc over the best other action
    LABEL = 2       # margin of its label over the best other label of the same action
    PATH = 3        # least margin of all actions of the sentence up to the word's arc
    RIVAL = 4       # which action made the arc, and which was the best other one; see rival_of
    COLUMNS = 5

cdef enum:
    NO_ARC = ACTIONS * (ACTIONS + 1)    # a word that no action gave a head


cdef struct Margins:
    int rival       # the best other action, ACTIONS where there is none
    float action
    float label


cdef inline int rival_of(int action, int rival) noexcept nogil:
    """The two actions as one number."""
    return action * (ACTIONS + 1) + rival


cdef inline Margins margins_of(
    const Classes* classes, const float* scores, int actions, int action, int label
) noexcept nogil:
    """How far the scores of an action and of its label are above those of others, among the actions of these bits."""
    cdef Margins margins
    cdef int own = class_of(classes, action, label), within
    cdef int best = best_of(classes, scores, actions & 1 << action, -1)
    cdef int other = best_of(classes, scores, actions & ~(1 << action), -1)
    if classes.two_step:
        within = best_label(classes, scores, action, own)
    else:
        within = best_of(classes, scores, 1 << action, own)
    margins.rival = classes.action[other] if other >= 0 else ACTIONS
    margins.action = 0 if best < 0 else scores[best] - scores[other] if other >= 0 else INFINITY
    margins.label = 0 if own < 0 else scores[own] - scores[within] if within >= 0 else INFINITY
    return margins


cdef inline void clear_evidence(float* rows, int n) noexcept nogil:
    """Rows of n words before the first transition."""
    cdef int word, column
    for word in range(n):
        for column in range(RIVAL):
            rows[word * COLUMNS + column] = INFINITY
        rows[word * COLUMNS + RIVAL] = NO_ARC


cdef inline void note(
    float* rows, float* path, const State* state, const System* system, int action, Margins margins
) noexcept nogil:
    """Write down how sure a transition is, before it is performed; `path` is the least margin of those before it."""
    cdef int child = child_of(state, system, action)
    cdef float* row
    path[0] = min(path[0], margins.action)
    note_least(rows, state, top(state, 0), margins.action)
    note_least(rows, state, ahead(state, 0) if system.kind == ARC_EAGER else top(state, 1), margins.action)
    if child > ROOT:
        row = rows + (child - 1) * COLUMNS
        row[ARC], row[LABEL], row[PATH] = margins.action, margins.label, path[0]
        row[RIVAL] = rival_of(action, margins.rival)


cdef inline void note_least(float* rows, const State* state, int word, float margin) noexcept nogil:
    if word > ROOT and state.tree.head[word] == NOTHING:
        rows[(word - 1) * COLUMNS + LEAST] = min(rows[(word - 1) * COLUMNS + LEAST], margin)
