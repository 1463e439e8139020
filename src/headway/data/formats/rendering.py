"""Batches as bytes of a format: which column of the result is taken from where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headway.data.formats.format import Format
from headway.data.layers import COMMENT, Codes, Ints
from headway.kernels.text import rendering as kernel

if TYPE_CHECKING:
    from headway.data.batch import Batch


def render(batch: Batch, target: Format, first: int, last: int) -> bytes:
    """Sentences first to last of a batch in a format's bytes, with all layers."""
    same = target.name == batch.format.name
    rows: list[Codes] = []
    sources = own_sources(batch, rows) if same else sources_in(target, batch, rows)
    changed = [at for at, (origin, *_) in enumerate(sources) if origin != at and origin != kernel.SOURCE_MISSING]
    words = slice(*batch.sentence_word[[first, last]].tolist())
    rendered: bytes = kernel.render(
        *(batch.text, batch.cells, batch.first_cell, batch.kind, batch.sentence_line[first : last + 1]),
        *(_padded(sources), max(changed, default=-1) + 1 if same else len(sources)),
        *(same or target.comments, same or target.multiwords, same, not (same or target.spaces)),
        *(batch.heads[words], *_packed(rows, words), *_comments(batch, first, last)),
    )
    return rendered


def _comments(batch: Batch, first: int, last: int) -> tuple[bytes, Ints, bytes]:
    """The comments that layers add to sentences, where those of each begin, and the keys that they have.

    An empty one takes that of the input away.
    """
    layered = _layered_comments(batch)
    if not layered:
        return b"", np.zeros(0, np.int32), b""
    words = batch.sentence_word[first:last]
    texts = [
        [f"{key} = {text}\n" if (text := codes.names[code]) else "" for code in codes.codes[words].tolist()]
        for key, codes in layered
    ]
    lines = ["".join(each).encode() for each in zip(*texts, strict=True)]
    begins = np.cumsum([0, *map(len, lines)], dtype=np.int32)
    return b"".join(lines), begins, "".join(f"{key[len(COMMENT) :]}\n" for key, _ in layered).encode()


def _layered_comments(batch: Batch) -> list[tuple[str, Codes]]:
    columns = batch.overlay.columns.items() if batch.layers else ()
    return [(key, codes) for key, codes in columns if key.startswith(COMMENT)]


def comments(batch: Batch, sentence: int) -> list[str]:
    """The comments of a sentence, those of layers after all others."""
    layered, word = _layered_comments(batch), batch.sentence_word[sentence]
    named = [key[len(COMMENT) :] for key, _ in layered]
    read = (line for line in batch.lines(sentence, "comment") if line[1:].partition("=")[0].strip() not in named)
    added = ((key, codes.names[codes.codes[word]]) for key, codes in layered)
    return [*read, *(f"{key} = {text}" for key, text in added if text)]


def replaced(batch: Batch) -> dict[int, Codes | None]:
    """The columns that layers replace, for `Batch.replaced`.

    Where a layer's cell is empty, the column behind it that would count instead is emptied too.
    """
    form, (columns, stale) = batch.format, batch.overlay
    found: dict[int, Codes | None] = {form.columns.index(name): None for name in stale if name in form.columns}
    for field, codes in columns.items():
        at, fallback = form.index(field), form.fallback(field)
        if at >= 0:
            found[at] = codes
        if fallback >= 0 and codes.known.empty[codes.codes].any():
            found[fallback] = _emptied(batch.cell_codes(fallback), codes)
    return found


def _emptied(cells: Codes, codes: Codes) -> Codes:
    """The cells of a column that must not show through where a layer's own cells are empty."""
    numbers = np.where(codes.known.empty[codes.codes], len(cells.names), cells.codes)
    return Codes(numbers.astype(np.int32), (*cells.names, "_"))


def own_sources(batch: Batch, rows: list[Codes]) -> list[list[int]]:
    """For each column of the batch's own format, where it is taken from; replaced columns are added to `rows`."""
    sources = [[at] for at in range(len(batch.format.columns))]
    for at, codes in batch.replaced.items():
        sources[at] = [kernel.SOURCE_MISSING if codes is None else _row(codes, rows)]
    if batch.format.index("HEAD") >= 0 and batch.heads is not batch.read_heads:
        sources[batch.format.index("HEAD")] = [kernel.SOURCE_HEADS]
    return sources


def sources_in(target: Format, batch: Batch, rows: list[Codes]) -> list[list[int]]:
    """For each column of another format, what it is taken from, in order; replaced columns are added to `rows`."""
    sources = []
    for column in target.columns:
        origins = []
        for field in target.fill.get(column, ()):
            if field == "HEAD" and batch.heads is not batch.read_heads:
                origins.append(kernel.SOURCE_HEADS)
            elif (codes := batch.top(field)) is not None:
                origins.append(_row(codes, rows))
            else:
                origins += [at for at in (batch.format.index(field), batch.format.fallback(field)) if at >= 0]
        sources.append([kernel.SOURCE_NUMBER] if column == "ID" else origins or [kernel.SOURCE_MISSING])
    return sources


def _row(codes: Codes, rows: list[Codes]) -> int:
    rows.append(codes)
    return int(kernel.SOURCE_ROWS) - len(rows) + 1


def _padded(sources: list[list[int]]) -> Ints:
    table = np.full((len(sources), max(map(len, sources))), kernel.SOURCE_MISSING, np.int32)
    for at, origins in enumerate(sources):
        table[at, : len(origins)] = origins
    return table


def _packed(rows: list[Codes], words: slice) -> tuple[Ints, bytes, Ints, Ints]:
    """The codes of all rows, the names of all as one text, where they begin, and the first name of each row."""
    codes = np.empty((len(rows), words.stop - words.start), np.int32)
    for number, row in enumerate(rows):
        codes[number] = row.codes[words]
    text = b"".join(row.known.packed[0] for row in rows)
    shifts = np.cumsum([0, *(len(row.known.packed[0]) for row in rows)], dtype=np.int32)
    starts = [row.known.packed[1][:-1] + shift for row, shift in zip(rows, shifts, strict=False)]
    first = np.cumsum([0, *(len(row.names) for row in rows)], dtype=np.int32)
    return codes, text, np.concatenate([*starts, shifts[-1:]], dtype=np.int32), first


def with_filled_cells(text: bytes, form: Format) -> bytes:
    """The lines of a format with `_` in cells that have nothing in them, but for words without a form."""
    return b"\n".join(_filled(line, form) if line.strip(b" \t") else line for line in text.split(b"\n"))


def _filled(line: bytes, form: Format) -> bytes:
    cells = line.split(b"\t")
    places = [at for at in (form.index("FORM"), form.fallback("FORM")) if 0 <= at < len(cells)]
    given = [cells[at] for at in places if cells[at] not in (b"", b"_")] or [cells[at] for at in places[-1:]]
    is_word = any(cell.strip(b" ") for cell in given) and not (form.index("ID") >= 0 and line.startswith(b"#"))
    return b"\t".join(cell or b"_" for cell in cells) if is_word else line
