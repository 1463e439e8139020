"""What a model file may hold of a lemmatizer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from headway.base.schema import (
    FLAG,
    TEXT,
    Arrays,
    Each,
    Header,
    Kind,
    Numbers,
    Relation,
    Schema,
    Single,
    is_number,
    one_of,
    whole,
)
from headway.data.formats.format import TAGS
from headway.stages import weights
from headway.text.lemmatizer.edit_scripts import UNSAID, parsed

ALWAYS = ("lower|*", "keep|*")
"""Scripts that every lemmatizer has, so that one fits every form."""


def _arrays(header: Header) -> dict[str, Numbers]:
    return {
        **weights.arrays_in(header),
        "set_start": Numbers("<i4", low=0, rising=True, fewest=1),
        "set_member": Numbers("<i4", low=0, high=len(header["scripts"]) - 1),
        **dict.fromkeys(("keys", "lexicon_keys", "lemmas"), Numbers("<u8")),
        **dict.fromkeys(("sets", "lexicon_sets"), Numbers("<i4", low=0)),
    }


def _relations(header: Header, arrays: Arrays) -> Iterator[Relation]:
    start, member = arrays["set_start"], arrays["set_member"]
    yield int(start[-1]) == len(member) and bool((np.diff(start) > 0).all()), "sets of scripts are empty or cut off"
    for keys, sets in (("keys", "sets"), ("lexicon_keys", "lexicon_sets")):
        fits = len(arrays[keys]) == len(arrays[sets]) and int(arrays[sets].max(initial=-1)) < len(start) - 1
        yield fits, f"{keys} and {sets} do not go together"
    yield header["open"] <= len(header["scripts"]), "more scripts are open than there are"


SCRIPT = Single(
    "an edit script",
    lambda value: (
        isinstance(value, str) and not {"\t", "\n"} & set(value) and (value == UNSAID or parsed(value) is not None)
    ),
)


FIELDS: dict[str, Kind] = {
    "open": whole(len(ALWAYS)),
    "familiar": Single("a number from 0 on", lambda value: is_number(value) and value >= 0),
    "rules": FLAG,
}
"""The fields of a lemmatizer that a model file holds as they are."""

SCHEMA = Schema(
    {
        "features": Each(TEXT, fewest=1),
        "tags": Each(one_of(*TAGS), fewest=1),
        "scripts": Each(SCRIPT, fewest=len(ALWAYS)),
        **FIELDS,
    },
    _arrays,
    _relations,
    later={"learned": whole(len(ALWAYS)), **weights.LATER},
)
