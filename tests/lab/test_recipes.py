"""Recipe files: what they say, what is refused, and that those of headway hold together."""

import pytest
from recipe_files import TINY, recipe_text

from headway.base.errors import HeadwayError
from headway.lab.metrics import SCORES
from headway.lab.reading import names, recipe, recipe_from
from headway.lab.recipe import PASSES
from headway.lab.tasks import expand


def tasks_of(text, quick=False):
    return list(expand(recipe_from(text, "one", "one.toml", quick)))


def test_a_recipe_is_expanded_to_its_grid():
    found = tasks_of(TINY)
    assert [(place.part, place.configuration) for place, _ in found] == [
        ("test", "perceptron"),
        ("test", "cw"),
        ("curve", "perceptron"),
        ("curve", "cw"),
    ]
    task = found[1][1]
    assert dict(task.options) == {"features": "malt-14", "explore": 0.0, "passes": 2, "learner": "cw"}
    assert (task.on, task.seed, task.fold, task.sentences) == ("test", 1, None, None)
    assert [task.every_pass for _, task in found] == [False, False, True, True]


def test_the_quick_form_has_less_of_everything_and_other_keys():
    whole, quick = tasks_of(TINY), tasks_of(TINY, quick=True)
    assert all(task.options["passes"] == 1 and task.sentences == 40 and task.tested == 30 for _, task in quick)
    assert not {task.key for _, task in whole} & {task.key for _, task in quick}


def test_folds_seeds_and_axes_multiply():
    text = "seeds = [1, 2]\n" + recipe_text(
        '[[part]]\nname = "folds"\non = "folds"\nfolds = 3\n'
        '[[part]]\nname = "sizes"\naxis = "sentences"\nvalues = [10, 20]\n'
        '[[part]]\nname = "cutoff"\naxis = "cutoff"\nvalues = [1, 2]\nquick = [3]\n'
        '[[part]]\nname = "labels"\naxis = "labels"\nvalues = [50]\n'
    )
    found = tasks_of(text)
    assert [
        len([1 for place, _ in found if place.part == part]) for part in ("folds", "sizes", "cutoff", "labels")
    ] == [
        6,
        4,
        4,
        2,
    ]
    assert {task.fold for place, task in found if place.part == "folds"} == {0, 1, 2}
    assert [task.sentences for place, task in found if place.part == "sizes"] == [10, 10, 20, 20]
    assert [task.options["cutoff"] for place, task in found if place.part == "cutoff"] == [1, 1, 2, 2]
    assert {task.source.sample["labels"] for place, task in found if place.part == "labels"} == {50}
    assert [place.at for place, _ in tasks_of(text, quick=True) if place.part == "cutoff"] == [3, 3]
    assert len({task.key for _, task in found}) == len(found)


def test_a_product_has_every_decoder_with_every_learner():
    product = (
        '[[product]]\ndecoders = {eager = {system = "arc-eager"}, graph = {parser = "graph"}}\n'
        'learners = {mira = {learner = "mira"}, cw = {learner = "cw"}}\n[[part]]\nname = "test"\n'
    )
    text = recipe_text(product).replace("explore = 0.0\n", "")
    found = recipe_from(text, "one", "one.toml").configurations
    assert [*found] == ["cw", "eager × mira", "eager × cw", "graph × mira", "graph × cw"]
    assert found["graph × cw"].options["parser"] == "graph" and found["graph × cw"].learner == "cw"


def test_a_configuration_may_be_for_some_treebanks_only():
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "other"]').replace(
        'options = {learner = "perceptron"}', 'options = {learner = "perceptron"}\ntreebanks = ["other"]'
    )
    tried = [(place.treebank, place.configuration) for place, _ in tasks_of(text) if place.part == "test"]
    assert tried == [("sample", "cw"), ("other", "perceptron"), ("other", "cw")]


def test_a_recipe_that_is_not_there(tmp_path):
    with pytest.raises(HeadwayError, match=r"^unknown recipe 'cw-tabel'; known are: .*cw-table-2.*; or give a file"):
        recipe("cw-tabel")
    with pytest.raises(HeadwayError, match=r"none\.toml: No such file or directory; give a recipe that can be read$"):
        recipe(str(tmp_path / "none.toml"))
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9"')
    with pytest.raises(HeadwayError, match="not UTF-8"):
        recipe(str(tmp_path / "latin.toml"))


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("name", names())
def test_the_recipes_of_headway_hold_together(name, quick):
    found = recipe(name, quick)
    assert found.title and found.about
    assert found.tables or found.plots or found.heat_maps or found.searches
    places = [place for place, _ in expand(found)]
    for table in found.tables:
        if table.paper:
            assert table.paper.data.endswith(".")
            named = {name for name in table.paper.rows if name.startswith(("ud-", "conll"))}
            assert quick or named <= {*found.sources}
    for choosing in (*found.tables, *found.claims):
        assert choosing.choose is None or found.parts[choosing.choose].on in ("dev", "held-out", "folds")
    for claim in found.claims:
        own = claim.untestable or claim.of_search or claim.metric not in SCORES
        assert own or ("no punctuation" in claim.metric) != found.punctuation
        for side in filter(None, (claim.better, claim.worse)):
            part = found.parts[side.part]
            assert any(place.part == side.part and place.configuration == side.configuration for place in places)
            assert (side.at is None) == (part.axis is None), claim.text
            assert quick or part.axis in (None, *PASSES) or side.at in part.values, claim.text


def test_what_las_counts_is_said_once_and_decides_what_is_measured():
    text = recipe_text('[[part]]\nname = "test"\n[[part]]\nname = "text"\ntext = true\n')
    whole = recipe_from('definition = "all"\n' + text, "one", "one.toml")
    new = recipe_from(text, "one", "one.toml")
    assert (new.definition, whole.definition) == ("ud", "all")
    keys, others = ([task.key for _, task in expand(one)] for one in (new, whole))
    assert keys[0] != others[0] and keys[1] == others[1], "raw text is scored as the UD scorer does in any case"
    with pytest.raises(HeadwayError, match=r"unknown definition .*conllx.*; known are: all, ud"):
        recipe_from('definition = "conllx"\n' + text, "one", "one.toml")


def test_a_recipe_asks_for_the_score_of_a_label():
    part, claim = '[[part]]\nname = "test"\n', '[[claim]]\ntext = "x"\nmetric = "LAS:nsubj"\nat_least = 50.0\n'
    claim += 'better = {configuration = "cw"}\n'
    asked = recipe_from(recipe_text(f'{part}labels = ["nsubj"]\n{claim}'), "one", "one.toml")
    plain = recipe_from(recipe_text(part), "one", "one.toml")
    assert asked.claims[0].metric == "LAS:nsubj"
    assert {task.key for _, task in expand(asked)}.isdisjoint(task.key for _, task in expand(plain))
    with pytest.raises(HeadwayError, match=r"unknown metric .*LAS:nsubj"):
        recipe_from(recipe_text(part + claim), "one", "one.toml")
