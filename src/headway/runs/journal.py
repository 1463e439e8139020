"""The journal of a long run: a JSON object a line as results come, enough to go on after any end."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

from headway.base.errors import FormatError, HeadwayError

JOURNAL = "journal.jsonl"
REMEDY = "name another output, or remove this file to begin anew"
Record = dict[str, Any]


def records(path: str | os.PathLike[str], of: str) -> list[Record]:
    """The records of a journal, also of one that is being written; a last line that was cut off is left out.

    `of` is what errors call the run that it belongs to.
    """
    try:
        return _read(Path(path), of)[0]
    except OSError as error:
        raise HeadwayError(f"{path}: {error.strerror}; give the folder of a {of}") from None


def _read(path: Path, of: str) -> tuple[list[Record], int]:
    """The records, and the length in bytes of their lines."""
    found: list[Record] = []
    lines = path.read_bytes().split(b"\n")
    length = 0
    for number, line in enumerate(lines[:-1], 1):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict) or "kind" not in record:
            if number == len(lines) - 1:
                break
            raise FormatError(str(path), number, f"expected a record of a {of}", REMEDY)
        found.append(record)
        length += len(line) + 1
    return found, length


class Journal:
    """A journal that this process alone writes, between `with` and its end."""

    def __init__(self, path: str | os.PathLike[str], of: str) -> None:
        """`of` is what errors call the run that it belongs to."""
        self.path, self.of = Path(path), of

    def __enter__(self) -> Journal:
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise HeadwayError(f"{self.path}: {error.strerror}; name a folder that can be written to") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._file, _read(self.path, self.of)[1])
        except BlockingIOError:
            os.close(self._file)
            raise HeadwayError(f"{self.path}: another {self.of} writes here; wait for its end, or end it") from None
        except BaseException:
            os.close(self._file)
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        os.close(self._file)

    def begin(self, run: Record) -> list[Record]:
        """The records after the first, which describes the run; a journal that another run began is refused.

        A run is the same where its `version` and `digest` are; its tables, such as `options`, say what differs.
        """
        found = records(self.path, self.of)
        if not found:
            self.append(run)
            return []
        first, *others = found
        if first.get("version") != run["version"]:
            raise HeadwayError(f"{self.path}: this journal is of version {first.get('version')!r}; {REMEDY}")
        if first.get("digest") != run["digest"]:
            changes = _changes(first, run)
            raise HeadwayError(f"{self.path}: this journal is of another {self.of} ({changes}); {REMEDY}")
        return others

    def append(self, record: Record) -> None:
        """Write a record in one piece, after those there."""
        text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        line = text.encode(errors="backslashreplace") + b"\n"  # half a character, as JSON escapes it
        try:
            written = os.write(self._file, line)
            if written < len(line):
                os.write(self._file, line[written:])
        except OSError as error:
            remedy = "make room and run the same command again, which goes on from here"
            raise HeadwayError(f"{self.path}: {error.strerror}; {remedy}") from None


def _changes(first: Record, run: Record) -> str:
    """In what two runs differ, as far as the tables in their first records say."""
    differences = []
    for table in (name for name, value in run.items() if isinstance(value, dict)):
        old, new = first.get(table, {}), run[table]
        differences += [
            f"{name} was {old.get(name)!r} and is {new.get(name)!r}"
            for name in dict.fromkeys((*old, *new))
            if old.get(name) != new.get(name)
        ]
    return ", ".join(differences) or "its data had other content"
