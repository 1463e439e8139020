"""See setup.pxd."""

from headway.kernels.features.templates cimport TemplateTable, WordTable, most_keys, templates_over
from headway.kernels.transition.classes cimport ClassTable


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
