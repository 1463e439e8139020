"""Cutting a treebank into parts: every n-th sentence held out, folds, or proportions.

Sentences keep their bytes and their order; a seed only decides which part each of them goes to. All parts
appear together when the last one is complete, or none.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from headway.base.errors import HeadwayError, assure_yes_no, counted
from headway.base.files import COMPRESSED, STANDARD, explaining, replacing_all
from headway.base.folds import fold_of
from headway.data.batch import Batch
from headway.data.formats.format import Format, by_suffix
from headway.data.formats.reading import Reader

PROPORTIONS = {2: ("train", "test"), 3: ("train", "dev", "test")}
"""The names of that many parts."""


class Plan(NamedTuple):
    """The names of the parts, and for a number of sentences the part of each, from 0."""

    names: tuple[str, ...]
    parts: Callable[[int], Iterable[int]]


class WrittenPart(NamedTuple):
    """A file that was written."""

    path: Path
    sentences: int
    words: int


def every(n: int) -> Plan:
    """Hold out the n-th sentence, the 2n-th and so on, as `everyN`; all others are the `rest`."""
    if n < 2:
        raise HeadwayError(f"every {n}-th sentence cannot be held out; give a number of at least 2")
    return Plan(("rest", f"every{n}"), lambda total: (fold_of(total, n) == n - 1).tolist())


def folds(k: int) -> Plan:
    """Deal the sentences out, one after the other, to `fold1` … `foldK`."""
    if k < 2:
        raise HeadwayError(f"one treebank cannot be cut into {counted(k, 'fold')}; give a number of at least 2")
    return Plan(tuple(f"fold{number}" for number in range(1, k + 1)), lambda total: fold_of(total, k).tolist())


def proportions(shares: Sequence[str | int | float]) -> Plan:
    """Cut into stretches that are so many hundredths of the sentences, or such fractions.

    Two are `train` and `test`, three `train`, `dev` and `test`, more of them `part1`, `part2`, ….
    """
    try:
        sizes = [Fraction(str(share).strip()) for share in shares]
    except (ValueError, ZeroDivisionError):
        sizes = []
    whole = sum(sizes)
    if len(sizes) < 2 or min(sizes) <= 0 or whole not in (1, 100):
        listed = ",".join(str(share) for share in shares)
        raise HeadwayError(f"the proportions {listed} do not add up to 100 or 1; give them like 80,10,10")
    names = PROPORTIONS.get(len(sizes)) or tuple(f"part{number}" for number in range(1, len(sizes) + 1))

    def ends(total: int) -> list[int]:
        return [round(end * total / whole) for end in accumulate(sizes)]

    return Plan(names, lambda total: np.searchsorted(ends(total), range(total), side="right").tolist())


def split(
    reader: Reader,
    plan: Plan,
    prefix: str | os.PathLike[str] | None = None,
    *,
    seed: int | None = None,
    with_rest: bool = False,
    force: bool = False,
) -> list[WrittenPart]:
    """Write the parts of a treebank to files PREFIX.NAME.SUFFIX and return what was written.

    The prefix is the treebank's own name without suffix, in the folder where we are, where none is given; a folder
    stands for that name in the folder. Files that are there already are overwritten with `force` only. With a seed,
    parts of the same sizes are drawn at random. `with_rest` adds to each part NAME a file NAME-rest of all other
    sentences. The treebank is read once, and memory does not grow with its text.
    """
    for name, value in (("with_rest", with_rest), ("force", force)):
        assure_yes_no(name, value)
    batches = reader.batches()
    first = next(batches, None)
    if first is None:
        raise HeadwayError(f"{reader.report.source}: no sentence could be read; there is nothing to split")
    names = [*plan.names, *(f"{name}-rest" for name in plan.names if with_rest)]
    paths = _paths(reader.path, prefix, names, first.format, force)
    try:
        with explaining(paths[0]):
            return _write(chain([first], batches), plan, seed, paths)
    except OSError as error:
        what = f"{paths[0].parent}: {error.strerror}"
        raise HeadwayError(f"{what}; name a folder that can be written to with -o") from None


def _write(batches: Iterable[Batch], plan: Plan, seed: int | None, paths: list[Path]) -> list[WrittenPart]:
    """Write all files; a copy of the treebank is on disk until it is known which part each sentence goes to."""
    with tempfile.TemporaryFile(dir=paths[0].parent) as copy:
        bytes_of, words_of = _copy(batches, copy)
        parts = list(plan.parts(len(bytes_of)))
        if seed is not None:
            parts = _drawn(parts, seed)
        plain = len(plan.names)
        for part in set(range(plain)) - set(parts):
            what = f"{paths[part]}: nothing is left for this part of {counted(len(parts), 'sentence')}"
            raise HeadwayError(f"{what}; ask for fewer or larger parts")
        sentences, words = [0] * len(paths), [0] * len(paths)
        copy.seek(0)
        with replacing_all(paths) as streams:
            for part, size, length in zip(parts, bytes_of, words_of, strict=True):
                text = copy.read(size)
                for file in (part, *(rest for rest in range(plain, len(paths)) if rest != plain + part)):
                    streams[file].write(text)
                    sentences[file] += 1
                    words[file] += length
    return [WrittenPart(*part) for part in zip(paths, sentences, words, strict=True)]


def _copy(batches: Iterable[Batch], stream: IO[bytes]) -> tuple[list[int], list[int]]:
    """Write all sentences to one file; returns how many bytes and words each of them has."""
    bytes_of: list[int] = []
    words_of: list[int] = []
    for batch in batches:
        words_of += np.diff(batch.sentence_word).tolist()
        bytes_of += (stream.write(batch.raw(index) + b"\n") for index in range(len(batch)))
    return bytes_of, words_of


def _drawn(parts: list[int], seed: int) -> list[int]:
    """The parts in an order that the seed decides, alike in all versions of Python."""
    # Of all that `random` can draw, only the sequence of `random()` is promised to stay as it is.
    generator = random.Random(seed)
    keys = [generator.random() for _ in parts]
    part_of = dict(zip(sorted(range(len(parts)), key=keys.__getitem__), parts, strict=True))
    return [part_of[sentence] for sentence in range(len(parts))]


def _paths(
    source: str, prefix: str | os.PathLike[str] | None, names: list[str], form: Format, force: bool
) -> list[Path]:
    """Where the parts go: in the format and the compression of the treebank, and never over it."""
    if source == STANDARD and prefix is None:
        raise HeadwayError("standard input gives the parts no name; name a prefix with -o")
    own = Path("stdin") if source == STANDARD else Path(source)
    compression = own.suffix if own.suffix in COMPRESSED else ""
    bare = own.with_suffix("") if compression else own
    suffix = bare.suffix if bare.suffix in form.suffixes else form.suffixes[0]
    stem = Path((bare.with_suffix("") if by_suffix(bare.name) else bare).name)
    if prefix is not None:
        is_folder = os.fspath(prefix).endswith(os.sep) or Path(prefix).is_dir()
        stem = Path(prefix) / stem.name if is_folder else Path(prefix)
    paths = [stem.with_name(f"{stem.name}.{name}{suffix}{compression}") for name in names]
    for path in paths:
        if path.is_dir() or (path.exists() and source != STANDARD and path.samefile(source)):
            what = "a folder" if path.is_dir() else "the treebank itself"
            raise HeadwayError(f"{path}: a part would overwrite {what}; name another prefix with -o")
    for path in paths if not force else ():
        if path.exists():
            what = f"{path}: there is a file of this name already"
            raise HeadwayError(f"{what}; name another prefix with -o, or overwrite it with --force")
    return paths
