"""Cells and lines of a sentence: what users give as columns, checked and put into lines, and lines read back."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from numbers import Real
from typing import Any, TypeVar

from headway.base.errors import NO_CELL, HeadwayError, counted, described, half_in, is_cell, known, shown
from headway.data.formats.format import CONLLU, Format
from headway.data.tokens import CONFIDENCES, EmptyNode, Feats, Multiword, TreeConfidence, WordConfidence

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
"""The columns of a sentence by the names that users have for them, in the order of CoNLL-U."""
LONGEST_NUMBER = 10
"""A number with as many digits is none of a word."""
Node = TypeVar("Node", Multiword, EmptyNode)


CONFIDENCE = "Conf"
"""How keys of confidences end in MISC: `ArcConf=0.9312`."""
TREE_CONFIDENCE = "# parse_confidence"


def conllu_lines(columns: Mapping[str, Any], comments: Any, multiwords: Any, empty_nodes: Any) -> list[str]:
    """The lines of a sentence in CoNLL-U; columns that are None are filled with `_`."""
    forms = cells_of("forms", columns["forms"])
    if not forms:
        raise HeadwayError("a sentence has no words; give at least one form")
    others = {name: values for name, values in columns.items() if name != "forms" and values is not None}
    cells = {"forms": forms, **{name: cells_of(name, values, len(forms)) for name, values in others.items()}}
    empty = ["_"] * len(forms)
    words = enumerate(zip(*(cells.get(name, empty) for name in PROPERTIES), strict=True), 1)
    lines: dict[int, list[str]] = {0: comment_lines(comments), **{n: ["\t".join((str(n), *row))] for n, row in words}}
    for span in (_node(Multiword, given) for given in _listed("multiwords", multiwords)):
        line = "\t".join((f"{span.first}-{span.last}", span.form, *"___", span.feats, *"___", span.misc))
        _line_of(span.first, lines, span).insert(0, line)
    for node in (_node(EmptyNode, given) for given in _listed("empty_nodes", empty_nodes)):
        line = "\t".join(
            (f"{node.after}.{node.number}", *node[2:7], "_", "_", node.deps, node.misc)
        )  # no head, no label
        _line_of(node.after, lines, node).append(line)
    return [line for some in lines.values() for line in some]


def replace_cells(rows: Sequence[list[str]], form: Format, columns: Mapping[str, Any]) -> None:
    """Put other cells into the rows of words, columns by the names that users have for them; None is `_` for all."""
    possible = [name for name, field in PROPERTIES.items() if form.index(field) >= 0]
    for name, values in columns.items():
        if name not in possible:
            raise HeadwayError(f"{form.title} has no column for {name!r}; {known(possible)}")
        at = form.index(PROPERTIES[name])
        cells = ["_"] * len(rows) if values is None else cells_of(name, values, len(rows))
        for row, value in zip(rows, cells, strict=True):
            row.extend("_" * (at + 1 - len(row)))
            row[at] = value


def cells_of(name: str, values: Any, count: int | None = None) -> list[str]:
    """The cells of a column, one for each word, from a list, a NumPy array, a column of pandas …"""
    if isinstance(values, (str, bytes)):
        what = shown(values)
        raise HeadwayError(f"{name} = {what} is one string; give a list with a string for each word: ['Dogs', 'bark']")
    if not isinstance(values, Iterable) or isinstance(values, (Mapping, Set)) or hasattr(values, "columns"):
        what = f"{name}: expected a list, got {described(values)}"
        raise HeadwayError(f"{what}; give one with a value for each word, such as a single column of a table")
    cells = list(values)
    if name == "heads":
        cells = [str(head) if type(head) is int and head >= 0 else _head(n, head) for n, head in enumerate(cells, 1)]
    elif not _is_clean(cells):
        cells = [_cell(name, number, value) for number, value in enumerate(cells, 1)]
    if name == "forms":
        for number, form in enumerate(cells, 1):
            _assure_form(f"forms: word {number}", form)
    if count is not None and len(cells) != count:
        values, words = counted(len(cells), "value"), counted(count, "word")
        raise HeadwayError(f"{name} has {values} for {words}; give each word one")
    return cells


def given_head(cell: str) -> int:
    """The head in a cell; -1 where there is no number of a word."""
    return int(cell) if cell.isascii() and cell.isdecimal() and len(cell) < LONGEST_NUMBER else -1


def comment_lines(comments: Any) -> list[str]:
    """Comments as lines; each begins with `#`."""
    lines = _listed("comments", comments)
    for comment in lines:
        if not isinstance(comment, str) or not comment.startswith("#") or "\n" in comment:
            raise HeadwayError(f"expected a comment, got {comment!r}; a comment is one line that begins with '#'")
        _assure_cell(f"the comment {shown(comment)}", comment, allowed="\t")
    return lines


def _listed(name: str, given: Any) -> list[Any]:
    """What is beside the columns of a sentence, as a list."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise HeadwayError(f"{name}: expected a list, got {described(given)}")
    return list(given)


def _line_of(word: int, lines: Mapping[int, list[str]], node: Multiword | EmptyNode) -> list[str]:
    """The lines that belong to a word, 0 for what stands before the first one."""
    if word not in lines or (word == 0 and isinstance(node, Multiword)):
        raise HeadwayError(f"{node!r} belongs to word {word}, and the sentence has words 1 to {len(lines) - 1}")
    return lines[word]


def _is_clean(cells: list[Any]) -> bool:
    """Whether all are strings that cells can hold; many are looked at as fast as one."""
    try:
        return is_cell("".join(cells))
    except TypeError:
        return False


def _cell(name: str, number: int, value: Any) -> str:
    if isinstance(value, (list, tuple)):
        what = f"{name}: expected a string for word {number}, got {described(value)}"
        raise HeadwayError(
            f"{what}; give the words of one sentence, and make each of several with headway.Sentence(words)"
        )
    if isinstance(value, Feats):
        value = str(value)
    if not isinstance(value, str):
        raise HeadwayError(f"{name}: expected a string for word {number}, got {value!r}; write '_' where there is none")
    _assure_cell(f"{name}: {shown(value)} of word {number}", value)
    return str(value)


def _head(number: int, value: Any) -> str:
    """A head as a cell; 2.0 is 2, as it is in tables with gaps elsewhere, and `_` none."""
    if isinstance(value, str) and value == "_":
        return "_"
    number_given = isinstance(value, Real) and not isinstance(value, bool)
    if not number_given or not 0 <= float(value) < math.inf or float(value) % 1 != 0:
        raise HeadwayError(f"the head of word {number} is {value!r}; give the number of a word, 0 for the root")
    return str(int(value))


def _assure_cell(what: str, value: str, allowed: str = "") -> None:
    """Refuse a string that no cell can hold."""
    for character, name in NO_CELL.items():
        if character in value and character not in allowed:
            raise HeadwayError(f"{what} holds {name}; leave it out")
    if found := half_in(value):
        raise HeadwayError(f"{what} holds {found}; decode its text anew, as UTF-8")


def _assure_form(what: str, form: str) -> None:
    """Refuse a form with nothing but spaces."""
    if not form.strip(" "):
        raise HeadwayError(f"{what} is empty; give a word, or '_' where nobody knows it")


def _node(kind: type[Node], given: Any) -> Node:
    """A multiword token or an empty node; a tuple will do."""
    try:
        node = kind(*given)
    except TypeError:
        fields = ", ".join(kind._fields)
        raise HeadwayError(f"expected {kind.__name__}({fields}), got {given!r}") from None
    for name, value in zip(kind._fields, node, strict=True):
        if name in ("first", "last", "after", "number"):
            if isinstance(value, bool) or not isinstance(value, int):
                raise HeadwayError(f"{name} of {node!r}: expected a whole number; give the number of a word")
        elif not isinstance(value, str):
            raise HeadwayError(f"{name} of {node!r}: expected a string")
        else:
            _assure_cell(f"{name} of {node!r}", value)
            if name == "form":
                _assure_form(f"the form of {node!r}", value)
    return node


def multiword_from(line: str) -> Multiword:
    """The multiword token of a line that was read."""
    number, form, *cells = line.split("\t")
    first, last = map(int, number.split("-"))
    return Multiword(first, last, form, cells[3], cells[7])


def empty_node_from(line: str, stale: Collection[str]) -> EmptyNode:
    """The empty node of a line that was read, with `_` in columns that are stale."""
    number, *cells = line.split("\t")
    cells = ["_" if name in stale else cell for name, cell in zip(CONLLU.columns[1:], cells, strict=False)]
    after, index = map(int, number.split("."))
    return EmptyNode(after, index, *cells[:5], *cells[7:9])


def confidence_in(misc: str) -> WordConfidence | None:
    """What a cell of MISC says of how sure somebody was; None where it says nothing that makes sense."""
    if CONFIDENCE not in misc:
        return None
    found = dict(part.partition("=")[::2] for part in misc.split("|"))
    chances = WordConfidence(*(_chance(found, f"{name.capitalize()}{CONFIDENCE}") for name in CONFIDENCES))
    return None if all(chance is None for chance in chances) else chances


def _chance(found: Mapping[str, str], key: str) -> float | None:
    try:
        chance = float(found[key])
    except (KeyError, ValueError):
        return None
    return chance if 0 <= chance <= 1 else None


def tree_confidence(misc: Sequence[str], metadata: Mapping[str, str], place: str) -> TreeConfidence:
    """The confidences in cells of MISC and in the comment of a sentence; one without is refused."""
    words = [word for word in map(confidence_in, misc) if word is not None]
    tree = _chance(metadata, TREE_CONFIDENCE[2:])
    has_arcs = any(word.arc is not None for word in words)
    if len(words) != len(misc) or has_arcs != (tree is not None):
        raise HeadwayError(f"{place}: nobody has said how sure this tree is; parse it with confidence=True")
    return TreeConfidence(words, tree)
