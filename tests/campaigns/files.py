"""Mutated treebanks and texts in every format: each is read or refused in a sentence with its place."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import headway
from campaigns.campaign import Tell, ensure, one_sentence
from campaigns.commands import command
from campaigns.mutations import good_files, mutated
from headway.base.errors import HeadwayError
from headway.data.formats.format import COLUMNS, FORMATS, READABLE
from headway.data.formats.reading import InputReader, Reader
from headway.data.formats.recognition import INPUTS
from headway.data.formats.writing import convert
from headway.data.sample import generate
from headway.data.sentence import Sentence
from headway.data.trees import is_tree

NAMES = ("bad", "bad.conllu", "bad.txt", "bad.conll", "bad.tab", "bad.mrg", "bad.gz", "bad.conllu.xz")


class Files:
    """Files are read, converted and parsed, in Python and in the shell."""

    cases, patience = 19_700, 30.0

    def prepare(self, folder: Path, seed: int) -> None:
        sentences = list(generate(60, seed=1))
        self.models = [
            headway.train(sentences, pipeline=True, passes=1, features="malt-14", folds=2),
            headway.train(sentences, passes=1, features="malt-14"),
        ]
        self.paths = [str(folder / f"{number}.model") for number in range(len(self.models))]
        for model, path in zip(self.models, self.paths, strict=True):
            model.save(path)

    def case(self, chance: Random, folder: Path, tell: Tell) -> str:
        files = good_files(chance)
        name = chance.choice(list(files))
        path = folder / chance.choice(NAMES)
        path.write_bytes(mutated(chance, files[name], chance.choice(list(files.values()))))
        what = chance.choice((self.read, self.read, self.converted, self.parsed, self.parsed, self.in_the_shell))
        with Notes():
            return what(chance, path, lambda how: tell(f"{name} as {path.name}, {how}"))

    def read(self, chance: Random, path: Path, tell: Tell) -> str:
        how = reading(chance)
        tell(f"read {how}")
        try:
            assure_sound(headway.read(path, **how))
        except HeadwayError as error:
            return refused(error, path)
        return "read"

    def converted(self, chance: Random, path: Path, tell: Tell) -> str:
        """What is written can be read again, and has the same trees."""
        how, target, output = reading(chance), chance.choice(list(FORMATS)), path.parent / "out"
        how.pop("partial")
        tell(f"convert {how} to {target}")
        try:
            before = list(headway.read(path, **how))
            convert(Reader(path, **how), output, target)
        except HeadwayError as error:
            return refused(error, path)
        columns = how["columns"] if before and before[0].batch.format.name == target else "gold"
        after = list(headway.read(output, format=target, columns=columns)) if before else []
        same_trees(before, after)
        if FORMATS[target].spaces:
            ensure([one.forms for one in before] == [one.forms for one in after], "the words have changed")
        return "converted"

    def parsed(self, chance: Random, path: Path, tell: Tell) -> str:
        """What is parsed can be read again, and has the same words."""
        number, how = chance.randrange(len(self.models)), reading(chance)
        kind = chance.choice((None, None, *INPUTS))
        if kind not in (None, "conllu"):
            how.pop("format")
        keep = how["partial"]
        tell(f"parse with model {number} as {kind} {how}")
        model = self.models[number]
        try:
            found = list(model.parse(InputReader(path, input=kind, **how), keep_heads=keep, force=True))
            written = b"".join(model.parse_bytes(InputReader(path, input=kind, **how), keep_heads=keep, force=True))
        except HeadwayError as error:
            return refused(error, path)
        assure_sound(found)
        may_stay = keep and how["on_error"] == "skip"
        if may_stay:  # sentences whose heads contradict each other stay as they are
            found = [one for one in found if one.is_parsed]
        ensure(all(one.is_parsed for one in found), "a sentence has no tree")
        if found:
            (path.parent / "out").write_bytes(written)
            lenient = {"on_error": "skip"} if may_stay else {}
            target = found[0].batch.format.name
            reader = Reader(path.parent / "out", format=target, columns=how["columns"], **lenient)
            again = [one for one in reader if one.is_parsed]
            same_trees(found, again)
            ensure([one.forms for one in found] == [one.forms for one in again], "the words have changed")
        return "parsed"

    def in_the_shell(self, chance: Random, path: Path, tell: Tell) -> str:
        model = chance.choice(self.paths)
        words = chance.choice(
            (
                ("parse", model, path, "--on-error", chance.choice(("stop", "skip")), "-o", "out"),
                ("parse", model, path, "--input", chance.choice(INPUTS), "-o", "out", "--keep-heads"),
                ("convert", path, "--to", chance.choice((*FORMATS, "text")), "-o", "out"),
                ("info", path),
                ("evaluate", path, path),
                ("show", path),
                ("split", path, "--every", 2, "-o", "part"),
                ("select", model, path, "-n", 1, "-o", "out"),
                ("explain", model, path, "--sentence", 1),
            )
        )
        tell(f"headway {' '.join(map(str, words))}")
        done = command(*words)
        left = {one.name for one in path.parent.iterdir()} - {path.name}
        ensure(done.code == 0 or not left, f"exit code {done.code}, and {left} is left")
        return "shell" if done.code == 0 else "refused"


def reading(chance: Random) -> dict[str, Any]:
    """How to read a file."""
    return {
        "format": chance.choice((None, None, *READABLE)),
        "on_error": chance.choice(("stop", "skip")),
        "columns": chance.choice(list(COLUMNS)),
        "partial": chance.random() < 0.2,
    }


def refused(error: HeadwayError, path: Path) -> str:
    """A refusal has the place and one sentence."""
    said = one_sentence(error)
    ensure(said.startswith(str(path)), f"a refusal without its place: {said}")
    return "refused"


def assure_sound(sentences: Iterable[Sentence]) -> None:
    """Words have forms, and trees are trees."""
    for sentence in sentences:
        ensure(len(sentence) and all(sentence.forms), f"a word without a form: {sentence.forms}")
        ensure(not sentence.is_parsed or is_tree(sentence.heads), f"{sentence.heads.tolist()} is no tree")
        ensure(len(sentence.deprels) == len(sentence.misc) == len(sentence), "columns are not of one length")


def same_trees(before: Sequence[Sentence], after: Sequence[Sentence]) -> None:
    """What was written and read again is the same."""
    ensure(len(before) == len(after), f"{len(before)} sentences were written, and {len(after)} are read")
    for one, other in zip(before, after, strict=True):
        ensure(one.is_parsed == other.is_parsed, "a tree is lost")
        ensure(not one.is_parsed or one.heads.tolist() == other.heads.tolist(), "a tree has changed")


class Notes(logging.Handler):
    """Every note is one sentence, too."""

    def emit(self, record: logging.LogRecord) -> None:
        said = record.getMessage()
        ensure(said.isprintable(), f"a note that is not one line: {said!r}")

    def __enter__(self) -> None:
        logger = logging.getLogger("headway")
        logger.handlers, logger.propagate = [self], False

    def __exit__(self, *error: object) -> None:
        logging.getLogger("headway").handlers = []
