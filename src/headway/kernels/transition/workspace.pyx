"""See workspace.pxd."""

from libc.stdint cimport uint32_t, uint64_t

from headway.kernels.transition.gold cimport reserve_gold
from headway.kernels.transition.score_cache cimport reserve_cache
from headway.kernels.transition.setup cimport ParserSetup
from headway.kernels.transition.state cimport reserve_state


cdef class Workspace(Memory):
    """A configuration, a gold tree, and what scoring needs; freed as a whole."""


cdef Workspace derivation_workspace(int longest):
    """Room for derivations of sentences of up to `longest` words, without scores."""
    cdef Workspace space = Workspace()
    reserve_state(&space.state, space, longest)
    reserve_gold(&space.gold, space, longest)
    return space


cdef Workspace parser_workspace(ParserSetup setup, int most):
    """Room for all that a parser needs, with `most` features in each cell of the cache."""
    cdef Workspace space = derivation_workspace(setup.longest)
    cdef size_t features = setup.most_features, classes = setup.classes.count
    space.keys = <uint64_t*> space.take(features, sizeof(uint64_t))
    space.places = <uint32_t*> space.take(features, sizeof(uint32_t))
    space.ids = <int*> space.take(features, sizeof(int))
    space.scores = <float*> space.take(2 * classes, sizeof(float))
    space.others = space.scores + classes
    reserve_cache(&space.cache, space, setup.templates.parts, setup.longest, <int> classes, most)
    return space
