"""Parsers as experiments see them: what `headway.train` learns, and peers, all by their options.

Active learning is simulated: the trees of a treebank are hidden, and a strategy chooses which to see next. Confidences
may come from the variances of CW, to measure what toolkit models, which do without, would gain: a margin divided by its
standard deviation says how sure a classifier is (Dredze, Crammer and Pereira 2008).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.files import replacing
from headway.base.options import kinds
from headway.data.batch import Batch
from headway.data.formats.reading import read
from headway.data.sentence import Sentence
from headway.data.sources import batches_of
from headway.kernels.transition.evidence import EVIDENCE as NUMBERS
from headway.kernels.transition.evidence import spread
from headway.kernels.weights.packed import PackedWeights
from headway.kernels.weights.packing import packed
from headway.kernels.weights.table import Weights
from headway.lab.peers import PEERS
from headway.lab.tasks import ANNOTATE, EVIDENCE
from headway.learners.online import CW
from headway.parsers.transition.parser import TransitionParser
from headway.stages.calibration.evidence import Evidence
from headway.stages.parsing.parser import Parser
from headway.stages.tree_stage import Parsed
from headway.training.active_learning import ranked
from headway.training.calibrating import calibrated
from headway.training.families import PARSER, family_of
from headway.training.loop import Step
from headway.training.options import OFF
from headway.training.train import train as learn
from headway.training.train import train_row
from headway.training.train_stages import Observer, StageTraining


class ParserUnderTest(Protocol):
    """A parser that has been trained."""

    def parse(self, source: Path, target: Path) -> None:
        """Parse a file to a file."""

    def save(self, path: Path) -> None:
        """Write the model."""

    def described(self) -> dict[str, Any]:
        """What is known of it beside its scores: the number of its features and weights."""


class HeadwayParser:
    """A parser of the toolkit."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser

    def parse(self, source: Path, target: Path, confidence: bool = False) -> None:
        """Parse a file to a file, which may say how sure the parser is of each word."""
        with replacing(target) as stream:
            for text in self.parser.parse_bytes(source, confidence=confidence):
                stream.write(text)

    def save(self, path: Path) -> None:
        self.parser.save(path)

    def described(self) -> dict[str, Any]:
        return {name: self.parser.about[name] for name in ("features", "weights") if name in self.parser.about}


class Trained(NamedTuple):
    """What came of a training: after so many passes, or at that per cent of a simulation, with so many words."""

    at: int
    parser: ParserUnderTest
    annotated: int | None = None


Use = Callable[[Trained], None]


def train_and_use(
    train: Path, given: Mapping[str, Any], use: Use, *, every_pass: bool = False, confidence: bool = False
) -> None:
    """Use each parser that options make: after each pass or step, or after the last alone, which may be calibrated.

    Labels may double as in the papers, unless the options say otherwise.
    """
    options = {name: value for name, value in given.items() if name not in (ANNOTATE, EVIDENCE)}
    peer: Callable[..., ParserUnderTest] | None = PEERS.get(str(options.get("parser")))
    if peer is None and "single_labels" in kinds(family_of(str(options.get("parser", PARSER)))):
        options.setdefault("single_labels", OFF)
    if ANNOTATE in given:
        for step, parser, words in simulated(
            train, given[ANNOTATE], given["seed"], lambda some: learn(some, **options)
        ):
            use(Trained(step, HeadwayParser(parser), words))
    elif peer is not None:
        use(Trained(1, peer(train, **{name: value for name, value in options.items() if name != "parser"})))
    else:

        def use_ours(at: int, parser: Parser) -> None:
            if EVIDENCE in given:
                parser = with_evidence(parser, given[EVIDENCE], options["dev"])
            use(Trained(at, HeadwayParser(parser)))

        observer = _EveryPass(use_ours) if every_pass else None
        without = {} if confidence else {"calibrate": "none"}
        last = train_row(os.fspath(train), observer=observer, **{**options, **without})[-1]
        if not every_pass:
            use_ours(len(last.loop.history), last.parser)


class _EveryPass(Observer):
    """Uses the parser as it is after each pass."""

    def __init__(self, use: Callable[[int, Parser], None]) -> None:
        self.use = use

    def on_step(self, stage: StageTraining, step: Step) -> None:
        if stage.is_last:
            self.use(step.number, Parser([*stage.before, stage.loop.now()]))


STEPS = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 80, 100)
"""Per cent of all words that are annotated; the first of them by chance, whatever the strategy."""
GOAL = 0.95
"""The share of the LAS with all words that the words needed are counted for."""
STRATEGIES = ("select", "random", "longest")
"""`headway select`, chance, and the longest sentences first."""


def simulated(
    path: Path, strategy: str, seed: int, learned: Callable[[list[Sentence]], Parser]
) -> Iterator[tuple[int, Parser, int]]:
    """After each step the per cent of words, the parser learned from them anew, and how many they are."""
    treebank, chance = list(read(path)), np.random.default_rng(seed)
    total = sum(map(len, treebank))
    annotated, left = list[int](), list(range(len(treebank)))
    order: Iterable[int] = chance.permutation(len(treebank)).tolist()
    for step in STEPS:
        words, chosen = sum(len(treebank[at]) for at in annotated), set[int]()
        for place in order:
            if words >= total * step / 100:
                break
            chosen.add(left[place])
            words += len(treebank[left[place]])
        annotated, left = sorted([*annotated, *chosen]), [at for at in left if at not in chosen]
        seen = [treebank[at] for at in annotated]
        parser = learned(seen)
        yield step, parser, words
        others = [treebank[at] for at in left]
        if strategy == "select":
            bare = [sentence.replace(heads=None, deprels=None) for sentence in others]
            order = (one.number - 1 for one in ranked(parser, bare, known=seen))
        elif strategy == "longest":
            order = sorted(range(len(others)), key=lambda at: -len(others[at]))
        else:
            order = chance.permutation(len(others)).tolist()


def words_needed(curve: Sequence[tuple[int, float]]) -> float:
    """The words at which a score first has its share of the last one, in a straight line between two steps."""
    goal = GOAL * curve[-1][1]
    for (before, low), (after, high) in pairwise(curve):
        if low < goal <= high:
            return before + (after - before) * (goal - low) / (high - low)
    return float(curve[0][0])


MARGIN, VARIANCE, BOTH = KINDS = ("margin", "variance", "both")
"""Margins as they are, divided by their standard deviations, and both beside each other."""
MARGINS = ("least", "arc", "path")
"""The evidence of a transition parser that are margins."""


@dataclass(frozen=True, eq=False)
class VarianceParser(TransitionParser):
    """A transition parser that takes its evidence from the variances of its weights, too."""

    evidence: str = MARGIN
    certain: PackedWeights | None = None
    """By how much the variance of each weight is below the initial one, in the layout of weights."""
    initial: float = 1.0

    def trees_with_evidence(self, batch: Batch) -> tuple[Parsed, Evidence]:
        """The trees, with the margins of the kind that is wanted; the first of them tells of neighbours, too."""
        parsed, own = super().trees_with_evidence(batch)
        if self.evidence == MARGIN:
            return parsed, own
        assert self.certain is not None
        rows = np.zeros((len(batch.heads), len(NUMBERS)), np.float32)
        ready = self.setup(self.templates.encode(batch), int(np.diff(batch.sentence_word).max(initial=1)))
        spread(ready, self.weights, self.certain, self.initial, batch.sentence_word, rows)
        scaled = {f"scaled {name}": row for name, row in zip(NUMBERS, rows.T, strict=True) if name in MARGINS}
        others = {name: each for name, each in own.numbers.items() if name not in MARGINS}
        numbers = {**scaled, **others} if self.evidence == VARIANCE else {**own.numbers, **scaled}
        return parsed, Evidence(numbers, own.groups)


def with_evidence(parser: Parser, kind: str, dev: Any) -> Parser:
    """The same parser with confidences learned on dev from evidence of a kind; CW, trained with `updatable`."""
    stage = parser.stages[-1]
    if not isinstance(stage, TransitionParser) or stage.state is None or "planes" not in stage.state.arrays:
        raise HeadwayError('variances are those of CW; train with learner = "cw" and updatable = true')
    initial = CW().initial_variance
    weights = Weights(len(stage.classes), variance=False, average=False)
    keys, sizes, classes, planes = (stage.state.arrays[name] for name in ("keys", "sizes", "classes", "planes"))
    weights.restore(keys, sizes, classes, np.ascontiguousarray(initial - planes[1:2]))
    known_fields = {field.name: getattr(stage, field.name) for field in fields(stage)}
    certain = packed(weights, 1.0)[0]
    varied = VarianceParser(**known_fields, evidence=kind, certain=certain, initial=initial)
    return Parser([*parser.stages[:-1], calibrated(varied, batches_of(dev))])
