"""Treebanks that are not new to a model, or too new: what it gets right in them says little about other text."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from headway.base.errors import counted, shown
from headway.data.batch import Batch
from headway.data.sources import digest_of
from headway.stages.contract import Stage

logger = logging.getLogger("headway")
MOST = 0.5
"""A treebank is not new where a larger share of its words is known."""
LISTED = 3
"""How many unknown labels, or tags, are named."""
TAUGHT = {"DEPREL": "label", "UPOS": "tag", "XPOS": "XPOS"}
"""The columns whose names are learned one by one, and what one of them is called."""


def has_learned_from(stages: Iterable[Stage], batches: Sequence[Batch]) -> bool:
    """Whether a stage was trained on, or has gone on with, exactly these sentences."""
    digest = digest_of([batch.bare for batch in batches])
    for stage in stages:
        later = stage.about.get("continued")
        if digest == stage.about.get("treebank_digest") or (isinstance(later, list) and digest in later):
            return True
    return False


def warn_of_learned(stages: Iterable[Stage], batches: Sequence[Batch], what: str) -> None:
    """Say that a model has learned from a treebank, and what follows."""
    if batches and has_learned_from(stages, batches):
        logger.warning("%s: the model has learned from this treebank, %s", batches[0].source, what)


def warn_of_shared(data: Sequence[Batch], other: Sequence[Batch], what: str) -> None:
    """Say that most of a treebank, called `what`, is in the training data, too. Linear time."""
    learned = {hash(sentence) for sentence, _ in _sentences(data)}
    words = shared = 0
    for sentence, length in _sentences(other):
        words += length
        shared += length if hash(sentence) in learned else 0
    if shared > MOST * words:
        logger.warning(
            "most of the %s is in the training data, too, so that scores on it say little about other text; give a"
            " treebank that is not learned from",
            what,
        )


def warn_of_unknown(data: Sequence[Batch], other: Sequence[Batch], what: str) -> None:
    """Say which labels and tags of a treebank, called `what`, the training data lack: nobody can learn them."""
    told = []
    for column, name in TAUGHT.items():
        known, found = _counted(data, column), _counted(other, column)
        unknown = sorted((one for one in found if one not in known), key=lambda one: (-found[one], one))
        if unknown and known:
            listed = ", ".join(map(shown, unknown[:LISTED])) + (" and others" if len(unknown) > LISTED else "")
            told.append(f"{name} {listed} ({counted(sum(found[one] for one in unknown), 'word')})")
    if told:
        logger.warning(
            "the %s has what the training data lack and nobody can learn from them: %s", what, "; ".join(told)
        )


def _counted(batches: Sequence[Batch], column: str) -> Counter[str]:
    """How often each name occurs in a column, as it was read."""
    found: Counter[str] = Counter()
    for batch in batches:
        found.update(batch.bare.column(column, 0, int(batch.sentence_word[-1])))
    del found["_"]
    return found


def _sentences(batches: Sequence[Batch]) -> Iterator[tuple[bytes, int]]:
    """The lines of each sentence without comments, as they were read, and how many words it has."""
    for batch in batches:
        bare, ends = batch.bare, batch.sentence_word.tolist()
        for index in range(len(bare)):
            lines = bare.raw(index).split(b"\n")
            yield b"\n".join(line for line in lines if not line.startswith(b"#")), ends[index + 1] - ends[index]
