"""What to say about a file that is not as its format asks: errors that give the place and the fix."""

from __future__ import annotations

from headway.base.errors import FormatError, shown
from headway.data.batch import Problem
from headway.data.formats.format import Format

SENTENCES = {
    "uneven": (
        "this line has {columns} columns, the lines before it in its sentence another number",
        "give every line of a sentence the same number of columns",
    ),
    "id-form": (
        "ID {value} is neither a number nor a range like 3-4 nor an empty node like 8.1",
        "column {id} of {title} is ID",
    ),
    "id-order": (
        "ID {value} is repeated or out of order",
        "number the words of a sentence 1, 2, 3, … and put a blank line after each sentence",
    ),
    "range-form": (
        "multiword token {value} does not stand right before its first word",
        "write the line 3-4 before word 3, the smaller number first",
    ),
    "range-overlap": (
        "multiword token {value} overlaps the one before it",
        "give each word to at most one multiword token",
    ),
    "range-end": (
        "multiword token {value} ends after the last word of its sentence",
        "correct the range or add the missing words",
    ),
    "empty-order": (
        "empty node {value} is not in its place",
        "empty nodes after word 8 are numbered 8.1, 8.2, … and stand behind word 8",
    ),
    "form-empty": (
        "there is no form here",
        "write the word into column {form} of {title}, or '_' where nobody knows it",
    ),
    "head-form": ("head {value} is not a number", "column {head} of {title} is HEAD"),
    "head-range": (
        "head {value} is beyond the last word of the sentence",
        "heads are numbers of words of the same sentence, 0 for the root",
    ),
    "head-missing": (
        "this word has no head while others of its sentence have one",
        "give every word a head, or none ('_') where the sentence is not parsed",
    ),
    "cycle": (
        "head {value} closes a cycle in the sentence that begins on line {first}",
        "every word must lead to the root by its heads",
    ),
    "no-root": (
        "no word of the sentence that begins on line {first} has head 0",
        "give the root of the sentence head 0",
    ),
    "no-words": ("there are comments but no words here", "remove them, or the blank line after them"),
}
"""For each kind of problem what is wrong, and what to do."""


def explain(problem: Problem, source: str, form: Format) -> FormatError:
    """The problem as an error whose message is one sentence."""
    if problem.kind == "columns":
        what, remedy = _columns(problem.value, form)
        return FormatError(source, problem.line, what, remedy)
    details = {
        "value": shown(problem.value),
        "columns": problem.value.count(b"\t") + 1,
        "first": problem.first_line,
        "title": form.title,
        **{field.lower(): form.index(field) + 1 for field in ("ID", "FORM", "HEAD")},
    }
    what, remedy = (sentence.format_map(details) for sentence in SENTENCES[problem.kind])
    return FormatError(source, problem.line, what, remedy)


def _columns(line: bytes, form: Format) -> tuple[str, str]:
    count = line.count(b"\t") + 1
    fewest, most = form.fewest or len(form.columns), len(form.columns)
    wanted = f"at least {fewest}" if form.open_ended else str(most) if fewest == most else f"{fewest} to {most}"
    what = f"{count} column{'s' if count > 1 else ''} where {form.title} has {wanted}: {shown(line)}"
    if count == 1 and b" " in line:
        return what, "separate the columns by tabs, not spaces"
    return what, "separate columns by single tabs and sentences by blank lines, or name another format"
