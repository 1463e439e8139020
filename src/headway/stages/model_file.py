r"""The model file: one safe, versioned file, mapped into memory or read.

    headway\n · version · length of the header · digest of these and the header · header (JSON) · arrays, on whole pages

The header names the arrays with type, shape, place and checksum, and carries whatever the stages need to know of
themselves. Nothing in it is executed. The same content gives the same bytes.

A model is a row of stages: `{"kind": "model", "stages": […]}`, and the arrays of stage 0 are called `0/NAME`.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import re
import stat
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from io import UnsupportedOperation
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, described, known
from headway.base.files import COMPRESSED, GZIP, STANDARD, XZ, assure_path, assure_writable, replacing
from headway.base.schema import Array, Schema, as_json, said
from headway.stages.contract import STAGES, Packed, Stage

ModelSource = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]
"""A path, what a file holds, or an open file."""
MAGIC = b"headway\n"
VERSION = 3
PREFIX = struct.Struct("<8sIIQ")
PAGE = 4096
TYPES = frozenset(("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8"))
CHUNK = 1 << 20
HALF = re.compile(rb"(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]")
"""Half of a character in JSON, which `write` never writes and nobody can print."""
MODEL = "model"


def checksum(data: NDArray[np.uint8]) -> str:
    """A checksum at the speed of memory: a digest of the sums of 64-bit words over each page, and over all pages.

    A change of one word changes both its sums, two words that change places change the sums of their pages or of their
    places in the page. Zeros at the end of the last page make no difference.
    """
    places = np.zeros(PAGE // 8, np.uint64)
    digest = blake2b(digest_size=16)
    for start in range(0, len(data), CHUNK):
        chunk = data[start : start + CHUNK]
        if len(chunk) % PAGE:
            chunk = np.concatenate([chunk, np.zeros(-len(chunk) % PAGE, np.uint8)])
        words = chunk.view(np.uint64).reshape(-1, PAGE // 8)
        places += words.sum(axis=0)
        digest.update(words.sum(axis=1).data)
    digest.update(places.data)
    return digest.hexdigest()


def assure_mappable(name: str) -> None:
    """Refuse what cannot be mapped into memory."""
    if name == STANDARD:
        raise HeadwayError("a model is mapped into memory, and standard output cannot be; name a file")
    if name.endswith(COMPRESSED):
        raise HeadwayError(f"{name}: a model is mapped into memory as it is; give a name without {name[-3:]}")


def assure_savable(path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Refuse what `save` would refuse, before a training whose model would be lost.

    Nor is a file that is no model to be lost, such as a treebank, unless `force` says so.
    """
    assure_mappable(os.fspath(path))
    assure_writable(path)
    if not force and Path(path).is_file() and Path(path).stat().st_size and not is_model(path):
        what = f"{os.fspath(path)}: this file exists and is not a model"
        raise HeadwayError(f"{what}; name another one, or overwrite it with --force (in Python force=True)")


def save(path: str | os.PathLike[str], stages: Sequence[Stage]) -> None:
    """Write a row of stages as a model file; it appears when it is complete."""
    row = [packed(stage) for stage in stages]
    arrays = {f"{number}/{name}": array for number, one in enumerate(row) for name, array in one.arrays.items()}
    write(path, {"kind": MODEL, "stages": [one.header for one in row]}, arrays)


def packed(stage: Stage) -> Packed:
    """The stage as a file holds it; one that cannot be kept in a file is refused."""
    assure_packs(stage)
    return stage.pack()


def assure_packs(stage: Stage) -> None:
    """Refuse a stage that has no way into a file."""
    if not callable(getattr(stage, "pack", None)):
        kind = getattr(stage, "kind", type(stage).__name__)
        raise HeadwayError(f"a {kind} cannot be saved: it has no method `pack`; give {type(stage).__name__} one")


def load(source: ModelSource, *, mapped: bool = True) -> list[Stage]:
    """The stages in a model; arrays of a mapped file are read from it when they are used."""
    return [stage_of(packed, _name(source)) for packed in row_of(source, mapped=mapped)]


def row_of(source: ModelSource, *, mapped: bool = True) -> list[Packed]:
    """The stages in a model as they are packed, each checked by the schema of its kind, if that is known."""
    name, (header, arrays) = _name(source), read(source, mapped=mapped)
    if not isinstance(header, dict):
        raise _damaged(name)
    kind, row = header.get("kind"), header.get("stages")
    if kind != MODEL and kind in STAGES:  # A file of format 1 held a single stage, without a row around it.
        return [_checked(Packed(header, arrays), name)]
    if kind != MODEL or not (isinstance(row, list) and row and all(isinstance(one, dict) for one in row)):
        what = f"expected a model, but the file holds a {said(kind)}"
        raise HeadwayError(f"{name}: {what}; train one with `headway train`")
    own = ({key.partition("/")[2]: arrays[key] for key in arrays if key.startswith(f"{at}/")} for at in range(len(row)))
    return [_checked(Packed(one, some), name) for one, some in zip(row, own, strict=True)]


def _checked(packed: Packed, source: str) -> Packed:
    """A stage as it is packed, refused if it is none of its kind; an unknown kind has only what all stages have."""
    kind: Any = packed.header.get("kind")
    schema = STAGES[kind].schema if kind in STAGES else Schema({})
    with _said_of(source):
        schema.check(packed.header, packed.arrays, source)
    return packed


def checked_stage(packed: Packed, source: str) -> Stage:
    """The stage that was packed, after its schema has checked it."""
    return stage_of(_checked(packed, source), source)


def stage_of(packed: Packed, source: str) -> Stage:
    """The stage that was packed and has been checked by its schema; `source` is what errors call the file."""
    kind = packed.header["kind"]
    if kind not in STAGES:
        what = f"the file holds a {said(kind)}, which this headway does not know"
        raise HeadwayError(f"{source}: {what}; {known(STAGES)}")
    with _said_of(source):
        return STAGES[kind].unpack(packed, source)


@contextmanager
def _said_of(source: str) -> Iterator[None]:
    """Errors begin with the name of the file."""
    try:
        yield
    except HeadwayError as error:
        if str(error).startswith(source):
            raise
        raise HeadwayError(f"{source}: {error}") from None


def write(path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a file of a header and arrays; it appears when it is complete."""
    name = os.fspath(path)
    assure_mappable(name)
    entries: dict[str, Any] = {}
    pieces, place = [], 0
    for key, array in sorted(arrays.items()):
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        if little.dtype.str not in TYPES:
            raise HeadwayError(f"{name}: the array {key} is of type {array.dtype}; a model file holds numbers only")
        data = little.reshape(-1).view(np.uint8)
        entries[key] = {"type": little.dtype.str, "shape": array.shape, "place": place, "checksum": checksum(data)}
        place += -(-len(data) // PAGE) * PAGE
        pieces.append(data)
    text = as_json(
        {"header": header, "arrays": entries, "size": place},
        f"{name}: what was packed for the header",
        "pack plain numbers, strings of whole characters, lists and dictionaries, the rest as arrays",
    )
    text += b" " * (-(PREFIX.size + len(text)) % PAGE)
    with replacing(path) as stream:
        stream.write(PREFIX.pack(MAGIC, VERSION, len(text), _digest(VERSION, text)))
        stream.write(text)
        for data in pieces:
            stream.write(data.data)
            stream.write(b"\0" * (-len(data) % PAGE))


def is_model(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as a model does."""
    try:
        with open(path, "rb") as stream:  # noqa: PTH123
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def version_of(path: str | os.PathLike[str]) -> int:
    """The format of a file that begins as a model does."""
    with Path(path).open("rb") as stream:
        version: int = PREFIX.unpack(stream.read(PREFIX.size))[1]
    return version


def read(source: ModelSource, *, mapped: bool = True) -> Packed:
    """Open what `write` wrote; anything else is refused with a sentence.

    Every byte is checked, at the speed of memory; arrays of a mapped file are read from it when they are used.
    """
    name = _name(source)
    data = _bytes(source, name, mapped)
    start = data[: PREFIX.size].tobytes()
    if start.startswith((GZIP, XZ)):
        raise HeadwayError(f"{name}: the file is compressed; unpack it first, since models are mapped as they are")
    if len(start) < PREFIX.size or not start.startswith(MAGIC):
        what = "this is not a headway model" if len(data) else "expected a headway model, but the file is empty"
        raise HeadwayError(f"{name}: {what}; train one with `headway train`")
    _, version, length, digest = PREFIX.unpack(start)
    if version > VERSION:
        raise HeadwayError(
            f"{name}: the model was written by a newer headway (format {version}, "
            f"this one reads up to {VERSION}); upgrade headway"
        )
    text, body = data[PREFIX.size : PREFIX.size + length].tobytes(), data[PREFIX.size + length :]
    if len(text) < length:
        raise _damaged(name, "cut off")
    if _digest(version, text) != digest or HALF.search(text):
        raise _damaged(name)
    try:
        content = json.loads(text)
        if len(body) < content["size"]:
            raise _damaged(name, "cut off")
        arrays = {key: _array(body, entry) for key, entry in content["arrays"].items()}
        if len(body) > content["size"]:
            raise _damaged(name)
        return Packed(content["header"], arrays)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise _damaged(name) from None


def _name(source: ModelSource) -> str:
    """How messages call a source; what is none is refused."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "<bytes>"
    if hasattr(source, "read") and not isinstance(source, os.PathLike):
        name = getattr(source, "name", None)
        return name if isinstance(name, str) else "<open file>"
    assure_path(source, "a model file, or give an open one or its bytes")
    return os.fspath(source)


def _bytes(source: ModelSource, name: str, mapped: bool) -> NDArray[np.uint8]:
    """The bytes of a source, which nobody can write to: mapped into memory, read, or copied."""
    data: object = source
    try:
        if isinstance(source, (str, os.PathLike)):
            status = Path(name).stat()
            if not stat.S_ISREG(status.st_mode):
                raise HeadwayError(f"{name}: this is not a file; give a model file")
            with Path(name).open("rb") as stream:
                if mapped and status.st_size:
                    return np.frombuffer(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
                data = stream.read()
        elif not isinstance(source, (bytes, bytearray, memoryview)):
            found: object = "" if hasattr(source, "encoding") else source.read()
            if not isinstance(found, bytes):
                what = "as text" if isinstance(found, str) else f"but reading gives {described(found)}"
                raise HeadwayError(f"{name}: this file is open {what}; open it with mode 'rb'")
            data = found
        return np.frombuffer(bytes(data), np.uint8)  # type: ignore[call-overload]
    except UnsupportedOperation:
        raise HeadwayError(f"{name}: this file is not open for reading; open it with mode 'rb'") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise HeadwayError(f"{name}: {reason}; give a model file that can be read") from None


def _array(body: NDArray[np.uint8], entry: Mapping[str, Any]) -> Array:
    """An array in the mapped file; ValueError where its bytes are not those that were written."""
    if entry["type"] not in TYPES:
        raise ValueError(entry["type"])
    kind = np.dtype(entry["type"])
    size = math.prod(entry["shape"]) * kind.itemsize
    pages = body[entry["place"] : entry["place"] + -(-size // PAGE) * PAGE]
    if checksum(pages) != entry["checksum"]:
        raise ValueError(entry["checksum"])
    array: Array = pages[:size].view(kind).reshape(entry["shape"])
    return array.astype(kind.newbyteorder("="), copy=False)


def _digest(version: int, text: bytes) -> int:
    """Eight bytes that change with the version and the header."""
    return int.from_bytes(blake2b(version.to_bytes(4, "little") + text, digest_size=8).digest(), "little")


def _damaged(name: str, how: str = "damaged") -> HeadwayError:
    return HeadwayError(f"{name}: the model file is {how}; copy it again, or train it again")
