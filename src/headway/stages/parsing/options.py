"""Options of parsing, whatever the parser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headway.base.errors import HeadwayError, known
from headway.base.options import Options, built, choice, listed, whole, words, yes_no
from headway.data.formats.format import TAGS
from headway.data.formats.recognition import INPUTS

READING, PARSING = "reading", "parsing"
"""What messages call the options."""
KEEP = {"tokens": (), "tags": TAGS, **{tag.lower(): (tag,) for tag in TAGS}, "lemmas": ("LEMMA",)}
"""What of an input can be kept, and the columns that it has it in. Words of a treebank are always kept."""


FIND = {"tokens": (), "tags": TAGS, "lemmas": ("LEMMA",), "trees": ("HEAD", "DEPREL")}
"""What a model may be asked to find, and the columns that has. Text is always cut."""


@dataclass(frozen=True, kw_only=True)
class ReadOptions(Options):
    """What to take of an input."""

    force: bool = yes_no(False, "Also parse words none of which has a tag that the model was trained on.")
    keep: str | Sequence[str] = words(
        "",
        "What the input has and the model is not to find anew, as in tags,lemmas: tags (or upos, xpos, feats), lemmas;"
        " tokens, which are then words one to one.",
    )
    input: str | None = choice(
        None,
        "kind of input",
        INPUTS,
        "What a file is: text, sentences (text with one a line), tokens (one sentence a line, spaces between its"
        " words), vertical (one word a line) or conllu (any treebank).",
        default_text="its name and first line tell",
    )
    patterns: bool = yes_no(
        True, "In text, take what the model has patterns for, such as addresses and numbers, as one token each."
    )

    def __post_init__(self) -> None:
        """Refuse what no input has."""
        super().__post_init__()
        for name in listed(self.keep):
            if name not in KEEP:
                raise HeadwayError(f"unknown thing to keep {name!r}; {known(KEEP)}")

    @property
    def splits(self) -> bool:
        """Whether multiword tokens among given tokens get their words."""
        return "tokens" not in listed(self.keep)

    @property
    def kept_columns(self) -> frozenset[str]:
        """The columns that the model does not find anew."""
        return frozenset(column for name in listed(self.keep) for column in KEEP[name])


@dataclass(frozen=True, kw_only=True)
class ParseOptions(ReadOptions):
    """What to take of an input, and what to make of it."""

    stages: str | Sequence[str] = words(
        "",
        "Find only this, as in tokens,tags: tokens, tags, lemmas, trees.",
        default_text="all that the model can find",
    )
    threads: int = whole(1, "How many batches to parse at once.")
    keep_heads: bool = yes_no(
        False,
        "Keep heads and labels that the input has, and fill in the rest; read it with partial=True. Where it is read"
        " with on_error='skip', sentences whose heads are in no tree stay as they are.",
    )
    confidence: bool = yes_no(
        False, "Say how probable each head is to be right, and head and label, as confidence of sentences and tokens."
    )
    k_best: int | None = whole(
        None, "Give this many trees of each sentence, the best first; graph parsers only.", high=1000
    )

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        super().__post_init__()
        for name in listed(self.stages):
            if name not in FIND:
                raise HeadwayError(f"unknown thing to find {name!r}; {known(FIND)}")
        asked = {"keep_heads": self.keep_heads, "confidence": self.confidence, "k_best": self.k_best is not None}
        if sum(asked.values()) > 1:
            names = " and ".join(name for name, wanted in asked.items() if wanted)
            raise HeadwayError(f"{names} do not go together; ask for one of them")

    @property
    def columns_to_find(self) -> Mapping[str, tuple[str, ...]] | None:
        """What to find and the columns that has; None for all."""
        return {name: FIND[name] for name in listed(self.stages)} or None


BY_DEFAULT = ParseOptions()


def parse_options(given: Mapping[str, Any], others: Iterable[str] = ()) -> ParseOptions:
    """The options of parsing from keywords; `others` are what can be said beside them."""
    return built(ParseOptions, PARSING, given, others) if given else BY_DEFAULT
