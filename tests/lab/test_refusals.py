"""What is wrong with a recipe is one sentence, with its place and what to do: each message once."""

import pytest
from recipe_files import recipe_text

from headway.base.errors import HeadwayError
from headway.lab.reading import recipe_from

PART = '[[part]]\nname = "test"\n'
OTHER = '[[part]]\nname = "b"\n'
CLAIM = '[[claim]]\ntext = "c"\n'
COMPARED = CLAIM + 'better = {configuration = "cw"}\nworse = {configuration = "cw"}\n'
TABLE = '[[table]]\ntitle = "t"\npart = "test"\n'
PEER = TABLE + 'rows = ["configuration"]\n[[table.elsewhere]]\nname = "p"\nsource = "s"\nfigures = '
X = '[[configuration]]\nname = "x"\noptions = '


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "one.toml: this is not TOML: Invalid value (at end of document); see docs/experiments.md"),
        ('treebanks = ["a"]\n' + PART, "one.toml: there is no title; add title = …, a text"),
        ('title = 3\ntreebanks = ["a"]\n' + PART, "one.toml: title = '3'; it must be a text"),
        ('title = "a"\ntreebanks = [1]\n', "one.toml: treebanks = '[1]'; it must be a list of texts"),
        (recipe_text(""), "one.toml: there is no part; say under [[part]] what is measured"),
        ("colour = 1\n" + recipe_text(PART), "one.toml: unknown entry 'colour'; known are: about, "),
    ],
)
def test_a_bad_file_is_one_sentence(text, said):
    with pytest.raises(HeadwayError) as refused:
        recipe_from(text, "one", "one.toml")
    assert said in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('on = "dav"\n', "part 1: unknown on 'dav'; known are: dev, folds, held-out"),
        ('axis = "cutoff"\n', "part 1: the axis 'cutoff' has no values; add values = [1, 2, 3]"),
        ('axis = "sentences"\nvalues = ["x"]\n', "part 1: sentences cannot be 'x'; give numbers, as values = [1, 2"),
        ('axis = "rounds_"\nvalues = [1]\n', "part test: a transition parser has no option rounds_; known are: cut"),
        ('on = "folds"\nconfidence = true\n', "part 1: confidences are those of a finished parser"),
        (f'{OTHER}seeds = ["x"]\n', "part 2: seeds = '['x']'; give whole numbers, as seeds = [1, 2, 3]"),
        ('[[configuration]]\nname = "cw"\n', "two configurations are called 'cw'; give each a name of its own"),
        (X + "{exlpore = 1}\n", "configuration x: a transition parser has no option 'exlpore', perhaps 'explore'"),
        (X + "{explore = 3}\n", "configuration x: explore = 3 is out of range; give a number from 0 to 1"),
        (X + '{features = "found:b"}\n[search]\n', "unknown search 'found:b'; known are: found"),
        ("[search]\noptions = {beem = 3}\n", "search: a search has no option 'beem', perhaps 'beam'; known are: att"),
        ('[search]\ntreebank = "elsewhere"\n', "search: unknown treebank 'elsewhere'"),
        ('[[search]]\nname = "a"\n[[search]]\nname = "a"\n', "two searches have the same name"),
        ("[[search]]\noptions = {}\n", "search 1: there is no name"),
        ("[sources.b]\n", "sources, b: a source is a treebank or a sample; write treebank"),
        ('[sources.b]\ntreebank = "b"\nfirst = 0\n', "sources, b: first = 0; give a number of sentences from 1 on"),
        ('[sources.b]\ngenres = {train = "x"}\n', "sources, b, genres: train = 'x'; it must be a list"),
        ("[quick]\nsize = 3\n", "quick: unknown entry 'size'; known are: options, "),
        ('[[differs]]\nwhat = "a"\npaper = "b"\n', "differs 1: there is no ours; add ours = …, a text"),
        (TABLE + 'metrics = ["F1"]\n', "table 1: unknown metrics 'F1'; known"),
        (TABLE + "fit = true\n", 'table 1: exponents are fitted to rows along the axis; write rows = ["at"]'),
        (TABLE + "mean = true\n", "table 1: a mean over the treebanks has no row for each; write rows"),
        (TABLE + 'ranks = true\nrows = ["at"]\n', "table 1: configurations are ranked on each treebank; write rows ="),
        (
            TABLE + 'paper = {columns = ["a"], rows = {x = [1, 2]}, data = "d"}\n',
            "table 1, paper: row 'x' has 2 figures; there are 1 columns",
        ),
        (PEER + "{CM = 1}\n", "table 1, elsewhere 1: the table does not show 'CM'; known are: LAS"),
        (PEER + "{LAS = true}\n", "table 1, elsewhere 1, figures: LAS = 'True'; it must be a number"),
        (PEER.replace("configuration", "treebank") + "{LAS = 1}\n", "table 1: figures from elsewhere stand in a row"),
        (CLAIM, "claim 1: nothing says how to test it; give better and worse"),
        (CLAIM + 'better = {configuration = "svm"}\n', "claim 1, better: unknown configuration 'svm'; known are: cw"),
        (CLAIM + "search = {beam = 4}\n", "the recipe has no search"),
        (f"[search]\n{CLAIM}search = {{beam = 4, falls = true}}\n", "a claim says one thing of a search"),
        (CLAIM + "drop = 3.4\n", "claim 1: a drop goes from one treebank to another"),
        (COMPARED + 'treebanks = ["smaple"]\n', "claim 1: unknown treebanks 'smaple'; known are: sample"),
        (COMPARED + 'metric = "CM"\n', "claim 1: no journal can test CM; take LAS or UAS of all words, as the recipe"),
        (COMPARED + 'why = "so"\n', "claim 1: why and shown_in go together; name the table or plot that shows it"),
        (COMPARED + 'why = "so"\nshown_in = "none"\n', "one.toml: unknown shown_in 'none'; known are"),
        (COMPARED + "margin = -1\n", "claim 1: a ratio is more than 0, a margin 0 or more; write ratio = 0.9"),
        (COMPARED + "ratio = 0.9\n", "claim 1: a ratio is for costs; write or_equal = true and margin = 0.5"),
        (COMPARED + 'metric = "memory MiB"\nor_equal = true\n', "claim 1: nothing says how much worse a cost may be"),
        (COMPARED + 'metric = "AUC"\nratio = 2.0\n', "claim 1: AUC is neither a cost nor in points"),
        (COMPARED + 'metric = "ECE − chance"\n', "claim 1: no journal can test a difference"),
    ],
)
def test_a_bad_entry_is_one_sentence(body, said):
    with pytest.raises(HeadwayError) as refused:
        recipe_from(recipe_text(PART + body), "one", "one.toml")
    assert said in str(refused.value) and "\n" not in str(refused.value)
