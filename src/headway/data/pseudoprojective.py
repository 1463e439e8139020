r"""Non-projective trees for parsers that only know projective ones. Nivre & Nilsson (2005).

`projectivize` lifts arcs until the tree is projective and leaves marks on the labels, a parser learns and
predicts marked labels like any others, and `deprojectivize` reads the marks and puts the arcs back. For a
word with the label d that was lifted from a head with the label h, over an arc with the label p:

| encoding    | the lifted arc | the arcs it was lifted over |
|-------------|----------------|-----------------------------|
| `none`      | `d`            | `p`                         |
| `head`      | `d↑h`          | `p`                         |
| `path`      | `d↑`           | `p↓`                        |
| `head+path` | `d↑h`          | `p↓`                        |

Where several words fit a mark, the first is taken. With `exact`, a lifted arc whose head is the second has one more
↑ at the end of its mark, that of the third two: `d↑h↑`. Every tree then comes back, with `path` nearly every one.
Learning from a treebank leaves that out, as such labels are rare; learning from one correction needs it.

Labels that hold arrows of their own come back unharmed: between the two functions they are written with `\u`
for ↑, `\d` for ↓ and `\\` for the backslash itself, so that an arrow in a label is always a mark.

>>> heads, labels = projectivize([3, 0, 2], ["nmod", "root", "obj"], "head+path")
>>> heads.tolist(), labels
([2, 0, 2], ['nmod↑obj', 'root', 'obj↓'])
>>> deprojectivize(heads, labels, "head+path")[0].tolist()
[3, 0, 2]
"""

from __future__ import annotations

import re
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from headway.base.errors import HeadwayError, known
from headway.data.encodings import ENCODINGS, Encoding
from headway.data.trees import Heads, Ints, as_tree, workspace
from headway.kernels.trees import shapes as kernel

UP, DOWN = "↑", "↓"
ESCAPES = {"\\": "\\\\", UP: "\\u", DOWN: "\\d"}
ORIGINALS = {escape: original for original, escape in ESCAPES.items()}
SPECIAL = re.compile(r"[\\↑↓]")
ESCAPED = re.compile(r"\\[\\ud]")
MARKS = re.compile(f"[{UP}{DOWN}]")


class Marked(NamedTuple):
    """A tree that is being restored; every list has a cell for node 0 and for each word."""

    heads: list[int]
    dependents: list[list[int]]
    labels: list[str]
    lifted_from: list[str | None]
    """The text after ↑, None where there is no such mark."""
    passed_over: list[int]
    """How many words that fit the mark come before the head."""
    on_path: list[bool]


def projectivize(
    heads: Heads, labels: Sequence[str], encoding: str = "head", *, exact: bool = False
) -> tuple[Ints, list[str]]:
    """The nearest projective tree, and labels that remember what was changed; `exact`, so that all of it comes back.

    While there is a non-projective arc, the dependent of the shortest one (the leftmost dependent of several)
    moves to its head's head. Linear time where the tree is projective already, and for every move.
    """
    _same_length(heads, labels)
    original, names = as_tree(heads), list(dict.fromkeys(labels))
    number = {name: at for at, name in enumerate(names)}
    codes = np.array([number[name] for name in labels], np.int32)
    offsets = np.array([0, len(original)], np.int32)
    lifted, codes, names = projectivize_all(original, offsets, codes, names, encoding)
    marked = [names[code] for code in codes.tolist()]
    return lifted, _told_apart(lifted, marked, original.tolist(), _encoding(encoding)) if exact else marked


def projectivize_all(
    heads: Ints, offsets: Ints, labels: Ints, names: Sequence[str], encoding: str
) -> tuple[Ints, Ints, list[str]]:
    """The same for the sentences `heads[offsets[s] : offsets[s + 1]]` of many trees; labels are numbers of names."""
    rule = _encoding(encoding)
    number = {name: at for at, name in enumerate(names if encoding == "none" else map(_escaped, names))}
    plain = list(number)
    lifted, marked, crossed = heads.copy(), labels.copy(), np.zeros(len(heads), np.bool_)
    scratch = np.empty(len(heads), np.uint8), np.empty(len(heads), np.int32)
    kernel.lift(lifted, offsets, workspace(len(heads)), crossed.view(np.uint8), *scratch)
    moved = (lifted != heads) & (rule.names_head or rule.marks_path)
    crossed &= rule.marks_path
    before = np.repeat(offsets[:-1], np.diff(offsets)) - 1
    for word in np.flatnonzero(moved | crossed).tolist():
        name = plain[labels[word]]
        if moved[word]:
            name += UP + (plain[labels[before[word] + heads[word]]] if rule.names_head else "")
        if crossed[word]:
            name += DOWN
        marked[word] = number.setdefault(name, len(number))
    return lifted, marked, list(number)


def _told_apart(lifted: Ints, labels: list[str], heads: list[int], rule: Encoding) -> list[str]:
    """The labels with as many ↑ more as words are passed over on the way to the heads."""
    marked, found = _read_marks(lifted, labels), list(labels)

    def right(word: int) -> int:
        passed = next((n for n, node in enumerate(_fitting(marked, word, rule)) if node == heads[word - 1]), 0)
        text, down, rest = found[word - 1].partition(DOWN)
        found[word - 1] = text + UP * passed + down + rest
        return heads[word - 1]

    _put_back(marked, right)
    return found


def deprojectivize(heads: Heads, labels: Sequence[str], encoding: str = "head") -> tuple[Ints, list[str]]:
    """The tree with lifted words under the heads that their marks lead to, and labels without marks.

    One breadth-first pass from the root, left to right, over the tree as it is being restored: a lifted word
    moves when the pass comes to its linear head. Whatever was lifted past that head has by then been put back
    below it, so the syntactic head is there to be found; it is found if its label is the only one of its
    kind. The search is that of the paper, below the linear head, breadth-first, left to right; it leaves out
    what is below the word itself, so that no cycle arises. A word whose marks lead nowhere stays. Linear time
    for every lifted word, and where there is none.
    """
    rule = _encoding(encoding)
    _same_length(heads, labels)
    tree = as_tree(heads)
    if encoding == "none" or not any(map(SPECIAL.search, labels)):
        return tree, list(labels)
    marked = _read_marks(tree, labels)

    def meant(word: int) -> int | None:
        fitting, passed = _fitting(marked, word, rule), marked.passed_over[word]
        first = next(fitting, None)
        return first if not passed else next(islice(fitting, passed - 1, None), first)

    _put_back(marked, meant)
    labels = [ESCAPED.sub(lambda found: ORIGINALS[found[0]], label) for label in marked.labels[1:]]
    return np.array(marked.heads[1:], np.int32), labels


def _put_back(marked: Marked, head_of: Callable[[int], int | None]) -> None:
    """Move lifted words below their heads, from the root down; those without one stay."""
    queue = deque([0])
    while queue:
        node = queue.popleft()
        for word in [word for word in marked.dependents[node] if marked.lifted_from[word] is not None]:
            head = head_of(word)
            marked.lifted_from[word] = None
            if head is not None:
                marked.dependents[node].remove(word)
                insort(marked.dependents[head], word)
                marked.heads[word] = head
        queue.extend(marked.dependents[node])


def _fitting(marked: Marked, word: int, rule: Encoding) -> Iterator[int]:
    """The words that fit the marks of a lifted word, the likeliest first.

    With Path, these are words at the end of a path of ↓; with Head, words with the label named. With Head+Path, words
    with that label on a path of ↓ come before those anywhere below, and words at the end of a path before those on the
    way, as in MaltParser; otherwise a head with the label of a word above it would never be found.
    """
    wanted = marked.lifted_from[word]
    found: list[int] = []
    if rule.marks_path:
        path = _below_linear_head(marked, word, by_path=True)
        found = [node for node in path if not rule.names_head or marked.labels[node] == wanted]
        ends = [node for node in found if not any(marked.on_path[dependent] for dependent in marked.dependents[node])]
        yield from ends
        if rule.names_head:
            yield from (node for node in found if node not in ends)
    if rule.names_head:
        below = _below_linear_head(marked, word, by_path=False)
        yield from (node for node in below if marked.labels[node] == wanted and node not in found)


def _below_linear_head(marked: Marked, word: int, *, by_path: bool) -> Iterator[int]:
    """The words below the head of a word, breadth-first, left to right, without the word and all below it."""
    queue = deque([marked.heads[word]])
    while queue:
        dependents = marked.dependents[queue.popleft()]
        found = [node for node in dependents if node != word and (marked.on_path[node] or not by_path)]
        queue.extend(found)
        yield from found


def _encoding(name: str) -> Encoding:
    if name not in ENCODINGS:
        raise HeadwayError(f"unknown encoding {name!r}; {known(ENCODINGS)}")
    return ENCODINGS[name]


def _same_length(heads: Heads, labels: Sequence[str]) -> None:
    if len(heads) != len(labels):
        raise HeadwayError(f"{len(heads)} heads but {len(labels)} labels; give each word one of both")


def _read_marks(heads: Ints, labels: Sequence[str]) -> Marked:
    """The tree with its labels taken apart; marks out of place are understood as far as they go."""
    marked = Marked([-1, *heads.tolist()], [[] for _ in range(len(heads) + 1)], [""], [None], [0], [False])
    for word, label in enumerate(labels, 1):
        marked.dependents[marked.heads[word]].append(word)
        _, up, after = label.partition(UP)
        marked.labels.append(MARKS.split(label, maxsplit=1)[0])
        marked.lifted_from.append(MARKS.split(after, maxsplit=1)[0] if up else None)
        marked.passed_over.append(after.count(UP))
        marked.on_path.append(DOWN in label)
    return marked


def _escaped(label: str) -> str:
    return SPECIAL.sub(lambda found: ESCAPES[found[0]], label)
