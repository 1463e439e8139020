from headway.kernels.arrays import Array
from headway.kernels.features.lookup import Lookup
from headway.kernels.features.tables import TemplateTable, WordTable

EVERY_ARC: int

class LabelTable:
    def __init__(self, templates: TemplateTable, words: WordTable, names: Array) -> None: ...
    def write(self, offsets: Array, heads: Array, labels: Array, start: Array, keys: Array) -> int: ...
    def label(
        self,
        known: Lookup,
        start: Array,
        classes: Array,
        weights: Array,
        offsets: Array,
        heads: Array,
        labels: Array,
        evidence: Array | None = None,
    ) -> None: ...
