"""Features of arcs as the arrays that kernels walk through (see `features/hashes.pxd` and `graph/labels.pxd` there)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Ints
from headway.features.compile import Compiler, TemplateArrays, WordTemplates, seeds_of
from headway.features.encode import KeyColumn, column_of
from headway.features.language import Feature, Term
from headway.features.vocabulary import ARC_PLACES, PAIR_PLACES
from headway.kernels.graph import labels as layout

OFFSETS = {"pw": -1, "fw": 1}
"""The steps along the sentence."""
SIDE, DISTANCE, LABEL, EACH = "SIDE", "DISTANCE", "LABEL", "FEAT"
OF_TREES = ("DEP", "LEFT", "RIGHT")
"""Attributes that are known only when all arcs have been chosen."""
ARC_ROLES = ("PARENT", "CHILD", "SIBLING", "BETWEEN")
WORDS = ("FORM", "LEMMA")
"""Attributes that tell one word from most others."""
EMPTY: Sequence[Sequence[str]] = ((), ("SIBLING",), ("PARENT",), ("PARENT", "SIBLING"))
"""Where parts of trees have no word: the root is none, and not every child has a sibling before it."""


@dataclass(frozen=True, eq=False)
class ArcTemplates(WordTemplates):
    """A compiled feature model of a graph parser."""

    cores: tuple[Feature, ...]
    """What each template looks at besides direction and length of the arc."""
    group: Ints
    kind: Ints
    start: Ints
    slot: Ints
    each: Ints
    seed: NDArray[np.uint64]
    labels: TemplateArrays
    """The features of labels."""

    @cached_property
    def words_known(self) -> Ints:
        """How many words each template tells from most others, [which places have no word, template]."""
        return np.array([[words_known(core, empty) for core in self.cores] for empty in EMPTY], np.int32)


def words_known(feature: Feature, empty: Collection[str] = ()) -> int:
    """How many words a feature tells from most others, by form or lemma; there is no word at places that are `empty`.

    >>> from headway.features.language import parse
    >>> (couple,) = parse("LEX(SIBLING) & LEMMA(CHILD) & POS(PARENT)")
    >>> words_known(couple), words_known(couple, empty={"SIBLING"})
    (2, 1)
    """
    places = {term.addresses[0] for term in feature.terms if term.attribute in WORDS}
    return sum(address.place not in empty for address in places)


def slots_by_place(
    features: Sequence[Feature], places: Sequence[str], columns: dict[KeyColumn, int]
) -> tuple[Ints, Ints]:
    """Column and distance of the words that features look at, place by place; of distances between nodes nothing.

    Where the slots of each feature's places begin, and [slot, 2]; column -1 stands for each value of FEAT.
    """
    start, slots = [0], []
    for feature in features:
        for place in places:
            terms = (term for term in feature.terms if term.addresses[0].place == place)
            slots += [_column_and_offset(feature, term, columns) for term in terms if term.attribute != DISTANCE]
            start.append(len(slots))
    return np.array(start, np.int32), np.array(slots, np.int32).reshape(-1, 2)


def _column_and_offset(feature: Feature, term: Term, columns: dict[KeyColumn, int]) -> tuple[int, int]:
    offset = sum(OFFSETS[step] for step in term.addresses[0].path)
    column = column_of(term.attribute)
    if column is not None:
        return columns.setdefault(column, len(columns)), offset
    if offset:
        raise HeadwayError(f"{feature}: FEAT is for PARENT and CHILD, not for their neighbours; take FEATS instead")
    return -1, 0


def assure_known_steps(feature: Feature, who: str) -> None:
    """Refuse steps that need a tree where only neighbours in the sentence are known."""
    for term in feature.terms:
        for address in term.addresses:
            if wrong := set(address.path) - set(OFFSETS):
                raise HeadwayError(f"{feature}: step {min(wrong)!r} needs a tree; {who} know pw and fw only")


def needs_tree(feature: Feature) -> bool:
    """Whether a feature looks at what is known only when all arcs have been chosen."""
    steps = {step for term in feature.terms for address in term.addresses for step in address.path}
    return bool(steps - set(OFFSETS)) or feature.has(*OF_TREES)


def compile_arcs(features: Sequence[Feature]) -> ArcTemplates:
    """The arrays of a feature model of arcs and labels."""
    for feature in features:
        if others := feature.places - set(ARC_PLACES):
            known_ones = ", ".join(ARC_PLACES)
            owner = "pairs of words" if min(others) in PAIR_PLACES else "transition parsers"
            raise HeadwayError(f"{feature}: {min(others)} belongs to {owner}; a graph parser looks at {known_ones}")
    arcs = [feature for feature in features if not feature.has(LABEL)]
    labels = [feature for feature in features if feature.has(LABEL)]
    if not arcs:
        raise HeadwayError("the feature model has no features of arcs; name at least one, such as POS(CHILD)")
    columns: dict[KeyColumn, int] = {}
    found = sorted(((_group(core), kind, core) for core, kind in _cores(arcs)), key=lambda entry: entry[:2])
    groups, kinds, cores = zip(*found, strict=True)
    each = [sum(1 << role for role, place in enumerate(ARC_ROLES) if _each(core, place)) for core in cores]
    start, slot = slots_by_place(cores, ARC_ROLES, columns)
    of_labels = _label_arrays(labels, columns)
    return ArcTemplates(
        features=tuple(features),
        columns=tuple(columns),
        cores=cores,
        group=np.searchsorted(groups, range(len(layout.GROUPS) + 1)).astype(np.int32),
        kind=np.array(kinds, np.int32),
        start=start,
        slot=slot,
        each=np.array(each, np.int32),
        seed=seeds_of([f"{core} {kind}" for core, kind in zip(cores, kinds, strict=True)]),
        labels=of_labels,
    )


def _cores(features: Sequence[Feature]) -> list[tuple[Feature, int]]:
    """What features look at besides direction and length of the arc, and with which of these it counts together."""
    variants: dict[frozenset[Term], set[tuple[bool, bool]]] = {}
    first: dict[frozenset[Term], Feature] = {}
    for feature in features:
        _check(feature)
        rest = tuple(term for term in feature.terms if term.attribute not in (SIDE, DISTANCE))
        core = frozenset(rest)
        first.setdefault(core, Feature(tuple(sorted(rest))))
        variants.setdefault(core, set()).add((feature.has(SIDE), feature.has(DISTANCE)))
    found = []
    for core, ways in variants.items():
        if {(True, False), (True, True)} <= ways:
            found.append((first[core], layout.KIND_NUMBERS["directed"]))
            ways -= {(True, False), (True, True)}
        names = {(False, False): "plain", (False, True): "distance", (True, False): "side", (True, True): "both"}
        found += [(first[core], layout.KIND_NUMBERS[names[way]]) for way in sorted(ways)]
    return found


def _check(feature: Feature) -> None:
    """Refuse what the scoring of arcs has no place for."""
    for attribute in filter(feature.has, OF_TREES):
        raise HeadwayError(f"{feature}: {attribute} is known only when arcs have been chosen; ask it of labelled(…)")
    assure_known_steps(feature, "arcs")
    distance = f"DISTANCE({'SIBLING' if 'SIBLING' in feature.places else 'PARENT'}, CHILD)"
    for term in feature.terms:
        if term.attribute == SIDE and str(term) != "SIDE(PARENT, CHILD)":
            raise HeadwayError(f"{feature}: the side is that of PARENT, CHILD; write SIDE(PARENT, CHILD)")
        if term.attribute == DISTANCE and str(term) != distance:
            raise HeadwayError(f"{feature}: the distance here is {distance}; write that")


def _group(core: Feature) -> int:
    groups: dict[str, int] = layout.GROUPS
    places, each = core.places, core.has(EACH)
    if {"SIBLING", "BETWEEN"} <= places:
        raise HeadwayError(f"{core}: SIBLING and BETWEEN do not go together; write two features")
    if each and places & {"SIBLING", "BETWEEN"}:
        raise HeadwayError(f"{core}: FEAT is for PARENT and CHILD only; take FEATS or FEATS:Name instead")
    if "SIBLING" in places:
        return groups["three" if "PARENT" in places else "siblings"]
    if "BETWEEN" in places:
        return groups["between"]
    if {"PARENT", "CHILD"} <= places:
        return groups["feats" if each else "both"]
    return groups["child" if "CHILD" in places else "parent"]


def _each(core: Feature, place: str) -> bool:
    found = sum(term.attribute == EACH and term.addresses[0].place == place for term in core.terms)
    if found > 1:
        raise HeadwayError(f"{core}: FEAT stands twice for the same word; join it with FEATS or FEATS:Name instead")
    return found == 1


def _label_arrays(labels: Sequence[Feature], columns: dict[KeyColumn, int]) -> TemplateArrays:
    for feature in labels:
        if others := feature.places - set(layout.PLACES):
            raise HeadwayError(f"{feature}: a label depends on PARENT and CHILD, not on {min(others)}; leave it out")
    return Compiler(layout.PLACES, columns).arrays(labels)


@dataclass(frozen=True, eq=False)
class LabelTemplates(WordTemplates):
    """Compiled features of labels alone."""

    arrays: TemplateArrays


def compile_labels(features: Sequence[Feature]) -> LabelTemplates:
    """The arrays of those features of a model that are about labels."""
    labels = [feature for feature in features if feature.has(LABEL)]
    if not labels:
        raise HeadwayError("the feature model has no features of labels; write some as labelled(POS(CHILD))")
    columns: dict[KeyColumn, int] = {}
    arrays = _label_arrays(labels, columns)
    return LabelTemplates(tuple(labels), tuple(columns), arrays)
