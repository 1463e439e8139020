"""The words of sentences as hashed nodes, each sentence with its root before them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.features.compile import Encoded
from headway.features.pairs import PairTemplates
from headway.kernels.features import pairs as kernel
from headway.kernels.features.templates import ROOT_KEY

ROOT = np.uint64(ROOT_KEY)
"""The tag and the word of the root."""
Keys = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Nodes:
    """What local models ask about some sentences."""

    table: kernel.PairTable
    offsets: Ints
    """Words of sentence s: offsets[s] : offsets[s + 1]."""
    words: Ints
    """The node of each word."""
    tags: Keys
    """Of each node."""
    forms: Keys


def nodes_of(templates: PairTemplates, encoded: Encoded, offsets: Ints, partitioned: bool) -> Nodes:
    """The nodes of sentences whose words have been encoded. Linear time."""
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    words = (np.arange(offsets[-1]) + sentence + 1).astype(np.int32)
    nodes = int(offsets[-1]) + len(lengths)
    position = np.zeros(nodes, np.int32)
    position[words] = np.arange(offsets[-1]) - offsets[sentence] + 1
    tags, forms = np.full(nodes, ROOT), np.full(nodes, ROOT)
    tags[words], forms[words] = encoded.keys[:, -2], encoded.keys[:, -1]
    hashes = np.empty((len(kernel.ROLE_NUMBERS), nodes, len(templates.seed)), np.uint64)
    kernel.hash_nodes(templates.start, templates.slot, templates.seed, encoded.keys, offsets, hashes)
    table = kernel.PairTable(templates.with_distance, templates.with_between, hashes, position, tags, partitioned)
    return Nodes(table, offsets, words, tags, forms)
