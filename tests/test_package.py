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


def test_docs_list_all_public_names():
    table = (Path(__file__).parents[1] / "docs" / "python.md").read_text("utf-8").split("## All names\n")[1]
    listed = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `")))
    assert sorted(listed) == sorted(headway.__all__)
