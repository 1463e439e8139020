"""Imports go down only: the layers of docs/architecture.md, also inside functions."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]


def test_imports_go_down_only():
    words = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": ""})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 kept, 0 broken" in done.stdout


def layers():
    """For each module or package of headway, the number of its layer; the highest is 0."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [contract] = settings["tool"]["importlinter"]["contracts"]
    rows = [re.split(r" [|:] ", row) for row in contract["layers"]]
    return {name: number for number, row in enumerate(rows) for name in row}


def walks():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = text.split("| call | way |")[1].split("\n\n")[0].splitlines()[2:]
    return {row.split("|")[1].strip(): re.findall(r"`([^`]+)`", row) for row in rows}


@pytest.mark.parametrize("name", ["parse", "train", "train graph", "discover", "experiment"])
def test_the_walks_of_the_map_go_down_through_files_that_are_there(name):
    way, number = walks()[name], layers()
    assert len(way) >= 8
    for step in way:
        assert find_spec(f"headway.{step.replace('/', '.')}") is not None, step
    assert [number[step.partition("/")[0]] for step in way] == sorted(number[step.partition("/")[0]] for step in way)


def test_every_file_and_folder_stands_on_the_map():
    package = Path(find_spec("headway").origin).parent
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for path in package.iterdir():
        name = f"{path.name}/" if path.is_dir() else path.name
        if not path.name.startswith("__") and path.suffix in ("", ".py"):
            assert f"`{name}" in text or name in ("version.py",), name
    kernels = text.split("## The kernels")[1].split("\n## ")[0]
    rows = {row.split("|")[1].strip(" `/"): row for row in kernels.splitlines() if row.startswith("| `")}
    for path in (package / "kernels").glob("*/*.p*"):
        if path.suffix in (".pxd", ".pyi", ".pyx"):
            assert f"`{path.stem}`" in rows[path.parent.name], path
