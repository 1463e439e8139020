"""What a tab-separated format is: the meaning of its columns, and what else it can hold."""

from __future__ import annotations

from dataclasses import dataclass, field

FIELDS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The fields that a `Sentence` knows by name. Formats may hold more, which no other format has a place for."""

Fields = dict[str, tuple[str, ...]]
STALE: Fields = {"HEAD": ("DEPS",), "DEPREL": ("DEPS",)}
"""Enhanced dependencies repeat the heads and labels of the tree, and a new tree contradicts them."""


@dataclass(frozen=True)
class Format:
    """A tab-separated format as data; `formats.tabular` reads and writes any of them.

    `columns` are the columns' own names in the order of the file. `fields` says which column holds a field
    of `FIELDS`; of several column names the first one filled counts. `fill` says which field goes into a column
    when sentences of another format are written. `stale` says for a field which others, and which columns of this
    format, speak of the same tree, so that they are no longer true when it changes and are written as `_`.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    columns: tuple[str, ...]
    fields: Fields
    fill: Fields = field(default_factory=dict)
    stale: Fields = field(default_factory=lambda: dict(STALE))
    fewest: int | None = None
    """The smallest number of columns of a line, where the last ones may be missing."""
    open_ended: bool = False
    """More columns may follow, the same number on every line of a sentence."""
    comments: bool = False
    multiwords: bool = False
    """Multiword tokens (`3-4`) and empty nodes (`8.1`)."""
    spaces: bool = False
    """Cells may hold spaces."""

    def index(self, field_name: str) -> int:
        """The column that holds a field, or -1."""
        names = self.fields.get(field_name, ())
        return self.columns.index(names[0]) if names else -1

    def fallback(self, field_name: str) -> int:
        """The column that holds a field where the first one has `_`, or -1."""
        names = self.fields.get(field_name, ())
        return self.columns.index(names[1]) if len(names) > 1 else -1
