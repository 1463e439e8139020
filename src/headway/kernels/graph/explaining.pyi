from headway.kernels.arrays import Array
from headway.kernels.features.tables import TemplateTable, WordTable
from headway.kernels.graph.parsing import Graph

def features_of(graph: Graph, first: int, n: int, parts: Array) -> tuple[Array, Array]: ...
def scores_of(graph: Graph, weights: Array, first: int, arcs: Array, siblings: Array, labels: Array) -> None: ...
def places_of(graph: Graph, keys: Array, label: int) -> Array: ...
def label_scores(graph: Graph, weights: Array, keys: Array) -> Array: ...
def label_view(
    templates: TemplateTable,
    words: WordTable,
    names: Array,
    first: int,
    heads: Array,
    labels: Array,
    parent: int,
    child: int,
) -> tuple[Array, Array, Array, Array]: ...
