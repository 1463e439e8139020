"""A treebank as the arrays that training and parsing work on."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np

from headway.batch import Batch, Ints, scan
from headway.errors import HeadwayError
from headway.features.compile import Encoded, Templates
from headway.formats.reading import Reader, read
from headway.layers import joined
from headway.pseudoprojective import MARKS, projectivize
from headway.sentence import Sentence

Source = str | os.PathLike[str] | Reader | Iterable[Sentence]


def batches_of(source: Source) -> Iterable[Batch]:
    """The batches of a file, a reader, or sentences."""
    if isinstance(source, Reader):
        return source.batches()
    if isinstance(source, (str, os.PathLike)):
        return read(source).batches()
    return _rebatched(source)


def _rebatched(sentences: Iterable[Sentence], size: int = 256) -> Iterable[Batch]:
    """Sentences from anywhere as batches; neighbours of the same format with the same layers go together."""
    pending: list[Sentence] = []
    for sentence in sentences:
        if pending and (len(pending) == size or not _alike(pending[0].batch, sentence.batch)):
            yield _joined(pending)
            pending = []
        pending.append(sentence)
    if pending:
        yield _joined(pending)


def _alike(one: Batch, other: Batch) -> bool:
    """Whether two batches have the same format and layers with the same names and fields."""
    if one is other:
        return True
    stacks = ([(layer.name, set(layer.fields)) for layer in batch.layers] for batch in (one, other))
    return one.format == other.format and next(stacks) == next(stacks)


def _joined(sentences: Sequence[Sentence]) -> Batch:
    """Sentences as one batch: their bytes as they were read, and their layers over them."""
    text = b"".join(piece for s in sentences for piece in (s.batch.bare.raw(s.index), b"\n"))
    batch = scan(text, sentences[0].batch.format, sentences[0].batch.source, sentences[0].line)[0]
    if not sentences[0].batch.layers:
        return batch
    words = (slice(*s.batch.sentence_word[s.index : s.index + 2].tolist()) for s in sentences)
    return replace(batch, layers=joined([(s.batch.layers, span) for s, span in zip(sentences, words, strict=True)]))


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
    """The gold trees, made projective with the given encoding of labels, or as they are where it is None.

    Labels with marks that are seen less than `mark_cutoff` times lose their marks: they cost classes and can hardly
    be learned.
    """
    heads: list[Ints] = []
    names: list[str] = []
    for batch in batches:
        for index in range(len(batch)):
            sentence = Sentence.view(batch, index)
            tree, labels = sentence.heads, sentence.deprels
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


def _without_rare_marks(counts: Counter[str], cutoff: int) -> dict[str, str]:
    """For each rare label with marks, the label without."""
    return {name: MARKS.split(name, maxsplit=1)[0] for name, count in counts.items() if count < cutoff}


def encode_all(templates: Templates, batches: Sequence[Batch]) -> Encoded:
    """The keys of all words of several batches."""
    parts = [templates.encode(batch) for batch in batches]
    shifts = np.cumsum([0, *(len(part.features) for part in parts)])
    starts = [part.start[:-1] + shift for part, shift in zip(parts, shifts[:-1], strict=True)]
    return Encoded(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([*starts, shifts[-1:]]).astype(np.int32),
        np.concatenate([part.features for part in parts]),
    )


def digest_of(batches: Sequence[Batch]) -> str:
    """A digest of the treebank's bytes, those of its rendering where it has layers."""
    digest = blake2b(digest_size=16)
    for batch in batches:
        digest.update(batch.render(batch.format) if batch.layers else batch.text)
    return digest.hexdigest()
