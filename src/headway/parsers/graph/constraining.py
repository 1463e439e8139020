"""The best tree of a graph parser under constraints: scores of forbidden arcs become -inf."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headway.data.batch import Batch, Ints
from headway.features.compile import Encoded, chosen
from headway.kernels.graph import explaining as kernel
from headway.kernels.graph import rearranging
from headway.kernels.graph.decoding import TreeDecoder
from headway.kernels.graph.parsing import LONGEST as LONGEST_SIBLINGS
from headway.kernels.text import encode as encoding
from headway.stages.constraints import Constraints, Decode, Floats, Mask, best_under, masked, restored_within
from headway.stages.tree_stage import Parsed

if TYPE_CHECKING:
    from headway.kernels.graph.parsing import Graph
    from headway.parsers.graph.parser import GraphParser


def constrained(parser: GraphParser, batch: Batch, index: int, constraints: Constraints) -> Parsed | None:
    """The best tree of one sentence that obeys; None where no tree of the decoder does."""
    first, last = map(int, batch.sentence_word[index : index + 2])
    size = last - first
    parser.assure_short(size, f"{batch.source}:{batch.numbers[index]}")
    encoded = chosen(parser.templates.encode(batch), np.arange(first, last, dtype=np.int32))
    graph = parser.graph(encoded, size)
    with_siblings = parser.shape.order == 2 and size <= LONGEST_SIBLINGS
    arcs, siblings = np.zeros((size + 1,) * 2), np.zeros((size + 1,) * 3 if with_siblings else (0, 1, 1))
    joint = np.zeros((size + 1,) * 2, np.int32)
    kernel.scores_of(graph, parser.weights, 0, arcs, siblings, joint)
    decoder = parser.decoder
    decode = masked(decoder, arcs, siblings if with_siblings else None, parser.shape.single_root)
    if with_siblings and parser.shape.decoder == "chu-liu-edmonds":
        decode = rearranged(decode, arcs, siblings, parser.shape.single_root)
    heads = best_under(constraints, size, decode)
    if heads is None:
        return None
    labels = np.array([joint[head, word] for word, head in enumerate(heads.tolist(), 1)], np.int32)
    if parser.shape.labels != "joint":
        labels = labels_of(parser, graph, encoded, heads, constraints)
    found = Parsed(heads, labels, list(parser.labels))
    return found if parser.encoding is None else restored_within(found, parser.encoding, constraints)


def rearranged(decode: Decode, arcs: Floats, siblings: Floats, single: bool) -> Decode:
    """A good tree of any kind: where no projective one is allowed, the best by its arcs alone is rearranged."""
    spanning = masked(TreeDecoder("chu-liu-edmonds"), arcs, None, single)

    def found(mask: Mask) -> tuple[float, Ints] | None:
        best = decode(mask)
        start = spanning(mask) if best is None else None
        if start is None:
            return best
        nodes = np.concatenate([np.zeros(1, np.int32), start[1]])
        total = rearranging.rearrange(np.where(mask, arcs, -np.inf), siblings, single, nodes)
        return total, nodes[1:]

    return found


def labels_of(parser: GraphParser, graph: Graph, encoded: Encoded, heads: Ints, constraints: Constraints) -> Ints:
    """The labels of a tree, heads before their children, from left to right; given ones are taken as given."""
    names = np.array([encoding.key_of(name.encode()) for name in parser.labels], np.uint64)
    number = {name: at for at, name in enumerate(parser.labels)}
    table, words = parser.templates.labels.kernel, encoded.kernel
    labels = np.full(len(heads), -1, np.int32)
    children: dict[int, list[int]] = {}
    for child, head in enumerate(heads.tolist(), 1):
        children.setdefault(head, []).append(child)
    agenda = children.get(0, [])[::-1]
    while agenda:
        word = agenda.pop()
        given = number.get(constraints.labels.get(word, ""), -1)
        if given < 0:
            *_, keys = kernel.label_view(table, words, names, 0, heads, labels, int(heads[word - 1]), word)
            given = int(kernel.label_scores(graph, parser.weights, keys).argmax())
        labels[word - 1] = given
        agenda += children.get(word, [])[::-1]
    return labels
