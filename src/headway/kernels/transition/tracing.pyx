"""Parsing one sentence with all that was seen on the way: for explanations, and nowhere else."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from headway.kernels.features.templates cimport View, Words, keys_of, sentence_of
from headway.kernels.transition.classes cimport Transition, choose
from headway.kernels.transition.features cimport look
from headway.kernels.transition.parsing cimport score_all
from headway.kernels.transition.setup cimport ParserSetup
from headway.kernels.transition.state cimport FINE, State, begin
from headway.kernels.transition.systems.single_root cimport choices, perform, write_tree
from headway.kernels.transition.workspace cimport Workspace, parser_workspace
from headway.kernels.trees.tree cimport NOTHING
from headway.kernels.weights.frozen cimport Model, model_of


cdef tuple seen(ParserSetup setup, const State* state, const Words* words, const View* view, const uint64_t* keys,
                int count, const float* scores):
    """What one configuration shows: stack, queue, nodes of all addresses, labels of these, values, keys, scores."""
    cdef int i, addresses = setup.templates.addresses, slots = setup.templates.slots
    nodes, labels = np.empty(addresses, np.int32), np.full(addresses, NOTHING, np.int32)
    values, all_keys = np.empty(slots, np.uint64), np.empty(count, np.uint64)
    all_scores = np.empty(setup.classes.count, np.float32)
    cdef int[::1] node_view = nodes, label_view = labels
    cdef uint64_t[::1] value_view = values, key_view = all_keys
    cdef float[::1] score_view = all_scores
    for i in range(addresses):
        node_view[i] = view.node[i]
        if view.node[i] != NOTHING:
            label_view[i] = state.tree.label[view.node[i]]
    for i in range(slots):
        value_view[i] = view.value[i]
    if count:
        memcpy(&key_view[0], keys, count * sizeof(uint64_t))
    memcpy(&score_view[0], scores, setup.classes.count * sizeof(float))
    stack = [state.stack[i] for i in range(state.size)]
    queue = [state.queue[i] for i in range(state.front, state.end)]
    return stack, queue, nodes, labels, values, all_keys, all_scores


def trace(
    ParserSetup setup, const uint64_t[::1] slots, const uint32_t[::1] rows, int first, int n, int root_label,
    int[::1] heads, int[::1] labels,
):
    """Parse the sentence of n words that begins with word number `first`, into `heads` and `labels`.

    Returns a tuple for each transition: the legal actions as bits, the action and the label that are taken, the heads
    so far after it, and what `seen` tells of the configuration before.
    """
    cdef Model model = model_of(slots, rows, setup.classes.count)
    cdef Workspace space = parser_workspace(setup, 0)
    cdef Words words
    cdef View view
    cdef Transition best
    cdef int allowed, count, i
    cdef list steps = []
    words = sentence_of(&setup.words, setup.templates.columns, first, n)
    begin(&space.state, setup.system.root, n)
    allowed = choices(&space.state, &setup.system)
    while allowed:
        space.cache.stamp += 1
        score_all(&model, &setup.templates, &words, space)
        look(&space.state, &setup.templates, &words, &view)
        count = keys_of(&setup.templates, &words, &view, 0, setup.templates.templates, space.keys)
        best = choose(&setup.classes, space.scores, allowed)
        before = seen(setup, &space.state, &words, &view, space.keys, count, space.scores)
        perform(&space.state, &setup.system, best.action, best.label)
        after = [space.state.tree.head[i] for i in range(1, n + 1)]
        steps.append((allowed, best.action, best.label, after, *before))
        allowed = choices(&space.state, &setup.system)
    write_tree(&space.state, &setup.system, root_label, &heads[0], &labels[0])
    if space.state.fault != FINE:
        setup.chosen.check(&space.state)
    return steps
