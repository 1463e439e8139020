"""Which code made a result: what counts of the sources, what depends on what, and results that other code has made."""

import ast
import json
import shutil
from functools import partial

import pytest
from recipe_files import TINY, fake_journal, made, recipe_text, two_learners

from headway.lab import closure, code
from headway.lab.experiment import run, status
from headway.lab.peers import PEERS
from headway.lab.reports.page import write_page
from headway.lab.running import journal_of

PYTHON = '''"""About a module."""

from a import b  # why


@b
class C:
    """What it is.

    >>> C()
    """

    x: int = 3
    """What it is for."""

    def f(self):
        r"""Docs with \\ and "quotes"."""
        return ["#", """kept""", '# kept', f("""
        kept"""), (
            """kept"""
        )]
'''
CYTHON = 'cdef int f(double* x) noexcept nogil:  # C\n    """Docs."""\n    cdef char c = b"#"[0]\n\n    return 2\n'


def test_comments_docstrings_and_empty_lines_do_not_count():
    assert closure.essence(PYTHON).split("\n") == [
        "from a import b",
        "@b",
        "class C:",
        "    x: int = 3",
        "    def f(self):",
        '        return ["#", """kept""", \'# kept\', f("""',
        '        kept"""), (',
        '            """kept"""',
        "        )]",
    ]
    assert closure.essence(CYTHON) == 'cdef int f(double* x) noexcept nogil:\n    cdef char c = b"#"[0]\n    return 2'


@pytest.mark.parametrize("folder", ["", "boosting", "graph", "learners", "training", "transition"])
def test_what_counts_of_a_module_is_the_same_program(folder):
    """But for bodies of nothing but a docstring, which are no program then."""
    compared = 0
    for path in (closure.ROOT / folder).glob("*.py"):
        text = path.read_text("utf-8")
        whole = bare(ast.parse(text))
        if not any(getattr(node, "body", None) == [] for node in ast.walk(whole)):
            assert ast.dump(bare(ast.parse(closure.essence(text)))) == ast.dump(whole)
            compared += 1
    assert compared > 1


def bare(tree):
    """The tree without statements that are texts."""
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list):
            node.body = [one for one in node.body if not _is_text(one)]
    return tree


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the source tree that tests may change."""
    root = tmp_path_factory.mktemp("tree") / "src" / "headway"
    shutil.copytree(closure.ROOT, root, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return root


@pytest.fixture
def changed(tree, monkeypatch):
    """Add to a file of the tree; of its modules only that one is read again, since reading takes most of the time."""
    monkeypatch.setattr(closure, "ROOT", tree)
    monkeypatch.setattr(code, "ROOT", tree)
    before = {}

    def change(path, text):
        file = tree / path
        before[file] = file.read_text("utf-8")
        file.write_text(before[file] + text, "utf-8")
        name = ".".join(("headway", *file.relative_to(tree).with_suffix("").parts))
        for place, reader in (
            (closure, "source_of"),
            (closure, "imported"),
            (closure, "registered"),
            (code, "source_of"),
        ):
            monkeypatch.setattr(place, reader, partial(read, getattr(closure, reader), name))
        code._digests.cache_clear()

    def read(cached, name, module):
        return getattr(cached, "__wrapped__", cached)(module) if module == name else cached(module)

    yield change
    for file, text in before.items():
        file.write_text(text, "utf-8")
    code._digests.cache_clear()


CONFIGURATIONS = {
    "transition": {},
    "cw": {"learner": "cw"},
    "graph": {"parser": "graph", "features": "mst"},
    "boosted": {"parser": "boosted", "features": "local"},
    "pairs": {"parser": "graph", "features": "local+between as arcs"},
}


def codes():
    return {"search": code.code_of_search({}), **{name: code.code_of(one) for name, one in CONFIGURATIONS.items()}}


@pytest.fixture(scope="module")
def unchanged(tree):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closure, "ROOT", tree)
        patch.setattr(code, "ROOT", tree)
        return codes()


@pytest.mark.parametrize(
    ("path", "text", "concerned"),
    [
        ("transition/training.py", "X = 1\n", {"transition": ["family"], "cw": ["family"], "search": ["family"]}),
        ("transition/training.py", "# X = 1\n", {}),
        ("boosting/schemes.py", "X = 1\n", {"boosted": ["family"]}),
        ("graph/eisner.py", "X = 1\n", {"graph": ["family"], "pairs": ["family"]}),
        ("discovery/moves.py", "X = 1\n", {"search": ["family"]}),
        ("learners/confidence_weighted.py", "X = 1\n", {"cw": ["learner"]}),
        ("learners/exponential.py", "X = 1\n", {"boosted": ["learner"]}),
        ("features/models/local.features", "S0.form\n", {"boosted": ["features"]}),
        ("features/models/mst.features", "S0.form\n", {"graph": ["features"]}),
        ("kernels/boosting/split_head.pyx", "X = 1\n", {"boosted": ["kernels"]}),
        (
            "kernels/transition/score_cache.pxd",
            "cdef int X\n",
            {"transition": ["kernels"], "cw": ["kernels"], "search": ["kernels"]},
        ),
        (
            "kernels/transition/systems/swap_oracle.pxd",
            "cdef int X\n",
            {"transition": ["kernels"], "cw": ["kernels"], "search": ["kernels"]},
        ),
        ("features/models/local+between.features", "S0.form\n", {"pairs": ["features"]}),
        ("kernels/graph/learning.pyx", "X = 1\n", {"graph": ["kernels"], "pairs": ["kernels"]}),
        ("training/loop.py", "X = 1\n", {name: ["training"] for name in [*CONFIGURATIONS, "search"]}),
        ("cli/train.py", "X = 1\n", {}),
        ("evaluation/scores.py", "X = 1\n", {}),
        ("experiments/reports/page.py", "X = 1\n", {}),
    ],
)
def test_a_change_concerns_those_who_use_it(unchanged, changed, path, text, concerned):
    before = unchanged
    changed(path, text)
    after = codes()
    differing = {name: code.changed(before[name], after[name]) for name in before}
    assert {name: kinds for name, kinds in differing.items() if kinds} == concerned


def test_the_sources_of_all_kernels_are_there():
    compiled = [path.with_name(path.name.partition(".")[0]) for path in (closure.ROOT / "kernels").rglob("*/*.so")]
    assert compiled and all(path.with_suffix(".pyx").exists() for path in compiled)


def test_a_peer_is_its_version_and_our_adapter(monkeypatch):
    adapters = {name: code.code_of({"parser": name, "steps": 3})["adapter"] for name in PEERS}
    assert len(set(adapters.values())) == len(PEERS)
    monkeypatch.setattr(code.metadata, "version", lambda package: f"1 of {package}")
    now = code.code_of({"parser": "udpipe"})
    assert now == {"version": "1 of ufal.udpipe", "adapter": adapters["udpipe"]}
    assert code.changed({**now, "version": "0"}, now) == ["version"]
    assert code.changed({**now, "version": "0"}, {**now, "version": "?"}) == []


def aged(recipe, folder, change):
    """The journal as if its records had been made otherwise."""
    path = journal_of(recipe, folder)
    first, *others = map(json.loads, path.read_text("utf-8").splitlines())
    path.write_text("".join(f"{json.dumps(one)}\n" for one in [first, *map(change, others)]), "utf-8")


def test_stale_results_are_counted_and_measured_again_only_when_asked_for(tmp_path):
    recipe = made(TINY, quick=True)
    assert len(list(run(recipe, output=tmp_path, jobs=1))) == 4
    assert status(recipe, tmp_path)[3:] == (0, {})

    def older(record):
        return (
            {**record, "code": {**record["code"], "kernels": "0"}} if record["options"]["learner"] == "cw" else record
        )

    aged(recipe, tmp_path, older)
    assert status(recipe, tmp_path)[3:] == (2, {"kernels": 2})
    assert list(run(recipe, output=tmp_path, jobs=1)) == []
    again = list(run(recipe, output=tmp_path, jobs=1, stale=True))
    assert [event.task.options["learner"] for event in again] == ["cw", "cw"]
    assert status(recipe, tmp_path) == (4, 0, 4, 0, {})


def test_results_without_a_record_of_their_code_are_stale(tmp_path):
    recipe = made(TINY)
    fake_journal(recipe, tmp_path, two_learners)
    assert status(recipe, tmp_path) == (4, 0, 4, 4, {"unknown code": 4})
    write_page([recipe], tmp_path, tmp_path / "page.md")
    said = "Made by headway (version not recorded); results: 4; of 4 the code is not known."
    assert said in (tmp_path / "page.md").read_text("utf-8")


def test_a_stale_search_is_searched_again_only_when_asked_for(tmp_path):
    search = "[search]\noptions = {generations = 1, beam = 1, passes = 1}\n"
    part = '[[configuration]]\nname = "found"\noptions = {features = "found"}\n[[part]]\nname = "test"\n'
    recipe = made(recipe_text(search + part))
    list(run(recipe, output=tmp_path, jobs=1))
    aged(recipe, tmp_path, lambda record: {**record, "code": {}} if record["kind"] == "search" else record)
    assert status(recipe, tmp_path).stale == 1 and list(run(recipe, output=tmp_path, jobs=1)) == []
    (tmp_path / "one.jsonl").rename(tmp_path / "kept.jsonl")
    shutil.copy(tmp_path / "kept.jsonl", tmp_path / "one.jsonl")
    for folder in tmp_path.glob("*.features.search"):
        shutil.rmtree(folder)
    assert [event.number for event in run(recipe, output=tmp_path, jobs=1, stale=True)] == [1]
    assert status(recipe, tmp_path).stale == 0


def test_the_page_does_not_depend_on_the_code_that_writes_it(tmp_path, monkeypatch):
    recipe = made(TINY, quick=True)
    list(run(recipe, output=tmp_path, jobs=1))
    write_page([recipe], tmp_path, tmp_path / "page.md")
    page = (tmp_path / "page.md").read_bytes()
    monkeypatch.setattr("headway.lab.results.code_of", lambda options: {"kernels": "changed"})
    assert status(recipe, tmp_path).stale == 4
    write_page([recipe], tmp_path, tmp_path / "page.md")
    assert (tmp_path / "page.md").read_bytes() == page


def test_costs_that_earlier_code_measured_are_told(tmp_path):
    recipe = made(TINY, quick=True)
    list(run(recipe, output=tmp_path, jobs=1))
    cw = {"measured_by": {"kernels": "0"}}
    aged(recipe, tmp_path, lambda record: {**record, **(cw if record["options"]["learner"] == "cw" else {})})
    assert status(recipe, tmp_path).stale == 0
    write_page([recipe], tmp_path, tmp_path / "page.md")
    said = (tmp_path / "page.md").read_text("utf-8")
    assert "Caution: times and memory of 2 of 4 results are those of earlier code" in said
    assert "with 1 task at once, 2 of 4 results by earlier code." in said


def test_the_command_says_what_is_stale(run, tmp_path):
    (tmp_path / "one.toml").write_text(TINY, "utf-8")
    fake_journal(made(TINY), tmp_path, two_learners)
    said = run("experiment", "status", tmp_path / "one.toml", "-o", tmp_path).stdout
    assert "stale" in said and said.split()[-4:] == ["4", "unknown", "code", "(4)"]


def test_packages_that_lie_beside_ours_are_not_followed(monkeypatch, tmp_path):
    (tmp_path / "headway").mkdir()
    (tmp_path / "other").mkdir()
    for name in ("headway/ours.py", "other/theirs.py"):
        (tmp_path / name).write_text("import other.theirs\n")
    monkeypatch.setattr(closure, "ROOT", tmp_path / "headway")
    assert closure.files_of("headway.ours") and not closure.files_of("other.theirs")
