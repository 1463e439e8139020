"""How much each stage of a model costs: its scores with all that is before the parser given, then with less and less.

First everything is gold that the stages before the parser would find. Then each row has one more stage at work, from
the last one back to the segmenter, until nothing but text is given. What LAS loses from a row to the next is what that
stage costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.data.formats.format import TAGS
from headway.data.formats.writing import running_text
from headway.data.sentence import views
from headway.data.sources import Source, batches_of
from headway.evaluation.evaluate import SystemScores, evaluate
from headway.stages.contract import SegmentingStage, Stage
from headway.stages.parsing.parser import Parser
from headway.stages.pipeline import filled
from headway.training.familiar import warn_of_learned

CONTENTS = {"FORM": "words", "UPOS": "tags", "XPOS": "tags", "FEATS": "tags", "LEMMA": "lemmas"}
"""What people call the columns that stages before a parser give."""
SHOWN = ("Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")


@dataclass(frozen=True)
class StageCost:
    """The scores of a model to which some things are given, and what the stage costs that works here and not before."""

    given: tuple[str, ...]
    """What is gold: `words`, `tags`, `lemmas`; only `text` where all is predicted."""
    stage: str | None
    """The stage that now works and did not in the row before, None in the first."""
    scores: SystemScores
    cost: float | None
    """Points of LAS lost from the row before."""

    @property
    def predicted(self) -> str:
        """Which tags the parser sees."""
        return "gold tags" if "tags" in self.given else "predicted tags"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        scores = {name: float(self.scores[name]) for name in SHOWN}
        about = {"given": list(self.given), "stage": self.stage, "tags": self.predicted}
        return {**about, "scores": scores, "cost": self.cost}


def stage_costs(parser: Parser, gold: Source) -> list[StageCost]:
    """The scores of a model from gold words and tags, from gold words, and from raw text, by the UD scorer.

    `gold` is a treebank in CoNLL-U with the columns that the stages of the model find, and its text.
    """
    batches = list(batches_of(gold))
    earlier = [stage for stage in parser.stages if "HEAD" not in stage.gives]
    given = frozenset().union(*(filled(batch, CONTENTS) for batch in batches))
    if len(earlier) == len(parser.stages):
        raise HeadwayError("the model has no parser, so that there is no LAS to lose; evaluate its output instead")
    warn_of_learned(parser.stages, batches, "so that these scores say little about other text")
    found: list[StageCost] = []
    for stage in [None, *reversed(earlier)]:
        if stage is not None and not isinstance(stage, SegmentingStage) and not stage.gives & given:
            continue  # A stage after it gives the same and has it at work already.
        given = given - _found_by(stage) if stage else given
        scores = evaluate(list(views(batches)), list(views(_parsed(parser, batches, given, stage))), definition="ud")
        before = found[-1].scores["LAS"] if found else None
        cost = None if before is None else float(before) - float(scores["LAS"])
        contents = tuple(dict.fromkeys(what for column, what in CONTENTS.items() if column in given)) or ("text",)
        found.append(StageCost(contents, None if stage is None else stage.kind, scores, cost))
    return found


def _found_by(stage: Stage) -> frozenset[str]:
    """The columns that are no longer gold where a stage works: all tags where it gives some."""
    if isinstance(stage, SegmentingStage):
        return frozenset(CONTENTS)
    return stage.gives | (frozenset(TAGS) if stage.gives & set(TAGS) else frozenset())


def _parsed(parser: Parser, gold: Sequence[Batch], given: frozenset[str], stage: Stage | None) -> Iterator[Batch]:
    row = parser.row
    if isinstance(stage, SegmentingStage):
        return map(row.annotate, stage.segment("".join(running_text(views(gold)))))
    kept = frozenset().union(*(filled(batch, given - {"FORM"}) for batch in gold))
    return map(replace(row, kept=kept).annotate, gold)
