"""How large models are: the option, and what it means for the weights of a stage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from headway.base.options import Options, choice, yes_no
from headway.learners.online import Online

SMALL, DEFAULT, FULL = "small", "default", "full"
SIZES = (SMALL, DEFAULT, FULL)


class Cuts(NamedTuple):
    """How hard weights are cut, step after step, and how much any score on dev may fall."""

    shares: tuple[float, ...]
    """Shares of the root mean square of all weights before the first cut."""
    loss: float
    blind: int
    """So many cuts are made where there is no dev."""


CUTS = {FULL: Cuts((), 0.0, 0), DEFAULT: Cuts((0.7, 1.7), 0.3, 1), SMALL: Cuts((1.0, 2.0, 3.0), 0.5, 2)}
"""By the size of the model; chosen on the dev treebanks of English and Latvian."""
NO_CUTS = CUTS[FULL]


@dataclass(frozen=True, kw_only=True)
class Sized(Options):
    """What can be said of a stage whose weights are packed, and may be cut."""

    size: str = choice(
        DEFAULT,
        "size of a model",
        SIZES,
        "How large the model may be: default and small cut weights that hardly matter and learn the others again, as"
        " long as scores on dev fall by no more than 0.3 and 0.5; full keeps nearly all.",
    )
    exact: bool = yes_no(
        False, "Keep all weights as they were learned, without cutting and rounding; makes large models."
    )

    @property
    def reduction(self) -> Cuts:
        """How hard weights are cut; those of batch learners, which see all at once, and exact ones are not."""
        able: Any = self
        return NO_CUTS if self.exact or able.chosen.way != Online.way else CUTS[self.size]
