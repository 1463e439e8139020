"""Head rules: which child heads a constituent, and how a dependency that follows from it is labelled.

Rules are text, one file per table, in `formats/rules`. A file holds comments (lines that begin with `#`) and

    NP           r POS NN NNP NNPS NNS;r NX;r        a category and its searches
    *            r                                   the searches of every other category
    punctuation  , . :                               tags that head nothing unless a search names them
    label SUB    *  *  -SBJ                          a label and its patterns for mother, head and dependent

The rows of categories have the form of Penn2Malt's rule files, which can therefore be read as they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from headway.base.errors import FormatError, HeadwayError, counted, known, shown
from headway.base.files import assure_path

BUILT_IN = {"english": "english-yamada-matsumoto.rules", "chinese": "chinese-bikel.rules"}
OTHERWISE = "*"
FROM_RIGHT = {"l": False, "left": False, "r": True, "right": True}
SPECIAL = ("<punctuation>", "<tag>")
UNLABELLED = "DEP"
"""The label where no row fits."""
KEYWORDS = ("punctuation", "label")
TAG_IN_DASHES = re.compile("-.*-")
"""Tags such as `-LRB-`."""
WORD, PLAIN_WORD = re.compile(r"[^\s;]+|;"), re.compile(r"\S+")


class Node(NamedTuple):
    """A child as the rules see it: `NP-SBJ-1` is of category NP with the function SBJ."""

    category: str
    functions: tuple[str, ...] = ()
    is_tag: bool = False

    @classmethod
    def of(cls, label: str, is_tag: bool = False) -> Node:
        """Split a label; indices (`-1`, `=2`) and what follows a `|` go, labels like `-LRB-` stay whole."""
        if label.startswith("-"):
            return cls(label, (), is_tag)
        category, *functions = re.split("[-=]", label.partition("|")[0])
        return cls(category, tuple(name for name in functions if not name.isdigit()), is_tag)


class HeadSearch(NamedTuple):
    """Take the outermost child on one side that is of one of the categories; of any, where there are none."""

    from_right: bool
    categories: frozenset[str]


@dataclass(frozen=True)
class HeadRules:
    """A table of head rules; `heads` maps a category to its searches, in order."""

    source: str
    heads: dict[str, tuple[HeadSearch, ...]]
    punctuation: frozenset[str] = frozenset()
    labels: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    """Labels, each with its patterns for mother, head child and dependent child."""

    def head(self, mother: str, children: Sequence[Node]) -> int:
        """The index of the child that heads a constituent of category `mother`; children in their order."""
        searches = self.heads.get(mother) or self.heads.get(OTHERWISE) or (HeadSearch(True, frozenset()),)
        for search in searches:
            for index in self._ordered(search, len(children)):
                if children[index].category in search.categories:
                    return index
        order = self._ordered(searches[-1], len(children))
        return next((i for i in order if not self.is_punctuation(children[i])), order[0])

    def label(self, mother: Node, head: Node, dependent: Node) -> str:
        """The label of the dependency between two children of a constituent."""
        for label, *patterns in self.labels:
            if all(map(self._fits, patterns, (mother, head, dependent))):
                return label
        return UNLABELLED

    def is_punctuation(self, node: Node) -> bool:
        return node.is_tag and node.category in self.punctuation

    def _fits(self, pattern: str, node: Node) -> bool:
        """Whether a node is `*`, `NP|NX`, `-SBJ` (has the function), `NP-` (has none), `-LRB-`, `<tag>` …"""
        if pattern in SPECIAL:
            return node.is_tag and (pattern == "<tag>" or node.category in self.punctuation)
        if TAG_IN_DASHES.fullmatch(pattern):
            return node.category == pattern
        names, dash, function = pattern.partition("-")
        if dash and (function not in node.functions if function else node.functions):
            return False
        wanted = {*names.split("|")} - {"", OTHERWISE}
        return not wanted or node.category in wanted

    @staticmethod
    def _ordered(search: HeadSearch, count: int) -> range:
        return range(count - 1, -1, -1) if search.from_right else range(count)


def read_rules(name: str | os.PathLike[str]) -> HeadRules:
    """The rules of a name in `BUILT_IN`, or of a file."""
    assure_path(name, "head rules, or a file of them")
    source = os.fspath(name)
    if source in BUILT_IN:
        file = resources.files("headway.data.formats").joinpath("rules", BUILT_IN[source])
        return parse_rules(file.read_text("utf-8"), BUILT_IN[source])
    try:
        return parse_rules(Path(source).read_text("utf-8"), source)
    except FileNotFoundError:
        raise HeadwayError(f"no head rules {source!r}; {known(BUILT_IN)}, or the path of a file") from None
    except OSError as error:
        raise HeadwayError(f"{source}: {error.strerror}; give a file of head rules") from None
    except UnicodeDecodeError:
        raise FormatError(source, None, "this is not UTF-8", "give a text file of head rules") from None


def parse_rules(text: str, source: str) -> HeadRules:
    """The rules in a text; errors name the line and column of `source`."""
    heads: dict[str, tuple[HeadSearch, ...]] = {}
    punctuation: set[str] = set()
    labels: list[tuple[str, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        row = Row(source, number, line)
        if row.first == "punctuation":
            punctuation.update(word for word, _ in row.rest)
        elif row.first == "label":
            labels.append(_label(row))
        elif row.first in heads:
            raise row.error(0, f"the category {shown(row.first)} has a row already", "join the two rows")
        else:
            heads[row.first] = tuple(_searches(row))
    if not heads:
        remedy = "give each category a row, such as NP  r NN NNS;r"
        raise FormatError(source, None, "there are no head rules here", remedy)
    return HeadRules(source, heads, frozenset(punctuation), tuple(labels))


class Row:
    """A line of rules: its first word, and the others with their columns."""

    def __init__(self, source: str, number: int, line: str) -> None:
        self.source, self.number, self.line = source, number, line
        words = PLAIN_WORD if line.split()[0] in KEYWORDS else WORD
        (self.first, _), *self.rest = [(found.group(), found.start()) for found in words.finditer(line)]

    def error(self, column: int, what: str, remedy: str) -> FormatError:
        """An error at a column, counted from 0 here and from 1 in the message."""
        return FormatError(self.source, self.number, f"column {column + 1}: {what}", remedy)


def _searches(row: Row) -> Iterator[HeadSearch]:
    """The searches of a category's row, parted by semicolons."""
    words = [*row.rest, (";", len(row.line.rstrip()))]
    while words:
        stop = next(i for i, (word, _) in enumerate(words) if word == ";")
        search, (_, column), words = words[:stop], words[stop], words[stop + 1 :]
        if not search:
            remedy = "give a direction (l or r), then categories if any"
            raise row.error(column, "a search is missing", remedy)
        (direction, column), *categories = search
        if direction not in FROM_RIGHT:
            remedy = "l is the leftmost child, r the rightmost"
            raise row.error(column, f"the direction {shown(direction)} is neither l nor r", remedy)
        if not categories and words:
            remedy = "put a direction alone at the end of the row"
            raise row.error(column, "no search after this one is ever reached", remedy)
        yield HeadSearch(FROM_RIGHT[direction], frozenset(word for word, _ in categories))


def _label(row: Row) -> tuple[str, ...]:
    """The row of a label: its name and three patterns."""
    if len(row.rest) != 4:
        what = f"a label row has {counted(len(row.rest), 'word')} after 'label' where it needs 4"
        column = row.rest[4][1] if len(row.rest) > 4 else len(row.line.rstrip())
        raise row.error(column, what, "write label, its name, then mother, head and dependent, '*' for any")
    for word, column in row.rest[1:]:
        if word.startswith("<") and word not in SPECIAL:
            raise row.error(column, f"unknown pattern {shown(word)}", known(SPECIAL))
        names = word.partition("-")[0]
        if names and "" in names.split("|"):
            raise row.error(column, f"a category is missing in {shown(word)}", "write categories as NP|NX")
    return tuple(word for word, _ in row.rest)
