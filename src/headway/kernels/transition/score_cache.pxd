"""Scores kept for each word of a sentence: those of the features that only this word and its neighbours decide.

A cell belongs to a part of the templates and a node (NOTHING, the root, a word). It counts as filled while its stamp is
the present one, so that all cells are emptied by counting the stamp up.
"""

from libc.stdlib cimport calloc, free, malloc


cdef struct ScoreCache:
    int nodes
    int classes
    int most            # features of a cell
    long long stamp
    long long* filled   # stamp of each cell's scores
    long long* numbered     # stamp of each cell's features
    float* scores
    int* ids
    int* count


cdef inline int reserve_cache(ScoreCache* cache, int parts, int longest, int classes, int most) noexcept nogil:
    """Cells for sentences of up to `longest` words; with `most` features each, or none. False where memory is short."""
    cdef size_t cells = <size_t> parts * (longest + 2)
    cache.nodes, cache.classes, cache.most, cache.stamp = longest + 2, classes, most, 0
    cache.filled = <long long*> calloc(cells, sizeof(long long))
    cache.numbered = <long long*> calloc(cells, sizeof(long long))
    cache.scores = <float*> malloc(cells * classes * sizeof(float))
    cache.ids = <int*> malloc((cells * most + 1) * sizeof(int))
    cache.count = <int*> malloc(cells * sizeof(int))
    return (
        cache.filled != NULL and cache.numbered != NULL and cache.scores != NULL and cache.ids != NULL
        and cache.count != NULL
    )


cdef inline void release_cache(ScoreCache* cache) noexcept nogil:
    free(cache.filled)
    free(cache.numbered)
    free(cache.scores)
    free(cache.ids)
    free(cache.count)


cdef inline size_t cell_of(const ScoreCache* cache, int part, int node) noexcept nogil:
    return <size_t> part * cache.nodes + node + 1
