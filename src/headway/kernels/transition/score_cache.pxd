"""Scores kept for each word of a sentence: those of the features that only this word and its neighbours decide.

A cell belongs to a part of the templates and a node (NOTHING, the root, a word). It counts as filled while its stamp is
the present one, so that all cells are emptied by counting the stamp up.
"""

from headway.kernels.memory cimport Memory


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


cdef inline int reserve_cache(
    ScoreCache* cache, Memory memory, int parts, int longest, int classes, int most
) except -1:
    """Cells for sentences of up to `longest` words; with `most` features each, or none."""
    cdef size_t cells = <size_t> parts * (longest + 2)
    cache.nodes, cache.classes, cache.most, cache.stamp = longest + 2, classes, most, 0
    cache.filled = <long long*> memory.take(2 * cells, sizeof(long long))
    cache.numbered = cache.filled + cells
    cache.scores = <float*> memory.take(cells * classes, sizeof(float))
    cache.ids = <int*> memory.take(cells * (most + 1), sizeof(int))
    cache.count = cache.ids + cells * most
    return 0


cdef inline size_t cell_of(const ScoreCache* cache, int part, int node) noexcept nogil:
    return <size_t> part * cache.nodes + node + 1
