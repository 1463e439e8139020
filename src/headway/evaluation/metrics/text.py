"""The scores of the official UD scorer by what they are about, and which tags a system has."""

from __future__ import annotations

from headway.evaluation.comparison import Comparison
from headway.evaluation.metrics.ud import same_columns

TAGS = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")
"""The scores of tags and lemmas."""
CONTENT = ("CLAS", "MLAS", "BLEX")
"""The scores of content words."""
SHOWN = ("Tokens", "Sentences", "Words", *TAGS, "UAS", "LAS", *CONTENT)
"""All scores of the official scorer, in its order."""


def tags_compared(comparison: Comparison) -> str:
    """Which tags a system's file has: `gold`, `predicted` with how many are right, or `none`."""
    theirs, names = comparison.system.columns, comparison.gold.columns.names
    if (theirs.upos == names["_"]).all() and (theirs.xpos == names["_"]).all():
        return "none"
    same = same_columns(comparison)
    if all(same[name].all() for name in ("UPOS", "XPOS", "UFeats")):
        return "gold"
    right = same["XPOS" if (theirs.upos == names["_"]).all() else "UPOS"]
    return f"predicted ({100 * right.mean():.2f} % right)"
