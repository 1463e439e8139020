"""How the lexicon is written down: an entry is a kind of words that behave alike.

    person  noun count animate -ist -eer
        man/men woman/women teacher doctor
        amod = age 4, mood
        nmod = with: garment 3, tool; from: town 6

The first line has the name of the kind, its category, tags that the grammar asks for, and endings by which invented
words of the kind are known; without endings none are invented. Then come the words, frequent ones first, irregular
forms after slashes, a verb's particle after a hyphen. Lines with `=` say which kinds a word selects as its
dependents, by relation or by another name that the grammar uses, with weights (1 where none is given) and with
the preposition before the colon; a second line for the same name adds to the first.
"""

from __future__ import annotations

from typing import NamedTuple


class Option(NamedTuple):
    """Something that a word may select: a kind or a group of kinds, a preposition ("" for none), and how often."""

    preposition: str
    kind: str
    weight: int


class LexiconEntry(NamedTuple):
    """One kind of words as it is written down."""

    name: str
    category: str
    tags: list[str]
    endings: list[str]
    words: list[str]
    selects: dict[str, list[Option]]


def parse_entries(text: str) -> list[LexiconEntry]:
    """The entries of a part of the lexicon."""
    entries: list[LexiconEntry] = []
    for line in filter(None, text.splitlines()):
        selection, equals, options = line.partition("=")
        if not line.startswith(" "):
            name, category, *rest = line.split()
            endings = [word[1:] for word in rest if word.startswith("-")]
            tags = [word for word in rest if not word.startswith("-")]
            entries.append(LexiconEntry(name, category, tags, endings, [], {}))
        elif equals:
            entries[-1].selects.setdefault(selection.strip(), []).extend(parse_options(options))
        else:
            entries[-1].words.extend(line.split())
    return entries


def parse_options(text: str) -> list[Option]:
    """`with: garment 3, tool; from: town 6` as options."""
    options = []
    for part in text.split(";"):
        preposition, _, kinds = part.rpartition(":")
        for item in kinds.split(","):
            kind, *weight = item.split()
            options.append(Option(preposition.strip(), kind, int(weight[0]) if weight else 1))
    return options
