"""`headway.train`, `headway.continue_training` and `headway.calibrate`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headway.base.errors import HeadwayError, assure_yes_no, described
from headway.base.files import assure_apart, assure_one_standard, assure_path
from headway.base.stage_options import StageOptions
from headway.data.sources import Source, assure_trees, batches_of, flat
from headway.stages.contract import Confident, SegmentingStage, Stage
from headway.stages.model_file import assure_savable
from headway.stages.parsing.parser import Parser
from headway.stages.pipeline import Pipeline
from headway.stages.updating import Continues
from headway.training.calibrating import DEV, calibrated
from headway.training.familiar import warn_of_learned
from headway.training.keywords import TrainKeywords
from headway.training.loop import Step
from headway.training.rows import Row, read_by, row_from, taken_from
from headway.training.train_stages import Observer, StageTraining, train_stages

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
    >>> from headway.data.sample import generate
    >>> headway.train(generate(50), passes=2)
    <Parser: transition parser; needs FORM, LEMMA, UPOS, XPOS, FEATS; gives HEAD, DEPREL>

    With `dev`, a development treebank, training goes on until its LAS stops growing, and the best parser is kept.
    `progress` is called after each pass or round with what it came to; `progress=print` prints a line. Where it returns
    False, the stage under way ends there and is kept, the best one where there is `dev`, and the next stage of a
    pipeline begins. With `output`, the model is written to this file, and the same call goes on after an interruption;
    a file that is no model is overwritten with `force` only. All else is options: as keywords, those below, or as
    data, as in `train(source, GraphOptions(order=1))`; several make a row of stages.
    """
    if progress is not None and not callable(progress):
        raise HeadwayError(f"progress: expected a function of a step, such as print, got {described(progress)}")
    observer = Observer() if progress is None else _Progress(progress)
    stages = train_row(source, options, dev=dev, output=output, force=force, observer=observer, **keywords)
    parser = stages[-1].parser
    if output is not None:
        parser.save(output)
        for stage in stages:
            stage.files.remove()
    return parser


class _Progress(Observer):
    """Hands each step to a function."""

    def __init__(self, progress: Callable[[Step], object]) -> None:
        self.progress = progress

    def on_step(self, stage: StageTraining, step: Step) -> object:
        return self.progress(step)


train.__doc__ = f"{train.__doc__}\n{TrainKeywords.__doc__}"


def train_row(
    source: Source,
    options: StageOptions | Row | None = None,
    /,
    *,
    dev: Source | None = None,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    observer: Observer | None = None,
    **flat: Any,
) -> list[StageTraining]:
    """Train a row of stages; the last has the parser. Wrong options are refused before anything is read.

    The files to resume from stay beside `output`, so that whoever saves the parser removes them then.
    """
    assure_yes_no("force", force)
    if output is not None:
        assure_path(output, "the model file")
    how, row = row_from(options, flat, ("dev", "output", "force", "progress"))
    inputs = read_by(row, source, dev)
    assure_one_standard(inputs)
    if output is not None:
        assure_apart(output, inputs, force=force)
        assure_savable(output, force=force)
    if how.tuned and dev is None:
        raise HeadwayError(
            f"choosing {', '.join(how.tuned)} needs a development treebank; name one with --dev (in Python dev=…)"
        )
    if how.calibrate == DEV and dev is None:
        raise HeadwayError(
            "calibrate = dev needs a development treebank; name one with --dev (in Python dev=…), or take"
            " cross-validation"
        )
    if dev is None and any(getattr(one, "keep", None) == "best" for one in row):
        raise HeadwayError("the best round is found on a development treebank; name one as dev")
    for one in row:
        one.ready()
    taken = taken_from(how)
    kept = [one for one in (taken.get(one.family, one) for one in row) if one is not None]
    return train_stages(kept, how, source, dev, output, observer or Observer())


def continue_training(
    parser: Parser, source: Source, *, passes: int = 1, shuffle: bool = True, seed: int = 1
) -> Parser:
    """The parser after more training, on treebanks that it has not seen; it was trained with `updatable=True`.

    >>> import headway
    >>> from headway.data.sample import generate
    >>> first = headway.train(generate(30), passes=1, features="malt-14", updatable=True)
    >>> headway.continue_training(first, generate(30, seed=2)).about["sentences"]
    60
    """
    if not isinstance(parser, Parser):
        raise HeadwayError(f"expected a parser, got {described(parser)}; headway.load opens a model file")
    assure_yes_no("shuffle", shuffle)
    *before, last = parser.stages
    if not isinstance(last, Continues):
        raise HeadwayError(f"training cannot go on from a {last.kind}; our transition, graph and boosted parsers go on")
    batches = flat(batches_of(source))
    assure_trees(batches, "the treebank")
    warn_of_learned(parser.stages, batches, "so that more of it teaches less than new trees would")
    row = Pipeline(tuple(before))
    annotated = [row.annotate(batch) for batch in batches]
    return Parser([*before, last.continued(annotated, passes=passes, shuffle=shuffle, seed=seed)])


def calibrate(parser: Parser, source: Source) -> Parser:
    """The parser with calibrators of its stages, learned from a treebank that the parser has not learned from."""
    if not isinstance(parser, Parser):
        raise HeadwayError(f"expected a parser, got {described(parser)}; headway.load opens a model file")
    batches = flat(batches_of(source))
    if "HEAD" in parser.stages[-1].gives:
        assure_trees(batches, "the treebank")
    if not any(isinstance(stage, Confident) for stage in parser.stages):
        raise HeadwayError(f"a {parser.stages[-1].kind} cannot say how sure it is, so there is nothing to calibrate")
    warn_of_learned(
        parser.stages, batches, "where it makes fewer mistakes than elsewhere: its confidences will be too high"
    )
    stages: list[Stage] = []
    for number, stage in enumerate(parser.stages):
        given = frozenset().union(*(other.gives for other in parser.stages[number + 1 :]))
        # What a later stage says again nobody hears of this one.
        if isinstance(stage, Confident) and not stage.gives <= given:
            stage = calibrated(stage, batches, "a treebank of its own")
        stages.append(stage)
        batches = batches if isinstance(stage, SegmentingStage) else [stage.annotate(batch) for batch in batches]
    return Parser(stages)
