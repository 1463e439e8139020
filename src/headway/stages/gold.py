"""A treebank as the arrays that learning works on: its trees, and the keys of its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.pseudoprojective import MARKS, projectivize
from headway.data.sentence import Sentence
from headway.features.compile import Encoded, TransitionTemplates


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees of a treebank: sentence s has the words offsets[s] : offsets[s + 1]; labels are indices of names."""

    offsets: Ints
    heads: Ints
    labels: Ints
    names: tuple[str, ...]

    @property
    def longest(self) -> int:
        """Words of the longest sentence."""
        return int(np.diff(self.offsets).max(initial=1))


def trees_of(batches: Sequence[Batch], encoding: str | None, mark_cutoff: int = 1) -> Trees:
    """The gold trees, those that were read, made projective with an encoding of labels, or as they are without.

    Labels with marks that are seen less than `mark_cutoff` times lose their marks: they cost classes and can hardly
    be learned.
    """
    heads: list[Ints] = []
    names: list[str] = []
    for batch in batches:
        for index in range(len(batch)):
            sentence = Sentence.view(batch.bare, index)
            tree, labels = batch.bare.tree(index), sentence.deprels
            if encoding is not None:
                tree, labels = projectivize(tree, labels, encoding)
            heads.append(tree)
            names += labels
    if not heads:
        raise HeadwayError("the treebank has no sentences; give one with trees")
    kept = _without_rare_marks(Counter(names), mark_cutoff) if encoding is not None else {}
    names = [kept.get(name, name) for name in names]
    known = tuple(sorted(set(names)))
    number = {name: index for index, name in enumerate(known)}
    return Trees(
        offsets=np.cumsum([0, *map(len, heads)], dtype=np.int32),
        heads=np.concatenate(heads).astype(np.int32),
        labels=np.fromiter((number[name] for name in names), np.int32, len(names)),
        names=known,
    )


def trees_among(batches: Sequence[Batch], encoding: str | None, labels: tuple[str, ...]) -> Trees:
    """The gold trees for a model that knows some labels: those keep their numbers, new ones come after them."""
    found, known = trees_of(batches, encoding), set(labels)
    # A mark that the model does not know was too rare to be learned, or is now.
    names = [name if name in known else MARKS.split(name, maxsplit=1)[0] for name in found.names]
    every = (*labels, *sorted(set(names) - known))
    number = {name: at for at, name in enumerate(every)}
    own = np.array([number[name] for name in names], np.int32)[found.labels]
    return Trees(found.offsets, found.heads, own, every)


def _without_rare_marks(counts: Counter[str], cutoff: int) -> dict[str, str]:
    """For each rare label with marks, the label without."""
    return {name: MARKS.split(name, maxsplit=1)[0] for name, count in counts.items() if count < cutoff}


def encode_all(templates: TransitionTemplates, batches: Sequence[Batch]) -> Encoded:
    """The keys of all words of several batches."""
    parts = [templates.encode(batch) for batch in batches]
    shifts = np.cumsum([0, *(len(part.features) for part in parts)])
    starts = [part.start[:-1] + shift for part, shift in zip(parts, shifts[:-1], strict=True)]
    return Encoded(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([*starts, shifts[-1:]]).astype(np.int32),
        np.concatenate([part.features for part in parts]),
    )
