"""What a tab-separated format is, and those that headway reads and writes, by name and by file suffix."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from headway.base.errors import HeadwayError, known
from headway.base.files import COMPRESSED

FIELDS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The fields that a `Sentence` knows by name. Formats may hold more, which no other format has a place for."""
TAGS = ("UPOS", "XPOS", "FEATS")
"""What taggers give."""

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


def _table(text: str) -> Fields:
    """`ID FORM XPOS=PPOSS|PPOS` as names, each with what it stands for: itself where nothing else is written."""
    pairs = (entry.partition("=") for entry in text.split())
    return {name: tuple((others or name).split("|")) for name, _, others in pairs}


CONLLU = Format(
    name="conllu",
    title="CoNLL-U",
    suffixes=(".conllu",),
    columns=FIELDS,
    fields={name: (name,) for name in FIELDS},
    fill={name: (name,) for name in FIELDS},
    comments=True,
    multiwords=True,
    spaces=True,
)
"""The format of Universal Dependencies."""

CONLLX = Format(
    name="conllx",
    title="CoNLL-X",
    suffixes=(".conllx", ".conll", ".conll06", ".conll07"),
    columns=("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"),
    fields=_table("ID FORM LEMMA UPOS=CPOSTAG XPOS=POSTAG FEATS HEAD DEPREL"),
    fill=_table("ID FORM LEMMA CPOSTAG=UPOS|XPOS POSTAG=XPOS|UPOS FEATS HEAD DEPREL"),
    # The projective head and label of a word are made from its head and label.
    stale={"HEAD": (*STALE["HEAD"], "PHEAD", "PDEPREL"), "DEPREL": (*STALE["DEPREL"], "PDEPREL")},
)
"""The shared tasks of 2006 and 2007."""

CONLL2008 = Format(
    name="conll2008",
    title="CoNLL-2008",
    suffixes=(".conll08", ".conll2008"),
    columns=tuple(_table("ID FORM LEMMA GPOS PPOS SPLIT_FORM SPLIT_LEMMA PPOSS HEAD DEPREL PRED")),
    fields=_table("ID FORM=SPLIT_FORM|FORM LEMMA=SPLIT_LEMMA|LEMMA HEAD DEPREL XPOS=GPOS|PPOSS"),
    fill=_table(
        "ID FORM LEMMA GPOS=XPOS|UPOS PPOS=XPOS|UPOS SPLIT_FORM=FORM SPLIT_LEMMA=LEMMA PPOSS=XPOS|UPOS HEAD DEPREL"
    ),
    open_ended=True,
)
"""Dependencies over split words, and semantic roles, which are kept but not read."""
CONLL2008_PREDICTED = replace(CONLL2008, fields=CONLL2008.fields | _table("XPOS=PPOSS|PPOS"))

CONLL2009 = Format(
    name="conll2009",
    title="CoNLL-2009",
    suffixes=(".conll09", ".conll2009"),
    columns=tuple(_table("ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED")),
    fields=_table("ID FORM LEMMA XPOS=POS FEATS=FEAT HEAD DEPREL"),
    fill=_table("ID FORM LEMMA PLEMMA=LEMMA POS=XPOS|UPOS PPOS=XPOS|UPOS FEAT=FEATS PFEAT=FEATS HEAD DEPREL"),
    open_ended=True,
)
"""Gold and predicted columns side by side, and semantic roles, which are kept but not read.

Neither tree makes the other one stale: PHEAD and PDEPREL are what some parser said, and not made from the gold tree.
"""
CONLL2009_PREDICTED_TAGS = replace(CONLL2009, fields=CONLL2009.fields | _table("LEMMA=PLEMMA XPOS=PPOS FEATS=PFEAT"))
CONLL2009_PREDICTED = replace(
    CONLL2009_PREDICTED_TAGS, fields=CONLL2009_PREDICTED_TAGS.fields | _table("HEAD=PHEAD DEPREL=PDEPREL")
)

MALTTAB = Format(
    name="malttab",
    title="MaltTab",
    suffixes=(".tab", ".malttab"),
    columns=("FORM", "POSTAG", "HEAD", "DEPREL"),
    fields=_table("FORM XPOS=POSTAG HEAD DEPREL"),
    fill=_table("FORM POSTAG=XPOS|UPOS HEAD DEPREL"),
    fewest=2,
)
"""Form, tag, head and label, or form and tag alone where there is no tree yet."""

FORMATS = {form.name: form for form in (CONLLU, CONLLX, CONLL2008, CONLL2009, MALTTAB)}
PENN = "penn"
TEXT_SUFFIX = ".txt"
BOM = b"\xef\xbb\xbf"
"""The byte-order mark."""
READABLE = (*FORMATS, PENN)
COLUMNS = {
    "gold": {},
    "predicted-tags": {"conll2008": CONLL2008_PREDICTED, "conll2009": CONLL2009_PREDICTED_TAGS},
    "predicted": {"conll2008": CONLL2008_PREDICTED, "conll2009": CONLL2009_PREDICTED},
}
"""For a choice of columns, the formats that it changes."""


def format_named(name: str, columns: str = "gold") -> Format:
    """The tab-separated format of that name, with gold or predicted columns."""
    if name not in tuple(FORMATS):
        raise HeadwayError(f"unknown format {name!r}; {known(FORMATS)}")
    if columns not in tuple(COLUMNS):
        raise HeadwayError(f"unknown choice of columns {columns!r}; {known(COLUMNS)}")
    return COLUMNS[columns].get(name, FORMATS[name])


def by_suffix(path: str) -> str | None:
    """The format that a file's name speaks of, if any."""
    return next((name for name, form in FORMATS.items() if _suffix(path) in form.suffixes), None)


def suffix_of(name: str) -> str:
    """How names of files in a format end; what is no treebank is text."""
    return FORMATS[name].suffixes[0] if name in FORMATS else TEXT_SUFFIX


def is_text(path: str) -> bool:
    """Whether a file's name says that it is text."""
    return _suffix(path) == TEXT_SUFFIX


def _suffix(path: str) -> str:
    """The end of a file's name, before that of a compressed one."""
    plain = Path(path)
    return Path(plain.stem).suffix if plain.suffix in COMPRESSED else plain.suffix
