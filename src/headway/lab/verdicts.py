"""What can come of a claim."""

from __future__ import annotations

from typing import NamedTuple

from headway.lab.claim import Claim

LEVEL = 0.05
"""A difference counts where chance alone makes one as large less often."""
VERDICTS = CONFIRMED, REFUTED, OPEN, UNTESTABLE = "confirmed", "refuted", "open", "not testable"
UNMEASURED = "not measured yet"


class Verdict(NamedTuple):
    """What came of a claim; `shown` are our figures."""

    claim: str
    verdict: str
    shown: str
    p: float | None = None


def explained(claim: Claim) -> str:
    """What explains a claim that is not confirmed, and whether that is measured or a guess."""
    why = f". {claim.why} (See “{claim.shown_in}”.)" if claim.why else ""
    return f"{why}{'' if why else '.'} A guess: {claim.guess}" if claim.guess else why
