"""The sample treebank: sentences of a small English-like language, generated from a grammar written for headway.

Data for demonstrations, tests and scaling runs, in any amount: an unbounded vocabulary, attachments that only
words can decide, crossing arcs, multiword tokens, empty nodes, and as many labels as wanted.

- `english.grammar`, `english.lexicon`: the rules and the words; add a construction there, as a line or two
- `words`: function words, inflection, invented stems
- `lexicon`: kinds of words, and what they like to stand with
- `derivation`: makes sentences of rules, words and chance
- `labels`: fewer or more labels than the grammar's own
- `writing`: what makes text hard to cut; CoNLL-U
- `brackets`: trees in the style of the Penn Treebank
- `treebank`: `Sample`, its options, and its files
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from headway.base.options import built
from headway.data.sample.treebank import Sample

if TYPE_CHECKING:
    from headway.data.sentence import Sentence

__all__ = ["Sample", "generate", "generate_text"]


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
