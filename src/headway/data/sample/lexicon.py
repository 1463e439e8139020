"""The lexicon in `english.lexicon`: kinds of words, their lexemes, and the kinds that they like to stand with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from importlib import resources
from math import gcd, prod
from typing import NamedTuple, TypeVar

from headway.data.sample.words import PARTICLES, Finite, Word, function_words, inflected, stem

FREQUENCY = 420
"""The word of rank r in a kind has the weight FREQUENCY / r, after Zipf."""
PERSISTENCE = 0.85
"""Invented words: the chance that a rank lies beyond an octave, and so in the next one, which is twice as large."""
FIRST_OCTAVE = 16
FIRST_NUMBER = 13
"""Invented numerals go on where the written ones end."""
CACHED = 112
"""How many invented lexemes of each kind are kept; others are made again when they come."""
INVERSE = {"doing": ("verb", "nsubj"), "undergoing": ("transitive", "obj")}
"""For a noun, the verbs that it is a good subject of, and a good object of: by their tag and their selection."""
MODIFYING = ("amod", "compound", "nmod", "obl", "recipient", "about", *INVERSE)
"""Selections of modifiers, which attach to the nearest word that takes them."""
Value = TypeVar("Value")
Chance = Callable[[], float]
"""Numbers from 0 to 1."""


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


class WordChoice(NamedTuple):
    """What a governor may choose: a kind, and the preposition before it, "" for none."""

    preposition: str
    kind: WordKind


def parse_lexicon(text: str) -> tuple[list[LexiconEntry], dict[str, list[Option]]]:
    """The entries of a lexicon, and its groups by name; `english.lexicon` explains the notation."""
    entries: list[LexiconEntry] = []
    groups: dict[str, list[Option]] = {}
    for line in text.splitlines():
        indented = line.startswith(" ")
        if "=" in line and not line.startswith("#"):
            for selection in line.split("|"):
                name, _, options = selection.partition("=")
                (entries[-1].selects if indented else groups).setdefault(name.strip(), []).extend(_options(options))
        elif indented:
            entries[-1].words.extend(line.split())
        elif line and not line.startswith("#"):
            name, category, *rest = line.split()
            endings = [word[1:] for word in rest if word.startswith("-")]
            entries.append(LexiconEntry(name, category, [w for w in rest if w[0] != "-"], endings, [], {}))
    return entries, groups


def _options(text: str) -> Iterator[Option]:
    """`with: garment 3, tool; from: town 6` as options."""
    for part in text.split(";"):
        preposition, _, kinds = part.rpartition(":")
        for item in kinds.split(","):
            kind, *weight = item.split()
            yield Option(preposition.strip(), kind, int(weight[0]) if weight else 1)


def wheel(weighted: list[tuple[Value, int]]) -> tuple[Value, ...]:
    """Each value as often as its weight says, so that an even draw of a place is a weighted draw of a value."""
    common = gcd(*(weight for _, weight in weighted))
    return tuple(value for value, weight in weighted for _ in range(weight // common))


class Lexeme(dict[str, "Word | Finite"]):
    """A word with its forms, made when they are first asked for; `particle` names the one that belongs to a verb."""

    def __init__(self, kind: WordKind, text: str) -> None:
        super().__init__()
        self.kind = kind
        base, _, particle = text.partition("-")
        self.lemma, *self.irregular = base.split("/")
        self.particle = f"{particle}/particle"

    def __missing__(self, form: str) -> Word | Finite:
        if form == "wh":
            made = self.kind.lexicon.closed["who/wh" if "animate" in self.kind.tags else "what/wh"]
        else:
            made = inflected(self.kind.category, self.lemma, self.irregular, form)
        self[form] = made
        return made


class WordKind:
    """Words that behave alike.

    `words` is a wheel of lexemes in which None stands for a word still to be invented; `start` is the first stem of
    invented words. `tags` are all names by which guards of the grammar know the kind.
    """

    def __init__(self, entry: LexiconEntry, lexicon: SampleLexicon, start: int = 0) -> None:
        self.name, self.category, tags, self.endings, words, self.selects = entry
        self.lexicon, self.start = lexicon, start
        self.tags = {self.name, self.category, *tags, *self.selects}
        self.chosen: dict[str, tuple[WordChoice, ...]] = {}
        self.kept: dict[int, Lexeme] = {}
        self.words = self._wheel(words, lexicon.vocabulary if self.endings else 0.0)

    def _wheel(self, words: list[str], vocabulary: float) -> tuple[Lexeme | None, ...]:
        if vocabulary == 1.0:
            return (None,)
        weighted: list[tuple[Lexeme | None, int]] = [
            (Lexeme(self, text), FREQUENCY // rank) for rank, text in enumerate(words, 1)
        ]
        if vocabulary:
            total = sum(weight for _, weight in weighted)
            weighted.append((None, max(1, round(total * vocabulary / (1.0 - vocabulary)))))
        return wheel(weighted)

    def choices(self, selection: str) -> tuple[WordChoice, ...]:
        """The wheel of what the kind selects under a name."""
        if selection not in self.chosen:
            self.chosen[selection] = self.lexicon.choices(self, selection)
        return self.chosen[selection]

    @cached_property
    def takes(self) -> frozenset[tuple[str, WordKind]]:
        """The kinds that words of this kind take as modifiers, each with its preposition or how it is selected."""
        names = [name for name in MODIFYING if name in self.tags]
        if "infinitive" in self.tags:
            names.append("action")
        return frozenset((choice.preposition or name, choice.kind) for name in names for choice in self.choices(name))

    def lexeme(self, random: Chance) -> Lexeme:
        """A word of the kind by chance, perhaps an invented one."""
        found = self.words[int(random() * len(self.words))]
        return self._invent(random) if found is None else found

    def _invent(self, random: Chance) -> Lexeme:
        """A lexeme of the unbounded tail: an octave of ranks by chance, then any rank of that octave."""
        size = FIRST_OCTAVE
        while random() < PERSISTENCE:
            size += size
        rank = size - FIRST_OCTAVE + int(random() * size)
        lexeme = self.kept.get(rank)
        if lexeme is None:
            lexeme = Lexeme(self, self.invented(rank))
            if rank < CACHED:
                self.kept[rank] = lexeme
        return lexeme

    def invented(self, rank: int) -> str:
        """Invented word number `rank`, as the lexicon would write it."""
        if self.category == "number":
            return str(FIRST_NUMBER + rank)
        text = stem(rank, self.start) + self.endings[rank % len(self.endings)]
        if "particle" in self.tags:
            return f"{text}-{PARTICLES[rank % len(PARTICLES)]}"
        return text.capitalize() if self.category == "proper" else text


class SampleLexicon:
    """All kinds by name, and the closed-class words. `vocabulary` is the share of invented among open-class words."""

    def __init__(self, vocabulary: float) -> None:
        self.vocabulary = vocabulary
        self.closed = function_words()
        text = resources.files("headway.data.sample").joinpath("english.lexicon").read_text("utf-8")
        self.entries, self.groups = parse_lexicon(text)
        self.kinds = {entry.name: WordKind(entry, self, 97 * place) for place, entry in enumerate(self.entries)}
        for name, (governors, relation) in INVERSE.items():
            for kind in self.kinds.values():
                if any(self._inverse(kind, governors, relation)):
                    kind.tags.add(name)

    def choices(self, kind: WordKind, name: str) -> tuple[WordChoice, ...]:
        """The wheel of what a kind selects under a name: its own, of `INVERSE`, of a group, or a kind's name.

        A conjunct, where nothing else is said, is of the same kind.
        """
        if name in kind.selects:
            return wheel(self._weighted(kind.selects[name]))
        if name in INVERSE:
            return wheel(list(self._inverse(kind, *INVERSE[name])))
        if name in self.groups:
            return wheel(self._weighted(self.groups[name]))
        return (WordChoice("", kind if name == "conj" else self.kinds[name]),)

    def _weighted(self, options: list[Option]) -> list[tuple[WordChoice, int]]:
        """The options with groups replaced by their members, which share the group's weight."""
        members = {option.kind: self.groups.get(option.kind, [Option("", option.kind, 1)]) for option in options}
        totals = {name: sum(member.weight for member in group) for name, group in members.items()}
        scale = prod(totals.values())
        return [
            (
                WordChoice(option.preposition, self.kinds[member.kind]),
                option.weight * member.weight * scale // totals[option.kind],
            )
            for option in options
            for member in members[option.kind]
        ]

    def _inverse(self, kind: WordKind, governors: str, relation: str) -> Iterator[tuple[WordChoice, int]]:
        """The kinds that select this one by a relation, weighted by how much of their selection it is."""
        for governor in self.kinds.values():
            if governors in governor.tags and relation in governor.selects:
                choices = self._weighted(governor.selects[relation])
                share = sum(weight for choice, weight in choices if choice.kind is kind)
                if share:
                    total = sum(weight for _, weight in choices)
                    yield WordChoice("", governor), max(1, 60 * share // total)


lexicon_with = lru_cache(maxsize=4)(SampleLexicon)
"""The lexicon of all samples with a vocabulary: making it takes longer than deriving a hundred sentences."""
