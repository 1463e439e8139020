import doctest
import pkgutil
from importlib import import_module

import pytest

import headway

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(headway.__path__, "headway.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_are_true(name):
    assert doctest.testmod(import_module(name)).failed == 0


def test_examples_are_found():
    module = import_module("headway.data.sentence")
    assert doctest.testmod(module).attempted >= 3
