"""Scores kept for each word of a sentence: those of the features that only this word and its neighbours decide.

A cell belongs to a part of the templates and a node (NOTHING, the root, a word). It counts as filled while its stamp is
the present one, so that all cells are emptied by counting the stamp up.
"""

from libc.stdlib cimport calloc, free, malloc


cdef struct Kept:
    int nodes
    int classes
    int most            # features of a cell
    long long stamp
    long long* filled   # stamp of each cell's scores
    long long* numbered     # stamp of each cell's features
    float* scores
    int* ids
    int* count


cdef inline int reserve_kept(Kept* kept, int parts, int longest, int classes, int most) noexcept nogil:
    """Cells for sentences of up to `longest` words; with `most` features each, or none. False where memory is short."""
    cdef size_t cells = <size_t> parts * (longest + 2)
    kept.nodes, kept.classes, kept.most, kept.stamp = longest + 2, classes, most, 0
    kept.filled = <long long*> calloc(cells, sizeof(long long))
    kept.numbered = <long long*> calloc(cells, sizeof(long long))
    kept.scores = <float*> malloc(cells * classes * sizeof(float))
    kept.ids = <int*> malloc((cells * most + 1) * sizeof(int))
    kept.count = <int*> malloc(cells * sizeof(int))
    return (
        kept.filled != NULL and kept.numbered != NULL and kept.scores != NULL and kept.ids != NULL
        and kept.count != NULL
    )


cdef inline void release_kept(Kept* kept) noexcept nogil:
    free(kept.filled)
    free(kept.numbered)
    free(kept.scores)
    free(kept.ids)
    free(kept.count)


cdef inline size_t cell_of(const Kept* kept, int part, int node) noexcept nogil:
    return <size_t> part * kept.nodes + node + 1
