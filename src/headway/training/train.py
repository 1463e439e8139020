"""`headway.train` and `headway.continue_training`: from keywords to options of stages, which are then trained."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from headway.base.errors import HeadwayError, assure_yes_no, described
from headway.base.files import assure_apart, assure_one_standard, assure_path
from headway.base.options import Options, kinds
from headway.base.stage_options import StageOptions, pairs_from
from headway.data.sources import Source, assure_trees, batches_of, flat, paths_of
from headway.stages.model_file import assure_savable
from headway.stages.parsing.parser import Parser
from headway.stages.updating import Continues
from headway.training.calibrating import DEV
from headway.training.continue_stages import continue_stages
from headway.training.familiar import warn_of_learned
from headway.training.families import EARLIER, FAMILIES, PARSER, family_of, options_from
from headway.training.keywords import TrainKeywords
from headway.training.loop import Step
from headway.training.options import RunOptions, paragraph
from headway.training.train_stages import Observer, StageTraining, taken_from, train_stages

if TYPE_CHECKING:
    from typing_extensions import Unpack

Row = Sequence[StageOptions]
OF_ALL_STAGES = {"size", "exact"}
"""Options that hold for all stages of a row."""


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


def _keywords() -> Iterator[str]:
    """What each keyword of `train` means, in paragraphs for its docstring."""
    families = [FAMILIES[name] for name in FAMILIES.own]
    own, earlier = (", ".join(map(repr, names.own)) for names in (FAMILIES, EARLIER))
    what = f"Family of parsers. One of {own}; or a stage that prepares what they see: {earlier}."
    text = f"parser: {what} Default: {PARSER!r}."
    yield textwrap.fill(text, 116, initial_indent=" " * 4, subsequent_indent=" " * 8)
    kinds_of = kinds(families[0]).items()
    shared = [name for name, kind in kinds_of if all(kinds(other).get(name) is kind for other in families)]
    groups: list[tuple[str, type[Options], Iterable[str]]] = [("Every parser", families[0], shared)]
    for one in families:
        title = f'{one.title.capitalize()}s, parser="{one.family}"'
        groups.append((title, one, [name for name in kinds(one) if name not in shared]))
    groups.append(("Training", RunOptions, kinds(RunOptions)))
    for title, options, names in groups:
        yield f"\n    {title}:"
        yield from (textwrap.indent(paragraph(options, name), "  ") for name in names)


train.__doc__ = "\n".join([f"{train.__doc__}\nOptions of `headway.train`.\n", *_keywords(), "    "])


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
    """The parser after more training of all its stages, on treebanks that it has not seen.

    Transition and graph parsers were trained with `updatable=True`. Stages learn from what those before them predict
    for sentences that they have not learned from.

    >>> import headway
    >>> from headway.data.sample import generate
    >>> first = headway.train(generate(30), passes=1, features="malt-14", updatable=True)
    >>> headway.continue_training(first, generate(30, seed=2)).about["sentences"]
    60
    """
    if not isinstance(parser, Parser):
        raise HeadwayError(f"expected a parser, got {described(parser)}; headway.load opens a model file")
    assure_yes_no("shuffle", shuffle)
    for stage in parser.stages:
        if not isinstance(stage, Continues):
            raise HeadwayError(f"training cannot go on from a {stage.kind}; train it again, on both treebanks")
    batches = flat(batches_of(source))
    if "HEAD" in parser.gives:
        assure_trees(batches, "the treebank")
    warn_of_learned(parser.stages, batches, "so that more of it teaches less than new trees would")
    return Parser(continue_stages(parser.stages, batches, {"passes": passes, "shuffle": shuffle, "seed": seed}))


def read_by(row: Row, *sources: Source | None) -> list[str]:
    """The paths that a training reads: treebanks, and features in files."""
    features = [getattr(one, name) for one in row for name in kinds(type(one)) if name.endswith("features")]
    treebanks = [path for source in sources for path in paths_of(source)]
    return [*treebanks, *(name for name in features if isinstance(name, str))]


def row_from(
    options: StageOptions | Row | None, given: Mapping[str, Any], others: Iterable[str] = ()
) -> tuple[RunOptions, Row]:
    """How to train, and the options of all stages: as they are, or from names and values.

    `learner` is the parser's, `tagger.learner` that of a stage before it. `others` are keywords that the caller takes,
    for the message that lists the known ones.
    """
    flat = dict(given)
    own = {field.name for field in fields(RunOptions)}
    how = RunOptions(**{name: flat.pop(name) for name in own & set(flat)})
    if options is not None:
        _assure_options(options)
        if flat or how.stages or how.pipeline:
            names = ", ".join(flat) or ("pipeline" if how.pipeline else "stages")
            raise HeadwayError(f"{names}: options stand in {type(options).__name__} already; say them there")
        return how, [options] if isinstance(options, StageOptions) else list(options)
    of_learner = pairs_from(flat.pop("options", {}))
    of_stages: dict[str, dict[str, Any]] = {name: {} for name in how.before}
    for some in (flat, of_learner):
        for name in [name for name in some if "." in name]:
            stage, _, option = name.partition(".")
            if stage not in of_stages:
                what = f"{name}: there is no stage {stage!r} before the parser"
                raise HeadwayError(f"{what}; name it in stages, or train a pipeline")
            of_stages[stage][option] = some.pop(name)
    family = flat.pop("parser", PARSER)
    for name in OF_ALL_STAGES & set(flat):
        for stage, some in of_stages.items():
            if name in kinds(family_of(stage)):
                some.setdefault(name, flat[name])
        if of_stages and name not in kinds(family_of(family)):
            del flat[name]
    before = [options_from(name, some) for name, some in of_stages.items()]
    known = {"parser", *others, *own}
    last = options_from(family, {**flat, **({"options": of_learner} if of_learner else {})}, known)
    return how, [*before, *([last] if how.has_parser else [])]


def _assure_options(options: object) -> None:
    """Refuse what are no options of stages, such as a second treebank."""
    row = options if isinstance(options, (list, tuple)) and options else [options]
    for one in row:
        if not isinstance(one, StageOptions):
            what = f"{described(one)} does not say how to train a parser"
            raise HeadwayError(f"{what}; name a development treebank as dev=…, and options as keywords: passes=5")
