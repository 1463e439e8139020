"""A sample treebank as text, batches, sentences or a file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any

from headway.base.errors import HeadwayError
from headway.base.options import Options, built, number, whole
from headway.data.sample.brackets import bracketed
from headway.data.sample.derivation import Grammar, WordNode
from headway.data.sample.labels import FEWEST, Key, Labels, key_of
from headway.data.sample.lexicon import SampleLexicon
from headway.data.sample.writing import Labelling, Writing, numbered, render

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.data.sentence import Sentence

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
    labels: int | None = whole(None, "How many labels.", low=FEWEST, default_text="those of the grammar")
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
        label: Labelling = attrgetter("relation") if self.labels is None else Labels(self.labels, _pilot())
        for index, (nodes, comments) in enumerate(self._wanted(), 1):
            yield comments + render(nodes, f"sample-{self.seed}-{index}", label, self.empty_nodes > 0)

    def brackets(self) -> Iterator[str]:
        """The sentences as trees in brackets, in the style of the Penn Treebank, one line each.

        Heads and labels are not in them: head rules find others, as they do for the Penn Treebank.
        """
        for nodes, _ in self._wanted():
            yield bracketed(nodes, numbered(nodes))

    def batches(self) -> Iterator[Batch]:
        """The sentences, some hundred at a time."""
        from headway.data.batch import scan
        from headway.data.formats.format import CONLLU

        line = 1
        for text in self._blocks():
            batch, _, _ = scan(text, CONLLU, "<sample>", line)
            line += text.count(b"\n")
            yield batch

    def write(self, path: str | os.PathLike[str], *, format: str | None = None) -> Counter[str]:
        """Write the treebank to a file, `-` for standard output; the file appears when it is complete.

        In the format named, or that the file's name speaks of, or CoNLL-U; `penn` is trees in brackets. Returns what
        the format has no place for, with counts.
        """
        from headway.base.files import replacing
        from headway.data.formats.format import PENN, by_suffix, format_named
        from headway.data.formats.writing import write_batch

        losses: Counter[str] = Counter()
        name = format or by_suffix(os.fspath(path)) or "conllu"
        target = None if name == PENN else format_named(name)
        with replacing(path) as stream:
            if target is None:
                for tree in self.brackets():
                    stream.write(tree.encode())
            elif target.name == "conllu":
                for block in self._blocks():
                    stream.write(block)
            else:
                for batch in self.batches():
                    losses += write_batch(batch, stream, target)
        return losses

    def _blocks(self) -> Iterator[bytes]:
        texts = self.texts()
        while block := "".join(islice(texts, BATCH)):
            yield block.encode()

    def _wanted(self) -> Iterator[tuple[list[WordNode], str]]:
        """As many sentences as are asked for, as they are written, each with the comments above it."""
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
        random = Random(self.seed).random
        grammar = Grammar(_lexicon(self.vocabulary), random)
        while True:
            drawn = random()
            if drawn < self.nonprojective:
                yield grammar.derive("NONPROJECTIVE")
            elif drawn < self.nonprojective + self.empty_nodes:
                yield grammar.derive("GAPPING")
            else:
                yield grammar.derive("PROJECTIVE")


@lru_cache(maxsize=4)
def _lexicon(vocabulary: float) -> SampleLexicon:
    """The lexicon of all samples with this vocabulary: making it takes longer than a hundred sentences."""
    return SampleLexicon(vocabulary)


def _pilot() -> Iterator[Key]:
    sample = Sample(seed=0, empty_nodes=0.01)
    for nodes in islice(sample._derivations(), PILOT):
        yield from map(key_of, nodes)


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
