"""A sample treebank as text, batches, sentences or a file, with fewer or more labels than the grammar's own.

Labels are relations, merged into `dep` or divided by the words they relate.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any

from headway.base.errors import HeadwayError
from headway.base.options import Options, built, number, whole

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.data.sample.derivation import WordNode
    from headway.data.sentence import Sentence

Key = tuple[str, str, str, str]
"""What a label may depend on: relation, preposition, kind of the dependent, kind of the head."""
PILOT = 5000
"""Sentences from which the frequencies of labels are known."""
BATCH = 200
"""Sentences that make a batch."""


@dataclass(frozen=True, kw_only=True)
class Sample(Options):
    """A treebank that is generated anew, and the same, each time it is iterated over; memory is constant.

    It ends after `sentences`, or with the sentence that makes `tokens` words full; with neither it never ends. The
    same options give the same bytes on every machine and version of Python, and a longer sample begins as a
    shorter one.
    """

    sentences: int | None = whole(1000, "How many sentences.", low=0, optional=True)
    tokens: int | None = whole(None, "Stop with the sentence that reaches this many words.")
    seed: int = whole(1, "Random seed.", low=0)
    nonprojective: float = number(0.1, "Share of sentences with crossing arcs.", low=0, high=1)
    labels: int | None = whole(None, "How many labels.", low=2, default_text="those of the grammar")
    vocabulary: float = number(
        0.15, "Share of invented words among nouns, names, verbs, adjectives, adverbs and numerals.", low=0, high=1
    )
    empty_nodes: float = number(
        0.0, "Share of sentences with an empty node; above 0, DEPS is filled in every sentence.", low=0, high=1
    )
    difficulties: float = number(
        0.3,
        "Share of places that are as hard as in real text: abbreviations, initials, figures, clitics, missing full"
        " stops.",
        low=0,
        high=1,
    )

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        super().__post_init__()
        if self.nonprojective + self.empty_nodes > 1.0:
            raise HeadwayError(
                f"nonprojective {self.nonprojective} and empty_nodes {self.empty_nodes} are shares of different "
                "sentences; give two that make at most 1 together"
            )

    def __iter__(self) -> Iterator[Sentence]:
        """The sentences, in order."""
        from headway.data.sentence import views

        return views(self.batches())

    def texts(self) -> Iterator[str]:
        """The sentences as CoNLL-U, one string each; about 10 µs a word."""
        from headway.data.sample.writing import render

        label: Callable[[WordNode], str] = attrgetter("relation")
        if self.labels is not None:
            pilot = islice(Sample(seed=0, empty_nodes=0.01)._derivations(), PILOT)
            label = Labels(self.labels, (key_of(node) for nodes in pilot for node in nodes))
        for index, (nodes, comments) in enumerate(self._wanted(), 1):
            yield comments + render(nodes, f"sample-{self.seed}-{index}", label, self.empty_nodes > 0)

    def brackets(self) -> Iterator[str]:
        """The sentences as trees in brackets, in the style of the Penn Treebank, one line each.

        Heads and labels are not in them: head rules find others, as they do for the Penn Treebank.
        """
        from headway.data.sample.brackets import bracketed
        from headway.data.sample.writing import numbered

        for nodes, _ in self._wanted():
            yield bracketed(nodes, numbered(nodes))

    def batches(self) -> Iterator[Batch]:
        """The sentences, some hundred at a time."""
        from headway.data.batch import scan
        from headway.data.formats.format import CONLLU

        line = 1
        texts = self.texts()
        while text := "".join(islice(texts, BATCH)).encode():
            batch, _, _ = scan(text, CONLLU, "<sample>", line)
            line += text.count(b"\n")
            yield batch

    def write(self, path: str | os.PathLike[str], *, format: str | None = None) -> Counter[str]:
        """Write the treebank to a file, `-` for standard output; the file appears when it is complete.

        In the format named, or that the file's name speaks of, or CoNLL-U; `penn` is trees in brackets. Returns what
        the format has no place for, with counts.
        """
        from headway.base.files import replacing
        from headway.data.formats.format import PENN, by_suffix
        from headway.data.formats.writing import convert

        name = format or by_suffix(os.fspath(path)) or "conllu"
        if name != PENN:
            return convert(self, path, name)
        with replacing(path) as stream:
            stream.writelines(tree.encode() for tree in self.brackets())
        return Counter()

    def _wanted(self) -> Iterator[tuple[list[WordNode], str]]:
        """As many sentences as are asked for, as they are written, each with the comments above it."""
        from headway.data.sample.writing import Writing

        words = 0
        writing = Writing(self.difficulties, self.seed)
        for derived in islice(self._derivations(), self.sentences):
            nodes, comments = writing.next(derived)
            yield nodes, comments
            words += len(nodes)
            if self.tokens is not None and words >= self.tokens:
                return

    def _derivations(self) -> Iterator[list[WordNode]]:
        """Sentences without end. Of chance, only `Random.random` is used: all versions of Python agree on it."""
        from headway.data.sample.derivation import Grammar
        from headway.data.sample.lexicon import lexicon_with

        random = Random(self.seed).random
        grammar = Grammar(lexicon_with(self.vocabulary), random)
        while True:
            drawn = random()
            if drawn < self.nonprojective:
                yield grammar.derive("NONPROJECTIVE")
            elif drawn < self.nonprojective + self.empty_nodes:
                yield grammar.derive("GAPPING")
            else:
                yield grammar.derive("PROJECTIVE")


def generate(sentences: int | None = 1000, **options: Any) -> Iterator[Sentence]:
    """The sentences of a `Sample` with these options.

    >>> from headway.data.sample import generate
    >>> len(list(generate(2, seed=5)))
    2
    """
    return iter(built(Sample, "a sample", {"sentences": sentences, **options}))


def generate_text(sentences: int | None = 1000, **options: Any) -> Iterator[str]:
    """The sentences of a `Sample` with these options as CoNLL-U, one string each."""
    return built(Sample, "a sample", {"sentences": sentences, **options}).texts()


def key_of(node: WordNode) -> Key:
    """All that the finest label of a word says."""
    return node.relation, node.preposition, node.kind.name, node.head.kind.name


def levels(key: Key) -> Iterator[tuple[str, bool]]:
    """The labels of a word from coarse to fine, each with whether it is finer than the grammar's own.

    `dep`, `nsubj`, `nsubj:pass`, `nsubj:passtool`, `nsubj:passtoolmake`; with a preposition `obl:with`, ….
    """
    relation, preposition, *kinds = key
    if relation == "root":
        yield relation, False
        return
    universal, colon, _ = relation.partition(":")
    yield "dep", False
    yield universal, False
    if colon:
        yield relation, False
    label = relation if colon else f"{relation}:"
    for part in (preposition.replace("-", ""), *kinds):
        if part:
            label += part
            yield label, True


class Labels(dict[Key, str]):
    """A set of `size` labels: what is frequent in a pilot sample gets its own, the grammar's own labels first.

    Starts from `dep` and time and again gives the most frequent finer label its own place, so that the sets of
    two sizes are nested. O(k log k) for k different labels in the pilot sample.
    """

    def __init__(self, size: int, pilot: Iterable[Key]) -> None:
        super().__init__()
        counts: Counter[str] = Counter()
        parent: dict[str, str] = {}
        is_finer: dict[str, bool] = {}
        for key, count in Counter(pilot).items():
            above = ""
            for label, finer in levels(key):
                counts[label] += count
                parent.setdefault(label, above)
                is_finer[label] = finer
                above = label
        self.names = _divided(size, counts, parent, is_finer)

    def __missing__(self, key: Key) -> str:
        self[key] = made = [label for label, _ in levels(key) if label in self.names][-1]
        return made

    def __call__(self, node: WordNode) -> str:
        """The label of a word."""
        return self[key_of(node)]


def _divided(size: int, counts: Counter[str], parent: dict[str, str], is_finer: dict[str, bool]) -> set[str]:
    """The chosen labels; one that would leave a coarser one without words is left out, and that one has its words."""
    rest = Counter({label: counts[label] for label in ("root", "dep")})
    used = len(rest)
    # A parent is never rarer than its children and never finer, so this order meets parents first.
    for label in sorted(parent, key=lambda label: (is_finer[label], -counts[label], len(label), label)):
        if label in rest:
            continue
        above = parent[label]
        while above not in rest:
            above = parent[above]
        left = rest[above] - counts[label]
        if left and used == size:
            break
        if left or not is_finer[label]:
            rest[label], rest[above] = counts[label], left
            used += left > 0
    if used != size:
        raise HeadwayError(f"{size} labels are asked for; give a number from 2 to {used}")
    return set(+rest)
