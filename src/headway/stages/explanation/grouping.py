"""Reasons as a person reads them: the features of a decision by the words they look at, then by attribute.

`groups_of` adds features up, exactly: all groups together are the scores. `joined_features` lists them one by one, but
those that always stand together once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from headway.features.looks import BESIDE, FeatureName, TermValue, plural
from headway.features.naming import NOTHING, ROOT

if TYPE_CHECKING:
    from headway.stages.explanation.contract import Decision

SHARES = 3
"""How many attributes of a group are told."""
JOIN = " & "
WORDS = ("FORM", "LEMMA", "LOWER")
FEW = 4
"""A form is hardly known if fewer than one in so many of its features have a weight."""


class Reason(NamedTuple):
    """A feature, and what it gives to the score of what was chosen and to that of the runner-up."""

    feature: str
    chosen: float
    rival: float

    @property
    def difference(self) -> float:
        """How much it speaks for what was chosen; below zero where it speaks for the runner-up."""
        return self.chosen - self.rival

    def __str__(self) -> str:
        return f"{self.difference:+8.3f}  {self.feature}"


class AttributeShare(NamedTuple):
    """What an attribute of some words gives to a choice and to its runner-up: all features that look at it."""

    attribute: str
    chosen: float
    rival: float
    values: tuple[str, ...]
    """What the strongest of these features has seen, but for the words themselves."""

    @property
    def difference(self) -> float:
        """How much it speaks for what was chosen."""
        return self.chosen - self.rival

    def text(self, words: int) -> str:
        """The share as it is told of so many words."""
        seen = f" ({', '.join(self.values)})" if self.values else ""
        return f"{plural(self.attribute, words)} {self.difference:+.3f}{seen}"


class ReasonGroup(NamedTuple):
    """All features that look at the same words."""

    words: tuple[str, ...]
    """None for features that stand at every choice."""
    chosen: float
    rival: float
    attributes: tuple[AttributeShare, ...]
    """The most telling first."""

    @property
    def difference(self) -> float:
        """How much the words speak for what was chosen; below zero where they speak for the runner-up."""
        return self.chosen - self.rival

    def __str__(self) -> str:
        parts = shares_text(self.attributes, len(self.words))
        about = f"{JOIN.join(self.words)}: " if self.words else ""
        return f"{self.difference:+8.3f}  {about}{parts}"

    def to_dict(self) -> dict[str, Any]:
        """The group for JSON."""
        shares = [{**one._asdict(), "values": [*one.values], "difference": one.difference} for one in self.attributes]
        numbers = {"chosen": self.chosen, "rival": self.rival, "difference": self.difference}
        return {"words": [*self.words], **numbers, "attributes": shares}


def shares_text(shares: Sequence[AttributeShare], words: int) -> str:
    """The first of some shares, and the sum of the rest."""
    parts = [share.text(words) for share in shares[:SHARES]]
    if rest := shares[SHARES:]:
        parts.append(f"{len(rest)} more {sum(share.difference for share in rest):+.3f}")
    return ", ".join(parts)


def attributes_of(groups: Sequence[ReasonGroup]) -> list[AttributeShare]:
    """The attributes of all groups together, the most telling first."""
    sums: dict[str, tuple[float, float]] = {}
    for share in (share for group in groups for share in group.attributes):
        chosen, rival = sums.get(share.attribute, (0.0, 0.0))
        sums[share.attribute] = chosen + share.chosen, rival + share.rival
    shares = [AttributeShare(name, *both, ()) for name, both in sums.items()]
    return sorted(shares, key=lambda share: -abs(share.difference))


def groups_of(decision: Decision, told: int | None = None) -> list[ReasonGroup]:
    """The features of a decision by the words they look at, the most telling first; they add up to its scores.

    What features have seen is told of the first `told` groups, or of all.
    """
    groups: dict[tuple[str, ...], dict[str, list[int]]] = {}
    for at in np.flatnonzero((decision.given != 0) | (decision.against != 0)).tolist():
        look = decision.look(at)
        groups.setdefault(look.words, {}).setdefault(look.attribute, []).append(at)
    given, against = decision.given.tolist(), decision.against.tolist()
    found = []
    for words, attributes in groups.items():
        shares = []
        for attribute, members in attributes.items():
            best = max(members, key=lambda at: abs(given[at] - against[at]))
            shares.append((attribute, sum(given[at] for at in members), sum(against[at] for at in members), best))
        shares.sort(key=lambda share: -abs(share[1] - share[2]))
        found.append((words, sum(share[1] for share in shares), sum(share[2] for share in shares), shares))
    found.sort(key=lambda group: -abs(group[1] - group[2]))
    rows = []
    for number, (words, chosen, rival, shares) in enumerate(found):
        seen = SHARES if told is None or number < told else 0
        values = [values_of(decision.name(best)) for *_, best in shares[:seen]] + [()] * (len(shares) - seen)
        own = tuple(AttributeShare(*share[:3], value) for share, value in zip(shares, values, strict=False))
        rows.append(ReasonGroup(words, chosen, rival, own))
    return rows


def values_of(name: str) -> tuple[str, ...]:
    """What a feature has seen, each value once, but for words that a group names anyway."""
    if not isinstance(name, FeatureName):
        return ()
    seen = [one.value for one in name.terms if one.value is not None and not _is_said(one)]
    return tuple(value for value in dict.fromkeys(seen) if value != NOTHING or {*seen} == {NOTHING})


def _is_said(one: TermValue) -> bool:
    """Whether a term has what a reader sees in the words of the group: their forms, the root, their order."""
    attribute, _, place = one.term.partition("(")
    return (
        attribute == "SIDE" or one.value == ROOT or (attribute in WORDS and " " not in place and one.value != NOTHING)
    )


def is_hardly_known(decision: Decision, form: str) -> bool:
    """Whether few features of this form alone have a weight: the training treebank had it once, or never.

    Where features share their weights some have one by chance.
    """
    weighted = (decision.given != 0) | (decision.against != 0)
    of_forms = [at for at in range(len(weighted)) if decision.look(at).attribute == "form"]
    if 2 * np.count_nonzero(weighted[of_forms]) >= len(of_forms):
        return False
    own = []
    for at in of_forms:
        terms = getattr(decision.name(at), "terms", ())
        if [one.value for one in terms if one.term.startswith("FORM(") and " " not in one.term] == [form]:
            own.append(bool(weighted[at]))
    return FEW * sum(own) < len(own)


class JoinedFeatures(NamedTuple):
    """Features that always stand together: their sum under one name, and their numbers, that of the shortest first."""

    reason: Reason
    members: Sequence[int]


def joined_features(decision: Decision) -> list[JoinedFeatures]:
    """The features of a decision, the strongest first; what always stands together is one: their sum.

    Together stand the same terms with and without direction and distance, and all that finds nothing at one place.
    """
    found: dict[Any, dict[int, str]] = {}
    for at in np.flatnonzero((decision.given != 0) | (decision.against != 0)).tolist():
        name = decision.name(at)
        found.setdefault((decision.look(at).words, core_of(name)), {})[at] = name
    given, against = decision.given.tolist(), decision.against.tolist()
    rows = []
    for named in found.values():
        members = sorted(named, key=lambda at: len(named[at]))
        sums = sum(given[at] for at in members), sum(against[at] for at in members)
        rows.append(JoinedFeatures(Reason(joined_name([*named.values()]), *sums), members))
    return sorted(rows, key=lambda row: -abs(row.reason.difference))


def core_of(name: str) -> Any:
    """What features have in common that always stand together: all terms but direction and distance, if they have any.

    What is not there is its place, whatever is asked of it.
    """
    if not isinstance(name, FeatureName):
        return name
    core = frozenset(_there(one) for one in name.terms if not _is_beside(one))
    return core or name


def joined_name(names: Sequence[str]) -> str:
    """The name of features that always stand together: the shortest, and what the others have beside it."""
    shortest = min(names, key=len)
    if len(names) == 1 or not isinstance(shortest, FeatureName):
        return shortest
    own = {_there(one) for one in shortest.terms}
    parts = dict.fromkeys(_there(one) for one in shortest.terms)
    told = JOIN.join(f"nothing at {one.term}" if one.value == NOTHING else str(one) for one in parts)
    more = {str(one): None for name in names for one in getattr(name, "terms", ()) if _there(one) not in own}
    return told + "".join(f", with {one}" for one in more)


@cache
def _is_beside_term(term: str) -> bool:
    return term.partition("(")[0] in BESIDE


def _is_beside(one: TermValue) -> bool:
    return _is_beside_term(one.term)


def _there(one: TermValue) -> TermValue:
    """A term with its value; of what is not there the place only."""
    if one.value != NOTHING or "(" not in one.term or _is_beside(one):
        return one
    return TermValue(one.term.partition("(")[2].rstrip(")"), NOTHING)
