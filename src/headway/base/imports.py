"""Python files that register parts of their own: run once in this process, and in the workers that it starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from zlib import crc32

from headway.base.errors import HeadwayError

IMPORTED = "HEADWAY_IMPORT"
"""In the environment: the files, as in PATH one after the other."""


@contextmanager
def with_parts(files: Sequence[str]) -> Iterator[None]:
    """Run Python files, so that what they register is known here, and in processes that are started meanwhile."""
    before = os.environ.get(IMPORTED)
    import_parts(files)
    if files:
        os.environ[IMPORTED] = os.pathsep.join(str(Path(file).absolute()) for file in files)
    try:
        yield
    finally:
        os.environ.pop(IMPORTED, None)
        if before is not None:
            os.environ[IMPORTED] = before


def parts_to_import() -> list[str]:
    """The files that workers of this process have to run, too."""
    return [file for file in os.environ.get(IMPORTED, "").split(os.pathsep) if file]


def import_parts(files: Sequence[str]) -> None:
    """Run files, each once in a process; they can import modules that lie beside them."""
    for file in files:
        _import(file)


def _import(file: str) -> None:
    place = Path(file).absolute()
    path, folder = str(place), str(place.parent)
    name = f"headway_parts_{crc32(os.fsencode(path)):08x}_{place.stem}"
    if name in sys.modules:
        return
    if not path.endswith(".py"):
        raise HeadwayError(f"{file}: not a file of Python, whose name ends in .py; name the file that registers parts")
    with Path(file).open("rb"):  # An error of the system says more than one of the import.
        pass
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise HeadwayError(_said(file, path, error)) from error


def _said(file: str, path: str, error: BaseException) -> str:
    """Where a file failed, and why."""
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == path]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines = [error.lineno]
    place = f"{file}:{lines[-1]}" if lines else file
    if isinstance(error, HeadwayError):
        return f"{place}: {error}"
    what = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    return f"{place}: {type(error).__name__}{': ' if what else ''}{what}; repair the file"
