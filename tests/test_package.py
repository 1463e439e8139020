import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import headway


def test_the_public_names_are_there():
    for name in headway.__all__:
        assert getattr(headway, name) is not None
    assert set(headway.__all__) == set(dir(headway))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'parze'"):
        _ = headway.parze


def test_importing_headway_imports_nothing_heavy():
    code = "import sys, headway; assert 'numpy' not in sys.modules and 'click' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_page_lists_every_public_name():
    page = (Path(__file__).parents[1] / "docs" / "python.md").read_text()
    table = page.partition("## All names")[2]
    listed = re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `")))
    assert sorted(listed) == sorted(set(headway.__all__) - {"__version__"})


def test_help_begins_with_what_users_need():
    text = pydoc.plain(pydoc.render_doc(headway))
    begin = text.partition("PACKAGE CONTENTS")[0]
    assert "parser = headway.load(" in begin and "a Document" in begin
    named = re.findall(r"^ {8}((?:\w+, )*\w+) {2,}\S", begin, re.MULTILINE)
    assert all(hasattr(headway, name) for names in named for name in names.split(", ")) and len(named) >= 6


def test_what_public_functions_give_is_public():
    """Whoever writes type hints finds the names of results."""
    for name in ("Document", "Explanation", "Decision", "Reason", "SystemScores", "Score", "Significance", "Reader"):
        assert name in headway.__all__ and getattr(headway, name).__name__ == name
