"""Which stage of a model is asked to explain itself, and what it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from headway.base.errors import HeadwayError
from headway.data.sentence import Sentence
from headway.stages.explanation.contract import Explains, ExplainsText, Explanation


def explained(stages: Sequence[Any], sentence: Sentence, name: str | None = None) -> Explanation:
    """The explanation of a stage, such as `tagger`, for a sentence that the stages before it annotate.

    Of two taggers it is the second, which has the last word. Without a name it is that of the last stage that has one.
    """
    number = stage_number(stages, name, Explains if name is None else None)
    if not isinstance(stages[number], Explains):
        what = f"a {stages[number].kind} does not explain its decisions"
        raise HeadwayError(f"{what}; taggers and parsers with weights do")
    batch = sentence.batch.alone(sentence.index)
    for before in stages[:number]:
        batch = before.annotate(batch)
    found: Explanation = stages[number].explain(batch)
    return found


def explained_text(stages: Sequence[Any], segmenter: Any, text: Any, report: Any) -> Iterator[Explanation]:
    """Why the segmenter of some stages, None where they have none, cuts a text as it does."""
    if segmenter is None:
        kinds = ", ".join(stage.kind for stage in stages)
        raise HeadwayError(f"the model has no segmenter to explain; it has: {kinds}")
    if not isinstance(segmenter, ExplainsText):
        raise HeadwayError(f"a {segmenter.kind} does not explain its decisions; headway's own segmenter does")
    return segmenter.explain_text(text, report=report)


def stage_number(stages: Sequence[Any], name: str | None, able: type | None = None) -> int:
    """Which stage is asked: the last one of that name, such as `tagger`, or of all; of those that are `able`."""
    kinds = ", ".join(stage.kind for stage in stages)
    named = [at for at, stage in enumerate(stages) if name in (None, stage.kind.rpartition(" ")[2])]
    if not named:
        raise HeadwayError(f"the model has no {name} to explain; it has: {kinds}")
    found = [at for at in named if able is None or isinstance(stages[at], able)]
    if not found:
        what = f"{kinds}: no stage of the model explains its decisions"
        raise HeadwayError(f"{what}; take a parser with linear weights")
    return found[-1]
