"""The memory that going through sentences takes: all of it is there, or none."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from headway.kernels.transition.gold cimport Gold, release_gold, reserve_gold
from headway.kernels.transition.score_cache cimport ScoreCache, release_cache, reserve_cache
from headway.kernels.transition.setup cimport ParserSetup
from headway.kernels.transition.state cimport State, release, reserve


cdef struct Workspace:
    State state
    Gold gold
    ScoreCache cache
    uint64_t* keys      # of the features of a configuration
    uint32_t* places    # where their weights begin
    int* ids            # or their numbers
    float* scores       # of all classes
    float* others       # and once more


cdef inline bint reserve_way(State* state, Gold* gold, int longest) noexcept nogil:
    """Room for derivations of sentences of up to `longest` words; False where memory is short."""
    if not reserve(state, longest):
        return False
    if not reserve_gold(gold, longest):
        release(state)
        return False
    return True


cdef inline void release_workspace(Workspace* space) noexcept nogil:
    release(&space.state)
    release_gold(&space.gold)
    release_cache(&space.cache)
    free(space.keys)
    free(space.places)
    free(space.ids)
    free(space.scores)


cdef inline bint reserve_workspace(Workspace* space, ParserSetup setup, int most) noexcept nogil:
    """Room for all that a parser needs, with `most` features in each cell of the cache; False where memory is short."""
    cdef size_t features = setup.most_features, classes = setup.classes.count
    memset(space, 0, sizeof(Workspace))
    space.keys = <uint64_t*> malloc(features * sizeof(uint64_t))
    space.places = <uint32_t*> malloc(features * sizeof(uint32_t))
    space.ids = <int*> malloc(features * sizeof(int))
    space.scores = <float*> calloc(2 * classes, sizeof(float))
    space.others = space.scores + classes
    if (
        space.keys != NULL and space.places != NULL and space.ids != NULL and space.scores != NULL
        and reserve_cache(&space.cache, setup.templates.parts, setup.longest, <int> classes, most)
        and reserve_way(&space.state, &space.gold, setup.longest)
    ):
        return True
    release_workspace(space)
    return False
