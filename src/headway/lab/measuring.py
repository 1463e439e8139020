"""One task in a process of its own: train, parse, evaluate, and what each of them cost."""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError
from headway.base.files import explaining
from headway.data.formats.reading import read
from headway.data.formats.writing import running_text, write
from headway.data.sentence import Sentence
from headway.evaluation.columns import TreebankColumns, treebank_columns
from headway.evaluation.comparison import Comparison, compare
from headway.evaluation.definitions import DEFINITIONS
from headway.evaluation.evaluate import counted_items, items_of_label
from headway.evaluation.metrics.confidence import confidences_of, influences_on_auc
from headway.evaluation.metrics.ud import CONTENT, SHOWN, TAGS
from headway.evaluation.scores import CountedItems
from headway.evaluation.significance import METRICS
from headway.lab.metrics import AUC, BARE, ECE, OF_LABEL, SHARES, SUREST, Point, packed
from headway.lab.peers import TEXT
from headway.lab.sources import cut, sentences_of
from headway.lab.tasks import ANNOTATE, FOUND, TrainingTask, found_by, tags_are_predicted
from headway.lab.tested_parsers import HeadwayParser, ParserUnderTest, Trained, train_and_use, words_needed

RUNS, ENOUGH = 3, 30.0
"""Parsing is measured so often, but not again after so many seconds; after each pass of several, once."""
Record = dict[str, Any]


def measured(task: TrainingTask, files: Mapping[str, str], folder: Path) -> Record:
    """What a task comes to, for the journal; files by their part, a folder for what lies between."""
    train, tested = cut(task, files)
    size = {"sentences": len(train), "words": sum(map(len, train))}
    written, gold = _written(train, folder / "train"), _written(tested, folder / "gold")
    del train, tested
    loaded = treebank_columns(gold)
    given = raw_text(gold) if task.text else gold
    points: list[Point] = []
    options = {**task.options, "seed": task.seed}  # With files in place of their names.
    if "dev" in options:
        options["dev"] = str(_written(list(sentences_of(task.source, "dev", files)), folder / "dev"))
    if found_by(options):
        options["features"] = files[FOUND]
    last: Record = {}
    started, elsewhere = time.process_time(), 0.0

    def measure(found: Trained) -> None:
        nonlocal elsewhere
        began = time.process_time()
        spent = began - started - elsewhere
        memory, parser = _peak(), found.parser
        times = _parsing(parser, given, folder / "parsed", task)
        # With all words annotated every strategy parses alike, which says nothing of the way there.
        parsed = None if found.annotated else blake2b((folder / "parsed").read_bytes(), digest_size=8).hexdigest()
        scores = scores_by(loaded, folder / "parsed", task)
        spent_so_far = round(spent, 2)
        points.append(Point(at=found.at, training=spent_so_far, parsed=parsed, annotated=found.annotated, **scores))
        speeds = [round(len(loaded) / seconds) for seconds in times]
        parser.save(folder / "model")
        files_of = [one for one in (folder / "model", *(folder / "model").rglob("*")) if one.is_file()]
        size_of = sum(one.stat().st_size for one in files_of)
        last.update(memory=memory, parsing=speeds, model=size_of, **parser.described())
        elsewhere += time.process_time() - began

    train_and_use(written, options, measure, every_pass=task.every_pass, confidence=task.confidence)
    if ANNOTATE in task.options:
        curve = [(point.annotated or 0, point.scores["LAS"][0] / point.scores["LAS"][1]) for point in points]
        last["needed"] = round(words_needed(curve), 1)
    points[-1] = replace(points[-1], **last)
    return {**size, "points": [point.record for point in points]}


def raw_text(gold: Path) -> Path:
    """The raw text of a file, as a file."""
    target = gold.with_suffix(TEXT)
    with explaining(target):
        target.write_text("".join(running_text(read(gold))), "utf-8")
    return target


def _written(sentences: list[Sentence], stem: Path) -> Path:
    path = stem.with_suffix(sentences[0].batch.format.suffixes[0])
    write(sentences, path)
    return path


def _parsing(parser: ParserUnderTest, gold: Path, target: Path, task: TrainingTask) -> list[float]:
    """CPU seconds to parse a file, again and again."""
    times: list[float] = []
    parse = parsing_of(parser, task)
    while len(times) < (1 if task.every_pass else RUNS) and sum(times) < ENOUGH:
        started = time.process_time()
        parse(gold, target)
        times.append(max(time.process_time() - started, 1e-6))
    return times


def parsing_of(parser: ParserUnderTest, task: TrainingTask) -> Callable[[Path, Path], None]:
    """How a parser parses a file to a file, with confidences where a task asks for them."""
    if not task.confidence:
        return parser.parse
    if not isinstance(parser, HeadwayParser):
        raise HeadwayError("a peer does not say how sure it is; leave it out of the parts with confidence = true")
    return partial(parser.parse, confidence=True)


class Counts(NamedTuple):
    """By score how many are right, of how many; and how many are wrong in each sentence."""

    scores: dict[str, list[int]]
    wrong: dict[str, str]


def _counts(found: Comparison, items: Mapping[str, CountedItems], *, as_f1: bool = False) -> Counts:
    """The counts of these scores; as F1, where files may have other numbers of items, twice what is right, of both.

    In each sentence so many are wrong: missed and, as F1, too many.
    """
    counts = Counts({}, {})
    for name, one in items.items():
        tally = one.tally(found.gold.columns.sentences)
        right, of = (2 * tally.correct, tally.gold + tally.system) if as_f1 else (tally.correct, tally.gold)
        counts.scores[name] = [int(right.sum()), int(of.sum())]
        counts.wrong[name] = packed(of - right)
    return counts


def scores_by(gold: TreebankColumns, parsed: Path, task: TrainingTask) -> dict[str, Any]:
    """For each score how many are right, of how many; but for folds, words wrong in each sentence, for significance."""
    by_ud = compare(gold, parsed, definition="ud")
    items = counted_items(by_ud)
    if task.text:
        whole = _counts(by_ud, {"RA": items["RA"], "CM": items["UCM"]}, as_f1=True)
        parts = _counts(by_ud, {name: items[name] for name in SHOWN} | _of_labels(by_ud, task), as_f1=True)
        return {"scores": whole.scores | parts.scores, "wrong": parts.wrong}
    definition = DEFINITIONS[task.definition].of_words
    words = compare(gold, parsed, definition=definition)
    bare = compare(gold, parsed, definition=replace(definition, punctuation=False))
    every, some = counted_items(words), counted_items(bare)
    trees = _counts(words, {name: every[name] for name in METRICS})
    without = _counts(bare, {name: some[name] for name in METRICS})
    scores = trees.scores | {f"{name}{BARE}": counts for name, counts in without.scores.items()}
    scores |= _counts(words, {"RA": every["RA"], "CM": every["UCM"]}).scores
    wrong = trees.wrong if task.punctuation else without.wrong
    for more in (
        _counts(by_ud, {name: items[name] for name in TAGS if tags_are_predicted(task.options)}),
        _counts(by_ud, {name: items[name] for name in CONTENT}, as_f1=True),
        _counts(words, _of_labels(words, task), as_f1=True),
    ):
        scores, wrong = scores | more.scores, wrong | more.wrong
    if task.on == "folds":
        return {"scores": scores}
    return {"scores": scores, "wrong": wrong, **(_confidence_scores(words) if task.confidence else {})}


def _of_labels(found: Comparison, task: TrainingTask) -> dict[str, CountedItems]:
    return {f"{OF_LABEL}{label}": items_of_label(found, label) for label in task.labels}


def _confidence_scores(found: Comparison) -> dict[str, Any]:
    """How good the confidences of heads are, and what each sentence moves of their AUC."""
    heads = confidences_of(found)[0]
    sure = {ECE: heads.error - heads.chance, SUREST: heads.surest[20]}
    sure |= {} if heads.auc is None else {AUC: heads.auc}
    rounded = {name: round(value, 6) for name, value in sure.items()}
    return {"confidence": rounded, "influence": packed(influences_on_auc(found), SHARES)}


def _peak() -> int:
    """The largest resident memory of this process so far, in MiB.

    Where the kernel tells it (Linux), VmHWM is this process's own; `ru_maxrss` begins with what the parent had, and is
    in bytes on macOS.
    """
    status = Path("/proc/self/status")
    own = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    if own is not None:
        return int(own[1]) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (20 if sys.platform == "darwin" else 10)
