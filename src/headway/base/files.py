"""Bytes in and out: compressed files, standard input and output, and results that appear whole or not at all.

A process keeps the drafts of its results locked while it lives. What nobody has locked for a minute belongs to a
process that was killed, and goes when the next draft is made in its folder.
"""

from __future__ import annotations

import fcntl
import gzip
import lzma
import os
import re
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import lru_cache, partial
from io import BufferedReader, RawIOBase, TextIOBase
from pathlib import Path
from typing import IO, Any, cast

from headway.base.errors import FormatError, HeadwayError, described, half, shown

PathName = str | os.PathLike[str]
STANDARD = "-"
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
COMPRESSED = (".gz", ".xz")
CHUNK = 1 << 18
STALE = 60.0
"""After so many seconds a draft that no process has locked belongs to one that was killed."""


def name_of(path: str | os.PathLike[str]) -> str:
    """How messages call an input."""
    return "<stdin>" if os.fspath(path) == STANDARD else os.fspath(path)


def assure_path(path: object, what: str = "a file") -> None:
    """Refuse what names no file: other things than a path, and text."""
    if not isinstance(path, (str, os.PathLike)):
        raise HeadwayError(f"{described(path)} is not a path; name {what}")
    name = os.fspath(path)
    if not isinstance(name, str) or "\0" in name or ("\n" in name and not os.path.lexists(name)):
        raise HeadwayError(f"{shown(name)} is not a path; headway.from_conllu reads CoNLL-U from a string")
    try:
        os.fsencode(name)
    except UnicodeEncodeError as error:
        fault = f"{shown(name)} holds {half(name[error.start])}, which no path can hold"
        raise HeadwayError(f"{fault}; name {what}") from None


def chunks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The bytes of a file, decompressed where they begin as gzip or xz do; `-` is standard input."""
    with _said_of(name_of(path)):
        if os.fspath(path) == STANDARD:
            if sys.stdin is None:
                raise HeadwayError("<stdin>: standard input is closed; name a file")
            # What has arrived is read at once: nobody at a terminal or pipe waits for a full chunk.
            yield from iter(partial(_decompressed(cast(BufferedReader, sys.stdin.buffer)).read1, CHUNK), b"")
        else:
            with Path(path).open("rb") as raw:
                yield from iter(partial(_decompressed(raw).read, CHUNK), b"")


def chunks_of_open(file: IO[str] | IO[bytes], source: str) -> Iterator[bytes]:
    """The bytes of an open file from where it stands, decompressed as `chunks` does; it stays open."""
    with _said_of(source):
        if isinstance(file, TextIOBase):
            while text := file.read(CHUNK):
                # Halves of characters are no UTF-8, and whoever reads on knows their place.
                yield text.encode("utf-8", "surrogatepass")
            return
        raw = BufferedReader(cast(RawIOBase, file), CHUNK)
        try:
            yield from iter(partial(_decompressed(cast(BufferedReader, raw)).read, CHUNK), b"")
        finally:
            with suppress(ValueError):  # The file may be closed by now.
                raw.detach()  # Otherwise it is closed with `raw`.


@contextmanager
def _said_of(source: str) -> Iterator[None]:
    """Say in one sentence why a file cannot be read."""
    try:
        yield
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        what = f"the compressed data is cut off or damaged ({str(error).rstrip('.')})"
        raise FormatError(source, None, what, "copy or download the file again") from None
    except IsADirectoryError:
        folder = source.rstrip("/")
        raise HeadwayError(
            f"{source}: this is a folder; name the files in it, as in {folder}/*.conllu (in Python"
            f" sorted(Path({folder!r}).glob('*.conllu')))"
        ) from None
    except OSError as error:
        raise HeadwayError(f"{source}: {error.strerror or error}; give a file that can be read") from None
    except UnicodeDecodeError as error:
        what = f"byte {error.object[error.start]:#04x} is not a character in {error.encoding}"
        raise FormatError(source, None, what, "open the file with its encoding, or in binary mode for UTF-8") from None
    except ValueError as error:
        if "closed file" not in str(error):
            raise
        raise HeadwayError(f"{source}: this file is closed; open it again, or give its path") from None


class _Replayed(RawIOBase):
    """A stream whose first bytes have been read already."""

    def __init__(self, start: bytes, rest: BufferedReader) -> None:
        self.start, self.rest = start, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self.start or self.rest.read1(len(buffer))
        piece, self.start = piece[: len(buffer)], piece[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


def _decompressed(raw: BufferedReader) -> BufferedReader:
    start = raw.peek(len(XZ))
    if any(magic != start and magic.startswith(start) for magic in (GZIP, XZ)) and start:
        # A pipe may bring the first byte alone; whoever wrote it will write more.
        start = raw.read(len(XZ))
        raw = BufferedReader(_Replayed(start, raw), CHUNK)
    if start.startswith(GZIP):
        return BufferedReader(cast(RawIOBase, gzip.GzipFile(fileobj=raw)), CHUNK)
    if start.startswith(XZ):
        return BufferedReader(cast(RawIOBase, lzma.LZMAFile(raw)), CHUNK)
    return raw


def assure_apart(output: PathName, inputs: Iterable[PathName], *, force: bool = False) -> None:
    """Refuse an output that would take the place of a file that is read, unless `force` says so.

    Two names of one file count too: links, and a file that the shell has opened as standard input or output.
    """
    for path in () if force else inputs:
        if is_same_file(output, path, 1):
            what = f"{name_of(path)}: the output would overwrite this input"
            raise HeadwayError(f"{what}; name another output, or overwrite the input with --force")


def is_same_file(first: str | os.PathLike[str], second: str | os.PathLike[str], standard: int = 0) -> bool:
    """Whether two names are of one file; `standard` is the descriptor that `-` means as the first of them."""
    try:
        one = os.fstat(standard) if os.fspath(first) == STANDARD else Path(first).stat()
        other = os.fstat(0) if os.fspath(second) == STANDARD else Path(second).stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(one.st_mode) and os.path.samestat(one, other)


def assure_one_standard(paths: Iterable[str | os.PathLike[str] | None]) -> None:
    """Refuse standard input for several files: it can be read once."""
    if sum(path is not None and os.fspath(path) == STANDARD for path in paths) > 1:
        raise HeadwayError("only one of the files can be '-', standard input; name the others")


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary stream whose content takes the place of `path` at the end, unless an exception comes first.

    Compressed where the name ends in `.gz` or `.xz`; `-` is standard output.
    """
    assure_path(path)
    if os.fspath(path) == STANDARD:
        if sys.stdout is None:
            raise HeadwayError("<stdout>: standard output is closed; name a file")
        with explaining("<stdout>"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
    elif _is_device(Path(path)):
        with explaining(path), Path(path).open("wb") as stream:
            yield stream
    else:
        with replacing_all([Path(path)]) as [stream]:
            yield stream


@contextmanager
def replacing_all(targets: Sequence[Path]) -> Iterator[list[IO[bytes]]]:
    """Streams whose contents take the places of files when all are complete, unless an exception comes first."""
    drafts: list[Path] = []
    try:
        with explaining(targets[0]):
            with ExitStack() as stack:
                streams = []
                for target in targets:
                    handle, draft = draft_of(target)
                    drafts.append(draft)
                    raw = stack.enter_context(os.fdopen(handle, "wb"))
                    streams.append(stack.enter_context(_compressed(raw, target.suffix)))
                yield streams
            umask = os.umask(0)
            os.umask(umask)
            for draft, target in zip(drafts, targets, strict=True):
                draft.chmod(0o666 & ~umask)
                draft.replace(target)
    except BaseException:
        for draft in drafts:
            draft.unlink(missing_ok=True)
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text as `replacing` does; halves of characters, as names of files may have, as their numbers."""
    with replacing(path) as stream:
        stream.write(text.encode(errors="backslashreplace"))


@contextmanager
def explaining(target: str | os.PathLike[str]) -> Iterator[None]:
    """Turn a failure to write into one sentence."""
    try:
        yield
    except OSError as error:
        # Whoever read our output has left, which is no failure, or the caller did something else in between.
        if isinstance(error, BrokenPipeError) or error.filename is not None:
            raise
        raise HeadwayError(f"{os.fspath(target)}: {error.strerror}; make room, or write to another place") from None


def assure_writable(path: str | os.PathLike[str]) -> None:
    """Refuse what `replacing` would refuse, before long work that would be lost. Nothing is left behind."""
    assure_path(path)
    target = Path(path)
    if os.fspath(path) != STANDARD and not _is_device(target):
        handle, draft = draft_of(target)
        os.close(handle)
        draft.unlink()


def assure_folder(path: str | os.PathLike[str]) -> Path:
    """The folder of that name, made where it is not there."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HeadwayError(f"{os.fspath(path)}: {error.strerror}; name a folder that can be written to") from None
    return Path(path)


def _is_device(target: Path) -> bool:
    """Whether a device or a pipe is there, which no file can replace."""
    with suppress(OSError):
        return target.exists() and not target.is_file() and not target.is_dir()
    return False


def _compressed(raw: IO[bytes], suffix: str) -> AbstractContextManager[IO[bytes]]:
    """The stream, or one that compresses what is written to it, as the suffix of its name says."""
    if suffix == ".gz":
        # No name and no time inside, so that the same content gives the same bytes.
        return cast(IO[bytes], gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0))
    return lzma.LZMAFile(raw, "wb") if suffix == ".xz" else nullcontext(raw)


def draft_of(target: Path) -> tuple[int, Path]:
    """A temporary file that may take the place of `target`: its handle, locked while we live, and its place."""
    try:
        if target.is_dir():
            raise HeadwayError(f"{target}: this is a folder; name a file in it")
        remove_drafts(target)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        is_ours(handle)
        return handle, Path(temporary)
    except OSError as error:
        raise HeadwayError(f"{target}: {error.strerror}; name a folder that can be written to") from None


def remove_drafts(target: Path) -> None:
    """Remove the drafts of `target` that killed processes left behind: they are old, and locked by nobody."""
    ours = re.compile(re.escape(f".{target.name}.") + r"[a-z0-9_]{8}\.part")
    for path in _left_behind(target.parent.absolute()):
        with suppress(OSError):
            if ours.fullmatch(path.name) and time.time() - path.stat().st_mtime > STALE:
                with path.open("r+b") as file:
                    if is_ours(file.fileno()):
                        path.unlink()


@lru_cache
def _left_behind(folder: Path) -> list[Path]:
    """What looks like a draft in a folder; listed once, since a folder may get thousands of files."""
    return list(folder.glob("*.part"))


def is_ours(handle: int) -> bool:
    """Lock a file for this process; False where another process has, or where files cannot be locked."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
