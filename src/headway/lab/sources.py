"""The sentences of a task: files of treebanks, generated ones, and how they are cut for learning and parsing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from headway.base.errors import HeadwayError, ReadingReport
from headway.base.folds import HELD_OUT, parted
from headway.data.formats import penn
from headway.data.formats.headrules import read_rules
from headway.data.formats.reading import read
from headway.data.sample import Sample
from headway.data.sentence import Sentence, views
from headway.lab.recipe import Source
from headway.lab.tasks import TrainingTask

VARIABLE = "HEADWAY_TREEBANKS"
SAMPLE_SEEDS = {"train": 1, "dev": 2, "test": 3}
SAMPLE_SENTENCES = 500
"""Sentences of the generated parts that are not learned from."""
JOINED = "parataxis"


@dataclass(frozen=True)
class TreebankMissing:
    """A treebank that is not there, and what to do."""

    treebank: str
    why: str


def treebanks_in(folder: str | None) -> Path | None:
    """The folder of treebanks: given, or named by the environment; None where neither is said."""
    chosen = folder or os.environ.get(VARIABLE)
    if not chosen:
        return None
    if not Path(chosen).is_dir():
        raise HeadwayError(f"{chosen}: no such folder; give the folder of your treebanks with --treebanks")
    return Path(chosen)


def file_of(source: Source, part: str, folder: Path | None) -> Path:
    """The file of a part of a treebank."""
    if folder is None:
        raise HeadwayError(f"{source.treebank} is not there; give the folder of your treebanks with --treebanks")
    own = source.files.get(part, part)
    place, _, stem = (own if "/" in own else f"{source.treebank}/{own}").rpartition("/")
    found = sorted((folder / place).glob(f"{stem}.conll*"))
    if not found:
        raise HeadwayError(f"{folder / place}: there is no {stem}.conll*; tasks that need it are left out")
    return found[0]


def sentences_of(source: Source, part: str, files: Mapping[str, str]) -> Iterator[Sentence]:
    """The sentences of a part, from its file or generated."""
    if not source.treebank:
        yield from _generated(source, part)
        return
    beginnings = tuple(f"{genre}-" for genre in source.genres.get(part, ()))
    for sentence in read(files[part]):
        if not beginnings or (sentence.sent_id or "").startswith(beginnings):
            yield sentence


def cut(task: TrainingTask, files: Mapping[str, str]) -> tuple[list[Sentence], list[Sentence]]:
    """What a task learns from, and what it parses."""
    train = list(islice(sentences_of(task.source, "train", files), task.source.first))
    if task.on == "train":
        tested = train[: task.sentences]
    elif task.on == "held-out":
        tested, train = parted(train, HELD_OUT - 1, HELD_OUT)
    elif task.fold is not None and task.folds is not None:
        tested, train = parted(train, task.fold, task.folds)
    else:
        tested = list(islice(sentences_of(task.source, task.on, files), task.tested))
    if not train or not tested:
        what = "parse" if train else "learn from"
        raise HeadwayError(f"{task.treebank}: there are no sentences to {what}; correct files or genres in the recipe")
    return train[: task.sentences], tested[: task.tested]


def _generated(source: Source, part: str) -> Iterator[Sentence]:
    options = {name: value for name, value in source.sample.items() if name not in ("length", "rules")}
    if part != "train":
        options = {**options, "tokens": None, "sentences": SAMPLE_SENTENCES}
    options.setdefault("sentences", None if options.get("tokens") else 1000)
    # Recipes are about parsers; what is hard about text is left out unless a recipe asks for it.
    sample = Sample(**{"difficulties": 0.0, **options, "seed": SAMPLE_SEEDS[part]})
    length, rules = source.sample.get("length"), source.sample.get("rules")
    found: Iterable[Sentence] = sample
    if rules is not None:  # As trees in brackets, read back through head rules.
        trees = (tree.encode() for tree in sample.brackets())
        found = views(penn.batches(trees, read_rules(rules), ReadingReport("<sample>")))
    yield from found if length is None else _joined(found, int(length))


def _joined(sentences: Iterable[Sentence], length: int) -> Iterator[Sentence]:
    """Sentences of about `length` words: as many as it takes, the roots of all hang on that of the first."""
    some: list[Sentence] = []
    for sentence in sentences:
        some.append(sentence)
        if sum(map(len, some)) >= length:
            yield _join(some)
            some = []


def _join(sentences: list[Sentence]) -> Sentence:
    columns: dict[str, Any] = {name: [] for name in ("forms", "lemmas", "upos", "xpos", "feats", "deprels")}
    heads: list[int] = []
    root = list(sentences[0].heads).index(0) + 1
    for sentence in sentences:
        before = len(heads)
        for name, cells in columns.items():
            cells += getattr(sentence, name)
        for place, head in enumerate(sentence.heads.tolist(), before):
            heads.append(head + before if head else root if before else 0)
            if before and not head:
                columns["deprels"][place] = JOINED
    return Sentence(heads=heads, **columns)
