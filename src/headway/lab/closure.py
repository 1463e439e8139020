"""The source tree as trainings use it: what a module needs, found from imports and cimports, and what counts of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import headway
from headway.training.families import FAMILIES

ROOT = Path(headway.__file__).parent
LEFT_OUT = tuple(
    f"headway.{name}" for name in ("errors", "evaluation", "files", "formats", "option", "registry", "runs", "version")
)
"""What reads files, runs jobs, scores, checks options and speaks to users makes no result; tests check it."""
LEXICAL = re.compile(
    r"""[rbf]*(?P<quote>\"{3}|'{3})(?:\\.|[^\\])*?(?P=quote)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"|(?P<comment>[ \t]*\#[^\n]*)|(?P<bracket>[(\[{}\])])",
    re.DOTALL,
)
REST = re.compile(r"[ \t]*(\n|$)")
IMPORT = re.compile(
    r"^\s*(?:from\s+(headway[\w.]*)\s+c?import\s+(\([^)]*\)|[^\n]*)|c?import\s+(headway[\w.]*))", re.MULTILINE
)
PLACE = re.compile(r"headway\.[\w.]+(:\w+)?")
"""Where a registry says that a thing is."""


def essence(text: str) -> str:
    r"""The source, Python or Cython, without comments, docstrings and empty lines.

    >>> essence('def f(x):  # doubles\n    \"\"\"Twice x.\"\"\"\n\n    return 2 * x\n')
    'def f(x):\n    return 2 * x'
    """
    pieces, end, depth = [], 0, 0
    for found in LEXICAL.finditer(text):
        if found["bracket"]:
            depth += 1 if found[0] in "([{" else -1
        before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        statement = not depth and not before.strip() and REST.match(text, found.end())
        if found["comment"] or (found["quote"] and statement):
            pieces.append(text[end : found.start()])
            end = found.end()
    lines = "".join([*pieces, text[end:]]).split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip())


def needed(roots: Iterable[str], names: frozenset[str]) -> list[str]:
    """The modules that these modules need, sorted.

    Of things that registries know by name, those with one of these names count, and those of families all. Families
    that are not named are left out.
    """
    families = {place.rpartition(".")[0]: name for name, place in FAMILIES.own.items()}
    others = tuple(f"{package}." for package, name in families.items() if name not in names)
    found, todo = set(), list(roots)
    while todo:
        module = todo.pop()
        if module not in found and files_of(module) and not module.startswith((*LEFT_OUT, *others)):
            found.add(module)
            of_family = module.rpartition(".")[0] in families
            todo += imported(module)
            todo += [place for name, place in registered(module) if of_family or name in names]
    return sorted(found)


def files_of(module: str) -> list[Path]:
    """The sources of a module of ours, Python or Cython; none for a package, which has no code."""
    return _files_below(ROOT.parent, module)


@cache
def _files_below(folder: Path, module: str) -> list[Path]:
    if not module.startswith("headway."):
        return []  # Installed, we lie beside the packages of others.
    path = folder.joinpath(*module.split("."))
    return [file for suffix in (".py", ".pyx", ".pxd") if (file := path.with_suffix(suffix)).is_file()]


@cache
def source_of(module: str) -> str:
    """What counts of a module."""
    return "\n".join(essence(file.read_text("utf-8")) for file in files_of(module))


@cache
def imported(module: str) -> list[str]:
    """What a module imports, also inside functions, but not for types alone."""
    found: list[str] = []
    for file in files_of(module):
        text = file.read_text("utf-8")
        found += _imports(ast.parse(text)) if file.suffix == ".py" else _imports_of_cython(text)
    return found


def _imports(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield str(node.module)
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    for inside in ast.iter_child_nodes(node):
        yield from _imports(inside)


def _imports_of_cython(text: str) -> Iterator[str]:
    for package, names, module in IMPORT.findall(text):
        yield module or package
        yield from (f"{package}.{name}" for name in re.findall(r"\w+", names))


@cache
def registered(module: str) -> list[tuple[str, str]]:
    """What a module knows by name: names and modules, as registries have them."""
    found: list[tuple[str, str]] = []
    for file in files_of(module):
        nodes = ast.walk(ast.parse(file.read_text("utf-8"))) if file.suffix == ".py" else ()
        for node in nodes:
            for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
                if (
                    isinstance(key, ast.Constant)
                    and isinstance(value, ast.Constant)
                    and PLACE.fullmatch(str(value.value))
                ):
                    found.append((str(key.value), str(value.value).partition(":")[0]))
    return found
