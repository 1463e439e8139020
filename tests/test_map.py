"""The map, docs/architecture.md, is true: rooms and their layers, walks and places; and the house stays small."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from walks import PACKAGE, WALKS

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")
CODE = sorted(path for path in PACKAGE.glob("**/*.p*") if path.suffix in (".py", ".pyx", ".pxd"))
LONGEST = {".py": 300, ".pyx": 320, ".pxd": 300}
"""Lines of a file; kernels are loops that one cannot cut as one likes."""
FAMILIES = ("transition", "graph", "boosted")


def rows(title):
    """The first table below a heading, its cells."""
    table = MAP.split(f"## {title}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines() if row.startswith("| ")][1:]


def rooms():
    return {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}


def test_imports_go_down_only():
    words = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": ""})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_the_map_has_all_rooms_in_the_order_of_the_layers():
    settings = (ROOT / "pyproject.toml").read_text("utf-8").split("layers = [")[1].split("]")[0]
    layers = re.findall(r'"([^"]+)"', settings)
    place = {room: number for number, row in enumerate(layers) for room in row.split(" | ")}
    found = [row[0].strip("`/") for row in rows("Rooms")]
    assert set(found) == rooms() == set(place)
    assert [place[room] for room in found] == sorted(place.values())
    assert len(rooms()) <= 16
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("call", WALKS)
def test_a_walk_is_that_of_the_real_call(call, tmp_path):
    words = [sys.executable, str(ROOT / "tests" / "walks.py"), call]
    entered = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()
    [way] = [row[1] for row in rows("Walks") if row[0] == f"`headway {call}`"]
    told = re.findall(r"`([^`]+)`", way)
    assert len(told) >= 5
    assert [place for place in entered if place in told] == told, entered


def test_whoever_wants_to_change_something_finds_it():
    found = rows("I want to change …")
    assert len(found) >= 20
    for _, cell in found:
        for place in re.findall(r"`([^`]+/[^`]*)`", cell):
            assert (PACKAGE / place).exists(), place


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_file_is_not_too_long_and_says_first_what_it_is_for(path):
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= LONGEST[path.suffix]
    assert re.match(r'r?"""\S', text) or path.suffix == ".pxd", "the first line says what the file is for"
    if path.name != "__init__.py" and path.suffix == ".py":
        body = ast.parse(text).body[1:]
        assert not all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in body) or not body, "it only forwards"


def test_families_have_the_same_file_names():
    every = {family: {path.stem for path in (PACKAGE / "parsers" / family).glob("*.py")} for family in FAMILIES}
    for name in ("options", "training", "parser", "explaining", "updating", "constraining", "registry"):
        assert all(name in files for files in every.values()), name
