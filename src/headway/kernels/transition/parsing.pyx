"""Parsing: sentences in, heads and labels out."""

from libc.math cimport INFINITY
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from headway.kernels.transition.evidence cimport Margins, clear_evidence, margins_of, note
from headway.kernels.transition.features cimport look
from headway.kernels.transition.score_cache cimport ScoreCache, cell_of
from headway.kernels.weights.frozen cimport Model, evaluate, model_of
from headway.kernels.transition.classes cimport Transition, choose
from headway.kernels.transition.setup cimport ParserSetup
from headway.kernels.transition.systems.single_root cimport choices, perform, write_tree
from headway.kernels.transition.state cimport FINE, begin
from headway.kernels.features.templates cimport Templates, View, Words, keys_of, sentence_of
from headway.kernels.transition.workspace cimport Workspace, parser_workspace
from headway.kernels.weights.vectors cimport add_row


cdef void score_all(
    const Model* model, const Templates* templates, const Words* words, Workspace space
) noexcept nogil:
    """The scores of all classes in a configuration. What only one word decides is added up once for that word."""
    cdef View view
    cdef ScoreCache* cache = &space.cache
    cdef uint64_t* keys = space.keys
    cdef uint32_t* places = space.places
    cdef float* scores = space.scores
    cdef float* sums
    cdef int part, count
    cdef size_t cell
    look(&space.state, templates, words, &view)
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
    cdef Workspace space = parser_workspace(setup, 0)
    cdef Words words
    cdef Transition best
    cdef Margins margins
    cdef float path = INFINITY
    cdef float* rows_of_words = NULL
    cdef bint surely = evidence is not None
    cdef int s, n, allowed, front
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n = offsets[s + 1] - offsets[s]
            words = sentence_of(&setup.words, setup.templates.columns, offsets[s], n)
            begin(&space.state, setup.system.root, n)
            space.cache.stamp += 1
            allowed = choices(&space.state, &setup.system)
            if surely and n:
                rows_of_words, path = &evidence[offsets[s], 0], INFINITY
                clear_evidence(rows_of_words, n)
            while allowed:
                score_all(&model, &setup.templates, &words, space)
                best = choose(&setup.classes, space.scores, allowed)
                if surely:
                    margins = margins_of(&setup.classes, space.scores, allowed, best.action, best.label)
                    note(rows_of_words, &path, &space.state, &setup.system, best.action, margins)
                front = space.state.front
                perform(&space.state, &setup.system, best.action, best.label)
                # Another word is ahead of those behind it now.
                if space.state.front < front and not space.state.joining:
                    space.cache.stamp += 1
                allowed = choices(&space.state, &setup.system)
            write_tree(&space.state, &setup.system, root_label, &heads[offsets[s]], &labels[offsets[s]])
            if space.state.fault != FINE:
                break
    setup.chosen.check(&space.state)
