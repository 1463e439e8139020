"""Where the bytes of a model come from: a file, mapped or read; an open file; bytes."""

from __future__ import annotations

import mmap
import os
import stat
from io import UnsupportedOperation
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, described
from headway.base.files import assure_path

ModelSource = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]


def model_name(source: ModelSource) -> str:
    """How messages call a source; what is none is refused."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "<bytes>"
    if hasattr(source, "read") and not isinstance(source, os.PathLike):
        name = getattr(source, "name", None)
        return name if isinstance(name, str) else "<open file>"
    assure_path(source, "a model file, or give an open one or its bytes")
    return os.fspath(source)


def model_bytes(source: ModelSource, *, mapped: bool = True) -> NDArray[np.uint8]:
    """The bytes of a source, which nobody can write to; those of a file at a path without reading them if `mapped`.

    Bytes that somebody may change later are copied.
    """
    name = model_name(source)
    try:
        if isinstance(source, (bytes, bytearray, memoryview)):
            return np.frombuffer(bytes(source), np.uint8)
        if isinstance(source, (str, os.PathLike)):
            return _of_file(name, mapped)
        return np.frombuffer(_read(source, name), np.uint8)
    except UnsupportedOperation:
        raise HeadwayError(f"{name}: this file is not open for reading; open it with mode 'rb'") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise HeadwayError(f"{name}: {reason}; give a model file that can be read") from None


def _of_file(name: str, mapped: bool) -> NDArray[np.uint8]:
    status = Path(name).stat()
    if not stat.S_ISREG(status.st_mode):
        raise HeadwayError(f"{name}: this is not a file; give a model file")
    with Path(name).open("rb") as stream:
        if mapped and status.st_size:
            return np.frombuffer(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
        return np.frombuffer(stream.read(), np.uint8)


def _read(file: IO[bytes], name: str) -> bytes:
    """All of an open file from where it stands."""
    data: object = "" if hasattr(file, "encoding") else file.read()
    if not isinstance(data, bytes):
        what = "as text" if isinstance(data, str) else f"but reading gives {described(data)}"
        raise HeadwayError(f"{name}: this file is open {what}; open it with mode 'rb'")
    return data
