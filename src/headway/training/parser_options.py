"""Options that parsers of every family have; those of a family are beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headway.base.options import choice, whole, yes_no
from headway.data.encodings import ENCODINGS
from headway.training.learned_options import InPasses, LearnedOptions


@dataclass(frozen=True, kw_only=True)
class ParserOptions(LearnedOptions):
    """What can be said of every parser."""

    single_root: bool | None = yes_no(
        None,
        "Give every sentence exactly one root, or allow several.",
        yes="single-root",
        no="several-roots",
        default_text="as in the treebank",
    )
    encoding: str = choice(
        "head",
        "encoding",
        ENCODINGS,
        "How labels record arcs that cross others, so that parsing can restore them.",
        tried=tuple(ENCODINGS),
    )
    mark_cutoff: int = whole(10, "Do not record crossing arcs in labels that would be seen fewer times than this.")


@dataclass(frozen=True, kw_only=True)
class PassOptions(InPasses, ParserOptions):
    """What can be said of a parser that is learned in passes over the treebank."""


def updatable_option() -> Any:
    """Whether a model keeps its state of learning."""
    return yes_no(
        False, "Keep in the model what training needs to go on with --continue; makes it several times larger."
    )
