"""Drafts of results: temporary files and folders beside their places, and what killed processes left of them.

A process keeps its drafts locked while it lives. What nobody has locked for a minute belongs to a process that was
killed, and goes when the next draft is made in its folder.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

from headway.base.errors import HeadwayError

STALE = 60.0
"""After so many seconds a draft that no process has locked belongs to one that was killed."""
FOLDER = ".headway-"
LOCK = ".lock"


def draft_of(target: Path) -> tuple[int, str]:
    """A temporary file that may take the place of `target`: its handle, locked while we live, and its name."""
    try:
        if target.is_dir():
            raise HeadwayError(f"{target}: this is a folder; name a file in it")
        remove_drafts(target)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        _is_ours(handle)
        return handle, temporary
    except OSError as error:
        raise HeadwayError(f"{target}: {error.strerror}; name a folder that can be written to") from None


def remove_drafts(target: Path) -> None:
    """Remove the drafts of `target` that killed processes left behind."""
    ours = re.compile(re.escape(f".{target.name}.") + r"[a-z0-9_]{8}\.part")
    for path in _left_behind(target.parent.absolute()):
        if ours.fullmatch(path.name):
            with suppress(OSError):
                if _is_stale(path):
                    path.unlink()


@contextmanager
def draft_folder(parent: Path, what: str) -> Iterator[Path]:
    """A temporary folder for several results, gone at the end; those of killed processes are removed first."""
    prefix = f"{FOLDER}{what}-"
    with suppress(OSError):
        for path in parent.glob(f"{prefix}????????"):
            with suppress(OSError):
                if _is_stale(path / LOCK):
                    shutil.rmtree(path, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=parent, prefix=prefix) as folder:
        handle = os.open(Path(folder) / LOCK, os.O_CREAT | os.O_RDWR)
        try:
            _is_ours(handle)
            yield Path(folder)
        finally:
            os.close(handle)


@lru_cache
def _left_behind(folder: Path) -> list[Path]:
    """What looks like a draft in a folder; listed once, since a folder may get thousands of files."""
    with suppress(OSError):
        return [path for path in folder.iterdir() if path.suffix == ".part"]
    return []


def _is_stale(path: Path) -> bool:
    """Whether a file is old, and locked by nobody."""
    if time.time() - path.stat().st_mtime <= STALE:
        return False
    handle = os.open(path, os.O_RDWR)
    try:
        return _is_ours(handle)
    finally:
        os.close(handle)


def _is_ours(handle: int) -> bool:
    """Lock a file for this process; False where another process has, or where files cannot be locked."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
