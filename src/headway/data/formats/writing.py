"""Writing treebanks in any tab-separated format or as text, and what is lost on the way."""

from __future__ import annotations

import logging
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from headway.base.files import assure_path, replacing
from headway.data.batch import Batch
from headway.data.formats.format import TEXT_SUFFIX, Format, by_suffix, format_named, is_text
from headway.data.formats.reading import Reader
from headway.data.sentence import Sentence, assured, views
from headway.kernels.text import scanning as kernel

if TYPE_CHECKING:
    from headway.data.sample import Sample

logger = logging.getLogger("headway")
TEXT, HORIZONTAL, VERTICAL = "text", "horizontal", "vertical"
"""The names of what can be written and not be read as a treebank: text; a sentence a line; a word a line."""
WORDS_ONLY = (HORIZONTAL, VERTICAL)
PLAIN = (TEXT, *WORDS_ONLY)
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
BEGINS = re.compile(r"#?\s*(?:newpar|newdoc)(?:\s|$)")
"""A comment that begins a paragraph or a document."""


def write(
    sentences: Iterable[Sentence] | Sentence, path: str | os.PathLike[str], *, format: str | None = None
) -> Counter[str]:
    """Write sentences, or one, to a file, in the format named, or that the file's name speaks of, or their own.

    Returns what the format has no place for, with counts. The file appears when it is complete.
    """
    assure_path(path)
    losses: Counter[str] = Counter()
    chosen = format or by_suffix(os.fspath(path))
    with replacing(path) as stream:
        for sentence in assured(sentences):
            batch, span = sentence.batch, (sentence.index, sentence.index + 1)
            if chosen in WORDS_ONLY:
                stream.write(words_only(batch, chosen, *span))
                continue
            target = format_named(chosen or batch.format.name)
            losses += lost(batch, target, *span)
            stream.write(batch.render(target, *span))
    return losses


def words_only(batch: Batch, target: str, first: int = 0, last: int | None = None) -> bytes:
    """The words of sentences first to last: those of a sentence on a line, or each on a line of its own.

    A space inside a word becomes a no-break space on a line of several, so that reading it gives the same words.
    """
    bounds = batch.sentence_word[first : (len(batch) if last is None else last) + 1].tolist()
    forms = (batch.column("FORM", *span) for span in pairwise(bounds))
    if target == VERTICAL:
        return "".join(f"{form}\n" for some in forms for form in (*some, "")).encode()
    return "".join(f"{' '.join(form.replace(' ', NO_BREAK_SPACE) for form in some)}\n" for some in forms).encode()


def pieces(batches: Iterable[Batch], target: str | None, losses: Counter[str]) -> Iterator[bytes]:
    """What is written of batches, piece by piece, in the format named or their own; `losses` counts what is lost.

    Nobody expects more than words and text of the targets that are named so: there nothing is lost.
    """
    if target == TEXT:
        yield from map(str.encode, running_text(views(batches)))
        return
    for batch in batches:
        if target in WORDS_ONLY:
            yield words_only(batch, target)
        else:
            form = format_named(target or batch.format.name)
            yield batch.render(form)
            losses += lost(batch, form)


def lost(batch: Batch, target: Format, first: int = 0, last: int | None = None) -> Counter[str]:
    """What the target has no place for in sentences first to last, counted.

    That is filled columns, comments, multiword tokens, empty nodes; and what layers say of fields that neither the
    batch's own format nor the target has.
    """
    last = len(batch) if last is None else last
    source, words = batch.format, batch.sentence_word[[first, last]].tolist()
    layered = {name: codes for name, codes in batch.overlay.columns.items() if name not in source.fields}
    losses: Counter[str] = Counter()
    if source.name == target.name:
        return +Counter({name: codes.filled(*words)[0] for name, codes in layered.items()})
    counts, spaces = batch.filled(*words)
    cells = dict(zip(source.columns, zip(counts.tolist(), spaces.tolist(), strict=True), strict=False))
    cells |= {name: codes.filled(*words) for name, codes in layered.items()}
    fields = source.fields | {name: (name,) for name in layered}
    carried: set[str] = set()
    for names in target.fill.values():  # The first field that has content goes into a column of the target.
        filled = (fields[name] for name in names if any(cells[column][0] for column in fields.get(name, ())))
        carried.update(next(filled, ()))
    for column, (filled, _) in cells.items():
        if column not in carried and column != "ID":
            losses[column] += filled
    losses["columns beyond the last"] += int(counts[-1])
    kinds = np.bincount(batch.kind[slice(*batch.sentence_line[[first, last]])], minlength=len(kernel.KINDS))
    if not target.comments:
        losses["comment lines"] += int(kinds[kernel.KINDS.index("comment")])
    if not target.multiwords:
        losses["multiword tokens"] += int(kinds[kernel.KINDS.index("range")])
        losses["empty nodes"] += int(kinds[kernel.KINDS.index("empty")])
    if not target.spaces:
        losses["spaces inside cells (now '_')"] += sum(cells[column][1] for column in carried if column in cells)
    return +losses


def convert(reader: Reader | Sample, path: str | os.PathLike[str], target: str | None = None) -> Counter[str]:
    """Write all that the reader reads, or a sample; returns what the target format has no place for, counted.

    Without a target the path's name says the format, or else it is the reader's own.
    """
    losses: Counter[str] = Counter()
    name = os.fspath(path)
    if target is None and is_text(name):
        what = f"a file called {TEXT_SUFFIX} is text, so that only the text of the sentences is written"
        logger.warning("%s: %s; keep the rest with --to", name, what)
        target = TEXT
    target = target or by_suffix(name)
    with replacing(path) as stream:
        for piece in pieces(reader.batches(), target, losses):
            stream.write(piece)
    return losses


def describe_losses(losses: Counter[str], reader: Reader) -> None:
    """Say what could not be carried over."""
    if losses:
        items = ", ".join(f"{what}: {count:,}" for what, count in losses.most_common())
        logger.warning("%s: not carried over: %s", reader.report.source, items)


def running_text(sentences: Iterable[Sentence]) -> Iterator[str]:
    r"""The text, piece by piece: that of each sentence and a space, a blank line before paragraphs and documents.

    The text of a sentence is its comment `# text`, or its tokens put together as `SpaceAfter` says.

    >>> from headway import Sentence
    >>> sentence = Sentence(forms=["Dogs", "bark", "."], misc=["_", "SpaceAfter=No", "_"])
    >>> "".join(running_text([sentence, sentence]))
    'Dogs bark. Dogs bark. \n'
    """
    any_before = False
    for sentence in sentences:
        if any_before and any(map(BEGINS.match, sentence.comments)):
            yield "\n\n"
        yield f"{sentence.text} "
        any_before = True
    if any_before:
        yield "\n"
