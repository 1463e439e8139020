"""Parsing files to files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO

from headway.errors import HeadwayError
from headway.files import STANDARD, replacing
from headway.formats.reading import Reader
from headway.parser import Parser


def parse_to(parser: Parser, readers: Sequence[Reader], output: str, threads: int = 1) -> None:
    """Parse files into one, one after the other, or each into a file of its name in a folder (`output` ends in /)."""
    if not output.endswith("/"):
        with replacing(output) as stream:
            for reader in readers:
                _parse(parser, reader, stream, threads, flush=output == STANDARD)
        return
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    names = [Path(reader.path).name for reader in readers]
    if STANDARD in names or len(set(names)) < len(names):
        raise HeadwayError(f"{output}: files of the same name, or standard input, cannot share a folder; name one file")
    for reader, name in zip(readers, names, strict=True):
        if (folder / name).resolve() == Path(reader.path).resolve():
            raise HeadwayError(f"{reader.path}: the output would take the place of the input; name another folder")
        with replacing(folder / name) as stream:
            _parse(parser, reader, stream, threads)


def _parse(parser: Parser, reader: Reader, stream: IO[bytes], threads: int, *, flush: bool = False) -> None:
    for text in parser.parse_bytes(reader, threads):
        stream.write(text)
        if flush:
            stream.flush()
