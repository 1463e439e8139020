"""Parsing: sentences in, heads and labels out."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from headway.kernels.features cimport Words, extract
from headway.kernels.model cimport Model, evaluate
from headway.kernels.state cimport NOTHING, ROOT, State, apply, begin, is_final, legal, release, reserve
from headway.kernels.training cimport Setup, Transition, choose, words_at


def parse(
    Setup setup, const uint64_t[::1] slots, const uint32_t[::1] rows, const int[::1] offsets, int root_label,
    int[::1] heads, int[::1] labels,
):
    """Parse sentences `offsets[s] : offsets[s + 1]` of the setup's words into `heads` and `labels`.

    Words left without a head hang on the root with `root_label`. Linear time.
    """
    cdef Model model
    cdef State state
    cdef Words words
    cdef Transition best
    cdef int s, n, count, word
    cdef uint64_t* keys = <uint64_t*> malloc(setup.most_features * sizeof(uint64_t))
    cdef uint32_t* places = <uint32_t*> malloc(setup.most_features * sizeof(uint32_t))
    cdef float* scores = <float*> malloc(setup.classes.count * sizeof(float))
    model.classes = setup.classes.count
    model.size = slots.shape[0]
    model.slots = &slots[0]
    model.rows = &rows[0]
    if keys == NULL or places == NULL or scores == NULL or not reserve(&state, setup.longest):
        raise MemoryError
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            words = words_at(setup, offsets[s])
            begin(&state, &setup.system, n)
            while not is_final(&state, &setup.system):
                count = extract(&state, &setup.templates, &words, keys)
                evaluate(&model, keys, count, places, scores)
                best = choose(&setup.classes, scores, legal(&state, &setup.system))
                apply(&state, &setup.system, best.action, best.label)
            for word in range(1, n + 1):
                heads[offsets[s] + word - 1] = state.head[word] if state.head[word] != NOTHING else ROOT
                labels[offsets[s] + word - 1] = state.label[word] if state.head[word] != NOTHING else root_label
    release(&state)
    free(keys)
    free(places)
    free(scores)
