"""Bytes in and out: compressed files, standard input and output, and results that appear whole or not at all."""

from __future__ import annotations

import gzip
import lzma
import os
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from headway.errors import FormatError, HeadwayError

STANDARD = "-"
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
CHUNK = 1 << 20


def name_of(path: str | os.PathLike[str]) -> str:
    """How messages call an input."""
    return "<stdin>" if os.fspath(path) == STANDARD else os.fspath(path)


def chunks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The bytes of a file, decompressed where they begin as gzip or xz do; `-` is standard input."""
    source = name_of(path)
    try:
        with _standard_input() if os.fspath(path) == STANDARD else Path(path).open("rb") as raw:
            with _decompressed(raw) as stream:
                while piece := stream.read(CHUNK):
                    yield piece
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        what = f"the compressed data is cut off or damaged ({str(error).rstrip('.')})"
        raise FormatError(source, None, what, "copy or download the file again") from None
    except OSError as error:
        raise HeadwayError(f"{source}: {error.strerror or error}; give a file that can be read") from None


@contextmanager
def _standard_input() -> Iterator[BinaryIO]:
    yield sys.stdin.buffer


def _decompressed(raw: BinaryIO) -> IO[bytes]:
    buffered = raw if hasattr(raw, "peek") else cast(BinaryIO, raw)
    start = buffered.peek(len(XZ))  # type: ignore[attr-defined]
    if start.startswith(GZIP):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if start.startswith(XZ):
        return lzma.LZMAFile(raw)
    return raw


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary stream whose content takes the place of `path` at the end, unless an exception comes first.

    Compressed where the name ends in `.gz` or `.xz`; `-` is standard output.
    """
    if os.fspath(path) == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        with target.open("wb") as stream:
            yield stream
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise HeadwayError(f"{target}: {error.strerror}; name a folder that can be written to") from None
    try:
        with os.fdopen(handle, "wb") as raw, _compressed(raw, target.suffix) as stream:
            yield stream
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise


@contextmanager
def _compressed(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    if suffix == ".gz":
        # No name and no time inside, so that the same content gives the same bytes.
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as stream:
            yield cast(IO[bytes], stream)
    elif suffix == ".xz":
        with lzma.LZMAFile(raw, "wb") as stream:
            yield stream
    else:
        yield raw
