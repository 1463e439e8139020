"""One task in a process of its own: train, parse, evaluate, and what each of them cost."""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from headway.base.errors import HeadwayError
from headway.base.files import explaining
from headway.data.formats.plain_text import running_text
from headway.data.formats.reading import read
from headway.data.formats.writing import write
from headway.data.sentence import Sentence
from headway.evaluation.columns import TreebankColumns, treebank_columns
from headway.evaluation.comparison import Comparison, compare
from headway.evaluation.definitions import DEFINITIONS
from headway.evaluation.evaluate import counted_items, items_of_label, scores_of
from headway.evaluation.metrics.confidence import confidences_of, influences_on_auc
from headway.evaluation.metrics.ud import CONTENT, SHOWN, TAGS
from headway.evaluation.scores import CountedItems
from headway.evaluation.significance import METRICS, tally
from headway.lab.metrics import AUC, ECE, OF_LABEL, SUREST, Point, packed, packed_shares
from headway.lab.peers import TEXT
from headway.lab.sources import cut, sentences_of
from headway.lab.tasks import ANNOTATE, FOUND, TrainingTask, found_by, tags_are_predicted
from headway.lab.tested_parsers import HeadwayParser, ParserUnderTest, Trained, train_and_use, words_needed

RUNS, ENOUGH = 3, 30.0
"""Parsing is measured so often, but not again after so many seconds; after each pass of several, once."""
Record = dict[str, Any]


def measured(task: TrainingTask, files: Mapping[str, str], folder: Path) -> Record:
    """What a task comes to, for the journal; files by their part, a folder for what lies between."""
    written, gold, size = _prepared(task, files, folder)
    loaded = treebank_columns(gold)
    given = raw_text(gold) if task.text else gold
    points: list[Point] = []
    options = _options(task, files, folder)
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
        last.update(memory=memory, parsing=speeds, **_described(parser, folder / "model"))
        elsewhere += time.process_time() - began

    train_and_use(written, options, measure, every_pass=task.every_pass, confidence=task.confidence)
    if ANNOTATE in task.options:
        last["needed"] = round(words_needed([(point.annotated or 0, _las(point)) for point in points]), 1)
    points[-1] = replace(points[-1], **last)
    return {**size, "points": [point.record for point in points]}


def _las(point: Point) -> float:
    right, of = point.scores["LAS"]
    return right / of


def raw_text(gold: Path) -> Path:
    """The raw text of a file, as a file."""
    target = gold.with_suffix(TEXT)
    with explaining(target):
        target.write_text("".join(running_text(read(gold))), "utf-8")
    return target


def _prepared(task: TrainingTask, files: Mapping[str, str], folder: Path) -> tuple[Path, Path, Record]:
    """What is learned from and what is parsed as files, and how much is learned from; no sentence stays in memory."""
    train, tested = cut(task, files)
    size = {"sentences": len(train), "words": sum(map(len, train))}
    return _written(train, folder / "train"), _written(tested, folder / "gold"), size


def _written(sentences: list[Sentence], stem: Path) -> Path:
    path = stem.with_suffix(sentences[0].batch.format.suffixes[0])
    write(sentences, path)
    return path


def _options(task: TrainingTask, files: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """The options of the training, with files in place of their names."""
    options = {**task.options, "seed": task.seed}
    if "dev" in options:
        options["dev"] = str(_written(list(sentences_of(task.source, "dev", files)), folder / "dev"))
    if found_by(options):
        options["features"] = files[FOUND]
    return options


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


def _text_scores(gold: TreebankColumns, parsed: Path, labels: Sequence[str]) -> dict[str, Any]:
    """All scores of the UD scorer as F1."""
    found = compare(gold, parsed, definition="ud")
    items = counted_items(found)
    whole = _as_f1(found, {"RA": items["RA"], "CM": items["UCM"]})
    parts = _as_f1(found, {name: items[name] for name in SHOWN} | _of_labels(found, labels))
    return {"scores": whole["scores"] | parts["scores"], "wrong": parts["wrong"]}


def _of_labels(found: Comparison, labels: Sequence[str]) -> dict[str, CountedItems]:
    return {f"{OF_LABEL}{label}": items_of_label(found, label) for label in labels}


def _as_f1(found: Comparison, items: Mapping[str, CountedItems]) -> dict[str, dict[str, Any]]:
    """Scores as F1, where the files may have other numbers of items: twice what is right, of what both files have.

    In each sentence so many are wrong: missed and too many.
    """
    tallies = {name: one.tally(found.gold.columns.sentences) for name, one in items.items()}
    both = {name: (2 * one.correct, one.gold + one.system) for name, one in tallies.items()}
    return {
        "scores": {name: [int(right.sum()), int(of.sum())] for name, (right, of) in both.items()},
        "wrong": {name: packed(of - right) for name, (right, of) in both.items()},
    }


def _tag_scores(gold: TreebankColumns, parsed: Path) -> dict[str, Any]:
    """Where tags and lemmas are predicted for gold words, how many of them are right, and wrong in each sentence."""
    found = compare(gold, parsed, definition="ud")
    tallies = {name: tally(found, name) for name in TAGS}
    return {
        "scores": {name: [int(one.correct.sum()), int(one.gold.sum())] for name, one in tallies.items()},
        "wrong": {name: packed(one.gold - one.correct) for name, one in tallies.items()},
    }


def scores_by(gold: TreebankColumns, parsed: Path, task: TrainingTask) -> dict[str, Any]:
    """For each score how many are right, of how many; but for folds, words wrong in each sentence, for significance."""
    if task.text:
        return _text_scores(gold, parsed, task.labels)
    definition = DEFINITIONS[task.definition].of_words
    whole = compare(gold, parsed, definition=definition)
    bare = compare(gold, parsed, definition=replace(definition, punctuation=False))
    every, some = scores_of(whole), scores_of(bare)
    found = {name: every[name] for name in METRICS}
    found |= {f"{name} no punctuation": some[name] for name in METRICS}
    found |= {"RA": every["RA"], "CM": every["UCM"]}
    scores = {name: [score.correct, score.gold] for name, score in found.items()}
    tags = _tag_scores(gold, parsed) if tags_are_predicted(task.options) else {"scores": {}, "wrong": {}}
    by_ud = compare(gold, parsed, definition="ud")
    items = counted_items(by_ud)
    content = _as_f1(by_ud, {name: items[name] for name in CONTENT})
    labels = _as_f1(whole, _of_labels(whole, task.labels))
    scores |= {**tags["scores"], **content["scores"], **labels["scores"]}
    if task.on == "folds":
        return {"scores": scores}
    tallies = {name: tally(whole if task.punctuation else bare, name) for name in METRICS}
    wrong = {name: packed(one.gold - one.correct) for name, one in tallies.items()}
    sure = _confidence_scores(whole) if task.confidence else {}
    return {"scores": scores, "wrong": {**wrong, **tags["wrong"], **content["wrong"], **labels["wrong"]}, **sure}


def _confidence_scores(found: Comparison) -> dict[str, Any]:
    """How good the confidences of heads are, and what each sentence moves of their AUC."""
    heads = confidences_of(found)[0]
    sure = {ECE: heads.error - heads.chance, SUREST: heads.surest[20]}
    sure |= {} if heads.auc is None else {AUC: heads.auc}
    rounded = {name: round(value, 6) for name, value in sure.items()}
    return {"confidence": rounded, "influence": packed_shares(influences_on_auc(found))}


def _described(parser: ParserUnderTest, path: Path) -> Record:
    parser.save(path)
    size = sum(one.stat().st_size for one in (path.rglob("*") if path.is_dir() else [path]) if one.is_file())
    return {"model": size, **parser.described()}


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
