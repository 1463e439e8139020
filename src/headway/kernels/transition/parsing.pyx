"""Parsing: sentences in, heads and labels out."""

from libc.math cimport INFINITY
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from headway.kernels.transition.evidence cimport Margins, clear_evidence, margins_of, note
from headway.kernels.transition.features cimport look
from headway.kernels.transition.score_cache cimport ScoreCache, cell_of, release_cache, reserve_cache
from headway.kernels.weights.frozen cimport Model, evaluate, model_of
from headway.kernels.transition.classes cimport Transition, choose
from headway.kernels.transition.setup cimport ParserSetup
from headway.kernels.transition.systems.single_root cimport choices, perform, write_tree
from headway.kernels.transition.state cimport FINE, State, begin, release, reserve
from headway.kernels.features.templates cimport Templates, View, Words, keys_of, sentence_of
from headway.kernels.weights.vectors cimport add_row


cdef void score_all(
    const Model* model, const State* state, const Templates* templates, const Words* words, ScoreCache* cache,
    uint64_t* keys, uint32_t* places, float* scores,
) noexcept nogil:
    """The scores of all classes in a configuration. What only one word decides is added up once for that word."""
    cdef View view
    cdef int part, count
    cdef size_t cell
    cdef float* sums
    look(state, templates, words, &view)
    memset(scores, 0, model.classes * sizeof(float))
    for part in range(1, templates.parts):
        cell = cell_of(cache, part, view.node[templates.base[part]])
        sums = cache.scores + cell * model.classes
        if cache.filled[cell] != cache.stamp:
            cache.filled[cell] = cache.stamp
            memset(sums, 0, model.classes * sizeof(float))
            count = keys_of(templates, words, &view, templates.part[part], templates.part[part + 1], keys)
            evaluate(model, keys, count, places, sums)
        add_row(scores, sums, model.classes)
    count = keys_of(templates, words, &view, 0, templates.part[1], keys)
    evaluate(model, keys, count, places, scores)


def parse(
    ParserSetup setup, const uint64_t[::1] slots, const uint32_t[::1] rows, const int[::1] offsets, int root_label,
    int[::1] heads, int[::1] labels, float[:, ::1] evidence=None,
):
    """Parse sentences `offsets[s] : offsets[s + 1]` of the setup's words into `heads` and `labels`.

    Words left without a head hang on the root with `root_label`. `evidence` gets how sure each arc was, in the columns
    of evidence.pxd, where it is asked for. Linear time.
    """
    cdef Model model = model_of(slots, rows, setup.classes.count)
    cdef State state
    cdef Words words
    cdef ScoreCache cache
    cdef Transition best
    cdef Margins margins
    cdef float path = INFINITY
    cdef float* rows_of_words = NULL
    cdef bint surely = evidence is not None
    cdef int s, n, allowed, front
    cdef uint64_t* keys = <uint64_t*> malloc(setup.most_features * sizeof(uint64_t))
    cdef uint32_t* places = <uint32_t*> malloc(setup.most_features * sizeof(uint32_t))
    cdef float* scores = <float*> malloc(setup.classes.count * sizeof(float))
    if (
        keys == NULL or places == NULL or scores == NULL or not reserve(&state, setup.longest)
        or not reserve_cache(&cache, setup.templates.parts, setup.longest, model.classes, 0)
    ):
        raise MemoryError
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            words = sentence_of(&setup.words, setup.templates.columns, offsets[s], n)
            begin(&state, setup.system.root, n)
            cache.stamp += 1
            allowed = choices(&state, &setup.system)
            if surely and n:
                rows_of_words, path = &evidence[offsets[s], 0], INFINITY
                clear_evidence(rows_of_words, n)
            while allowed:
                score_all(&model, &state, &setup.templates, &words, &cache, keys, places, scores)
                best = choose(&setup.classes, scores, allowed)
                if surely:
                    margins = margins_of(&setup.classes, scores, allowed, best.action, best.label)
                    note(rows_of_words, &path, &state, &setup.system, best.action, margins)
                front = state.front
                perform(&state, &setup.system, best.action, best.label)
                if state.front < front and not state.joining:   # another word is ahead of those behind it now
                    cache.stamp += 1
                allowed = choices(&state, &setup.system)
            write_tree(&state, &setup.system, root_label, &heads[offsets[s]], &labels[offsets[s]])
            if state.fault != FINE:
                break
    release(&state)
    release_cache(&cache)
    free(keys)
    free(places)
    free(scores)
    setup.chosen.check(&state)
