"""A treebank as the arrays that learning works on: its trees, and the keys of its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.layers import joined_codes
from headway.data.pseudoprojective import MARKS, projectivize_all
from headway.data.sources import assure_all_trees
from headway.data.trees import shapes
from headway.features.encode import Encoded
from headway.stages.single_labels import single_labels_in


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees of a treebank: sentence s has the words offsets[s] : offsets[s + 1]; labels are indices of names."""

    offsets: Ints
    heads: Ints
    labels: Ints
    names: tuple[str, ...]
    single: tuple[str, ...] = ()
    """The labels that hardly ever stand twice under a head."""

    @property
    def longest(self) -> int:
        """Words of the longest sentence."""
        return int(np.diff(self.offsets).max(initial=1))


def single_rooted(batches: Sequence[Batch]) -> bool:
    """Whether every tree that was read has one root."""
    return all(bool((shapes(batch.read_heads, batch.sentence_word).roots == 1).all()) for batch in batches)


def trees_of(batches: Sequence[Batch], encoding: str | None, mark_cutoff: int = 1) -> Trees:
    """The gold trees, those that were read, made projective with an encoding of labels, or as they are without.

    Labels with marks that are seen less than `mark_cutoff` times lose their marks: they cost classes and can hardly
    be learned.
    """
    bare = [batch.bare for batch in batches]
    if not any(map(len, bare)):
        raise HeadwayError("the treebank has no sentences; give one with trees")
    assure_all_trees(bare)
    lengths = np.concatenate([np.diff(batch.sentence_word) for batch in bare])
    offsets = np.cumsum([0, *lengths], dtype=np.int32)
    heads = np.concatenate([batch.heads for batch in bare])
    column = joined_codes([(batch.codes("DEPREL"), slice(None)) for batch in bare])
    labels, names = column.codes, list(column.names)
    if encoding is not None:
        heads, labels, names = projectivize_all(heads, offsets, labels, names, encoding)
        rare = np.bincount(labels, minlength=len(names)) < mark_cutoff
        names = [_unmarked(name) if is_rare else name for name, is_rare in zip(names, rare, strict=True)]
    used = sorted({names[code] for code in np.unique(labels).tolist()})
    return Trees(offsets, heads, _numbered(names, used)[labels], tuple(used), single_labels_in(bare))


def trees_among(batches: Sequence[Batch], encoding: str | None, labels: tuple[str, ...]) -> Trees:
    """The gold trees for a model that knows some labels: those keep their numbers, new ones come after them."""
    found, known = trees_of(batches, encoding), set(labels)
    # A mark that the model does not know was too rare to be learned, or is now.
    names = [name if name in known else _unmarked(name) for name in found.names]
    every = (*labels, *sorted(set(names) - known))
    return Trees(found.offsets, found.heads, _numbered(names, every)[found.labels], every, found.single)


def _numbered(names: Sequence[str], among: Sequence[str]) -> Ints:
    """The place of each name among others; 0 for names that are not there."""
    number = {name: at for at, name in enumerate(among)}
    return np.array([number.get(name, 0) for name in names], np.int32)


def _unmarked(label: str) -> str:
    return MARKS.split(label, maxsplit=1)[0]


class WordTemplates(Protocol):
    """Compiled features of any family."""

    def encode(self, batch: Batch) -> Encoded:
        """The keys of a batch's words."""


def encode_all(templates: WordTemplates, batches: Sequence[Batch]) -> Encoded:
    """The keys of all words of several batches."""
    parts = [templates.encode(batch) for batch in batches]
    shifts = np.cumsum([0, *(len(part.features) for part in parts)])
    starts = [part.start[:-1] + shift for part, shift in zip(parts, shifts[:-1], strict=True)]
    return Encoded(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([*starts, shifts[-1:]]).astype(np.int32),
        np.concatenate([part.features for part in parts]),
    )
