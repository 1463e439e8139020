"""Open a model file: `headway.load`."""

from __future__ import annotations

from headway.base.errors import assure_yes_no
from headway.stages import model_file as model
from headway.stages.model_file import ModelSource
from headway.stages.parsing.parser import Parser


def load(source: ModelSource, *, mapped: bool = True) -> Parser:
    """The parser in a model file; weights are read from the file when they are used.

    As long as the parser is used, replace the file by another one, but do not write into it. With `mapped=False` the
    whole file is read at once, and whatever becomes of it changes nothing. `source` may also be a file that is open in
    binary mode, or the bytes of one.
    """
    assure_yes_no("mapped", mapped)
    return Parser(model.load(source, mapped=mapped))
