"""Parsing: sentences in, heads and labels out; of one sentence also under constraints, and with all that was seen."""

from libc.math cimport INFINITY
from libc.stdint cimport uint64_t
from libc.string cimport memset

import numpy as np

from headway.kernels.features.templates cimport Templates, View, Words, keys_of, sentence_of
from headway.kernels.transition.evidence cimport Margins, clear_evidence, margins_of, note
from headway.kernels.transition.features cimport look
from headway.kernels.transition.gold cimport Gold
from headway.kernels.transition.setup cimport (
    ParserSetup, ScoreCache, Transition, Workspace, best_label, cell_of, choose, class_of, parser_workspace,
)
from headway.kernels.transition.state cimport ACTIONS, FINE, LEFT, RIGHT, State, begin
from headway.kernels.transition.systems.dispatch cimport apply, child_of, costs, guided, head_of, prepare
from headway.kernels.transition.systems.single_root cimport choices, perform, write_tree
from headway.kernels.transition.systems.system cimport ARC_EAGER, System
from headway.kernels.trees.tree cimport NOTHING, ROOT
from headway.kernels.weights.hardware cimport add_row
from headway.kernels.weights.packed cimport Model, PackedWeights, Row, add_rows, evaluate, fetch_buckets, find_rows


cdef Model weights_for(ParserSetup setup, PackedWeights weights):
    """The weights as the kernels see them; those of other classes are refused."""
    if weights.classes != setup.classes.count:
        raise ValueError(f"the weights are for {weights.classes} classes, not for {setup.classes.count}")
    return weights.model()[0]


cdef void score_all(
    const Model* model, const Templates* templates, const Words* words, Workspace space
) noexcept nogil:
    """The scores of all classes in a configuration. What only one word decides is added up once for that word."""
    cdef View view
    cdef ScoreCache* cache = &space.cache
    cdef uint64_t* keys = space.keys
    cdef Row* rows = space.rows
    cdef float* scores = space.scores
    cdef float* sums
    cdef int part, count, more
    cdef size_t cell
    look(&space.state, templates, words, &view)
    memset(scores, 0, model.classes * sizeof(float))
    count = keys_of(templates, words, &view, 0, templates.part[1], keys)
    fetch_buckets(model, keys, count)   # memory brings them while what is kept for words is added up
    for part in range(1, templates.parts):
        cell = cell_of(cache, part, view.node[templates.base[part]])
        sums = cache.scores + cell * model.classes
        if cache.filled[cell] != cache.stamp:
            cache.filled[cell] = cache.stamp
            memset(sums, 0, model.classes * sizeof(float))
            more = keys_of(templates, words, &view, templates.part[part], templates.part[part + 1], keys + count)
            evaluate(model, keys + count, more, rows, sums)
        add_row(scores, sums, model.classes)
    add_rows(model, rows, find_rows(model, keys, count, rows), scores, NULL, 0)


cdef void keep_label_scores(
    ParserSetup setup, Workspace space, int action, float[:, ::1] label_scores, int first
) noexcept nogil:
    """Write the scores of all labels for the word that an action gives its head, -inf for those it cannot have."""
    cdef int label, found, child = NOTHING
    if action == LEFT or action == RIGHT:
        child = child_of(&space.state, &setup.system, action)
    if child > ROOT:
        for label in range(setup.classes.labels):
            found = class_of(&setup.classes, action, label)
            label_scores[first + child - 1, label] = space.scores[found] if found >= 0 else -INFINITY


def parse(
    ParserSetup setup, PackedWeights weights not None, const int[::1] offsets, int root_label,
    int[::1] heads, int[::1] labels, float[:, ::1] evidence=None, float[:, ::1] label_scores=None,
):
    """Parse sentences `offsets[s] : offsets[s + 1]` of the setup's words into `heads` and `labels`.

    Words left without a head hang on the root with `root_label`. `evidence` gets how sure each arc was, in the columns
    of evidence.pxd, and `label_scores` those of all labels when a word got its head, where they are asked for. Linear
    time.
    """
    cdef Model model = weights_for(setup, weights)
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
                if label_scores is not None:
                    keep_label_scores(setup, space, best.action, label_scores, offsets[s])
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


cdef tuple seen(ParserSetup setup, const State* state, View* view, uint64_t* keys, int count, float* scores):
    """What one configuration shows: stack, queue, nodes of all addresses, labels of these, values, keys, scores."""
    cdef int i
    nodes = np.array(<int[:setup.templates.addresses]> &view.node[0])
    labels = [state.tree.label[view.node[i]] if view.node[i] != NOTHING else NOTHING for i in range(len(nodes))]
    values = np.array(<uint64_t[:setup.templates.slots]> &view.value[0])
    all_keys = np.array(<uint64_t[:count]> keys) if count else np.empty(0, np.uint64)
    stack = [state.stack[i] for i in range(state.size)]
    queue = [state.queue[i] for i in range(state.front, state.end)]
    all_scores = np.array(<float[:setup.classes.count]> scores)
    return stack, queue, nodes, np.array(labels, np.int32), values, all_keys, all_scores


def trace(
    ParserSetup setup, PackedWeights weights not None, int first, int n, int root_label,
    int[::1] heads, int[::1] labels,
):
    """Parse the sentence of n words that begins with word number `first`, into `heads` and `labels`.

    Returns a tuple for each transition: the legal actions as bits, the action and the label that are taken, child and
    head of the arc of each legal arc action, the heads so far after it, and what `seen` tells of the configuration
    before.
    """
    cdef Model model = weights_for(setup, weights)
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
        before = seen(setup, &space.state, &view, space.keys, count, space.scores)
        arcs = {
            action: (child_of(&space.state, &setup.system, action), head_of(&space.state, &setup.system, action))
            for action in (LEFT, RIGHT) if allowed >> action & 1
        }
        perform(&space.state, &setup.system, best.action, best.label)
        after = [space.state.tree.head[i] for i in range(1, n + 1)]
        steps.append((allowed, best.action, best.label, arcs, after, *before))
        allowed = choices(&space.state, &setup.system)
    write_tree(&space.state, &setup.system, root_label, &heads[0], &labels[0])
    setup.chosen.check(&space.state)
    return steps


cdef bint has_its_children(const State* state, const Gold* given, int node) noexcept nogil:
    """Whether all required children of a node are attached to it. O(n)."""
    cdef int word
    for word in range(1, state.tree.n + 1):
        if given.head[word] == node and state.tree.head[word] != node:
            return False
    return True


cdef void keep_for_root(ParserSetup setup, const State* state, float* scores, int label) noexcept nogil:
    """Rate the label lowest for arcs that do not come from the root; -1 is no label.

    Constraints lead into configurations that training has never seen, where scores say little against it.
    """
    cdef int action, found
    for action in range(LEFT, RIGHT + 1):
        found = class_of(&setup.classes, action, label) if label >= 0 else -1
        if found >= 0 and head_of(state, &setup.system, action) != ROOT:
            scores[found] = -INFINITY


cdef int keeping(
    const State* state, const System* system, const Gold* given, const unsigned char[:, ::1] allowed
) noexcept nogil:
    """The choices that keep all required arcs possible and make no forbidden one; all choices where none does.

    Exact for arc-eager, whose arcs can be built together where each can be built alone, Goldberg and Nivre (2013). The
    others may come to a configuration in which nothing is left.
    """
    cdef int action, child, head, bits = choices(state, system), kept = bits
    cdef int[ACTIONS] cost
    for action in range(LEFT, RIGHT + 1):
        if not bits >> action & 1:
            continue
        child, head = child_of(state, system, action), head_of(state, system, action)
        if child <= 0 or head < 0:
            continue
        if not allowed[head, child] or (system.kind != ARC_EAGER and not has_its_children(state, given, child)):
            kept &= ~(1 << action)
    if system.kind == ARC_EAGER and not state.joining:
        costs(state, system, given, cost)
        for action in range(ACTIONS):
            if cost[action]:
                kept &= ~(1 << action)
    return kept if kept else bits


cdef Transition labelled(ParserSetup setup, const State* state, Transition best, const int[::1] wanted) noexcept nogil:
    """The transition with the label that its word must have, where there is one."""
    cdef int child = child_of(state, &setup.system, best.action)
    if child > ROOT and wanted[child - 1] >= 0:
        best.label = wanted[child - 1]
    return best


def parse_within(
    ParserSetup setup, PackedWeights weights not None, int first, int root_label, int only_root,
    const unsigned char[:, ::1] allowed, const int[::1] required, const int[::1] wanted, bint follow,
    int[::1] heads, int[::1] labels, float[:, ::1] label_scores,
):
    """Parse the sentence that begins with word number `first`, into `heads` and `labels`.

    `allowed[head, word]` says which arcs may be, `required` which head a word must have, -1 for any, and `wanted`
    which label; all others keep the label `only_root`, -1 for none, for the root's own arcs. With `follow`, `required`
    is a whole tree, and only its labels are looked for, along the way of the static oracle. `label_scores` gets those
    of all labels when a word got its head. The tree may break constraints; the caller has to see.
    """
    cdef Model model = weights_for(setup, weights)
    cdef Workspace space = parser_workspace(setup, 0)
    cdef Words words
    cdef Transition best
    cdef int n = <int> heads.shape[0], bits, i
    with nogil:
        words = sentence_of(&setup.words, setup.templates.columns, first, n)
        if follow:
            prepare(&space.gold, &space.state, &setup.system, &required[0], n)
        else:
            space.gold.head[0] = NOTHING
            for i in range(n):
                space.gold.head[i + 1] = required[i]
        begin(&space.state, setup.system.root, n)
        while space.state.fault == FINE:
            if follow:
                best.action = guided(&space.state, &setup.system, &space.gold, &bits)
                best.label = NOTHING
                if best.action == NOTHING:
                    break
            else:
                bits = keeping(&space.state, &setup.system, &space.gold, allowed)
                if not bits:
                    break
            space.cache.stamp += 1
            score_all(&model, &setup.templates, &words, space)
            keep_for_root(setup, &space.state, space.scores, only_root)
            if follow:
                if best.action == LEFT or best.action == RIGHT:
                    i = best_label(&setup.classes, space.scores, best.action, -1)
                    best.label = setup.classes.label[i] if i >= 0 else root_label
            else:
                best = choose(&setup.classes, space.scores, bits)
            best = labelled(setup, &space.state, best, wanted)
            keep_label_scores(setup, space, best.action, label_scores, 0)
            if follow:
                apply(&space.state, &setup.system, best.action, best.label)
            else:
                perform(&space.state, &setup.system, best.action, best.label)
        write_tree(&space.state, &setup.system, root_label, &heads[0], &labels[0])
    if not follow:
        setup.chosen.check(&space.state)
