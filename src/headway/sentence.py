"""One sentence: its columns, comments, multiword tokens and empty nodes, whatever format it came from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Codes, scan
from headway.errors import FormatError, HeadwayError
from headway.formats.conllu import CONLLU
from headway.formats.problems import explain


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


class Sentence:
    """The columns of one sentence; read-only, `replace` makes a changed copy.

    >>> from headway import Sentence
    >>> sentence = Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> sentence.forms, sentence.heads.tolist(), len(sentence)
    (['Dogs', 'bark'], [2, 0], 2)

    Words are numbered from 1; `heads[i]` is the head of word i + 1, 0 for a root. Columns that the sentence's
    format does not have read as `_`.
    """

    __slots__ = ("batch", "index")
    batch: Batch
    index: int

    def __init__(
        self,
        *,
        forms: Sequence[str],
        lemmas: Sequence[str] | None = None,
        upos: Sequence[str] | None = None,
        xpos: Sequence[str] | None = None,
        feats: Sequence[str] | None = None,
        heads: Sequence[int] | NDArray[np.int32] | None = None,
        deprels: Sequence[str] | None = None,
        deps: Sequence[str] | None = None,
        misc: Sequence[str] | None = None,
        comments: Sequence[str] = (),
        multiwords: Sequence[Multiword] = (),
        empty_nodes: Sequence[EmptyNode] = (),
    ) -> None:
        """A sentence as CoNLL-U; every column as long as `forms`, comments with their leading `#`."""
        if not forms:
            raise HeadwayError("a sentence has no words; give at least one form")
        head_cells = None if heads is None else [str(int(head)) for head in heads]
        columns = (forms, lemmas, upos, xpos, feats, head_cells, deprels, deps, misc)
        cells = [["_"] * len(forms) if column is None else column for column in columns]
        if any(len(column) != len(forms) for column in cells):
            lengths = ", ".join(f"{n} {len(c)}" for n, c in zip(CONLLU.columns[1:], cells, strict=True))
            raise HeadwayError(f"the columns of a sentence differ in length ({lengths}); give each word a cell")
        lines = list(comments)
        before = {token.first: token for token in multiwords}
        for number, row in enumerate(zip(*cells, strict=True), 1):
            if number in before:
                span = before[number]
                lines.append("\t".join((f"{span.first}-{span.last}", span.form, *"___", span.feats, *"___", span.misc)))
            lines.append("\t".join((str(number), *row)))
            lines.extend(_empty_line(node) for node in empty_nodes if node.after == number)
        first = [_empty_line(node) for node in empty_nodes if node.after == 0]
        lines[len(comments) : len(comments)] = first
        _adopt(self, lines, CONLLU.name)

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

    def __str__(self) -> str:
        """The sentence in its own format, as it was read, with the layers of its batch."""
        return self.batch.raw(self.index).decode()

    def __repr__(self) -> str:
        shown = " ".join(self.forms[:8]) + (" …" if len(self) > 8 else "")
        return f"<Sentence of {len(self)} words: {shown}>"

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
        """The head of each word, 0 for a root; an error where the sentence has no tree."""
        if not self.is_parsed:
            raise FormatError(
                *(self.batch.source, self.line, "this sentence has no heads (HEAD is '_')"),
                "parse it first, or give a file with trees",
            )
        first, last = self.batch.sentence_word[self.index : self.index + 2]
        return self.batch.heads[first:last]

    @property
    def forms(self) -> list[str]:
        return self.column("FORM")

    @property
    def lemmas(self) -> list[str]:
        return self.column("LEMMA")

    @property
    def upos(self) -> list[str]:
        """Universal or coarse part-of-speech tags (UPOS, CPOSTAG)."""
        return self.column("UPOS")

    @property
    def xpos(self) -> list[str]:
        """The treebank's own, fine part-of-speech tags (XPOS, POSTAG)."""
        return self.column("XPOS")

    @property
    def feats(self) -> list[str]:
        return self.column("FEATS")

    @property
    def deprels(self) -> list[str]:
        return self.column("DEPREL")

    @property
    def deps(self) -> list[str]:
        """The enhanced dependencies of each word, as written."""
        return self.column("DEPS")

    @property
    def misc(self) -> list[str]:
        return self.column("MISC")

    @property
    def comments(self) -> list[str]:
        """The comment lines, each with its `#`."""
        return self.batch.lines(self.index, "comment")

    @property
    def multiwords(self) -> list[Multiword]:
        spans = []
        for line in self.batch.lines(self.index, "range"):
            number, form, *cells = line.split("\t")
            first, last = map(int, number.split("-"))
            spans.append(Multiword(first, last, form, cells[3], cells[7]))
        return spans

    @property
    def empty_nodes(self) -> list[EmptyNode]:
        nodes = []
        columns, stale = self.batch.format.columns, self.batch.overlay.stale
        for line in self.batch.lines(self.index, "empty"):
            number, *cells = line.split("\t")
            cells = ["_" if name in stale else cell for name, cell in zip(columns[1:], cells, strict=False)]
            after, index = map(int, number.split("."))
            nodes.append(EmptyNode(after, index, *cells[:5], *cells[7:9]))
        return nodes

    @property
    def sent_id(self) -> str | None:
        """The value of the comment `# sent_id = …`."""
        return self.metadata("sent_id")

    @property
    def text(self) -> str:
        """The value of the comment `# text = …`, or the surface tokens put together as SpaceAfter says."""
        return self.metadata("text") or "".join(f"{form}{space}" for form, space in self.surface()).rstrip()

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

    def metadata(self, key: str) -> str | None:
        """The value of the first comment of the form `# key = value`."""
        for comment in self.comments:
            name, equals, value = comment[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    def column(self, field: str) -> list[str]:
        """The strings of a field ("FORM", "XPOS", …), one for each word."""
        first, last = self.batch.sentence_word[self.index : self.index + 2]
        return self.batch.column(field, int(first), int(last))

    def replace(self, **columns: Sequence[str] | Sequence[int] | NDArray[np.int32]) -> Sentence:
        """The sentence with other cells in some columns, by property name: `replace(heads=…, deprels=…)`.

        Comments, multiword tokens, empty nodes and every other column stay byte for byte.
        """
        form = self.batch.format
        rows = [line.split("\t") for line in str(self).split("\n")[:-1]]
        first, last = self.batch.sentence_line[self.index : self.index + 2]
        kinds = self.batch.kind[first:last]
        words = [row for row, kind in zip(rows, kinds, strict=True) if kind == 0]
        for name, values in columns.items():
            at = form.index(PROPERTIES.get(name, name))
            if at < 0:
                raise HeadwayError(f"{form.title} has no column for {name!r}; it has {', '.join(form.fields)}")
            if len(values) != len(words):
                raise HeadwayError(f"{name} has {len(values)} values for {len(words)} words; give each word one")
            for row, value in zip(words, values, strict=True):
                row.extend("_" * (at + 1 - len(row)))
                row[at] = str(value)
        changed = Sentence.__new__(Sentence)
        _adopt(changed, ["\t".join(row) for row in rows], self.batch.source, like=self)
        changed.batch = _with_unwritten(changed.batch, self)
        return changed


PROPERTIES = {
    "forms": "FORM",
    "lemmas": "LEMMA",
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "FEATS",
    "heads": "HEAD",
    "deprels": "DEPREL",
    "deps": "DEPS",
    "misc": "MISC",
}


def _adopt(sentence: Sentence, lines: Sequence[str], source: str, like: Sentence | None = None) -> None:
    """Make the sentence a view of its own batch, read from the given lines."""
    text = "".join(f"{line}\n" for line in lines)
    if any("\n" in line for line in lines):
        raise HeadwayError("a cell of a sentence holds a line break; cells are single lines without tabs")
    form = like.batch.format if like else CONLLU
    batch, problems, _ = scan(f"{text}\n".encode(), form, source, like.line if like else 1)
    if problems:
        raise explain(problems[0], source, form)
    sentence.batch, sentence.index = batch, 0


def _with_unwritten(batch: Batch, like: Sentence) -> Batch:
    """The batch of a sentence with what layers of another one say of fields that its format has no column for."""
    words = slice(*like.batch.sentence_word[like.index : like.index + 2].tolist())
    for layer in like.batch.layers:
        unwritten = {name: codes for name, codes in layer.columns.items() if batch.format.index(name) < 0}
        if unwritten:
            columns = {name: Codes(codes.codes[words], codes.names) for name, codes in unwritten.items()}
            batch = batch.with_layer(layer.name, columns=columns)
    return batch


def _empty_line(node: EmptyNode) -> str:
    head, deprel = "_", "_"
    return "\t".join((f"{node.after}.{node.number}", *node[2:7], head, deprel, node.deps, node.misc))
