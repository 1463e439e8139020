"""The sentences of a search as bytes that can be sent to workers anywhere."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from io import BytesIO

from headway.base.errors import HeadwayError, counted
from headway.base.folds import HELD_OUT, parted
from headway.data.batch import Batch, scan
from headway.data.formats.format import Format
from headway.data.sources import Source, assure_all_trees, assure_trees, batches_of, sentences_of
from headway.training.familiar import warn_of_shared

Texts = tuple[tuple[Format, bytes], ...]
"""Batches as their formats and texts."""


@dataclass(frozen=True)
class SearchTreebanks:
    """Treebanks as text: what is learned from, what candidates are measured on, and what only reports look at."""

    train: Texts
    dev: Texts
    test: Texts = ()

    @property
    def digest(self) -> str:
        """A digest of all sentences."""
        digest = blake2b(digest_size=16)
        for part in (self.train, self.dev, self.test):
            digest.update(b"\\0part")
            for _, text in part:
                digest.update(text)
        return digest.hexdigest()

    def packed(self) -> bytes:
        """The treebanks as bytes for a worker: a line with the formats and lengths of all texts, then the texts."""
        parts = (self.train, self.dev, self.test)
        header = tuple(tuple((asdict(form), len(text)) for form, text in part) for part in parts)
        return b"".join([ascii(header).encode(), b"\n", *(text for part in parts for _, text in part)])

    @staticmethod
    def unpacked(content: bytes) -> SearchTreebanks:
        """What `packed` made bytes of; nothing in it is executed."""
        stream = BytesIO(content)
        parts = literal_eval(stream.readline().decode())
        return SearchTreebanks(*(tuple((Format(**form), stream.read(size)) for form, size in part) for part in parts))


def search_treebanks(
    train: Source, dev: Source | None, test: Source | None, folds: int = 0, *, parsed: bool = True
) -> SearchTreebanks:
    """The treebanks of a search. Without dev and without folds, every tenth sentence of `train` is held out.

    All must have trees where they are to be `parsed`.
    """
    batches = list(batches_of(train))
    judges = [] if dev is None else list(batches_of(dev))
    others = texts_of(judges)
    if dev is not None:
        if parsed:
            assure_trees(judges, "the development treebank")
        warn_of_shared(batches, judges, "development treebank")
    elif not folds:
        sentences = sentences_of(batches)
        held_out, rest = parted(sentences, HELD_OUT - 1, HELD_OUT)
        if not held_out:
            raise HeadwayError(
                f"{counted(len(sentences), 'sentence')}: that is too few to hold out every {HELD_OUT}th; give a dev"
                " treebank, or folds"
            )
        batches = list(batches_of(rest))
        others = texts_of(batches_of(held_out))
    tests = [] if test is None else list(batches_of(test))
    if tests:
        warn_of_shared([*batches, *judges], tests, "test treebank")
    if parsed:
        for some in (batches, judges, tests):
            assure_all_trees(some)  # here they have the places that workers would not know
    return SearchTreebanks(texts_of(batches), others, texts_of(tests))


def texts_of(batches: Iterable[Batch]) -> Texts:
    """Batches as their formats and texts, with what layers say of columns that the format has."""
    return tuple((batch.format, batch.render(batch.format) if batch.layers else batch.text) for batch in batches)


def batches_from(some: Texts, source: str) -> Sequence[Batch]:
    """Batches from their formats and texts."""
    return [scan(text, form, source)[0] for form, text in some]
