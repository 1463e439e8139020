"""Options of commands come from options as data: names, defaults, ranges, sentences and help are said once."""

import subprocess
import sys
from pathlib import Path

import pytest
import study

import headway
from headway.base.errors import HeadwayError
from headway.base.options import Pairs, YesNo, default_of, kinds
from headway.cli import COMMANDS
from headway.data.sample import generate
from headway.discovery.options import DiscoveryOptions
from headway.training.families import FAMILIES, PARSER
from headway.training.options import RunOptions

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("options") / "train.conllu"
    headway.write(generate(40, seed=1), path)
    return path


STILTED = (
    "chance depends",
    "depends on; ",
    "in so many",
    "so many first",
    "another number,",
    "begin anew",
    "comes to on",
)
"""What nobody would say to a colleague, and what stood in help once."""
MISTAKES = [
    {"explore": 3},
    {"explore": "often"},
    {"passes": 0},
    {"passes": "many"},
    {"system": "arc-lazy"},
    {"system": "swap", "root": "end"},
    {"system": "swap", "explore": 0.5},
    {"learner": "winnow"},
    {"learner": "exponential"},
    {"learner": "logistic", "passes": 3},
    {"learner": "logistic", "explore": 0.5},
    {"learner": "cw", "options": {"phi": -1}},
    {"learner": "cw", "options": {"phi": "large"}},
    {"learner": "cw", "options": {"psi": 2}},
    {"cutoff": 0},
    {"encoding": "tail"},
    {"features": "nowhere"},
    {"order": 1},
    {"parser": "graph", "order": 3},
    {"parser": "graph", "bits": 40},
    {"parser": "graph", "learner": "logistic"},
    {"parser": "graph", "decoder": "cky"},
    {"parser": "graph", "explore": 0.5},
    {"parser": "boosted", "passes": 3},
    {"parser": "boosted", "rounds": 0},
    {"parser": "boosted", "held_out": 1},
    {"parser": "boosted", "boosting": "adaboost-m1", "constant": 2.0},
    {"parser": "boosted", "keep": "best"},
    {"parser": "chart"},
    {"patience": 0},
    {"folds": 1},
    {"tune": "C"},
]


def words_of(options):
    words = []
    for name, value in options.items():
        if name == "options":
            words += [part for one in value.items() for part in ("-O", "{}={}".format(*one))]
        else:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


@pytest.mark.parametrize("options", MISTAKES, ids=str)
def test_the_same_mistake_gets_the_same_sentence(options, treebank, tmp_path, run):
    with pytest.raises(headway.HeadwayError) as refused:
        headway.train(treebank, **options)
    done = run("train", treebank, "-o", tmp_path / "model", *words_of(options))
    assert done.exit_code == 2
    assert done.stderr == f"{refused.value}\n"
    assert "; " in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_an_unknown_name_lists_the_known_ones(treebank):
    with pytest.raises(
        headway.HeadwayError, match="a graph parser has no option 'speed', perhaps 'seed'; known are: bits, "
    ) as refused:
        headway.train(treebank, parser="graph", speed=3)
    for name in [*kinds(FAMILIES["graph"]), *kinds(RunOptions), "dev", "output", "parser", "progress"]:
        assert f" {name}," in f"{refused.value}," or name == "bits"


@pytest.mark.parametrize("family", list(FAMILIES))
def test_to_say_a_default_is_not_to_say_it(family, treebank, tmp_path, run):
    words = []
    for options in (FAMILIES[family], RunOptions):
        for name, kind in kinds(options).items():
            value = default_of(options, name)
            if isinstance(kind, Pairs) or value in (None, ""):
                continue
            if isinstance(kind, YesNo):
                said = (kind.yes if value else kind.no) or ("" if value else "no-") + name.replace("_", "-")
                words.append(f"--{said}")
            else:
                words += [f"--{name.replace('_', '-')}", str(value)]
    assert len(words) > 5
    for path, some in (("said", words), ("unsaid", [])):
        done = run("train", treebank, "-o", tmp_path / path, "--parser", family, *some)
        assert done.exit_code == 0, done.stderr
    assert (tmp_path / "said").read_bytes() == (tmp_path / "unsaid").read_bytes()


@pytest.mark.parametrize(
    ("command", "options"),
    [("train", [*map(FAMILIES.__getitem__, FAMILIES), RunOptions]), ("discover", [DiscoveryOptions])],
)
def test_help_shows_every_option_with_its_help_and_default(command, options, run):
    told = " ".join(run(command, "--help").stdout.replace("-\n", "-").split())
    for one in options:
        for name, kind in kinds(one).items():
            assert kind.help.split(".")[0].split(";")[0] in told, name
            flag = f"--{name.replace('_', '-')}" if not getattr(kind, "yes", "") else f"--{kind.yes}"
            assert flag in told or name == "options"
            if kind.default_text:
                assert kind.default_text in told, name
    assert "-O, --option NAME=VALUE" in told


def test_help_of_training_begins_with_what_everybody_needs_and_the_default_family(run):
    told = run("train", "--help").stdout
    headings = [line for line in told.splitlines() if line.endswith(":") and not line.startswith((" ", "Usage"))]
    assert headings == [
        "What everybody needs:",
        "Transition parsers (--parser transition, the default):",
        *(f"{FAMILIES[one].title.capitalize()}s (--parser {one}):" for one in FAMILIES if one != PARSER),
        "Every parser:",
        "The training:",
        "Stages of a pipeline before the parser:",
        "Files and messages:",
    ]
    assert [told.index(word) for word in ("--output", "--dev", "--features")] < [told.index(headings[1])]
    assert told.count("\n  --passes ") == 2, (
        "explained where it first stands, and for boosted parsers, where it differs"
    )
    assert "Also, as explained above: --passes, --shuffle / --no-shuffle." in told


@pytest.mark.parametrize("family", list(FAMILIES.own))
def test_the_example_of_each_family_works_as_help_shows_it(family, treebank, tmp_path, monkeypatch, run):
    told = run("train", "--help").stdout
    options = FAMILIES[family]
    assert f"\n  Example: {options.example}\n" in told
    assert " ".join(options.__doc__.split()) in " ".join(told.split())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.conllu").write_bytes(treebank.read_bytes())
    words = options.example.split()
    assert words[0] == "headway" and (f"--parser {family}" in options.example or family == PARSER)
    done = run(*words[1:])
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_narrow_terminal_and_has_no_secret_words(name, run):
    told = run(name, "--help").stdout
    assert max(map(len, told.splitlines())) <= 80 and "...\n" not in told.partition("\n")[2]
    flat = " ".join(told.split()).lower()
    assert [words for words in STILTED if words in flat] == []


def test_help_needs_neither_numpy_nor_rich():
    script = (
        "import sys, headway.cli\n"
        "for command in ('train', 'discover'):\n"
        "    try: headway.cli.run.main([command, '--help'], prog_name='headway')\n"
        "    except SystemExit: pass\n"
        "assert not {'numpy', 'rich', 'scipy', 'sklearn'} & set(sys.modules), 'help imports too much'\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Graph parsers (--parser graph):" in done.stdout and "Search:" in done.stdout


def test_names_are_completed():
    from headway.cli.train import command

    found = {parameter.name: parameter for parameter in command.params}
    complete = found["system"].type.shell_complete(None, found["system"], "arc-s")
    assert [item.value for item in complete] == ["arc-standard"]


@pytest.mark.parametrize(
    "options", [["--learner", "mira"], ["-O", "C=1"], ["--pairs"], ["--race"]], ids=lambda words: words[-1]
)
def test_what_contradicts_the_paper_is_refused(options, treebank, tmp_path, run):
    done = run("discover", treebank, "-o", tmp_path / "found", "--paper", *options)
    assert done.exit_code == 2
    assert "is not what the paper has" in done.stderr and "leave out paper, or" in done.stderr


def test_options_as_data_are_checked_by_a_type_checker(tmp_path):
    script = tmp_path / "typed.py"
    script.write_text(
        "import headway\n"
        "from headway import GraphOptions, TransitionOptions\n"
        "headway.train('a.conllu', GraphOptions(order=1))\n"
        "headway.train('a.conllu', parser='graph', order=1, patience=2)\n"
        "parser = headway.train('a.conllu', dev='dev.conllu', system='swap', progress=print)\n"
        "headway.train('a.conllu', TransitionOptions(explor=0.5))\n"
        "headway.train('a.conllu', ordre=1)\n"
        "headway.train('a.conllu', order='one')\n"
        "headway.train('a.conllu', 'dev.conllu')\n"
        "one: headway.Sentence = parser(['Dogs'], tags=['NOUN'])\n"
        "two: headway.Sentence = parser.parse(one)\n"
        "three: headway.Document = parser('Dogs bark.', keep='tags', input='text')\n"
        "forms: list[str] = [token.form for s in parser.parse(open('a.conllu')) for token in s]\n"
        "parser(['Dogs'], tag=['NOUN'])\n"
        "parser.parse(3)\n"
    )
    assert wrong_lines(script) == {6, 7, 8, 9, 14, 15}


def test_type_checkers_know_the_names_of_parsers_learners_and_so_on(tmp_path):
    script = tmp_path / "script.py"
    right = (
        "import headway\n"
        "from headway import GraphOptions\n"
        "from headway.parsers.boosted.schemes import AdaBoostM1\n"
        "from headway.learners.online import Perceptron\n"
        "headway.train('a', parser='graph', learner='pa-1', decoder='eisner', order=2, passes='auto', root=None)\n"
        "headway.train('a', parser='boosted', learner=Perceptron(), boosting=AdaBoostM1(), calibrate='dev')\n"
        "headway.train('a', GraphOptions(decoder='registered'), patience=4)\n"
        "headway.discover('a', output='b', metric='UAS', parser='tagger')\n"
        "headway.train('a', parser='tagger', patience=4)\n"
        "headway.cross_validate('a', folds=3, jobs=2, learner='cw', definition='ud')\n"
    )
    wrong = (
        "headway.train('a', parser='grpah')\n"
        "headway.train('a', learner='mirra')\n"
        "headway.train('a', label_learner='exponental')\n"
        "headway.train('a', system='arc-egaer')\n"
        "headway.train('a', decoder='eisener')\n"
        "headway.train('a', boosting='adabost-m1')\n"
        "headway.train('a', order=3)\n"
        "headway.train('a', passes='atuo')\n"
        "headway.discover('a', output='b', metric='LSA')\n"
        "headway.cross_validate('a', learner='mirra')\n"
        "headway.load('a').parse('b', input='txt')\n"
        "headway.load('a').k_best(headway.Sentence(['a']), 2, confidence=True)\n"
    )
    script.write_text(right + wrong)
    first = right.count("\n") + 1
    assert wrong_lines(script) == {*range(first, first + wrong.count("\n"))}


def wrong_lines(script):
    """The lines in which mypy finds something; in the long script beside it, it finds nothing."""
    words = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", script, study.__file__]
    done = subprocess.run(words, capture_output=True, text=True)
    assert "study.py" not in done.stdout, done.stdout
    return {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}


@pytest.mark.parametrize(
    ("made", "path"),
    [
        ("train_text", "training/keywords.py"),
        ("discover_text", "discovery/keywords.py"),
        ("parse_text", "stages/parsing/keywords.py"),
    ],
)
def test_the_keywords_of_train_and_discover_are_their_options(made, path):
    script = f"import sys; sys.path.insert(0, 'tests'); import train_keywords as made; print(made.{made}(), end='')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    written = (Path(headway.__file__).parent / path).read_text("utf-8")
    assert done.stdout == written, "the options have changed; run `python tests/train_keywords.py`"


def test_a_misspelt_option_of_discover_is_one_sentence():
    with pytest.raises(HeadwayError) as refusal:
        headway.discover("none.conllu", output="none", generatons=3)
    said = str(refusal.value)
    assert said.startswith("a search has no option 'generatons', perhaps 'generations'; known are: attributes, beam, ")
    assert {"dev", "engine", "force", "jobs", "output", "test"} <= set(said.partition("known are: ")[2].split(", "))
    for name, kind in kinds(DiscoveryOptions).items():
        assert f"{name}: {kind.help}" in " ".join(headway.discover.__doc__.split()) or name == "options"


def test_help_of_train_lists_every_option():
    for family in FAMILIES.own:
        for name, kind in kinds(FAMILIES[family]).items():
            told = " ".join(headway.train.__doc__.split())
            assert f"{name}: {kind.help}" in told or name == "options"


def test_progress_is_heard_after_each_pass(treebank, capsys):
    steps = []
    headway.train(treebank, passes=3, progress=steps.append)
    assert [step.number for step in steps] == [1, 2, 3]
    headway.train(treebank, dev=treebank, parser="boosted", rounds=1, progress=print)
    assert capsys.readouterr().out.startswith("round  1  ")
    with pytest.raises(headway.HeadwayError, match="progress: expected a function of a step, such as print, got 3"):
        headway.train(treebank, progress=3)


@pytest.mark.parametrize("second", ["dev.conllu", 3, [3], (), {"passes": 3}, headway.GraphOptions])
def test_a_second_treebank_is_no_options(second, treebank):
    with pytest.raises(headway.HeadwayError, match="does not say how to train a parser; name a dev"):
        headway.train(treebank, second)
