"""Where sentences come from: files, readers, lists, several treebanks at once; always as batches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from math import floor
from typing import IO, TypeAlias, TypeGuard

import numpy as np

from headway.base.errors import HeadwayError, described
from headway.base.folds import parted
from headway.base.options import Number
from headway.data.batch import Batch, rescanned
from headway.data.formats.reading import Reader, is_open, read
from headway.data.layers import joined
from headway.data.parts import Spans
from headway.data.sentence import Sentence, assured, views

File: TypeAlias = str | os.PathLike[str] | IO[str] | IO[bytes] | Reader
Source: TypeAlias = File | Iterable[Sentence] | Sequence[File] | Mapping[File, float]
"""A path, an open file or a reader, sentences, several files, or files with their weights."""
AT_ONCE = 256
WEIGHT = Number(help="How much a treebank counts.", low=0, above=True)


def batches_of(source: Source | Sentence) -> Iterable[Batch]:
    """The batches of a source, one after the other."""
    if isinstance(source, Reader):
        return source.batches()
    if isinstance(source, (str, os.PathLike)) or is_open(source):
        return read(source).batches()
    if isinstance(source, Mapping) and not hasattr(source, "columns"):
        return _weighted(source)
    if isinstance(source, Sequence) and source and _is_file(source[0]):
        return (batch for one in source for batch in batches_of(one))
    if hasattr(source, "columns") or not isinstance(source, Iterable):
        raise HeadwayError(f"expected a treebank, got {described(source)}; give a path, an open file or sentences")
    return rebatched(source)  # type: ignore[arg-type]


def _is_file(source: object) -> TypeGuard[File]:
    return isinstance(source, (str, os.PathLike, Reader)) or is_open(source)


def paths_of(source: Source | None) -> list[str]:
    """The paths that a source is read from."""
    if isinstance(source, Reader):
        return [source.path]
    if isinstance(source, (str, os.PathLike)):
        return [os.fspath(source)]
    if isinstance(source, Mapping) or (isinstance(source, Sequence) and source and _is_file(source[0])):
        return [path for one in source for path in paths_of(one)]
    return []


def sentences_of(batches: Iterable[Batch]) -> list[Sentence]:
    """All sentences, as views of their batches."""
    return list(views(batches))


def rebatched(sentences: Iterable[Sentence], size: int = AT_ONCE) -> Iterator[Batch]:
    """Sentences from anywhere as batches; neighbours of the same kind go together."""
    pending: list[Sentence] = []
    for sentence in assured(sentences):
        if pending and (
            len(pending) == size
            or not _alike(pending[0].batch, sentence.batch)
            or pending[0].batch.partial != sentence.batch.partial
        ):
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
    like, numbers = sentences[0].batch, np.array([s.line for s in sentences], np.int32)
    words = [slice(*s.batch.sentence_word[s.index : s.index + 2].tolist()) for s in sentences]
    layers = joined([(s.batch.layers, span) for s, span in zip(sentences, words, strict=True)]) if like.layers else ()
    parts = [s.batch.spans.part(span) for s, span in zip(sentences, words, strict=True) if s.batch.spans is not None]
    spans = Spans(*map(np.concatenate, zip(*parts, strict=True))) if len(parts) == len(sentences) else None
    return rescanned(text, like.format, like.source, numbers, layers, like.partial, spans)


def _weighted(sources: Mapping[File, float]) -> Iterator[Batch]:
    """Treebanks in which a sentence counts as often as its treebank's weight says.

    2.5 means: every sentence twice, and every other one once more. So every family of stages can learn from them.
    """
    for source, weight in sources.items():
        name = (source if isinstance(source, Reader) else read(source)).path
        refusal = WEIGHT.error_for(f"{name}: the weight {weight!r}", weight)
        if refusal is not None:
            raise HeadwayError(refusal)
        batches = list(batches_of(source))
        for _ in range(floor(weight)):
            yield from batches
        share = weight - floor(weight)
        if share:
            every = enumerate(sentences_of(batches))
            yield from rebatched(s for number, s in every if floor((number + 1) * share) > floor(number * share))


def assure_trees(batches: Iterable[Batch], what: str) -> None:
    """Refuse batches without a single tree; `what` is what the message calls them."""
    source = None
    for batch in batches:
        if (batch.heads >= 0).any():
            return
        source = batch.source
    if source is None:
        raise HeadwayError(f"{what} has no sentences; give one with trees, as a list where it was an iterator")
    raise HeadwayError(f"{source}: {what} has no trees; give one whose words have heads and labels")


def assure_all_trees(batches: Iterable[Batch]) -> None:
    """Refuse the first sentence without a tree, in its place in the file."""
    for batch in batches:
        bare = np.flatnonzero(batch.heads[batch.sentence_word[:-1]] < 0)
        if len(bare):
            batch.tree(int(bare[0]))  # raises: there is none


def flat(batches: Iterable[Batch]) -> list[Batch]:
    """The batches with their layers written into the cells: what somebody sees of them is then what was read."""
    return [
        rescanned(batch.render(batch.format), batch.format, batch.source, batch.numbers) if batch.layers else batch
        for batch in batches
    ]


def fold(sentences: Sequence[Sentence], number: int, folds: int) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences of a fold, and all others: they are dealt out one after the other."""
    assure_folds(sentences, folds)
    return parted(sentences, number, folds)


def assure_folds(sentences: Sequence[Sentence], folds: int) -> None:
    """Refuse more folds than sentences."""
    if len(sentences) < folds:
        raise HeadwayError(f"{folds} folds need at least as many sentences, and there are {len(sentences)}; use fewer")


def digest_of(batches: Sequence[Batch]) -> str:
    """A digest of the treebank's bytes, those of its rendering where it has layers."""
    digest = blake2b(digest_size=16)
    for batch in batches:
        digest.update(batch.render(batch.format) if batch.layers else batch.text)
    return digest.hexdigest()
