"""Parse files to files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headway.base.errors import HeadwayError
from headway.base.files import STANDARD, assure_apart, assure_folder, assure_one_standard, replacing
from headway.data.formats.reading import InputReader
from headway.stages.model_file import is_model
from headway.stages.parsing.parser import Parser

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from headway.stages.parsing.keywords import ParseKeywords


def parse_files(parser: Parser, readers: Sequence[InputReader], output: str, **how: Unpack[ParseKeywords]) -> None:
    """Parse files into one, or each into a file of its name in a folder (`output` ends in /).

    Text becomes CoNLL-U, `story.txt` the file `story.conllu`. With `force` the output may replace an input or a model.
    All else is as in `Parser.parse`.
    """
    force = how.get("force", False)
    assure_one_standard(reader.path for reader in readers)
    if not output.endswith("/"):
        _assure_free(output, readers, force)
        with replacing(output) as stream:
            for reader in readers:
                for text in parser.parse_bytes(reader, **how):
                    stream.write(text)
                    if output == STANDARD:
                        stream.flush()
        return
    names = [reader.writes for reader in readers]
    if STANDARD in names or len(set(names)) < len(names):
        raise HeadwayError(f"{output}: files of the same name, or standard input, cannot share a folder; name one file")
    folder = assure_folder(output)
    for name in names:
        _assure_free(folder / name, readers, force)
    for reader, name in zip(readers, names, strict=True):
        with replacing(folder / name) as stream:
            for text in parser.parse_bytes(reader, **how):
                stream.write(text)


def _assure_free(output: str | os.PathLike[str], readers: Sequence[InputReader], force: bool) -> None:
    """Refuse to write over an input or a model."""
    assure_apart(output, (reader.path for reader in readers), force=force)
    if not force and is_model(output):
        what = f"{os.fspath(output)}: the output would overwrite a model"
        raise HeadwayError(f"{what}; name another file, or overwrite it with --force")
