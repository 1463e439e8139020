import subprocess
import sys

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
