"""Fitting a feature model to a treebank: columns that say nothing are left out."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch
from headway.features.encode import KeyColumn, encode
from headway.features.language import Feature, distinct

logger = logging.getLogger("headway")
FIELDS = ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS")
PARTS = {"PREFIX": "FORM", "SUFFIX": "FORM", "LOWER": "FORM", "FEAT": "FEATS"}
"""Attributes that begin like this are parts of a field."""


def reduce_features(features: Sequence[Feature], batches: Sequence[Batch]) -> tuple[list[Feature], list[str]]:
    """The features that can tell something on this treebank, and a sentence for each column left out.

    A column that is empty or the same everywhere is left out of every feature; XPOS and UPOS stand in for each
    other where one of them is, and where both have the same content one is enough. Where nothing would be left, all
    stays as it is.
    """
    used = {_field(term.attribute) for feature in features for term in feature.terms} & set(FIELDS)
    columns = {field: _keys(batches, field) for field in FIELDS if field in used or field in ("UPOS", "XPOS")}
    constant = {field for field, keys in columns.items() if len(keys) == 0 or (keys == keys[0]).all()}
    notes, renamed = [], {}
    for field, other in (("XPOS", "UPOS"), ("UPOS", "XPOS")):
        if field in used and field in constant and other not in constant:
            renamed[field] = other
            notes.append(f"{field} is empty or constant; {other} takes its place")
    if {"UPOS", "XPOS"} <= used - constant and np.array_equal(columns["UPOS"], columns["XPOS"]):
        renamed["UPOS"] = "XPOS"
        notes.append("UPOS and XPOS are the same; one is used")
    dropped = {field for field in constant if field in used and field not in renamed}
    notes += [f"{field} is empty or constant and was left out" for field in sorted(dropped)]
    kept = []
    for feature in features:
        terms = [
            replace(term, attribute=renamed.get(term.attribute, term.attribute))
            for term in feature.terms
            if _field(term.attribute) not in dropped
        ]
        if terms:
            kept.append(Feature(tuple(dict.fromkeys(terms))))
    return (distinct(kept), notes) if kept else (list(features), [])


def fitted(features: Sequence[Feature], batches: Sequence[Batch], level: int = logging.WARNING) -> list[Feature]:
    """The features that can tell something on this treebank; what is left out is said, as loud as `level`."""
    kept, notes = reduce_features(features, batches)
    for note in notes:
        logger.log(level, "features: %s", note)
    return kept


def _field(attribute: str) -> str:
    return next((field for start, field in PARTS.items() if attribute.startswith(start)), attribute)


def _keys(batches: Sequence[Batch], field: str) -> NDArray[np.uint64]:
    parts = (encode([KeyColumn(field)], False, batch).keys[:, 0] for batch in batches)
    return np.concatenate([np.empty(0, np.uint64), *parts])
