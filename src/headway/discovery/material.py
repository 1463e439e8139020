"""The sentences of a search as bytes that can be sent to workers anywhere."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from io import BytesIO

from headway.batch import Batch, scan
from headway.data import Source, batches_of
from headway.errors import HeadwayError
from headway.formats.format import Format
from headway.sentence import Sentence

HELD_OUT = 10
"""Every so many sentences one is held out where there is no development treebank."""
Pieces = tuple[tuple[Format, bytes], ...]


@dataclass(frozen=True)
class Material:
    """Treebanks as text: what is learned from, what candidates are measured on, and what only reports look at."""

    train: Pieces
    dev: Pieces
    test: Pieces = ()

    @property
    def digest(self) -> str:
        """A digest of all sentences."""
        digest = blake2b(digest_size=16)
        for part in (self.train, self.dev, self.test):
            digest.update(b"\\0part")
            for _, text in part:
                digest.update(text)
        return digest.hexdigest()

    def dump(self) -> bytes:
        """The treebanks as bytes for a worker: a line with the formats and lengths of all texts, then the texts."""
        parts = (self.train, self.dev, self.test)
        header = tuple(tuple((asdict(form), len(text)) for form, text in part) for part in parts)
        return b"".join([ascii(header).encode(), b"\n", *(text for part in parts for _, text in part)])

    @staticmethod
    def load(content: bytes) -> Material:
        """What `dump` made bytes of; nothing in it is executed."""
        stream = BytesIO(content)
        parts = literal_eval(stream.readline().decode())
        return Material(*(tuple((Format(**form), stream.read(size)) for form, size in part) for part in parts))


def material_from(train: Source, dev: Source | None, test: Source | None, folds: int = 0) -> Material:
    """The treebanks of a search. Without dev and without folds, every tenth sentence of `train` is held out."""
    batches = list(batches_of(train))
    others = () if dev is None else pieces(batches_of(dev))
    if dev is None and not folds:
        sentences = [Sentence.view(batch, index) for batch in batches for index in range(len(batch))]
        held_out = sentences[HELD_OUT - 1 :: HELD_OUT]
        if not held_out:
            raise HeadwayError(
                f"{len(sentences)} sentences are too few to hold out every {HELD_OUT}th; give a dev treebank, or folds"
            )
        batches = list(batches_of(s for number, s in enumerate(sentences, 1) if number % HELD_OUT))
        others = pieces(batches_of(held_out))
    return Material(pieces(batches), others, () if test is None else pieces(batches_of(test)))


def pieces(batches: Iterable[Batch]) -> Pieces:
    """Batches as their formats and texts, with what layers say of columns that the format has."""
    return tuple((batch.format, batch.render(batch.format) if batch.layers else batch.text) for batch in batches)


def batches_from(some: Pieces, source: str) -> Sequence[Batch]:
    """Batches from their formats and texts."""
    return [scan(text, form, source)[0] for form, text in some]
