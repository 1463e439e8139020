"""README and docs run: files that blocks name, Python blocks in order; consoles, sessions with their output."""

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import headway
from headway.cli import run as headway_command
from headway.show.reports.page import anchors

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


ALONE = re.compile("headway (?!.*--import)[^|<>;&$*`()~]*")
"""A command that needs no shell; what it imports would stay registered for the tests that come later."""


def matches(shown: str, printed: str) -> bool:
    """Whether the output is as shown; a line `…` stands for any number of lines."""
    lines = shown.strip("\n").split("\n")
    pattern = "".join("(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in lines)
    return re.fullmatch(pattern, printed.strip("\n") + "\n") is not None


def run_console(block: str) -> None:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        code, printed = (run_here if ALONE.fullmatch(command) else run_in_a_shell)(command)
        assert code == 0, f"$ {command}\n{printed}"
        if shown.strip():
            assert matches(shown, printed), f"$ {command}\n{printed}"


def run_here(command: str) -> tuple[int, str]:
    """The exit code of a command and what it prints; to start a process for each takes a third of the time."""
    done = CliRunner().invoke(headway_command, shlex.split(command)[1:], prog_name="headway")
    return done.exit_code, done.stdout + done.stderr


def run_in_a_shell(command: str) -> tuple[int, str]:
    """The same in a process of its own."""
    python = shlex.quote(sys.executable)
    words = re.sub(r"(?<![\w./-])headway(?= )", f"{python} -m headway", re.sub("^python(?= )", python, command))
    done = subprocess.run(words, shell=True, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def run_session(block: str, names: dict[str, object], page: str) -> None:
    """Run what stands after `>>>`; `...` in the output stands for anything."""
    block = re.sub(r"\n\n(?!>>>|\Z)", "\n<BLANKLINE>\n", block)
    test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
    runner, told = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), io.StringIO()
    runner.run(test, out=told.write, clear_globs=False)
    assert not runner.failures, told.getvalue()
    names.update(test.globs)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run_as_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, file, block in BLOCK.findall(page.read_text("utf-8")):
        if file:
            (tmp_path / file).write_text(block, "utf-8")
        elif language == "console":
            run_console(block)
        elif language == "pycon":
            run_session(block, names, page.name)
        elif language == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, page.name, "exec"), names)


def test_links_between_pages_lead_somewhere():
    for page in (*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            _, source, inside = target.partition("src/headway/")
            place = Path(headway.__file__).parent / inside if source else page.parent / target
            assert place.exists(), f"{page.name}: {target}"


def test_links_to_sections_lead_to_headings():
    def names(page):
        lines = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL).splitlines()
        return anchors(line.lstrip("#").strip().replace("`", "") for line in lines if re.match("#+ ", line))

    for page in (*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        for target, name in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", page.read_text("utf-8")):
            assert name in names(page.parent / target if target else page), f"{page.name}: {target}#{name}"


def test_every_page_of_docs_is_reachable_from_the_readme():
    linked = set(re.findall(r"\]\(docs/([^)#]+)", (ROOT / "README.md").read_text("utf-8")))
    assert {page.name for page in PAGES[1:]} <= linked


def test_the_newcomers_commands_are_in_the_readme():
    text = (ROOT / "README.md").read_text("utf-8")
    assert "python3 -m venv .venv && . .venv/bin/activate && pip install . && headway demo" in text
    assert "python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/pytest" in text


def test_the_tables_of_the_readme_are_those_of_the_results():
    readme, results = ((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/results.md"))
    tables = re.findall(r"^\| configuration .*\n(?:\|.*\n)+", readme, re.MULTILINE)
    titles = (
        "From raw text: means over the treebanks",
        "Means over the treebanks",
        "The whole of English-EWT, 12,544 sentences",
    )
    for title, table in zip(titles, tables, strict=True):
        assert f"### {title}\n\n{table}\n" in results, title
