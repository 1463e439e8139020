"""A text and its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

from headway.base.errors import HeadwayError, counted, described
from headway.data.batch import Batch
from headway.data.formats.format import CONLLU, FIELDS
from headway.data.placing import placed
from headway.data.sentence import Sentence, kept, places, views
from headway.data.sources import rebatched

MOST_PICTURES = 20
"""A notebook shows no more sentences of a document."""
LONGEST_START = 40


class Document(Sequence[Sentence]):
    r"""The sentences of a text, as a parser gives them; read-only.

    >>> from headway import Document, Sentence
    >>> document = Document([Sentence(["Dogs", "bark"]), Sentence(["Cats", "sleep"])])
    >>> len(document), document[1], document.text
    (2, <Sentence of 2 words: Cats sleep>, 'Dogs bark\nCats sleep')
    >>> document.to_table()["form"]
    ['Dogs', 'bark', 'Cats', 'sleep']

    It is a sequence: go through it, index it, slice it. Whoever keeps one of its sentences does not keep the others.
    The tokens of the sentences are those of the `text`; without one, it is the texts of the sentences, a line for each.
    """

    __slots__ = ("_batches", "_text", "_within")

    def __init__(self, sentences: Iterable[Sentence], text: str | None = None) -> None:
        if text is not None and not isinstance(text, str):
            raise HeadwayError(f"text: expected a string, got {described(text)}; give the text of all sentences")
        self._text = text
        self._batches = tuple(rebatched(sentences))
        self._within: tuple[Batch, int, int, int] | None = None
        if text is not None:
            self._batches = placed(self._batches, text)

    @classmethod
    def of(cls, text: str | None, batches: Iterable[Batch]) -> Document:
        """The document with the sentences of these batches."""
        document = cls.__new__(cls)
        document._text, document._batches, document._within = text, tuple(batches), None
        return document

    @classmethod
    def within(cls, text: str, batch: Batch, first: int, last: int, base: int) -> Document:
        """Sentences first to last of a batch of many texts; its text begins at `base`. They are cut out when needed."""
        document = cls.__new__(cls)
        document._text, document._batches, document._within = text, (), (batch, first, last, base)
        return document

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The sentences as batches."""
        # Another thread may do the same at the same time, and comes to the same.
        if (within := self._within) is not None:
            batch, first, last, base = within
            self._batches = (_cut(batch, first, last, base),) if last > first else ()
            self._within = None
        return self._batches

    def placed_batches(self) -> tuple[Batch, ...]:
        """The same with where the words stand in the text; refused where it is not the text of the sentences."""
        is_placed = all(batch.spans is not None for batch in self.batches) and self._text is not None
        return self.batches if is_placed else placed(self.batches, self.text)

    def replace(self, sentences: Iterable[Sentence]) -> Document:
        """The same text with other sentences, such as corrected ones; refused where their tokens are not the text's.

        >>> from headway import Document, Sentence
        >>> document = Document([Sentence(["Can", "not", "go"])], text="Can not go")
        >>> document.replace([Sentence(["Can not", "go"])])[0].forms
        ['Can not', 'go']
        """
        return Document(sentences, self.text)

    @property
    def text(self) -> str:
        """The text that was given; without one, the texts of the sentences, one on each line."""
        return "\n".join(sentence.text for sentence in views(self.batches)) if self._text is None else self._text

    def __reduce__(self) -> tuple[object, ...]:
        return Document.of, (self._text, self.batches)

    def __len__(self) -> int:
        """Number of sentences."""
        if (within := self._within) is not None:
            return within[2] - within[1]
        return sum(map(len, self._batches))

    def __iter__(self) -> Iterator[Sentence]:
        """The sentences, in order."""
        return kept(self.batches)

    @overload
    def __getitem__(self, at: int) -> Sentence: ...
    @overload
    def __getitem__(self, at: slice) -> list[Sentence]: ...
    def __getitem__(self, at: int | slice) -> Sentence | list[Sentence]:
        """The sentence at an index, counted from 0 as in a list; several for a slice."""
        found = places(len(self), at, "document", "sentence")
        return self._sentence(found) if isinstance(found, int) else [self._sentence(number) for number in found]

    def _sentence(self, number: int) -> Sentence:
        for batch in self.batches:
            if number < len(batch):
                return Sentence.view(batch.alone(number), 0)
            number -= len(batch)
        raise IndexError(number)

    def __eq__(self, other: object) -> bool:
        """Whether the other one has the same text and equal sentences."""
        if not isinstance(other, Document):
            return NotImplemented
        if len(self) != len(other) or self.text != other.text:
            return False
        return all(one == two for one, two in zip(views(self.batches), views(other.batches), strict=True))

    def __hash__(self) -> int:
        return hash((len(self), self.text))

    def __repr__(self) -> str:
        words = sum(len(batch.word_line) for batch in self.batches)
        start = " ".join(self.text[: 2 * LONGEST_START].split())
        shown = start if len(start) <= LONGEST_START else f"{start[:LONGEST_START].rstrip()} …"
        return f"<Document of {counted(len(self), 'sentence')}, {counted(words, 'word')}: {shown}>"

    def __str__(self) -> str:
        """The document in CoNLL-U."""
        return self.to_conllu()

    def _repr_html_(self) -> str:
        """The trees as a notebook shows them."""
        from html import escape  # for notebooks only

        shown = [f"<div>{s._repr_svg_() or escape(s.text)}</div>" for s in self[:MOST_PICTURES]]
        if len(self) > MOST_PICTURES:
            shown.append(f"<div>… {counted(len(self) - MOST_PICTURES, 'sentence')} more</div>")
        return "\n".join(shown)

    def to_conllu(self) -> str:
        """All sentences in CoNLL-U."""
        return b"".join(batch.render(CONLLU) for batch in self.batches).decode()

    def to_dict(self) -> dict[str, Any]:
        """The text, and everything that the sentences are made of, for JSON."""
        return {"text": self.text, "sentences": [sentence.to_dict() for sentence in views(self.batches)]}

    def to_table(self) -> dict[str, list[Any]]:
        """A row for each word, as columns: `pandas.DataFrame(document.to_table())`, and the same with polars.

        `sentence` counts from 0, as the document does; `head` is None where there is none, `start` and `end` are where
        the words do not come from text.
        """
        table: dict[str, list[Any]] = {"sentence": [], "id": []}
        table |= {name.lower(): [] for name in FIELDS if name != "ID"} | {"start": [], "end": []}
        for number, sentence in enumerate(views(self.batches)):
            words = len(sentence)
            table["sentence"] += [number] * words
            table["id"] += range(1, words + 1)
            for name in FIELDS:
                if name not in ("ID", "HEAD"):
                    table[name.lower()] += sentence.column(name)
            heads = sentence.heads.tolist() if sentence.is_parsed or sentence.batch.partial else []
            table["head"] += [head if head >= 0 else None for head in heads] or [None] * words
            where = sentence.spans
            table["start"] += [None] * words if where is None else where.begins.tolist()
            table["end"] += [None] * words if where is None else where.ends.tolist()
        return table


def _cut(batch: Batch, first: int, last: int, base: int) -> Batch:
    """Sentences of a batch of many texts as if their own had been the only one, which begins at `base`."""
    part = batch.part(first, last)
    spans = None if part.spans is None else part.spans.moved(-base)
    return replace(part, numbers=part.numbers - part.numbers[0] + 1, spans=spans)
