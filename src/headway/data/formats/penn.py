r"""Penn-style trees to dependencies: head percolation by the rules of `headrules`.

Every constituent takes its head word from one child; the head words of the other children depend on it. The
result is a projective tree with a single root over the words, in their order. Empty elements (`-NONE-`) are
left out, and constituents left empty with them. Tokens stay as they are: `-LRB-`, `1\/2`.

Cost: linear in the text; what the rules say of a production is remembered, since few productions make up most
of a treebank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import count, islice

import numpy as np

from headway.base.errors import FormatError, ReadingReport
from headway.data.batch import Batch, scan
from headway.data.formats import tabular
from headway.data.formats.brackets import EMPTY, TextAtLine, balanced_texts, trees
from headway.data.formats.format import CONLLX
from headway.data.formats.headrules import HeadRules, Node, read_rules
from headway.data.sentence import Sentence, views

TREES_IN_BATCH = 256
REMEMBERED = 1 << 17
"""Productions and labels kept in mind at most, whatever the input."""
EVENT = re.compile(
    rb"(\([^\s()]+)\s+([^\s()]+)\s*\)"  # a word: its tag with the bracket, its form
    rb"|(\))"
    rb"|\(([^\s()]*)\s*(?=\()"  # a constituent: its label
    rb"|(\(|[^\s()]+)"  # nothing of this
)
WORD, CLOSE, OPEN = 2, 3, 4
NOTHING = b"(" + EMPTY
INDEX = re.compile(rb"(?<=.)[-=]\d+")
ROOT = b"ROOT"


class MalformedError(Exception):
    """The text is not made of well-formed trees with words."""


class Converter:
    """Trees to CoNLL-X by a table of head rules."""

    def __init__(self, rules: HeadRules) -> None:
        self.rules = rules
        self._production = lru_cache(REMEMBERED)(self.production)
        self._label = lru_cache(REMEMBERED)(rules.label)

    def sentences(self, piece: TextAtLine) -> list[TextAtLine]:
        """The sentences of a text in brackets as CoNLL-X; `MalformedError` if anything is not a tree with words."""
        text = piece.text
        converted: list[TextAtLine] = []
        most = text.count(b"(")
        forms, tags, heads, labels = list[bytes](), list[bytes](), [0] * most, [ROOT] * most
        # The constituents around the present one: label, labels of the children, head words of the children.
        around: list[tuple[bytes, list[bytes], list[int]]] = []
        label, children, words = b"", list[bytes](), list[int]()
        begin = 0
        for event in EVENT.finditer(text):
            kind = event.lastindex
            if kind == WORD:
                tag, form = event.group(1, 2)
                if tag != NOTHING:
                    children.append(tag)
                    words.append(len(forms))
                    forms.append(form)
                    tags.append(tag)
            elif kind == OPEN:
                around.append((label, children, words))
                label, children, words = without_index(event.group(4)), [], []
                continue
            elif kind == CLOSE and around:
                closed, heads_of_children = label, words
                if len(words) > 1:
                    head_child, child_labels = self._production(label, tuple(children))
                    head = words[head_child]
                    for word, child_label in zip(words, child_labels, strict=True):
                        heads[word], labels[word] = head + 1, child_label
                    heads[head], labels[head] = 0, ROOT
                    heads_of_children = [head]
                label, children, words = around.pop()
                if heads_of_children:
                    children.append(closed)
                    words += heads_of_children
            else:
                raise MalformedError
            if not around:
                if not forms:
                    raise MalformedError
                line = piece.line + text.count(b"\n", 0, text.index(b"(", begin))
                converted.append(TextAtLine(line, _rendered(forms, tags, heads, labels)))
                begin = event.end()
                forms, tags, heads, labels = [], [], [0] * most, [ROOT] * most
                children, words = [], []
        if around:
            raise MalformedError
        return converted

    def production(self, mother: bytes, children: tuple[bytes, ...]) -> tuple[int, tuple[bytes, ...]]:
        """What the rules say of a constituent: the index of its head child, and a label for each child.

        The tags among its children begin with a bracket.
        """
        parent, nodes = _node(mother), [_node(child) for child in children]
        head = self.rules.head(parent.category, nodes)
        return head, tuple(self._label(parent, nodes[head], node).encode() for node in nodes)


@lru_cache(REMEMBERED)
def without_index(label: bytes) -> bytes:
    """`NP-SBJ` for `NP-SBJ-1`."""
    return label if label.startswith(b"-") else INDEX.sub(b"", label)


@lru_cache(REMEMBERED)
def _node(label: bytes) -> Node:
    return Node.of(label.decode(errors="replace").removeprefix("("), label.startswith(b"("))


def _rendered(forms: list[bytes], tags: list[bytes], heads: list[int], labels: list[bytes]) -> bytes:
    """A sentence as CoNLL-X; heads and labels may go on after the last word."""
    rows = (
        b"%d\t%b\t_\t%b\t%b\t_\t%d\t%b\t_\t_\n" % (number, form, tag[1:], tag[1:], head, label)
        for number, form, tag, head, label in zip(count(1), forms, tags, heads, labels)
    )
    return b"".join(rows) + b"\n"


def batches(chunks: Iterable[bytes], rules: HeadRules, report: ReadingReport) -> Iterator[Batch]:
    """The trees of a file as batches of CoNLL-X sentences; `numbers` has the lines where the trees begin."""
    found, is_empty = sentences(chunks, rules, report), True
    while held := list(islice(found, TREES_IN_BATCH)):
        is_empty = False
        batch, _, _ = scan(b"".join(sentence.text for sentence in held), CONLLX, report.source)
        yield replace(batch, numbers=np.array([sentence.line for sentence in held], np.int32))
    if is_empty and not report.skipped:
        raise FormatError(report.source, None, "there is no tree in this file", "give trees in brackets")


def sentences(chunks: Iterable[bytes], rules: HeadRules, report: ReadingReport) -> Iterator[TextAtLine]:
    """The trees of a file one by one, those that cannot be read being problems of the report."""
    converter = Converter(rules)
    for piece in balanced_texts(tabular.tidy(chunks, report), report):
        try:
            converted = converter.sentences(piece)
        except MalformedError:
            converted = [s for tree in trees(piece, report) for s in converter.sentences(tree)]
        for sentence in converted:
            if _is_text(sentence, report):
                yield sentence


def _is_text(sentence: TextAtLine, report: ReadingReport) -> bool:
    fault = tabular.fault(sentence.text)
    if fault is not None:
        _, what, remedy = fault
        report.problem(FormatError(report.source, sentence.line, f"{what} in the tree that begins here", remedy))
    return fault is None


def dependencies(text: str, rules: str = "english") -> list[Sentence]:
    """The trees in a text as sentences; `rules` is a name of `headrules.BUILT_IN` or the path of a rule file.

    >>> from headway.data.formats.penn import dependencies
    >>> [sentence] = dependencies("(S (NP-SBJ (NNS Herons)) (VP (VBP wait)))")
    >>> sentence.heads.tolist(), sentence.deprels
    ([2, 0], ['SUB', 'ROOT'])
    """
    found = batches([text.encode()], read_rules(rules), ReadingReport("<text>"))
    return list(views(found))
