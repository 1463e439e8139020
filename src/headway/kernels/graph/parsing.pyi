from headway.kernels.arrays import Argument
from headway.kernels.features.templates import TemplateTable, WordTable
from headway.kernels.graph.decoding import TreeDecoder

LONGEST: int

class Graph:
    def __init__(
        self, *, label_templates: TemplateTable, words: WordTable, decoder: TreeDecoder, **arguments: Argument
    ) -> None: ...

def parse(graph: Graph, *arguments: Argument) -> None: ...
def scores_of_labels(graph: Graph, *arguments: Argument) -> None: ...
