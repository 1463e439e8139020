"""What every model says of itself, whichever family it is of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headway.base.options import StageOptions
from headway.base.version import __version__
from headway.data.batch import Batch
from headway.stages.contract import Stage
from headway.stages.needed_columns import ABOUT, seen_in

OURS = (ABOUT, "headway")
"""Facts that no family says better."""


def facts_of(options: StageOptions, data: Sequence[Batch], needs: Iterable[str], digest: str) -> dict[str, Any]:
    """What holds for the stages of a training after each of its steps."""
    return {
        "family": options.family,
        "options": options.identity(),
        "sentences": sum(map(len, data)),
        "words": sum(len(batch.word_line) for batch in data),
        "treebank_digest": digest,
        ABOUT: seen_in(data, needs),
        "headway": __version__,
    }


def described(stage: Stage, facts: Mapping[str, Any], step: int) -> Stage:
    """The stage after a step with these facts; what its family says of it counts."""
    every = {"passes": step, **facts}
    return stage.with_about(**{name: fact for name, fact in every.items() if name in OURS or name not in stage.about})
