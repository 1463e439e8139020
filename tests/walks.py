"""The files of headway that a call enters, in their order: `python tests/walks.py parse`.

Imports do not count. Kernels count when one of their functions is called.
"""

from __future__ import annotations

import functools
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

import headway

PACKAGE = Path(headway.__file__).parent
KERNELS = PACKAGE / "kernels"
WALKS = {
    "parse": "parse pipeline story.txt -o out",
    "train": "train train.conllu -o out --passes 1",
    "train --pipeline": "train --pipeline train.conllu -o out --passes 1 --folds 2",
    "train --parser graph": "train --parser graph train.conllu -o out --passes 1 --bits 12",
    "evaluate": "evaluate train.conllu train.conllu",
    "explain": "explain pipeline train.conllu --sentence 1",
    "discover": "discover train.conllu -o found --generations 1 --beam 1 --folds 2 --jobs 1",
}
"""The commands whose walks docs/architecture.md shows."""


def note_kernels(enter: Callable[[str], None]) -> None:
    """Say which kernel is called, from now on: call this before anything imports a kernel."""
    for path in sorted(KERNELS.glob("**/*.pyx")):
        place = path.relative_to(PACKAGE).with_suffix("")
        module = import_module(".".join(("headway", *place.parts)))
        for name, value in list(vars(module).items()):
            if type(value).__name__ == "cython_function_or_method" and value.__module__ == module.__name__:
                setattr(module, name, _noted(value, place.as_posix(), enter))


def _noted(function: Callable[..., Any], place: str, enter: Callable[[str], None]) -> Callable[..., Any]:
    @functools.wraps(function)
    def noted(*given: Any, **named: Any) -> Any:
        if not _imports(sys._getframe(1)):
            enter(place)
        return function(*given, **named)

    return noted


@functools.cache
def _place(file: str) -> str | None:
    """What a file of headway is called in walks; None for all others."""
    path = Path(file)
    return path.relative_to(PACKAGE).with_suffix("").as_posix() if path.is_relative_to(PACKAGE) else None


def _imports(frame: FrameType | None) -> bool:
    """Whether a module of headway is being imported."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and _place(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False


def walk(name: str, folder: Path) -> list[str]:
    """The files that a command enters, each once, with small inputs in an empty folder; for a process of its own."""
    found: dict[str, None] = {}

    def see(frame: FrameType, event: str, _: object) -> None:
        place = _place(frame.f_code.co_filename) if event == "call" else None
        if place is not None and place not in found and not _imports(frame):
            found[place] = None

    def command(words: str) -> None:
        run(["-q", *words.split()], standalone_mode=False)

    note_kernels(found.setdefault)
    from headway.cli import run

    os.chdir(folder)
    Path("story.txt").write_text("Dogs bark. They never sleep!\n")
    command("sample -n 40 --seed 1 -o train.conllu")
    if "pipeline" in WALKS[name].split():
        command("train --pipeline train.conllu -o pipeline --passes 1 --folds 2")
    found.clear()
    threading.setprofile(see)
    sys.setprofile(see)
    with redirect_stdout(StringIO()):
        command(WALKS[name])
    sys.setprofile(None)
    return list(found)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(*walk(sys.argv[1], Path(place)), sep="\n")
