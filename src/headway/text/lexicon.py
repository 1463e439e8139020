"""A lexicon that users provide: forms with their lemmas and tags, a line for each analysis.

    dogs	dog	NOUN
    dogs	dog	NOUN	NNS	Number=Plur
    saw	see	VERB	VBD	Mood=Ind|Tense=Past|VerbForm=Fin

Lemmas become edit scripts and forms become keys, so that a model that holds a lexicon holds none of its words.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from headway.base.errors import FormatError, counted, shown
from headway.base.files import assure_path, chunks, name_of
from headway.text.lemmatizer.edit_scripts import script_for

COLUMNS = ("form", "lemma", "UPOS", "XPOS", "FEATS")
FEWEST = 3
UNSAID = "_"
"""Stands for a tag that a line leaves open."""


class Analysis(NamedTuple):
    """The tags of a word, `_` where a line leaves them open, and the script that makes its lemma."""

    upos: str
    xpos: str
    feats: str
    script: str


Lexicon = dict[str, list[Analysis]]
"""The analyses of each form, in the order of the file."""


def read_lexicon(path: str | os.PathLike[str]) -> Lexicon:
    """Read a lexicon, compressed or not. Linear time.

    Lines without a tab that begin with `#` are comments; blank lines are skipped.
    """
    assure_path(path, "a lexicon")
    found: defaultdict[str, dict[Analysis, None]] = defaultdict(dict)
    for line, text in numbered_lines(path, "the lexicon"):
        if not text.strip() or (text.startswith("#") and "\t" not in text):
            continue
        form, lemma, *tags = _cells(name_of(path), line, text)
        tags += [UNSAID] * (len(COLUMNS) - 2 - len(tags))
        found[form][Analysis._make((*tags, script_for(form, lemma)))] = None
    if not found:
        raise FormatError(name_of(path), None, "the lexicon has no lines", f"write {'<TAB>'.join(COLUMNS[:3])}")
    return {form: list(analyses) for form, analyses in found.items()}


def numbered_lines(path: str | os.PathLike[str], what: str) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers; `what` says in errors what the file is."""
    for number, line in enumerate(b"".join(chunks(path)).removeprefix(BOM_UTF8).split(b"\n"), 1):
        try:
            yield number, line.decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            problem = f"byte {line[error.start]:#04x} is not UTF-8"
            raise FormatError(name_of(path), number, problem, f"save {what} as UTF-8") from None


def _cells(source: str, number: int, text: str) -> list[str]:
    cells = text.split("\t")
    line = "<TAB>".join(COLUMNS[:FEWEST])
    if not FEWEST <= len(cells) <= len(COLUMNS):
        what = f"{shown(text)} has {counted(len(cells), 'column')}"
        raise FormatError(source, number, what, f"write {line}, and after it XPOS and FEATS if you like")
    for name, cell in zip(COLUMNS, cells, strict=False):
        if not cell.strip():
            remedy = "write _ where it is not known" if name not in COLUMNS[:2] else f"write {line}"
            raise FormatError(source, number, f"the {name} is empty", remedy)
    return cells
