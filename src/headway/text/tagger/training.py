"""Training a tagger: in passes with an online learner, or from all words at once with a batch learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.data.formats.format import TAGS
from headway.data.sources import digest_of
from headway.features.encode import KeyColumn, keys_of
from headway.features.language import Feature, Term
from headway.features.registry import features_from
from headway.features.sequences import compile_sequence
from headway.kernels.sequence import learning
from headway.kernels.weights.table import Weights
from headway.learners.batch import library
from headway.learners.online import Online
from headway.text.lexicon import Analysis, read_lexicon
from headway.text.sequence.deciding import Dictionary, Keys, Positions, SequenceWeights
from headway.text.sequence.training import SequenceLearning, SequenceTraining
from headway.text.tagger.analyses import EMPTY, FEATS, Analyses, analyses_in
from headway.text.tagger.batch_words import BatchWords
from headway.text.tagger.options import TaggerOptions
from headway.text.tagger.tagger import Tagger, choices_of
from headway.text.tagger.word_knowledge import ATTRIBUTES, SIZES, WordKnowledge, endings_of
from headway.training.contract import Progress, Training


class TaggerTraining(SequenceTraining):
    """A training with an online learner; the words of the treebank are looked up once."""

    def __init__(self, options: TaggerOptions, data: Sequence[Batch]) -> None:
        learner: Any = options.chosen
        columns = columns_for(options, data)
        self.analyses, gold = analyses_in(data, columns)
        self.inputs = tuple(name for name in TAGS if any(batch.top(name) is not None for batch in data))
        wanted = features_for(options, columns, self.inputs)
        self.templates = compile_sequence(wanted, (*ATTRIBUTES, *self.inputs), columns)
        # Only what the features look at is needed later.
        self.inputs = tuple(name for name in self.inputs if any(name in one for one in self.templates.columns))
        parts = [BatchWords(batch) for batch in data]
        forms, lower, *endings = (_column(name, parts) for name in ("FORM", "LOWER", *SIZES))
        ends = np.column_stack(endings)
        self.knowledge = WordKnowledge(
            forms=Dictionary.of(forms, gold),
            lower=Dictionary.of(lower, gold),
            endings=endings_of(forms, ends, gold, options.rare),
            tag_of=self.analyses.keys(columns[:1])[:, 0],
            agreeing=self.analyses.agreeing,
            rare=options.rare,
            lexicon=_lexicon(options, self.analyses),
        )
        sizes = np.concatenate([np.diff(batch.sentence_word) for batch in data])
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        facts = self.knowledge.columns(forms, lower, ends, gold)
        keys = np.empty((len(gold), len(self.templates.columns)), np.uint64)
        for at, name in enumerate(self.templates.columns):
            keys[:, at] = facts[name] if name in facts else _column(name, parts)
        self.parts = options.parts and learner.way == Online.way
        self.explore = options.explore
        sets = self.knowledge.allowed(forms, lower, options.settled, options.lexicon_as == "rules", own=1)
        positions = Positions(keys, offsets, self.analyses.keys(self.templates.decided), sets)
        choices = choices_of(self.analyses, self.knowledge, self.parts)
        learning = SequenceLearning(self.templates, choices, positions, gold, learner)
        counts = {"sentences": sum(map(len, data)), "words": len(gold)}
        super().__init__(options, learning, digest_of(data), counts)

    def stage(self, weights: SequenceWeights, about: dict[str, Any]) -> Tagger:
        """The tagger with these weights."""
        options = self.options
        return Tagger(
            analyses=self.analyses,
            templates=self.templates,
            knowledge=self.knowledge,
            weights=weights,
            inputs=self.inputs,
            parts=self.parts,
            decoder=options.decides_by,
            beam=options.beam,
            probabilities=self.learner.way != Online.way,
            settled=options.settled,
            rules=options.lexicon_as == "rules" and len(self.knowledge.lexicon.keys) > 0,
            about=about,
        )


class BatchTaggerTraining(TaggerTraining):
    """A training with a linear batch learner, which sees the right tags before each word, Ratnaparkhi (1996)."""

    planned = 1
    """All is learned in one step."""

    def __init__(self, options: TaggerOptions, data: Sequence[Batch]) -> None:
        super().__init__(options, data)
        self.prune = 0.0

    def step(self, number: int, progress: Progress) -> Mapping[str, float]:
        """Learn from the whole treebank at once."""
        found = self.learning
        table = Weights(found.choices.classes, variance=False, average=False)
        ids = np.empty((len(found.gold), max(1, len(self.templates.features))), np.int32)
        keys, offsets, attributes, _ = found.positions
        learning.number_features(self.templates.kernel, keys, offsets, attributes, found.gold, table, ids)
        used = ids >= 0
        start = np.concatenate([[0], np.cumsum(used.sum(1))])
        matrix = library("scipy.sparse").csr_matrix(
            (np.ones(int(used.sum()), np.float32), ids[used], start.astype(np.int32)), (len(ids), len(table))
        )
        matrix.sum_duplicates()
        learned = self.learner.fit(matrix, found.gold, found.choices.classes, seed=self.options.seed, progress=progress)
        found.weights = Weights(found.choices.classes, variance=False, average=False)
        sizes = np.diff(learned.indptr).astype(np.uint16)
        found.weights.restore(table.keys(), sizes, learned.indices.astype(np.uint16), learned.data[None])
        self.passes = number
        return {}


def begin(options: TaggerOptions, data: Sequence[Batch]) -> Training:
    """A training that fits the way its learner learns."""
    if not any(len(batch.word_line) for batch in data):
        raise HeadwayError("the treebank has no words; give one with tags")
    kind = TaggerTraining if options.chosen.way == Online.way else BatchTaggerTraining
    return kind(options, data)


def columns_for(options: TaggerOptions, data: Sequence[Batch]) -> tuple[str, ...]:
    """The columns to fill: those wanted, or all that the treebank has."""
    found = [name for name in TAGS if any(set(batch.bare.codes(name).names) - {EMPTY, ""} for batch in data)]
    if not found:
        raise HeadwayError("the treebank has no tags in UPOS, XPOS or FEATS; give one that has")
    for name in options.wanted:
        if name not in found:
            raise HeadwayError(f"gives = {name}: the treebank has nothing in this column; it has {', '.join(found)}")
    columns = tuple(name for name in TAGS if name in (options.wanted or found))
    return columns[:1] if options.family == "pretagger" and not options.wanted else columns


def features_for(options: TaggerOptions, columns: Sequence[str], inputs: Sequence[str]) -> list[Feature]:
    """The features that can tell something: those that look at columns which are there."""
    wanted = features_from(options.features, options.default_features)
    return [feature for feature in wanted if all(_can_tell(term, columns, inputs) for term in feature.terms)]


def _can_tell(term: Term, columns: Sequence[str], inputs: Sequence[str]) -> bool:
    base = term.attribute.partition(":")[0]
    if base == "AGREES":
        return FEATS in columns
    if base not in TAGS:
        return True
    return base in columns if term.addresses[0].index < 0 else base in inputs


def _column(name: str, parts: Sequence[BatchWords]) -> Keys:
    """An attribute of all words of the treebank as keys."""
    return np.concatenate([words.column(name) for words in parts])


def _lexicon(options: TaggerOptions, analyses: Analyses) -> Dictionary:
    """The analyses that a lexicon gives its words, of those that the treebank has; open tags allow all."""
    at = [TAGS.index(name) for name in analyses.columns]

    @cache
    def fitting(line: Analysis) -> list[int]:
        pairs = [[(line[column], tag) for column, tag in zip(at, row, strict=True)] for row in analyses.rows]
        return [number for number, tags in enumerate(pairs) if all(said in (EMPTY, tag) for said, tag in tags)]

    lexicon = read_lexicon(options.lexicon) if options.lexicon else {}
    found = [(form, number) for form, lines in lexicon.items() for line in lines for number in fitting(line)]
    forms, numbers = [form for form, _ in found], [number for _, number in found]
    return Dictionary.of(keys_of(forms, KeyColumn("FORM")), np.array(numbers, np.int32))
