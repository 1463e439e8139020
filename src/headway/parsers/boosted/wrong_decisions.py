"""Wrong links and labels of a boosted parser beside the right ones, and the training sentences that have a feature."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from headway.data.batch import Batch, Ints
from headway.parsers.boosted.decoder import NONE
from headway.parsers.boosted.examples import PairExamples
from headway.parsers.boosted.explaining import VoteExplainer, links_of
from headway.parsers.boosted.label_explaining import TreeLabelExplainer
from headway.parsers.boosted.labels import label_keys
from headway.parsers.boosted.linear import Keys
from headway.parsers.boosted.nodes import nodes_of
from headway.stages.explanation.contract import Decision
from headway.stages.gold import encode_all, trees_of

if TYPE_CHECKING:
    from headway.parsers.boosted.parser import BoostedParser


def wrong_decisions(parser: BoostedParser, batch: Batch) -> list[Decision]:
    """The wrong links of the one sentence of a batch, and wrong labels of right ones, beside the right ones.

    Of a committee, the link is that of the weightiest round that voted for it.
    """
    trees, links = trees_of([batch], parser.encoding), links_of(parser.linker, batch)
    labels, found = TreeLabelExplainer(parser.labeller, batch, links.heads), list[Decision]()
    number = {name: at for at, name in enumerate(parser.names)}
    for word, (head, at) in enumerate(zip(trees.heads.tolist(), trees.labels.tolist(), strict=True), 1):
        label = number.get(trees.names[at], -1)
        if links.heads[word - 1] != head:
            found += links.of_round(word, head) if isinstance(links, VoteExplainer) else [links.head(word, head)]
        elif label not in (-1, labels.labels[word - 1]):
            found.append(labels.label(word, label))
    return found


def training_sentences_with(parser: BoostedParser, batches: Sequence[Batch], ids: Keys) -> dict[int, dict[int, int]]:
    """How often features, by key, stand at the links and labels of which training sentences."""
    linker, trees = parser.linker, trees_of(batches, parser.encoding)
    encoded = encode_all(linker.templates, batches)  # type: ignore[arg-type]
    nodes = nodes_of(linker.templates, encoded, trees.offsets, linker.shape.partitioned)
    pairs = PairExamples(nodes, trees.heads, linker.prepositions if linker.shape.dynamic else None)
    linked = np.flatnonzero(pairs.target != NONE).astype(np.int32)
    lengths = np.diff(trees.offsets).astype(np.int64)
    sentence_of_node = np.repeat(np.arange(len(lengths)), lengths + 1)
    start, keys = pairs.keys(linked)
    found: defaultdict[int, dict[int, int]] = defaultdict(dict)
    _count(found, keys, np.repeat(sentence_of_node[pairs.first[linked]], np.diff(start)), ids)
    of_words = encode_all(parser.labeller.templates, batches)  # type: ignore[arg-type]
    start, keys = label_keys(parser.labeller.templates, of_words, trees)
    _count(found, keys, np.repeat(np.repeat(np.arange(len(lengths)), lengths), np.diff(start)), ids)
    return found


def _count(found: dict[int, dict[int, int]], keys: Keys, sentences: Ints, ids: Keys) -> None:
    """Add how often each of the features stands in which sentence."""
    wanted = np.isin(keys, ids)
    both = np.rec.fromarrays([keys[wanted], sentences[wanted]])
    for (key, sentence), count in zip(*np.unique(both, return_counts=True), strict=True):
        own = found.setdefault(int(key), {})
        own[int(sentence)] = own.get(int(sentence), 0) + int(count)
