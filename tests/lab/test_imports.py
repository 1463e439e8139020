"""Recipes that import parts of one's own: known in every worker, and part of what identifies a result."""

import pytest

from headway.base.errors import FormatError
from headway.features.own_columns import COLUMNS
from headway.lab.experiment import run, status
from headway.lab.reading import recipe
from headway.lab.tasks import expand
from headway.learners.registry import ONLINE

PARTS = """
from headway.features.own_columns import COLUMNS
from headway.learners.online import PA
from headway.learners.registry import ONLINE


class Mine(PA):
    rule = None

    def step(self, margin, variance, wanted):
        return max(0.0, (wanted - margin) / variance), 0.0


ONLINE.register("mine", Mine)
COLUMNS.register("size", lambda forms: [str(len(form)) for form in forms])
"""
RECIPE = """
title = "Parts of my own"
treebanks = ["sample"]
imports = ["parts/mine.py"]

[sources.sample]
sample = {{sentences = 30}}

[[configuration]]
name = "mine"
options = {{learner = "mine", features = "{features}", passes = 1}}

[[part]]
name = "test"
"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "mine.py").write_text(PARTS)
    (tmp_path / "sizes.features").write_text("MY:size(STACK0) & MY:size(QUEUE0)\nUPOS(QUEUE0)")
    (tmp_path / "mine.toml").write_text(RECIPE.format(features=tmp_path / "sizes.features"))
    yield tmp_path
    for registry, name in ((ONLINE, "mine"), (COLUMNS, "size")):
        if name in registry:
            registry.unregister(name)


def test_workers_know_what_a_recipe_imports_and_a_change_is_measured_again(place):
    found = recipe(str(place / "mine.toml"))
    [event] = run(found, output=place, jobs=1)
    assert not event.why and status(found, place).done == 1
    (place / "parts" / "mine.py").write_text(PARTS + "\n# another one\n")
    changed = recipe(str(place / "mine.toml"))
    assert status(changed, place).done == 0
    [(_, task)], [(_, before)] = expand(changed), expand(found)
    assert task.key != before.key
    (place / "parts" / "mine.py").write_text(PARTS)
    assert status(recipe(str(place / "mine.toml")), place).done == 1


def test_where_a_recipe_lies_makes_no_difference(place, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    before = [task.key for _, task in expand(recipe(str(place / "mine.toml")))]
    ONLINE.unregister("mine")
    COLUMNS.unregister("size")
    (other / "parts").mkdir()
    for name in ("mine.toml", "parts/mine.py"):
        (other / name).write_text((place / name).read_text())
    assert [task.key for _, task in expand(recipe(str(other / "mine.toml")))] == before


def test_an_import_that_is_missing_or_fails_is_one_sentence(place):
    (place / "parts" / "mine.py").write_text("import nothing_of_that_name")
    with pytest.raises(FormatError, match=r"mine\.toml: .*mine\.py:1: ModuleNotFoundError: .*; repair the file"):
        recipe(str(place / "mine.toml"))
    (place / "parts" / "mine.py").unlink()
    with pytest.raises(
        FormatError, match=r"mine\.toml: imports 'parts/mine\.py', and there is no file .*; imports are"
    ):
        recipe(str(place / "mine.toml"))
