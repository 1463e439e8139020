"""What a sentence is made of: its words one by one, surface tokens that span several, nodes without a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from headway.data.sentence import Sentence

Value = TypeVar("Value")


class Field(Generic[Value]):
    """A property that is a field of a sentence or token, which `read` finds by its name."""

    def __init__(self, read: Callable[[Any, str], Value], field: str, about: str = "") -> None:
        self.read: Callable[[Any, str], Value] = read
        self.field: str = field
        self.__doc__ = about

    def __get__(self, owner: object, kind: object = None) -> Value:
        return self if owner is None else self.read(owner, self.field)  # type: ignore[return-value]


class Feats(Mapping[str, str]):
    """The morphological features of a word, by their names; `str` gives the cell, and equals it.

    >>> from headway import Sentence
    >>> feats = Sentence(["Dogs"], feats=["Case=Nom|Number=Plur"])[0].feats
    >>> feats["Case"], feats.get("Tense"), dict(feats), str(feats), feats == "Case=Nom|Number=Plur"
    ('Nom', None, {'Case': 'Nom', 'Number': 'Plur'}, 'Case=Nom|Number=Plur', True)

    Features that are no pairs, as treebanks of 2006 have them, have the value `""`.
    """

    __slots__ = ("_cell",)

    def __init__(self, cell: str) -> None:
        self._cell = cell

    def _pairs(self) -> dict[str, str]:
        parts = () if self._cell == "_" else self._cell.split("|")
        return {name: value for name, _, value in (part.partition("=") for part in parts)}

    def __getitem__(self, name: str) -> str:
        return self._pairs()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pairs())

    def __len__(self) -> int:
        return len(self._pairs())

    def __eq__(self, other: object) -> bool:
        """Whether the other one is the same cell, or a mapping with the same features."""
        if isinstance(other, (str, Feats)):
            return self._cell == str(other)
        return self._pairs() == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._cell)

    def __str__(self) -> str:
        return self._cell

    def __repr__(self) -> str:
        return f"<Feats {self._cell}>"


class Multiword(NamedTuple):
    """A surface token that spans the words `first` to `last`."""

    first: int
    last: int
    form: str
    feats: str = "_"
    misc: str = "_"


class EmptyNode(NamedTuple):
    """A node of the enhanced graph with no word of its own; `8.1` stands `after` word 8 as number 1."""

    after: int
    number: int
    form: str = "_"
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    deps: str = "_"
    misc: str = "_"


CONFIDENCES = ("arc", "label", "upos", "tags")
"""The fields of a `WordConfidence` by the names that model files and MISC (`ArcConf`, `LabelConf`, …) have for them."""


class WordConfidence(NamedTuple):
    """How probable it is that a word's head is right, that head and label are, UPOS, and all its tags.

    None where nobody has said it.
    """

    arc: float | None
    head_and_label: float | None
    upos: float | None = None
    tags: float | None = None


class TreeConfidence(NamedTuple):
    """How sure the model was of each word, and how probable it is that the whole tree is right, labels too.

    Without a parser nobody has said anything of the tree, and that is None.
    """

    words: list[WordConfidence]
    tree: float | None


class Token:
    """One word of a sentence; a view, nothing is copied.

    >>> from headway import Sentence
    >>> sentence = Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> [(token.id, token.form, token.head, token.deprel) for token in sentence]
    [(1, 'Dogs', 2, 'nsubj'), (2, 'bark', 0, 'root')]
    >>> dogs = sentence[0]
    >>> dogs.parent, dogs.parent.children
    (<Token 2 bark, root>, [<Token 1 Dogs, nsubj of 2>])

    Words are numbered from 1, so that `sentence[0].id` is 1. Cells that the format does not have are `_`.
    """

    __slots__ = ("id", "sentence")
    id: int
    sentence: Sentence

    def __init__(self, sentence: Sentence, number: int) -> None:
        self.sentence = sentence
        self.id = number

    def cell(self, field: str) -> str:
        """The string of a field ("FORM", "XPOS", …), one of `headway.data.formats.format.FIELDS`."""
        batch = self.sentence.batch
        word = int(batch.sentence_word[self.sentence.index]) + self.id - 1
        return batch.column(field, word, word + 1)[0]

    form: Field[str] = Field(cell, "FORM")
    lemma: Field[str] = Field(cell, "LEMMA")
    upos: Field[str] = Field(cell, "UPOS", "The universal or coarse part-of-speech tag (UPOS, CPOSTAG).")
    xpos: Field[str] = Field(cell, "XPOS", "The treebank's own, fine part-of-speech tag (XPOS, POSTAG).")
    deprel: Field[str] = Field(cell, "DEPREL")
    deps: Field[str] = Field(cell, "DEPS", "The enhanced dependencies, as written.")
    misc: Field[str] = Field(cell, "MISC")

    @property
    def feats(self) -> Feats:
        """The morphological features: `token.feats["Case"]`; `str(token.feats)` is the cell as written."""
        return Feats(self.cell("FEATS"))

    @property
    def start(self) -> int | None:
        """Where it begins in the text that was parsed, in characters; None where it does not come from text.

        The words of a multiword token begin and end where it does.
        """
        return self._place(0)

    @property
    def end(self) -> int | None:
        """Where it ends in the text that was parsed: `text[token.start : token.end]`."""
        return self._place(1)

    def _place(self, side: int) -> int | None:
        batch = self.sentence.batch
        word = int(batch.sentence_word[self.sentence.index]) + self.id - 1
        return None if batch.spans is None else int(batch.spans[side][word])

    @property
    def head(self) -> int:
        """The number of the head, 0 for a root; an error where the sentence has no tree. -1 as in `Sentence.heads`."""
        return int(self.sentence.heads[self.id - 1])

    @property
    def confidence(self) -> WordConfidence:
        """How sure the model was of head, label and tags; an error where it was not asked."""
        return self.sentence.confidence.words[self.id - 1]

    @property
    def parent(self) -> Token | None:
        """The head as a token; None for a root, and where no head is given."""
        return Token(self.sentence, self.head) if self.head > 0 else None

    @property
    def children(self) -> list[Token]:
        """The words whose head this one is, from left to right."""
        found = np.flatnonzero(self.sentence.heads == self.id).tolist()
        return [Token(self.sentence, index + 1) for index in found]

    @property
    def ancestors(self) -> list[Token]:
        """The head, its head, and so on up to the root."""
        found: dict[int, Token] = {}
        heads = [0, *self.sentence.heads.tolist()]
        at = heads[self.id]
        while at > 0 and at not in found:  # Heads that were given in part may go round in a circle.
            found[at] = Token(self.sentence, at)
            at = heads[at]
        return list(found.values())

    @property
    def subtree(self) -> list[Token]:
        """The word and all words below it, from left to right."""
        below: dict[int, list[int]] = {}
        for word, head in enumerate(self.sentence.heads.tolist(), 1):
            below.setdefault(head, []).append(word)
        found, waiting = {self.id}, [self.id]
        while waiting:
            new = [word for word in below.get(waiting.pop(), ()) if word not in found]
            found.update(new)
            waiting += new
        return [Token(self.sentence, word) for word in sorted(found)]

    def to_dict(self) -> dict[str, Any]:
        """All cells, for JSON or a table; `head` is None where the sentence has no tree, and where no head is given.

        Words of a text also have their `start` and `end` in it.
        """
        told = self.sentence.is_parsed or self.sentence.batch.partial
        place = {} if self.start is None else {"start": self.start, "end": self.end}
        return {
            "id": self.id,
            "form": self.form,
            "lemma": self.lemma,
            "upos": self.upos,
            "xpos": self.xpos,
            "feats": str(self.feats),
            "head": self.head if told and self.head >= 0 else None,
            "deprel": self.deprel,
            "deps": self.deps,
            "misc": self.misc,
            **place,
        }

    def __eq__(self, other: object) -> bool:
        """Whether it is the same word of an equal sentence."""
        return isinstance(other, Token) and self.id == other.id and self.sentence == other.sentence

    def __hash__(self) -> int:
        return hash((self.id, self.form))

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        if not self.sentence.is_parsed:
            return f"<Token {self.id} {self.form}>"
        return f"<Token {self.id} {self.form}, {self.deprel}{f' of {self.head}' if self.head else ''}>"
