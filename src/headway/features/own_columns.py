"""Columns of one's own: a Python function gives each word a value, and features ask for it as `MY:band(STACK0)`.

The parameters of the function say by their names what it looks at: `def band(forms)` is called with the forms of one
sentence after the other. Nobody can ask for heads and labels, which a parser is to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from itertools import pairwise

import numpy as np

from headway.base.errors import HeadwayError, known
from headway.base.registry import Registry
from headway.data.batch import Batch
from headway.data.cells import PROPERTIES, cells_of
from headway.data.layers import Codes

MY = "MY:"
"""How the attributes of such columns begin."""
COLUMNS: Registry[Callable[..., Iterable[str]]] = Registry("column", "headway.columns", {}, needs=("__call__",))
"""The functions by the names of their columns."""
GIVEN = {name: field for name, field in PROPERTIES.items() if field not in ("HEAD", "DEPREL", "DEPS")}
"""What functions may ask for."""


def registered(attribute: str) -> str:
    """The attribute itself, if there is a function for it that can be called."""
    _asked(attribute)
    return attribute


def taken_from(field: str) -> Iterable[str]:
    """The field itself, or those that the function of a column of one's own asks for."""
    return _asked(field).values() if field.startswith(MY) else (field,)


def _asked(attribute: str) -> dict[str, str]:
    """The fields of a sentence that the function of a column looks at, by the names of its parameters."""
    name = attribute.removeprefix(MY)
    if name not in COLUMNS:
        there = f" ({known(COLUMNS)})" if COLUMNS.names() else ""
        raise HeadwayError(
            f"features ask for {attribute}, and no function is registered under that name{there}; name the file that"
            " registers it before the command, as in headway --import my_parts.py (in Python import it)"
        )
    parameters = signature(COLUMNS[name]).parameters.values()
    asked = [one.name for one in parameters if one.name in GIVEN or one.default is one.empty]
    for wrong in {*asked} - {*GIVEN}:
        raise HeadwayError(f"the function of {attribute} has a parameter {wrong!r}; {known(GIVEN)}")
    if not asked:
        raise HeadwayError(f"the function of {attribute} asks for nothing; give it a parameter: {known(GIVEN)}")
    return {one: GIVEN[one] for one in asked}


def own_cells(attribute: str, batch: Batch, first: int = 0, last: int | None = None) -> list[str]:
    """What the function of a column gives the words of sentences first to last."""
    offsets = batch.sentence_word[first : None if last is None else last + 1]
    columns = {one: batch.column(field, *offsets[[0, -1]]) for one, field in _asked(attribute).items()}
    function, found = COLUMNS[attribute.removeprefix(MY)], list[str]()
    for sentence, (start, end) in enumerate(pairwise((offsets - offsets[0]).tolist()), first):
        try:
            values = function(**{one: cells[start:end] for one, cells in columns.items()})
            found += [cell or "_" for cell in cells_of(attribute, values, end - start)]
        except Exception as error:
            is_said = isinstance(error, HeadwayError)
            what = error if is_said else f"{attribute}: {type(error).__name__}: {error}; correct the function"
            raise HeadwayError(f"{batch.source}:{batch.numbers[sentence]}: {what}") from error
    return found


def own_codes(attribute: str, batch: Batch) -> Codes:
    """The same of a whole batch as numbers of names."""
    number: dict[str, int] = {}
    codes = [number.setdefault(cell, len(number)) for cell in own_cells(attribute, batch)]
    return Codes(np.array(codes, np.int32), tuple(number))
