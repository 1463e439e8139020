"""What to say about a sentence that cannot be read: place, what, and what to do."""

from __future__ import annotations

from headway.base.errors import FormatError, shown
from headway.data.batch import Problem
from headway.data.formats.format import Format


def explain(problem: Problem, source: str, form: Format) -> FormatError:
    """The problem as an error whose message is one sentence."""
    what, remedy = _sentence(problem, form)
    return FormatError(source, problem.line, what, remedy)


def _sentence(problem: Problem, form: Format) -> tuple[str, str]:
    value = shown(problem.value)
    head = form.index("HEAD") + 1
    first = problem.first_line
    match problem.kind:
        case "columns":
            return _columns(problem.value, form)
        case "uneven":
            return (
                f"this line has {_count(problem.value)} columns, the lines before it in its sentence another number",
                "give every line of a sentence the same number of columns",
            )
        case "id-form":
            return (
                f"ID {value} is neither a number nor a range like 3-4 nor an empty node like 8.1",
                f"column {form.index('ID') + 1} of {form.title} is ID",
            )
        case "id-order":
            return (
                f"ID {value} is repeated or out of order",
                "number the words of a sentence 1, 2, 3, … and put a blank line after each sentence",
            )
        case "range-form":
            return (
                f"multiword token {value} does not stand right before its first word",
                "write the line 3-4 before word 3, the smaller number first",
            )
        case "range-overlap":
            return (
                f"multiword token {value} overlaps the one before it",
                "give each word to at most one multiword token",
            )
        case "range-end":
            return (
                f"multiword token {value} ends after the last word of its sentence",
                "correct the range or add the missing words",
            )
        case "empty-order":
            return (
                f"empty node {value} is not in its place",
                "empty nodes after word 8 are numbered 8.1, 8.2, … and stand behind word 8",
            )
        case "form-empty":
            return (
                "there is no form here",
                f"write the word into column {form.index('FORM') + 1} of {form.title}, or '_' where nobody knows it",
            )
        case "head-form":
            return f"head {value} is not a number", f"column {head} of {form.title} is HEAD"
        case "head-range":
            return (
                f"head {value} is beyond the last word of the sentence",
                "heads are numbers of words of the same sentence, 0 for the root",
            )
        case "head-missing":
            return (
                "this word has no head while others of its sentence have one",
                "give every word a head, or none ('_') where the sentence is not parsed",
            )
        case "cycle":
            return (
                f"head {value} closes a cycle in the sentence that begins on line {first}",
                "every word must lead to the root by its heads",
            )
        case "no-root":
            return (
                f"no word of the sentence that begins on line {first} has head 0",
                "give the root of the sentence head 0",
            )
        case "no-words":
            return "there are comments but no words here", "remove them, or the blank line after them"
    raise AssertionError(problem.kind)


def _count(line: bytes) -> int:
    return line.count(b"\t") + 1


def _columns(line: bytes, form: Format) -> tuple[str, str]:
    fewest, most = form.fewest or len(form.columns), len(form.columns)
    wanted = f"at least {fewest}" if form.open_ended else str(most) if fewest == most else f"{fewest} to {most}"
    what = f"{_count(line)} column{'s' if _count(line) > 1 else ''} where {form.title} has {wanted}: {shown(line)}"
    if _count(line) == 1 and b" " in line:
        return what, "separate the columns by tabs, not spaces"
    return what, "separate columns by single tabs and sentences by blank lines, or name another format"
