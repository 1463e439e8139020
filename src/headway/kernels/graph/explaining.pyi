from typing import Any

from numpy.typing import NDArray

from headway.kernels.features.tables import TemplateTable, WordTable
from headway.kernels.graph.parsing import Graph

def features_of(graph: Graph, first: int, n: int, parts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]: ...
def scores_of(
    graph: Graph,
    weights: NDArray[Any],
    first: int,
    arcs: NDArray[Any],
    siblings: NDArray[Any],
    labels: NDArray[Any],
) -> None: ...
def places_of(graph: Graph, keys: NDArray[Any], label: int) -> NDArray[Any]: ...
def label_scores(graph: Graph, weights: NDArray[Any], keys: NDArray[Any]) -> NDArray[Any]: ...
def label_view(
    templates: TemplateTable,
    words: WordTable,
    names: NDArray[Any],
    first: int,
    heads: NDArray[Any],
    labels: NDArray[Any],
    parent: int,
    child: int,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]: ...
