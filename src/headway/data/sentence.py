"""One sentence: its columns, comments, multiword tokens and empty nodes, whatever format it came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, counted, described, known
from headway.data.batch import Batch
from headway.data.cells import PROPERTIES, conllu_lines, empty_node_from, given_head, multiword_from, tree_confidence
from headway.data.formats.format import CONLLU, FIELDS
from headway.data.parts import Spans
from headway.data.sentence_batches import of_lines, unwritten, with_cells
from headway.data.tokens import EmptyNode, Field, Multiword, Token, TreeConfidence

LONGEST_PICTURE = 200
"""A notebook shows no pictures of sentences with more words."""


class Sentence:
    """The columns of one sentence; read-only, `replace` makes a changed copy.

    >>> from headway import Sentence
    >>> sentence = Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> sentence.forms, sentence.heads.tolist(), len(sentence)
    (['Dogs', 'bark'], [2, 0], 2)
    >>> sentence[0], [token.form for token in sentence]
    (<Token 1 Dogs, nsubj of 2>, ['Dogs', 'bark'])

    Words are numbered from 1; `heads[i]` is the head of word i + 1, 0 for a root. Columns that the sentence's
    format does not have read as `_`. Sentences are equal where they have the same format and content.
    """

    __slots__ = ("batch", "index")
    batch: Batch
    index: int

    def __init__(
        self,
        forms: Iterable[str],
        *,
        lemmas: Iterable[str] | None = None,
        upos: Iterable[str] | None = None,
        xpos: Iterable[str] | None = None,
        feats: Iterable[str] | None = None,
        heads: Iterable[int] | NDArray[np.int32] | None = None,
        deprels: Iterable[str] | None = None,
        deps: Iterable[str] | None = None,
        misc: Iterable[str] | None = None,
        comments: Iterable[str] = (),
        multiwords: Iterable[Multiword] = (),
        empty_nodes: Iterable[EmptyNode] = (),
    ) -> None:
        """A sentence as CoNLL-U; every column as long as `forms`, comments with their leading `#`."""
        columns = (forms, lemmas, upos, xpos, feats, heads, deprels, deps, misc)
        named = dict(zip(PROPERTIES, columns, strict=True))
        self.batch = of_lines(conllu_lines(named, comments, multiwords, empty_nodes), CONLLU, "<Sentence>")
        self.index = 0

    @classmethod
    def view(cls, batch: Batch, index: int) -> Sentence:
        """Sentence number `index` of a batch, without copying anything."""
        sentence = cls.__new__(cls)
        sentence.batch = batch
        sentence.index = index
        return sentence

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled alone, without the other sentences of its batch."""
        return Sentence.view, (self.batch.alone(self.index), 0)

    def __len__(self) -> int:
        """Number of words."""
        return int(self.batch.sentence_word[self.index + 1] - self.batch.sentence_word[self.index])

    def __iter__(self) -> Iterator[Token]:
        """The words, one after the other."""
        return (Token(self, number) for number in range(1, len(self) + 1))

    @overload
    def __getitem__(self, at: int) -> Token: ...
    @overload
    def __getitem__(self, at: slice) -> list[Token]: ...
    def __getitem__(self, at: int | slice) -> Token | list[Token]:
        """The word at an index, counted from 0 as in a list; several for a slice."""
        found = places(len(self), at, "sentence", "word")
        return Token(self, found + 1) if isinstance(found, int) else [Token(self, number + 1) for number in found]

    def __eq__(self, other: object) -> bool:
        """Whether the other one has the same format and content, comments and all."""
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.batch.format == other.batch.format and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(tuple(self.forms))

    def _content(self) -> tuple[bytes, dict[str, list[str]]]:
        """All bytes, and what layers say of fields that the format has no column for."""
        return self.batch.raw(self.index), {name: self.column(name) for name in unwritten(self.batch)}

    def __str__(self) -> str:
        """The sentence in its own format, as it was read, with the layers of its batch."""
        return self.batch.raw(self.index).decode()

    def __repr__(self) -> str:
        shown = " ".join(self.forms[:8]) + (" …" if len(self) > 8 else "")
        return f"<Sentence of {counted(len(self), 'word')}: {shown}>"

    def _repr_svg_(self) -> str | None:
        """The tree as a notebook shows it."""
        from headway.show import svg

        return svg.draw(self) if self.is_parsed and len(self) <= LONGEST_PICTURE else None

    def to_conllu(self) -> str:
        """The sentence in CoNLL-U, with a blank line at its end."""
        return self.batch.render(CONLLU, self.index, self.index + 1).decode()

    def to_dict(self) -> dict[str, Any]:
        """Everything that a sentence is made of, for JSON; `["tokens"]` makes a table of pandas."""
        return {
            "metadata": self.metadata,
            "tokens": [token.to_dict() for token in self],
            "multiwords": [span._asdict() for span in self.multiwords],
            "empty_nodes": [node._asdict() for node in self.empty_nodes],
        }

    @property
    def place(self) -> str:
        """Where the sentence begins, as `FILE:LINE`."""
        return f"{self.batch.source}:{self.line}"

    @property
    def line(self) -> int:
        """The line of the file on which the sentence begins."""
        return int(self.batch.numbers[self.index])

    @property
    def is_parsed(self) -> bool:
        """Whether the words have heads."""
        return bool(self.batch.heads[self.batch.sentence_word[self.index]] >= 0)

    @property
    def heads(self) -> NDArray[np.int32]:
        """The head of each word, 0 for a root; an error where the sentence has no tree.

        Of a sentence that was read with `partial=True`, -1 for words to which no head is given.
        """
        if self.batch.partial and not self.is_parsed:
            given = np.array([given_head(cell) for cell in self.column("HEAD")], np.int32)
            return np.where(given <= len(self), given, np.int32(-1))
        return self.batch.tree(self.index)

    @property
    def root(self) -> Token:
        """The word whose head is 0, the first of several; an error where the sentence has no tree."""
        return Token(self, int(np.argmax(self.batch.tree(self.index) == 0)) + 1)

    @property
    def spans(self) -> Spans | None:
        """Where the words stand in the text that was parsed; None where they do not come from text."""
        words = slice(*self.batch.sentence_word[self.index : self.index + 2].tolist())
        return None if self.batch.spans is None else self.batch.spans.part(words)

    @property
    def start(self) -> int | None:
        """Where it begins in the text that was parsed, in characters; None where it does not come from text."""
        return self[0].start

    @property
    def end(self) -> int | None:
        """Where it ends in the text that was parsed: `text[sentence.start : sentence.end]`."""
        return self[-1].end

    def column(self, field: str) -> list[str]:
        """The strings of a field ("FORM", "XPOS", …), one for each word."""
        if field not in FIELDS:
            raise HeadwayError(f"there is no field {field!r}; {known(FIELDS)}")
        first, last = self.batch.sentence_word[self.index : self.index + 2]
        return self.batch.column(field, int(first), int(last))

    forms: Field[list[str]] = Field(column, "FORM")
    lemmas: Field[list[str]] = Field(column, "LEMMA")
    upos: Field[list[str]] = Field(column, "UPOS", "Universal or coarse part-of-speech tags (UPOS, CPOSTAG).")
    xpos: Field[list[str]] = Field(column, "XPOS", "The treebank's own, fine part-of-speech tags (XPOS, POSTAG).")
    feats: Field[list[str]] = Field(column, "FEATS")
    deprels: Field[list[str]] = Field(column, "DEPREL")
    deps: Field[list[str]] = Field(column, "DEPS", "The enhanced dependencies of each word, as written.")
    misc: Field[list[str]] = Field(column, "MISC")

    @property
    def confidence(self) -> TreeConfidence:
        """How sure the parser was of each word and of the tree; an error where it was not asked."""
        return tree_confidence(self.misc, self.metadata, self.place)

    @property
    def comments(self) -> list[str]:
        """The comment lines, each with its `#`."""
        return self.batch.comments(self.index)

    @property
    def multiwords(self) -> list[Multiword]:
        return [multiword_from(line) for line in self.batch.lines(self.index, "range")]

    @property
    def empty_nodes(self) -> list[EmptyNode]:
        stale = self.batch.overlay.stale
        return [empty_node_from(line, stale) for line in self.batch.lines(self.index, "empty")]

    @property
    def metadata(self) -> dict[str, str]:
        """The comments of the form `# key = value`; of several with the same key, the first."""
        found: dict[str, str] = {}
        for comment in self.comments:
            key, equals, value = comment[1:].partition("=")
            if equals:
                found.setdefault(key.strip(), value.strip())
        return found

    @property
    def sent_id(self) -> str | None:
        """The value of the comment `# sent_id = …`."""
        return self.metadata.get("sent_id")

    @property
    def text(self) -> str:
        """The value of the comment `# text = …`, or the surface tokens put together as SpaceAfter says."""
        return self.metadata.get("text") or "".join(f"{form}{space}" for form, space in self.surface()).rstrip()

    def surface(self) -> list[tuple[str, str]]:
        """The surface tokens, each with the space that follows it: `" "` or `""`."""
        spans = {span.first: span for span in self.multiwords}
        tokens, number = [], 1
        forms, misc = self.forms, self.misc
        while number <= len(forms):
            span = spans.get(number) or Multiword(number, number, forms[number - 1], "_", misc[number - 1])
            tokens.append((span.form, "" if "SpaceAfter=No" in span.misc.split("|") else " "))
            number = span.last + 1
        return tokens

    def replace(self, **columns: Iterable[str] | Iterable[int] | NDArray[np.int32] | None) -> Sentence:
        """The sentence with other cells in some columns, by property name: `replace(heads=…, deprels=…)`; None is none.

        Comments, multiword tokens, empty nodes and every other column stay byte for byte.
        """
        return Sentence.view(with_cells(self.batch, self.index, columns), 0)


def places(count: int, at: int | slice, whole: str, part: str) -> int | range:
    """The place that an index means, or those of a slice; messages name the `whole` and its `part`."""
    try:
        return range(count)[at]
    except IndexError:
        raise IndexError(f"the {whole} has {counted(count, part)}; there is none at index {at}") from None
    except TypeError:
        raise HeadwayError(f"{whole}[{at!r}]: give a number or a slice, as in {whole}[0]") from None


def views(batches: Iterable[Batch]) -> Iterator[Sentence]:
    """The sentences of batches, one after the other; nothing is copied."""
    for batch in batches:
        for index in range(len(batch)):
            yield Sentence.view(batch, index)


def kept(batches: Iterable[Batch]) -> Iterator[Sentence]:
    """The same, each alone: who keeps one sentence does not keep its batch."""
    for batch in batches:
        for index in range(len(batch)):
            yield Sentence.view(batch.alone(index), 0)


def assured(sentences: Iterable[Any]) -> Iterator[Sentence]:
    """Sentences as they are, one alone too; anything else is refused."""
    if isinstance(sentences, Sentence):
        sentences = [sentences]
    if isinstance(sentences, (str, bytes)) or not isinstance(sentences, Iterable):
        remedy = "parser.parse(source)" if hasattr(sentences, "parse_batches") else "sentences, or headway.read(path)"
        raise HeadwayError(f"expected sentences, got {described(sentences)}; give {remedy}")
    for sentence in sentences:
        if not isinstance(sentence, Sentence):
            remedy = "make one of words with headway.Sentence(['Dogs', 'bark'])"
            if hasattr(sentence, "serialize"):  # As a TokenList of the package conllu.
                remedy = "make sentences with headway.from_conllu(tokens.serialize())"
            elif isinstance(sentence, Token):
                remedy = "give a list of sentences, not of words"
            assure_sentence(sentence, remedy)
        yield sentence


def assure_sentence(thing: object, remedy: str) -> None:
    """Refuse what is not one sentence."""
    if not isinstance(thing, Sentence):
        raise HeadwayError(f"expected a Sentence, got {described(thing)}; {remedy}")
