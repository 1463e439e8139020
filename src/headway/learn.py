"""From a treebank to a parser: the options of a family, the training loop, and what is done around it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headway.batch import Batch
from headway.data import Source, assure_trees, batches_of, flat, paths_of
from headway.errors import HeadwayError, described
from headway.families import PARSER, options_from
from headway.files import assure_apart, assure_one_standard, assure_path
from headway.how_to_train import HowToTrain
from headway.model import assure_savable
from headway.options import StageOptions, kinds, pairs_from
from headway.parser import Parser
from headway.parser_options import AUTO
from headway.train_keywords import TrainKeywords
from headway.training import checkpoint as checkpoints
from headway.training import choices
from headway.training.cross_validation import best_passes, jackknifed
from headway.training.loop import Step, TrainingLoop
from headway.training.tuning import tuned

if TYPE_CHECKING:
    from typing_extensions import Unpack

Row = Sequence[StageOptions]


def train(
    source: Source,
    options: StageOptions | Row | None = None,
    /,
    *,
    dev: Source | None = None,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Callable[[Step], object] | None = None,
    **keywords: Unpack[TrainKeywords],
) -> Parser:
    """Learn a parser from a treebank: a path, an open file, sentences, several of them, or treebanks with weights.

    >>> import headway
    >>> from headway.sample import generate
    >>> headway.train(generate(50), passes=2)
    <Parser: transition parser; needs FORM, LEMMA, UPOS, XPOS, FEATS; gives HEAD, DEPREL>

    With `dev`, a development treebank, training goes on until its LAS stops growing, and the best parser is kept.
    `progress` is called after each pass or round with what it came to; `progress=print` prints a line. With `output`,
    the model is written to this file, and the same call goes on after an interruption; a file that is no model is
    overwritten with `force` only. All else is options: as keywords, those below, or as data, as in
    `train(source, GraphOptions(order=1))`; several make a row of stages.
    """
    if progress is not None and not callable(progress):
        raise HeadwayError(f"progress = {described(progress)} is no function; give one of a step, such as print")
    loops, stages = [], []
    for loop in loops_for(source, options, dev=dev, output=output, force=force, **keywords):
        for step in loop:
            if progress is not None:
                progress(step)
        assert loop.best is not None
        stages.append(loop.best)
        loops.append(loop)
    parser = Parser(stages)
    if output is not None:
        parser.save(output)
        for loop in loops:
            loop.discard()
    return parser


train.__doc__ = f"{train.__doc__}\n{TrainKeywords.__doc__}"


def loops_for(
    source: Source,
    options: StageOptions | Row | None = None,
    /,
    *,
    dev: Source | None = None,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    **flat: Any,
) -> Iterator[TrainingLoop]:
    """The training loops of a row of stages, one after the other; each is to be run before the next is asked for.

    What cannot be is refused before anything is read. Their checkpoints stay beside `output` until `discard`.
    """
    if output is not None:
        assure_path(output, "the model file")
    how, row = row_from(options, flat)
    inputs = read_by(row, source, dev)
    assure_one_standard(inputs)
    if output is not None:
        assure_apart(output, inputs, force=force)
        assure_savable(output, force=force)
    if how.tuned and dev is None:
        raise HeadwayError(f"choosing {', '.join(how.tuned)} needs a development treebank; name one as dev")
    if dev is None and any(getattr(one, "keep", None) == "best" for one in row):
        raise HeadwayError("the best round is found on a development treebank; name one as dev")
    for one in row:
        one.ready()
    return _in_a_row(row, how, source, dev, output)


def read_by(row: Row, *sources: Source | None) -> list[str]:
    """The paths that a training reads: treebanks, and features in files."""
    features = [getattr(one, name) for one in row for name in kinds(type(one)) if name.endswith("features")]
    treebanks = [path for source in sources for path in paths_of(source)]
    return [*treebanks, *(name for name in features if isinstance(name, str))]


def row_from(options: StageOptions | Row | None, given: Mapping[str, Any]) -> tuple[HowToTrain, Row]:
    """How to train, and the options of all stages: as they are, or from names and values.

    `learner` is the parser's, `tagger.learner` that of a stage before it.
    """
    flat = dict(given)
    own = {field.name for field in fields(HowToTrain)}
    how = HowToTrain(**{name: flat.pop(name) for name in own & set(flat)})
    if options is not None:
        _assure_options(options)
        if flat or how.stages:
            names = ", ".join(flat) or "stages"
            raise HeadwayError(f"{names}: options stand in {type(options).__name__} already; say them there")
        return how, [options] if isinstance(options, StageOptions) else list(options)
    of_learner = pairs_from(flat.pop("options", {}))
    of_stages: dict[str, dict[str, Any]] = {name: {} for name in how.before}
    for some in (flat, of_learner):
        for name in [name for name in some if "." in name]:
            stage, _, option = name.partition(".")
            if stage not in of_stages:
                raise HeadwayError(f"{name}: there is no stage {stage!r} before the parser; name it in stages")
            of_stages[stage][option] = some.pop(name)
    family = flat.pop("parser", PARSER)
    others = {"parser", "dev", "output", "force", "progress"} | own
    last = options_from(family, {**flat, **({"options": of_learner} if of_learner else {})}, others)
    return how, [*(options_from(name, some) for name, some in of_stages.items()), last]


def _assure_options(options: object) -> None:
    """Refuse what are no options of stages, such as a second treebank."""
    row = options if isinstance(options, (list, tuple)) and options else [options]
    for one in row:
        if not isinstance(one, StageOptions):
            what = f"{described(one)} does not say how to train a parser"
            raise HeadwayError(f"{what}; name a development treebank as dev=…, and options as keywords: passes=5")


def _in_a_row(
    row: Row, how: HowToTrain, source: Source, dev: Source | None, output: str | os.PathLike[str] | None
) -> Iterator[TrainingLoop]:
    # From here on what was read is right, and layers are what stages before have predicted.
    data = flat(batches_of(source))
    judges = None if dev is None else flat(batches_of(dev))
    if judges is not None:
        assure_trees(judges, "the development treebank")
    for number, wanted in enumerate(row):
        is_last = number == len(row) - 1
        name = None if output is None else f"{os.fspath(output)}{'' if is_last else f'.{wanted.family}'}"
        checkpoint, found = (None if name is None else Path(name + what) for what in (".checkpoint", ".choices"))
        if checkpoint is not None and found is not None and not how.resume:
            checkpoints.remove(checkpoint)
            choices.remove(found)
        options = _decided(wanted, data, judges, how, how.tuned if is_last else (), found)
        loop = TrainingLoop(options, data, dev=judges, patience=how.patience, checkpoint=checkpoint)
        loop.choices = found
        loop.is_last = is_last
        yield loop
        if is_last:
            return
        assert loop.best is not None
        # The next stage learns from mistakes as they are on text that this one has not seen.
        data = jackknifed(loop.options, data, how.folds)
        judges = None if judges is None else [loop.best.annotate(batch) for batch in judges]


def _decided(
    options: StageOptions,
    data: Sequence[Batch],
    dev: Sequence[Batch] | None,
    how: HowToTrain,
    names: Sequence[str],
    path: Path | None,
) -> StageOptions:
    """The options with what cross-validation and dev are to find; `path` is the file of an interrupted search."""
    automatic = getattr(options, "passes", None) == AUTO
    if not automatic and (dev is None or not names):
        return options
    known = choices.Choices(path, data, dev)
    if automatic:
        found: Mapping[str, Any] = {"passes": best_passes(options, data, how.folds, known)}
        options = replace(options, **found)
    return options if dev is None else tuned(options, data, dev, names, how.patience, known)
