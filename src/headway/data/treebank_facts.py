"""What a treebank is like: its size, shapes, labels and tags, and what its owner may want to put right.

>>> from headway import Sentence
>>> seen = Overview("example")
>>> seen.add(Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"]).batch)
>>> seen.words, seen.deepest, dict(seen.labels)
(2, 2, {'nsubj': 1, 'root': 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np

from headway.base.errors import counted, shown
from headway.data.batch import Batch
from headway.data.formats.format import CONLLU
from headway.data.formats.reading import Reader
from headway.data.formats.recognition import UD_TAGS
from headway.data.sentence import views
from headway.data.trees import shapes
from headway.kernels.text.scanning import KINDS

TAUGHT = ("LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL")
"""The fields that parsers learn from."""
INTERNAL = ("lengths", "forms", "sent_ids", "word_sequences", "constant")
"""The parts of an overview that are too long to show, or only there to find problems."""


@dataclass
class Overview:
    """Everything counted in a treebank, batch by batch; an empty cell (`_`) is no label and no tag."""

    source: str
    format: str = ""
    sentences: int = 0
    words: int = 0
    multiword_tokens: int = 0
    empty_nodes: int = 0
    parsed_sentences: int = 0
    arcs: int = 0
    unlabelled_arcs: int = 0
    nonprojective_sentences: int = 0
    nonprojective_arcs: int = 0
    planar_sentences: int = 0
    deepest: int = 0
    """The longest way from 0 to a word, in arcs."""
    roots: Counter[int] = field(default_factory=Counter)
    """How many sentences have how many roots."""
    several_roots: str | None = None
    """Where the first sentence with several roots begins."""
    filled: Counter[str] = field(default_factory=Counter)
    """For each column of the format, the words in which it is not `_`."""
    labels: Counter[str] = field(default_factory=Counter)
    root_labels: Counter[str] = field(default_factory=Counter)
    upos: Counter[str] = field(default_factory=Counter)
    xpos: Counter[str] = field(default_factory=Counter)
    repeated_sent_ids: list[str] = field(default_factory=list)
    """Each with the line where it comes again."""
    skipped: int = 0
    notes: list[str] = field(default_factory=list)
    lengths: Counter[int] = field(default_factory=Counter, repr=False)
    forms: Counter[str] = field(default_factory=Counter, repr=False)
    sent_ids: set[str] = field(default_factory=set, repr=False)
    word_sequences: Counter[int] = field(default_factory=Counter, repr=False)
    """Sentences by the hash of their forms."""
    constant: dict[str, str] = field(default_factory=dict, repr=False)
    """The fields of `TAUGHT` with the same value in every word so far, and that value."""

    @property
    def length(self) -> dict[str, float]:
        """The shortest, mean, median and longest sentence, in words."""
        lengths = list(self.lengths.elements()) or [0]
        mean = round(self.words / len(lengths), 2)
        return {"shortest": min(lengths), "mean": mean, "median": median(lengths), "longest": max(lengths)}

    @property
    def repeated_sentences(self) -> int:
        """Sentences with the same words as an earlier one."""
        return self.sentences - len(self.word_sequences)

    def add(self, batch: Batch) -> None:
        """Count the sentences of a batch, in time linear in its words."""
        if not self.sentences:
            self.format = batch.format.title
            fields = [name for name in TAUGHT if name in batch.format.fields]
            self.constant = {name: batch.column(name, 0, 1)[0] for name in fields}
        self.sentences += len(batch)
        self.words += len(batch.heads)
        kinds = np.bincount(batch.kind, minlength=len(KINDS))
        self.multiword_tokens += int(kinds[KINDS.index("range")])
        self.empty_nodes += int(kinds[KINDS.index("empty")])
        self.filled.update(dict(zip(batch.format.columns, batch.filled()[0].tolist(), strict=False)))
        self._add_columns(batch)
        for sentence in views([batch]) if batch.format.comments else ():
            sent_id = sentence.sent_id
            if sent_id in self.sent_ids:
                self.repeated_sent_ids.append(f"{shown(sent_id)} at line {sentence.line}")
            elif sent_id is not None:
                self.sent_ids.add(sent_id)
        shape = shapes(batch.heads, batch.sentence_word)
        self.parsed_sentences += int(shape.trees.sum())
        self.arcs += int(np.sum(batch.heads >= 0))
        self.nonprojective_sentences += int(np.sum(shape.trees & ~shape.projective))
        self.nonprojective_arcs += int(shape.nonprojective.sum())
        self.planar_sentences += int(shape.planar.sum())
        self.deepest = max(self.deepest, int(shape.depths.max(initial=0)))
        self.roots.update(shape.roots[shape.trees].tolist())
        several = np.flatnonzero(shape.roots > 1)
        if self.several_roots is None and len(several):
            self.several_roots = f"{batch.source}:{batch.numbers[several[0]]}"

    def _add_columns(self, batch: Batch) -> None:
        forms, labels = batch.column("FORM"), batch.column("DEPREL")
        sentences = [tuple(forms[first:last]) for first, last in pairwise(batch.sentence_word.tolist())]
        self.lengths.update(map(len, sentences))
        self.word_sequences.update(map(hash, sentences))
        self.forms.update(forms)
        self.unlabelled_arcs += sum(labels[word] == "_" for word in np.flatnonzero(batch.heads >= 0))
        self.root_labels.update(labels[word] for word in np.flatnonzero(batch.heads == 0))
        columns = {"DEPREL": labels, "UPOS": batch.column("UPOS"), "XPOS": batch.column("XPOS")}
        for counter, name in ((self.labels, "DEPREL"), (self.upos, "UPOS"), (self.xpos, "XPOS")):
            counter.update(columns[name])
            del counter["_"]
        for name, value in list(self.constant.items()):
            if any(other != value for other in columns.get(name) or batch.column(name)):
                del self.constant[name]

    def problems(self) -> list[str]:
        """What the treebank's owner may want to know, a line each."""
        return list(self._problems())

    def _problems(self) -> Iterable[str]:
        if self.skipped:
            yield f"{counted(self.skipped, 'sentence')} that could not be read"
        if self.repeated_sent_ids:
            yield f"repeated sent_ids: {_examples(self.repeated_sent_ids)}"
        without = self.sentences - len(self.sent_ids) - len(self.repeated_sent_ids)
        if self.sent_ids and without > 0:
            yield f"{counted(without, 'sentence')} without a sent_id, while others have one"
        if 0 < self.parsed_sentences < self.sentences:
            yield f"{counted(self.sentences - self.parsed_sentences, 'sentence')} without heads"
        if self.several_roots:
            several = sum(count for roots, count in self.roots.items() if roots > 1)
            yield f"{counted(several, 'sentence')} with several roots, the first at {self.several_roots}"
        usual = max(filter(_like_root, self.root_labels), key=self.root_labels.__getitem__, default=None)
        others = Counter({label: n for label, n in self.root_labels.items() if not _like_root(label)})
        if usual is not None and others:
            yield f"{counted(others.total(), 'root')} not labelled {shown(usual)}: {_by_count(others)}"
        elsewhere = self.labels - self.root_labels
        for label in filter(_like_root, elsewhere):
            yield f"{counted(elsewhere[label], 'word')} labelled {shown(label)}, but not under the root"
        if 0 < self.unlabelled_arcs < self.arcs:
            yield f"{counted(self.unlabelled_arcs, 'word')} with a head but without a label"
        empty = [name for name, value in self.constant.items() if value == "_" and (self.arcs or name != "DEPREL")]
        if empty:
            yield f"empty in every word: {', '.join(empty)}"
        for name in [name for name, value in self.constant.items() if value != "_" and self.words > 1]:
            yield f"{name} is {shown(self.constant[name])} in every word"
        strange = Counter({tag: n for tag, n in self.upos.items() if tag.encode() not in UD_TAGS})
        if strange and self.format == CONLLU.title:
            yield f"UPOS tags that are not universal: {_by_count(strange)}"
        once = sorted(label for label, count in self.labels.items() if count == 1)
        if once and self.sentences > 1:
            yield f"labels that occur once: {_examples(map(shown, once))}"

    def as_dict(self) -> dict[str, Any]:
        """All of it but the words themselves, labels and tags by count; ready for JSON."""
        parts = {name: value for name, value in vars(self).items() if name not in INTERNAL}
        for name in ("labels", "root_labels", "upos", "xpos"):
            parts[name] = dict(parts[name].most_common())
        return {
            **parts,
            "roots": dict(sorted(self.roots.items())),
            "length": self.length,
            "types": len(self.forms),
            "repeated_sentences": self.repeated_sentences,
            "problems": self.problems(),
        }


def overview(reader: Reader) -> Overview:
    """Count all that a reader reads, in one pass, in memory that grows with the vocabulary only."""
    seen = Overview(reader.report.source)
    for batch in reader.batches():
        seen.add(batch)
    seen.skipped, seen.notes = reader.skipped, list(reader.report.notes)
    return seen


def compare(treebank: Overview, other: Overview) -> dict[str, Any]:
    """What another file holds that the treebank does not, ready for JSON; words are compared as they are written."""
    unknown = _new(treebank.forms, other.forms)
    return {
        "source": other.source,
        "sentences": other.sentences,
        "words": other.words,
        "unknown_words": sum(unknown.values()),
        "types": len(other.forms),
        "unknown_types": len(unknown),
        "repeated_sentences": sum(n for key, n in other.word_sequences.items() if key in treebank.word_sequences),
        "skipped": other.skipped,
        **{f"unknown_{name}": _new(vars(treebank)[name], vars(other)[name]) for name in ("labels", "upos", "xpos")},
    }


def _new(known: Counter[str], counts: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in counts.most_common() if name not in known}


def _like_root(label: str) -> bool:
    return label.lower().startswith("root")


def _by_count(counts: Counter[str]) -> str:
    return _examples(f"{shown(name)} {count:,}" for name, count in counts.most_common())


def _examples(names: Iterable[str], most: int = 5) -> str:
    listed = list(names)
    return ", ".join(listed[:most]) + (f" and {len(listed) - most:,} more" if len(listed) > most else "")
