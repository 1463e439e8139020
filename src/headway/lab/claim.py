"""What a recipe says that a paper claims, how these data can test it, and what may come of that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from headway.lab.entries import Problems, entry
from headway.lab.metrics import AUC, ECE, is_score, testable
from headway.lab.plans import CONFIGURATIONS, PARTS, SEARCHES, TREEBANKS, Value, known_metrics

if TYPE_CHECKING:
    from headway.lab.recipe import Declared

LEVEL = 0.05
"""A difference counts where chance alone makes one as large less often."""
VERDICTS = CONFIRMED, REFUTED, OPEN, UNTESTABLE = "confirmed", "refuted", "open", "not testable"
UNMEASURED = "not measured yet"
MARGIN = 0.5
"""Points of a score: who loses less than this does not lose."""
BOTH = 2
NO_PART = ("there is no part", "say under [[part]] what is measured")


@dataclass(frozen=True, kw_only=True)
class ClaimSide:
    """One side of a claim: a configuration, where there is an axis at a value."""

    configuration: str = entry(among=CONFIGURATIONS)
    at: Value | None = None
    part: str = entry("", among=PARTS)
    """That of the claim where none is named."""


@dataclass(frozen=True, kw_only=True)
class SearchClaim:
    """What a claim says of a search; one of these."""

    search: str = entry(
        name="name", among=SEARCHES, first=("the recipe has no search", "add [search], or leave the claim out")
    )
    beam: int | None = None
    """The best set of every generation grew from sets in the first places of the beam, so many."""
    parent: tuple[str, ...] = ()
    best: str = ""
    """The best successor of a set, as the feature language writes it."""
    falls: bool = False
    """On the test part the best set of the last generation is worse than that of an earlier one."""
    cheaper_than: str = entry("", among=SEARCHES)
    """Another search: measuring a set takes longer there."""

    def problems(self, declared: Declared) -> Problems:
        """Several things, or none."""
        if sum(map(bool, (self.beam, self.best, self.falls, self.cheaper_than))) != 1:
            yield "a claim says one thing of a search", "give beam, parent and best, falls, or cheaper_than"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a paper says, and how these data can test it.

    `better` beats `worse` by a metric: a score, where with `or_equal` it is enough that it is not behind by `margin`
    points, or a cost, which is at least `ratio` times as good. `at_least` is a floor for `better` instead, `at_most` a
    ceiling. `untestable` says why nothing here can test it.
    """

    text: str
    metric: str = entry("LAS", among=known_metrics)
    part: str = entry(among=PARTS, first=NO_PART)
    better: ClaimSide | None = None
    worse: ClaimSide | None = None
    or_equal: bool = False
    margin: float = MARGIN
    ratio: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    treebanks: tuple[str, ...] | None = entry(None, among=TREEBANKS)
    choose: str | None = entry(None, among=PARTS)
    """A part: `better` is the configuration that was best there."""
    of_search: SearchClaim | None = entry(None, name="search")
    """What is claimed of a search, instead of configurations."""
    drop: float | None = None
    """`better` loses at most so many points from the first treebank to the second, instead."""
    untestable: str = ""
    why: str = ""
    """What explains it, where it is not confirmed: something measured, ..."""
    shown_in: str = ""
    """... and the title of the table or plot that shows it."""
    guess: str = ""
    """What may explain it; nobody has measured that."""
    caution: str = ""
    """Why the verdict says less than it seems to, until that is measured."""

    def __post_init__(self) -> None:
        """Sides are in the part of the claim where they name none."""
        for name in ("better", "worse"):
            side: ClaimSide | None = getattr(self, name)
            if side is not None and not side.part:
                object.__setattr__(self, name, replace(side, part=self.part))

    @property
    def times(self) -> float:
        """How many times as good `better` has to be, by a cost."""
        return 1.0 if self.ratio is None else self.ratio

    def problems(self, declared: Declared) -> Problems:
        """What does not go together, and what is missing for a test."""
        if bool(self.why) != bool(self.shown_in):
            yield "why and shown_in go together", "name the table or plot that shows it, or call it a guess = …"
        if self.times <= 0 or self.margin < 0:
            yield "a ratio is more than 0, a margin 0 or more", "write ratio = 0.9 or margin = 0.5"
        if is_score(self.metric) and self.ratio is not None:
            yield "a ratio is for costs", "write or_equal = true and margin = 0.5 for scores"
        if self.metric == AUC and (self.ratio is not None or (self.or_equal and self.margin >= MARGIN)):
            yield "AUC is neither a cost nor in points", "write or_equal = true and a margin, such as margin = 0.005"
        if not is_score(self.metric, AUC) and self.or_equal and self.ratio is None:
            yield "nothing says how much worse a cost may be", "write ratio = 0.9, or another"
        compared = self.better and self.worse
        floored = (self.better or self.choose) and (self.at_least, self.at_most) != (None, None)
        if self.drop is not None and (not self.better or len(self.treebanks or ()) != BOTH):
            yield "a drop goes from one treebank to another", "give better, and treebanks with two names"
        if not (self.untestable or self.of_search or self.drop is not None or compared or floored):
            yield "nothing says how to test it", "give better and worse, at_least, at_most, search, or untestable"
        if compared and self.metric == ECE:
            yield f"no journal can test a difference in {ECE}", "give better and at_most"
        if compared and is_score(self.metric, AUC) and not testable(self.metric, declared.punctuation):
            counted = "all words" if declared.punctuation else "words without punctuation"
            yield f"no journal can test {self.metric}", f"take LAS or UAS of {counted}, as the recipe counts"


class Finding(NamedTuple):
    """What came of a claim: a verdict, our figures, the reason where it is not confirmed, and p."""

    verdict: str
    figures: str
    reason: str = ""
    p: float | None = None
