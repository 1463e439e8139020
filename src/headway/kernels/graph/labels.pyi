from headway.kernels.arrays import Array
from headway.kernels.features.lookup import Lookup
from headway.kernels.features.templates import TemplateTable, WordTable

PLACES: dict[str, int]
EVERY_ARC: int
GROUPS: dict[str, int]
KIND_NUMBERS: dict[str, int]

class LabelTable:
    def __init__(self, templates: TemplateTable, words: WordTable, names: Array) -> None: ...
    def view(self, first: int, *arguments: Array | int) -> tuple[Array, Array, Array, Array]: ...
    def write(self, offsets: Array, heads: Array, labels: Array, start: Array, keys: Array) -> int: ...
    def label(self, known: Lookup, *arrays: Array | None) -> None: ...
