"""A folder in which cases run, each by the commands that users give, in this process."""

from __future__ import annotations

import io
import os
import re
import runpy
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from unittest.mock import patch

from products import products_of, text_digest

Step = str | partial
"""A command of headway without its first word, or a function of file names; what it returns counts as printed."""
Cases = Mapping[str, Sequence[Step]]
"""Steps by the name of the case; all files that they leave are digested, and all that they print."""
IMPOSSIBLE = "not possible: "
"""What stands before the reason where headway refuses a step, as it does an option that it does not know yet."""


class ImpossibleError(Exception):
    """Why a step cannot be done."""


class Workplace:
    """A folder with files that cases share; each is made when a case first names it."""

    def __init__(self, folder: Path, files: Mapping[str, Step]) -> None:
        self.folder, self.files = folder, files
        self._refused: dict[str, str] = {}

    def lines(self, case: str, steps: Sequence[Step]) -> Iterator[str]:
        """A line for each thing that a case leaves: its name, a tab, its digest."""
        try:
            found = self._products(steps)
        except ImpossibleError as why:
            yield f"{case}\t{IMPOSSIBLE}{why}"
        else:
            yield from (f"{case}: {product}\t{digest}" for product, digest in found)

    def _products(self, steps: Sequence[Step]) -> list[tuple[str, str]]:
        """Run a case in a folder of its own; what it leaves, by name."""
        needed = self._needed_by(steps)
        place = self.folder / "case"
        place.mkdir()
        try:
            for name in needed:
                os.link(self.folder / name, place / name)
            texts = _run(steps, place)
            paths = sorted(path for path in place.rglob("*") if path.is_file() and not self._is_shared(path))
            found = [one for path in paths for one in products_of(path, path.relative_to(place).as_posix())]
        finally:
            os.chdir(self.folder)
            shutil.rmtree(place)
        return found + [(name, text_digest(text)) for name, text in texts.items() if text]

    def _is_shared(self, path: Path) -> bool:
        """Whether a file is there for all cases, and as it was."""
        return path.name in self.files and path.samefile(self.folder / path.name)

    def _needed_by(self, steps: Sequence[Step], but: str = "") -> list[str]:
        """The shared files that steps name, made where they are not there."""
        text = " ".join(map(_words_of, steps))
        needed = [
            name for name in self.files if name != but and re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", text)
        ]
        for name in needed:
            self._make(name)
        return needed

    def _make(self, name: str) -> None:
        """Make a shared file where it is not there; what cannot be made is refused each time that it is needed."""
        if name not in self._refused and not (self.folder / name).exists():
            try:
                self._needed_by([self.files[name]], but=name)
                _run([self.files[name]], self.folder)
            except ImpossibleError as why:
                self._refused[name] = str(why)
        if name in self._refused:
            raise ImpossibleError(self._refused[name])


def _words_of(step: Step) -> str:
    return step if isinstance(step, str) else " ".join(map(str, (*step.args, *step.keywords.values())))


def _run(steps: Sequence[Step], place: Path) -> dict[str, str]:
    """Run steps in a folder; what they write on standard output and standard error, without the folder's name.

    What those with -q write on standard error does not count.
    """
    texts = {"printed": "", "said": ""}
    os.chdir(place)
    for step in steps:
        output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        try:
            with redirect_stdout(output), redirect_stderr(errors):
                if isinstance(step, str):
                    _command(step)
                else:
                    print(step() or "", end="")
        except SystemExit as end:
            if end.code:
                raise ImpossibleError(_text(errors, place).strip().rpartition("\n")[2]) from None
        except Exception as error:
            raise ImpossibleError(f"{type(error).__name__}: {' '.join(str(error).split())}") from None
        texts["printed"] += _text(output, place)
        texts["said"] += "" if " -q" in _words_of(step) else _text(errors, place)
    return texts


def _command(words: str) -> None:
    """Run a command of headway as `python -m headway` does."""
    with patch.object(sys, "argv", ["headway", *shlex.split(words)]):
        runpy.run_module("headway", run_name="__main__")


def _text(stream: io.TextIOWrapper, place: Path) -> str:
    return stream.buffer.getvalue().decode().replace(str(place), "FOLDER")
