"""Which stages are trained: by the options, from other models, and as far as the treebank allows."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError, described
from headway.base.options import kinds
from headway.base.stage_options import StageOptions, pairs_from
from headway.data.batch import Batch
from headway.data.sources import Source, paths_of
from headway.stages import model_file as model
from headway.stages.contract import Stage
from headway.training.families import PARSER, options_from
from headway.training.run_options import PRETAGGER, TAGGER, RunOptions

logger = logging.getLogger("headway")


class Taken(NamedTuple):
    """A stage of another model, in the place of one that would be trained."""

    name: str
    stage: Stage


Row = Sequence[StageOptions]
RowWithTaken = Sequence[StageOptions | Taken]


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
    before = [options_from(name, some) for name, some in of_stages.items()]
    family = flat.pop("parser", PARSER)
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


def allowed(row: RowWithTaken, data: Sequence[Batch]) -> list[StageOptions | Taken]:
    """The stages for which the treebank has something to learn from; a note says which are left out, and why."""
    kept = []
    for one in row:
        lack = None if isinstance(one, Taken) else one.lack(data)
        if lack is None:
            kept.append(one)
        else:
            assert isinstance(one, StageOptions)
            logger.warning("the treebank has no %s, so that the pipeline has no %s", lack, one.title)
    if not kept or isinstance(kept[-1], Taken):
        raise HeadwayError("there is nothing to learn here; give a treebank with tags or trees, or leave out less")
    return kept


def taken_from(how: RunOptions) -> dict[str, Taken | None]:
    """The stages that are to be taken from other models, by their names.

    A tagger brings the one before it along; None stands for a first tagger that it does without.
    """
    found: dict[str, Taken | None] = {}
    for name, path in how.taken.items():
        stages = model.load(path)
        by_family = [stage for stage in stages if stage.about.get("family") == name]
        fitting = by_family or [stage for stage in stages if stage.kind == name]
        if not fitting:
            kinds = ", ".join(stage.kind for stage in stages)
            raise HeadwayError(f"{path}: there is no {name} to take; the model has: {kinds}")
        found[name] = Taken(name, fitting[0])
        if name == TAGGER:
            first = [stage for stage in stages if stage.about.get("family") == PRETAGGER]
            found[PRETAGGER] = Taken(PRETAGGER, first[0]) if first else None
    return found
