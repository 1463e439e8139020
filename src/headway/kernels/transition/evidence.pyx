"""See evidence.pxd; and evidence of a parser with variances: margins by their standard deviations.

The variance of a margin is the sum of the variances of all weights that it is made of, those of two classes. Weights
that were never updated have the variance of the beginning, and so have those of features that were never seen.
"""

from libc.math cimport sqrt
from libc.string cimport memset

from headway.kernels.features.templates cimport Words, sentence_of
from headway.kernels.transition.features cimport extract
from headway.kernels.transition.setup cimport ParserSetup, Transition, Workspace, choose, parser_workspace
from headway.kernels.transition.state cimport begin
from headway.kernels.transition.systems.single_root cimport choices, perform
from headway.kernels.weights.packed cimport Model, PackedWeights, evaluate

EVIDENCE = ("least", "arc", "label", "path", "rival")
"""The columns by name."""


cdef Margins scaled(
    const Classes* classes, const float* scores, const float* learned, double most, int allowed, Transition best
) noexcept nogil:
    """The margin of an action over the best other one, by its standard deviation; that of the label is left out."""
    cdef Margins margins
    cdef int own = best_of(classes, scores, 1 << best.action, -1)
    cdef int other = best_of(classes, scores, allowed & ~(1 << best.action), -1)
    margins.rival, margins.action, margins.label = ACTIONS, INFINITY, 0
    if other >= 0 and own >= 0:
        margins.rival = classes.action[other]
        margins.action = <float> (
            (scores[own] - scores[other]) / sqrt(max(1e-12, 2 * most - learned[own] - learned[other]))
        )
    return margins


def spread(
    ParserSetup setup, PackedWeights weights not None, PackedWeights certainty not None, double initial,
    const int[::1] offsets, float[:, ::1] evidence,
):
    """Parse as `parsing.parse` does, and write evidence by standard deviations in the columns of evidence.pxd.

    The second weights say by how much the variance of each weight is below the `initial` one.
    """
    cdef Model model = weights.model()[0], certain = certainty.model()[0]
    cdef Workspace space = parser_workspace(setup, 0)
    cdef Words words
    cdef Transition best
    cdef float path
    cdef int s, n, allowed, count
    cdef size_t size = setup.classes.count * sizeof(float)
    if not weights.classes == certainty.classes == setup.classes.count:
        raise ValueError("the weights are for other classes")
    if evidence.shape[1] != COLUMNS:
        raise ValueError(f"evidence has {evidence.shape[1]} columns, not {COLUMNS}")
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            n, path = offsets[s + 1] - offsets[s], INFINITY
            if not n:
                continue
            words = sentence_of(&setup.words, setup.templates.columns, offsets[s], n)
            begin(&space.state, setup.system.root, n)
            clear_evidence(&evidence[offsets[s], 0], n)
            allowed = choices(&space.state, &setup.system)
            while allowed:
                memset(space.scores, 0, 2 * size)
                count = extract(&space.state, &setup.templates, &words, space.keys)
                evaluate(&model, space.keys, count, space.rows, space.scores)
                evaluate(&certain, space.keys, count, space.rows, space.others)
                best = choose(&setup.classes, space.scores, allowed)
                note(
                    &evidence[offsets[s], 0], &path, &space.state, &setup.system, best.action,
                    scaled(&setup.classes, space.scores, space.others, initial * count, allowed, best),
                )
                perform(&space.state, &setup.system, best.action, best.label)
                allowed = choices(&space.state, &setup.system)
    setup.chosen.check(&space.state)
