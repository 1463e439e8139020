"""Learn from corrections and from more trees: contracts of stages that can, and the loop of a correction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from headway.base.errors import HeadwayError, described, known
from headway.data.batch import Batch, Ints
from headway.data.document import Document
from headway.data.formats.format import TAGS
from headway.data.pseudoprojective import projectivize
from headway.data.sentence import Sentence, assure_sentence
from headway.data.sentence_batches import as_seen
from headway.data.trees import as_tree
from headway.stages.constraints import Constraints, assure_constraints
from headway.stages.obeying import given_in, obeyed
from headway.stages.single_labels import allowing_doubled
from headway.stages.tree_stage import Parsed, TreeStage
from headway.stages.windows import WindowedStage, assure_learnable

MOST_ROUNDS = 10
"""How often a sentence is learned from at the most, until it is parsed right."""
Cells = Mapping[str, Mapping[int, str]]
"""By column what some words are to have; words are counted from 1."""
CUTS, LEMMA, TREE = "FORM", "LEMMA", ("HEAD", "DEPREL")
NAMES = {"cuts": (CUTS,), "tags": TAGS, "lemmas": (LEMMA,), "tree": TREE, "heads": TREE[:1], "deprels": TREE[1:]}
"""What a correction may be of: these, or single columns."""
COLUMNS = (CUTS, *TAGS, LEMMA, *TREE)
Tree = TypeVar("Tree", bound=TreeStage)


class Learned(NamedTuple):
    """What a correction has led to."""

    stage: Any
    """The stage that has learned, another object than the one before, which may have the same weights."""
    right: bool
    """Whether the sentence is parsed right now."""


@runtime_checkable
class Adapts(Protocol):
    """A stage that learns from single corrections; a capability beside the contract of stages."""

    def updated(self, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
        """A stage that has learned heads and labels of some or all words of the one sentence of a batch.

        With `in_place` nobody else has this stage, whose weights may change then; without, they stay as they are.
        """


@runtime_checkable
class AdaptsCells(Protocol):
    """A stage that learns from single corrections of the columns it gives, other than trees."""

    def corrected(self, batch: Batch, cells: Cells, *, in_place: bool = False) -> Learned:
        """A stage that has learned some cells of the one sentence of a batch; `in_place` is as in `Adapts`."""


@runtime_checkable
class AdaptsCuts(Protocol):
    """A segmenter that learns from corrections of where it cuts text, and into which words it splits tokens."""

    def recut(self, document: Document, *, in_place: bool = False) -> Learned:
        """A segmenter that has learned to cut the text of a document as the document does; as in `Adapts`."""


class Correction(NamedTuple):
    """What counts of a corrected sentence."""

    tree: Constraints
    cells: Cells


class LearnedRow(NamedTuple):
    """What a correction has led to: all stages, and whether all that counts is right now."""

    stages: tuple[Any, ...]
    right: bool


@runtime_checkable
class Continues(Protocol):
    """A stage whose training goes on with more trees; a capability beside the contract of stages."""

    def continued(self, batches: Sequence[Batch], *, passes: int, shuffle: bool, seed: int) -> Any:
        """The stage after passes over more trees, or rounds; an error where the model keeps too little for it."""


class CorrectedDocument(NamedTuple):
    """What counts of a corrected document: its cuts, if there is one, and of its sentences what is corrected there."""

    cuts: Document | None
    sentences: list[tuple[Batch, Correction]]


def columns_named(corrected: object, gives: Collection[str]) -> frozenset[str]:
    """The columns that a user names, of those that the model gives: `tags,lemmas`, or a list of such names."""
    names = corrected.split(",") if isinstance(corrected, str) else corrected
    if not isinstance(names, Iterable):
        raise HeadwayError(f"expected names of columns, got {described(corrected)}; write corrected='tags,lemmas'")
    found: set[str] = set()
    for name in names:
        own = name.strip() if isinstance(name, str) else name
        columns = NAMES.get(own, (own.upper(),)) if isinstance(own, str) else ()
        if not set(columns) & set(COLUMNS):
            raise HeadwayError(f"corrected = {own!r}: there is no such column; {known((*NAMES, *COLUMNS))}")
        if not set(columns) & set(gives):
            raise HeadwayError(f"corrected = {own!r}: no stage of the model gives it; {known(sorted(gives))}")
        found.update(columns)
    return frozenset(found & set(gives))


def what_counts(
    given: Sentence | Document,
    segmenter: object,
    stages: Sequence[Any],
    wanted: Constraints | None,
    named: Collection[str] | None,
) -> CorrectedDocument:
    """What counts of a corrected sentence or document: `named` columns, else all that it has and some stage learns.

    Where a tree is `wanted` and nothing is named, only this tree counts.
    """
    cuts = None
    if isinstance(given, Document):
        if wanted is not None:
            raise HeadwayError("constraints are for one sentence; update with the sentences of the document one by one")
        if named is not None and CUTS in named and not isinstance(segmenter, AdaptsCuts):
            raise HeadwayError(f"a {getattr(segmenter, 'kind', 'model')} does not learn where to cut; train it again")
        cuts = given if (named is None or CUTS in named) and isinstance(segmenter, AdaptsCuts) else None
    else:
        assure_sentence(given, "update with one sentence at a time, or with a headway.Document of several")
        if named is not None and CUTS in named:
            what = f"{given.place}: where to cut is learned from a text"
            raise HeadwayError(f"{what}; give a document, such as headway.Document([sentence], text)")
        if wanted is not None:
            assure_constraints(wanted)
    found = []
    for sentence in [given] if isinstance(given, Sentence) else given:
        batch = as_seen(sentence.batch, sentence.index)
        correction = Correction(wanted or Constraints(), {})
        if wanted is None or named is not None:
            correction = correction_of(batch, given_in(batch, 0) if wanted is None else wanted, stages, named)
        if any(correction):
            assure_correction(stages, batch, correction)
            found.append((batch, correction))
    return CorrectedDocument(cuts, found)


def correction_of(batch: Batch, given: Constraints, stages: Sequence[Any], named: Collection[str] | None) -> Correction:
    """What counts of the one sentence of a batch, whose tree has what is given: `named` columns, else all.

    Where none are named, those count that the sentence has and some stage learns. A cell `_` says nothing but in FEATS,
    where it counts if another word has features, or if they are named.
    """
    gives: frozenset[str] = frozenset().union(*(stage.gives for stage in stages))
    able = {column for stage in stages for column in stage.gives if isinstance(stage, AdaptsCells)}
    cells: dict[str, dict[int, str]] = {}
    for column in (*TAGS, LEMMA):
        if column not in (able if named is None else named):
            continue
        values = dict(enumerate(batch.column(column), 1))
        filled = {word: value for word, value in values.items() if value not in ("_", "")}
        if column == "FEATS" and (filled or named is not None):
            filled = {word: value or "_" for word, value in values.items()}
        if filled:
            cells[column] = filled
    counting = gives if named is None else named
    required = given.required if "HEAD" in counting else {}
    labels = given.labels if "DEPREL" in counting else {}
    return Correction(replace(given, required=required, labels=labels), cells)


def learn(stages: Sequence[Any], batch: Batch, correction: Correction, *, own: Collection[Any] = ()) -> LearnedRow:
    """Stages after a correction, each with those before it predicting.

    Of several that give a column the last one learns it, since nobody sees what the others say of it. The weights of
    stages that are among `own` may change in place.
    """
    wanted = _cells_of(stages, correction.cells)
    learning = [at for at, cells in enumerate(wanted) if cells or (correction.tree and at == len(stages) - 1)]
    found, right = list(stages), True
    for at, stage in enumerate(stages[: learning[-1] + 1]):
        cells, is_own = wanted[at], any(stage is one for one in own)
        learned = Learned(stage, True)
        if cells:
            learned = stage.corrected(batch, cells, in_place=is_own)
        elif at in learning:
            learned = allowing_doubled(stage, correction.tree).updated(batch, correction.tree, in_place=is_own)
        found[at], right = learned.stage, right and learned.right
        if at < learning[-1]:
            batch = learned.stage.annotate(batch)
    return LearnedRow(tuple(found), right)


def assure_correction(stages: Sequence[Any], batch: Batch, correction: Correction) -> None:
    """Refuse what some stage cannot learn from the one sentence of a batch."""
    assure_learnable(len(batch.word_line), f"{batch.source}:{batch.numbers[0]}")
    if correction.tree:
        _assure_learnable_tree(stages[-1] if stages else None, batch, correction.tree)
    _cells_of(stages, correction.cells)


def _cells_of(stages: Sequence[Any], cells: Cells) -> list[Cells]:
    """The cells for each stage, of columns of which it has the last word; refused where it cannot learn them."""
    last = {column: at for at, stage in enumerate(stages) for column in stage.gives}
    found: list[Cells] = []
    for at, stage in enumerate(stages):
        own = {column: values for column, values in cells.items() if last[column] == at}
        if own and not isinstance(stage, AdaptsCells):
            raise HeadwayError(f"a {stage.kind} does not learn corrected {', '.join(own)}; train it again")
        found.append(own)
    return found


def _assure_learnable_tree(stage: object, batch: Batch, wanted: Constraints) -> None:
    """Refuse to learn a tree that the last stage cannot learn."""
    if not isinstance(stage, Adapts):
        kind = getattr(stage, "kind", "segmenter")
        raise HeadwayError(f"a {kind} does not learn trees; transition, graph and boosted parsers do")
    assure_constraints(wanted)
    wanted.assure_fits(len(batch.word_line), f"{batch.source}:{batch.numbers[0]}")
    if isinstance(stage, WindowedStage):
        stage.assure_whole(batch)


def update_until_right(
    stage: Tree,
    batch: Batch,
    wanted: Constraints,
    *,
    parsed: Callable[[Tree], Parsed],
    steps: Callable[[Ints, list[str]], Iterator[Tree]],
) -> Learned:
    """A parser after at most ten rounds of steps towards a tree of one sentence that has what is wanted.

    `parsed` has the tree that a parser finds, `steps(heads, labels)` the parser after each round of steps towards a
    tree, which is projective where the parser lifts arcs. Where only some heads are wanted, it chooses the rest.
    """
    found = parsed(stage)
    if is_right(found, wanted):
        return Learned(stage, True)
    heads, names = _whole(stage, batch, wanted)
    if stage.encoding is not None:
        heads, names = projectivize(heads, names, stage.encoding, exact=True)
    for stage in islice(steps(heads, names), MOST_ROUNDS):
        if is_right(parsed(stage), wanted):
            return Learned(stage, True)
    return Learned(stage, False)


def _whole(stage: TreeStage, batch: Batch, wanted: Constraints) -> tuple[Ints, list[str]]:
    """A whole tree: what is wanted, and what the parser chooses beside it."""
    words = len(batch.word_line)
    if len(wanted.required) == len(wanted.labels) == words and not (wanted.forbidden or wanted.spans):
        every = range(1, words + 1)
        return as_tree([wanted.required[word] for word in every]), [wanted.labels[word] for word in every]
    tree, _ = obeyed(stage, batch, 0, wanted)
    return tree.heads, [wanted.labels.get(word, tree.names[at]) for word, at in enumerate(tree.labels, 1)]


def is_right(parsed: Parsed, wanted: Constraints) -> bool:
    """Whether a tree obeys, and has all labels that are wanted."""
    labels, names = parsed.labels.tolist(), parsed.names
    return wanted.hold(parsed.heads.tolist()) and all(
        names[labels[word - 1]] == name for word, name in wanted.labels.items()
    )
