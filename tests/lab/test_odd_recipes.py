"""Whatever stands in a recipe, it is read or refused in one sentence, and never comes to more than can be run."""

from copy import deepcopy
from datetime import date
from importlib import resources

import pytest
import tomllib

from headway.base.errors import FormatError, HeadwayError
from headway.lab.entries import RecipeTable
from headway.lab.reading import names, recipe_from, recipe_in
from headway.lab.tasks import expand

VALUES = [
    *(
        None,
        True,
        -1,
        0,
        10**30,
        1.5,
        float("nan"),
        "",
        "x",
        "found",
        [],
        [1],
        ["x"],
        [[]],
        [{}],
        {},
        {"x": 1},
        {"x": {}},
    ),
    *(date(2020, 1, 1), [date(2020, 1, 1)], {"x": date(2020, 1, 1)}),
]
RECIPES = names()[::6]
"""The tests take one in six; whoever changes how recipes are read takes them all."""
TURNS = 3
"""Each place meets every third of the values, the next place the next ones."""


def places(value, path=()):
    """Every entry of a recipe, lists by their first members."""
    if path:
        yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*path, name))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def with_value(content, path, value):
    """The content with another value at a place, without it for None."""
    changed = inner = deepcopy(content)
    for name in path[:-1]:
        inner = inner[name]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return changed


@pytest.mark.parametrize("name", RECIPES)
def test_odd_entries_are_refused_in_a_sentence(name):
    text = (resources.files("headway.lab") / "recipes" / f"{name}.toml").read_text()
    content, quick = tomllib.loads(text), False
    for number, path in enumerate(places(content)):
        for value in VALUES[number % TURNS :: TURNS]:
            quick = not quick
            try:
                found = recipe_in(RecipeTable(with_value(content, path, value), f"{name}.toml"), name, quick)
                for _, task in expand(found):
                    assert task.key
                    break
            except HeadwayError as error:
                assert str(error).startswith(f"{name}.toml: ") and "; " in str(error), (path, value)
            except Exception as error:
                raise AssertionError(f"{path} = {value!r}: {error!r}") from error


SMALL = """
title = "small"
treebanks = ["a"]
{more}
[[configuration]]
name = "one"
[[part]]
name = "p"
{part}
"""


def refusal(**pieces):
    with pytest.raises(FormatError) as error:
        recipe_from(SMALL.format(**{"more": "", "part": ""} | pieces), "r", "r.toml")
    return str(error.value)


def test_tables_that_are_none():
    assert refusal(more="product = 3") == "r.toml: product = '3'; it must be a list"
    assert refusal(more="product = [3]").startswith("r.toml: product = '[3]'; write [[product]] over each")
    decoders = "\n[[product]]\ndecoders = {a = 1}\nlearners = {b = {}}\n"
    assert refusal(part=decoders) == "r.toml: product 1, decoders: a = '1'; it must be a table"


def test_what_stands_too_deep():
    deep = "x = " + "[" * 5000 + "]" * 5000
    assert refusal(more=deep) == "r.toml: lists or tables are nested too deeply; see docs/experiments.md"


def test_recipes_that_multiply():
    seeds = f'seeds = {list(range(400))}\nvalues = {list(range(400))}\naxis = "sentences"'
    assert refusal(part=seeds) == "r.toml: part 1: 160,000 tasks; at most 100,000 are possible, so measure less"
    folds = 'on = "folds"\nfolds = 1_000_000_000'
    assert refusal(part=folds).startswith("r.toml: part 1: 1,000,000,000 tasks; at most")
    many = "\n".join(f"a{n} = {{}}" for n in range(40))
    product = f"\n[[product]]\n[product.decoders]\n{many}\n[product.learners]\n{many}\n"
    assert refusal(part=product) == (
        "r.toml: product 1: 1,600 configurations; at most 1,000 are possible, so name fewer"
    )
