"""See setup.pxd."""

from libc.stdint cimport uint64_t

from headway.kernels.features.templates cimport TemplateTable, WordTable, most_keys, templates_over
from headway.kernels.transition.features cimport FROM_QUEUE, FROM_STACK
from headway.kernels.transition.gold cimport reserve_gold
from headway.kernels.transition.state cimport ACTIONS, reserve_state
from headway.kernels.weights.packed cimport Row

PLACES = {"STACK": FROM_STACK, "QUEUE": FROM_QUEUE}
"""Where addresses of features begin, for the compiler of feature models."""


cdef class ClassTable:
    """The classes of a parser: the action and the label of each, the class of each action and label, keys of labels."""

    def __init__(
        self, *, const int[::1] action not None, const int[::1] label not None, const int[::1] number not None,
        const uint64_t[::1] label_keys not None, bint two_step,
    ):
        cdef Py_ssize_t c, count = action.shape[0], each = label_keys.shape[0] + 1
        cdef int a
        if not count or label.shape[0] != count:
            raise ValueError(f"{count} classes have actions, {label.shape[0]} have labels")
        if number.shape[0] != ACTIONS * each:
            raise ValueError(f"the classes of {number.shape[0]} transitions are numbered, not of {ACTIONS * each}")
        self.classes.count, self.classes.labels, self.classes.two_step = <int> count, <int> each - 1, two_step
        self.classes.action, self.classes.label, self.classes.number = &action[0], &label[0], &number[0]
        self.label_keys = &label_keys[0] if each > 1 else NULL
        for c in range(count):
            for a in range(action[c] + 1, ACTIONS + 1):
                self.classes.first[a] += action[c] >= 0
        for c in range(number.shape[0]):
            if number[c] >= 0:
                self.actions |= 1 << c // each
        self.keep = (action, label, number, label_keys)


cdef class ParserSetup:
    """The system of a parser, its feature model, the words to parse or to learn from, and its classes."""

    def __init__(
        self, SystemKernel system not None, TemplateTable templates not None, WordTable words not None,
        ClassTable classes not None, *, int longest,
    ):
        """`longest` is how many words a sentence has at the most."""
        self.chosen, self.system = system, system.system
        self.system.actions = classes.actions
        self.templates = templates_over(templates, words)
        self.classes, self.words = classes.classes, words.words
        self.words.labels = classes.label_keys
        self.longest, self.most_features = longest, most_keys(templates, words)
        self.keep = (templates, words, classes)


cdef class Workspace(Memory):
    """A configuration, a gold tree, and what scoring needs; freed as a whole."""


cdef Workspace derivation_workspace(int longest):
    """Room for derivations of sentences of up to `longest` words, without scores."""
    cdef Workspace space = Workspace()
    reserve_state(&space.state, space, longest)
    reserve_gold(&space.gold, space, longest)
    return space


cdef Workspace parser_workspace(ParserSetup setup, int most):
    """Room for all that a parser needs, with `most` features in each cell of the cache, or none."""
    cdef Workspace space = derivation_workspace(setup.longest)
    cdef ScoreCache* cache = &space.cache
    cdef size_t features = setup.most_features, classes = setup.classes.count
    cdef size_t cells = <size_t> setup.templates.parts * (setup.longest + 2)
    space.keys = <uint64_t*> space.take(features, sizeof(uint64_t))
    space.rows = <Row*> space.take(features, sizeof(Row))
    space.ids = <int*> space.take(features, sizeof(int))
    space.scores = <float*> space.take(2 * classes, sizeof(float))
    space.others = space.scores + classes
    cache.nodes, cache.most = setup.longest + 2, most
    cache.filled = <long long*> space.take(2 * cells, sizeof(long long))
    cache.numbered = cache.filled + cells
    cache.scores = <float*> space.take(cells * classes, sizeof(float))
    cache.ids = <int*> space.take(cells * (most + 1), sizeof(int))
    cache.count = cache.ids + cells * most
    return space
