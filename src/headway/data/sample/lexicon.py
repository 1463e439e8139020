"""The lexicon ready for use: kinds of words, their lexemes, and the kinds that they like to stand with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from math import gcd, prod
from typing import NamedTuple, TypeVar

from headway.data.sample.closed import PARTICLES, closed_words
from headway.data.sample.entry import LexiconEntry, Option, parse_entries, parse_options
from headway.data.sample.invention import stem
from headway.data.sample.modifiers import MODIFIERS
from headway.data.sample.morphology import INFLECTIONS, Finite, Word
from headway.data.sample.nouns import NAMES, NOUNS
from headway.data.sample.selections import GROUPS, INVERSE, MODIFYING, SELECTIONS
from headway.data.sample.verbs import VERBS

FREQUENCY = 420
"""The word of rank r in a kind has the weight FREQUENCY / r, after Zipf."""
PERSISTENCE = 0.85
"""Invented words: the chance that a rank lies beyond an octave, and so in the next one, which is twice as large."""
FIRST_OCTAVE = 16
FIRST_NUMBER = 13
"""Invented numerals go on where the written ones end."""
CACHED = 112
"""How many invented lexemes of each kind are kept; others are made again when they come."""
Value = TypeVar("Value")
Chance = Callable[[], float]
"""Numbers from 0 to 1."""


def wheel(weighted: list[tuple[Value, int]]) -> tuple[Value, ...]:
    """Each value as often as its weight says, so that an even draw of a place is a weighted draw of a value."""
    common = gcd(*(weight for _, weight in weighted))
    return tuple(value for value, weight in weighted for _ in range(weight // common))


class Forms(dict[str, "Word | Finite"]):
    """The forms of one lexeme, made when they are first asked for."""

    def __init__(self, kind: WordKind, lemma: str, irregular: list[str]) -> None:
        super().__init__()
        self.kind = kind
        self.lemma = lemma
        self.irregular = irregular

    def __missing__(self, form: str) -> Word | Finite:
        if form == "wh":
            made = self.kind.lexicon.closed["who/wh" if "animate" in self.kind.tags else "what/wh"]
        else:
            made = INFLECTIONS[self.kind.category](self.lemma, self.irregular, form)
        self[form] = made
        return made


class Lexeme:
    """A word as the lexicon has it; `particle` is the name of the closed-class word that belongs to a verb."""

    __slots__ = ("forms", "particle")

    def __init__(self, kind: WordKind, text: str) -> None:
        stem, _, particle = text.partition("-")
        lemma, *irregular = stem.split("/")
        self.forms = Forms(kind, lemma, irregular)
        self.particle = f"{particle}/particle"


class WordChoice(NamedTuple):
    """What a governor may choose: a kind, and the preposition before it, "" for none."""

    preposition: str
    kind: WordKind


class Selections(dict[str, tuple[WordChoice, ...]]):
    """What a kind selects, by name, as wheels; what it has no preference for is chosen as for every kind."""

    def __init__(self, kind: WordKind) -> None:
        super().__init__()
        self.kind = kind

    def __missing__(self, name: str) -> tuple[WordChoice, ...]:
        self[name] = made = self.kind.lexicon.selection(self.kind, name)
        return made


class WordKind:
    """Words that behave alike.

    `words` is a wheel of lexemes in which None stands for a word still to be invented; `start` is the first stem of
    invented words. `tags` are all names by which guards of the grammar know the kind.
    """

    def __init__(self, entry: LexiconEntry, lexicon: SampleLexicon, start: int = 0) -> None:
        self.name = entry.name
        self.category = entry.category
        self.lexicon = lexicon
        self.endings = entry.endings
        self.start = start
        self.tags = {entry.name, entry.category, *entry.tags, *entry.selects}
        self.selections = Selections(self)
        self.kept: dict[int, Lexeme] = {}
        self.words = self._wheel(entry.words, lexicon.vocabulary if self.endings else 0.0)

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

    @cached_property
    def takes(self) -> frozenset[tuple[str, WordKind]]:
        """The kinds that words of this kind take as modifiers, each with its preposition or how it is selected."""
        names = [name for name in MODIFYING if name in self.tags]
        if "infinitive" in self.tags:
            names.append("action")
        return frozenset(
            (choice.preposition or name, choice.kind) for name in names for choice in self.selections[name]
        )

    def invent(self, random: Chance) -> Lexeme:
        """A lexeme of the unbounded tail: an octave of ranks by chance, then any rank of that octave."""
        size = FIRST_OCTAVE
        while random() < PERSISTENCE:
            size += size
        rank = size - FIRST_OCTAVE + int(random() * size)
        lexeme = self.kept.get(rank)
        if lexeme is None:
            lexeme = Lexeme(self, self._invented(rank))
            if rank < CACHED:
                self.kept[rank] = lexeme
        return lexeme

    def _invented(self, rank: int) -> str:
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
        self.closed = closed_words()
        self.groups = {name: parse_options(text) for name, text in GROUPS.items()}
        self.entries = {entry.name: entry for entry in parse_entries(NOUNS + NAMES + VERBS + MODIFIERS)}
        self.kinds = {
            name: WordKind(entry, self, 97 * place) for place, (name, entry) in enumerate(self.entries.items())
        }
        for name, (governors, relation) in INVERSE.items():
            for kind in self.kinds.values():
                if any(self._inverse(kind, governors, relation)):
                    kind.tags.add(name)

    def selection(self, kind: WordKind, name: str) -> tuple[WordChoice, ...]:
        """The wheel of what a kind selects under a name: its own, of `INVERSE`, of `SELECTIONS`, or a kind's name.

        A conjunct, where nothing else is said, is of the same kind.
        """
        own = self.entries[kind.name].selects if kind.name in self.entries else {}
        if name in own:
            return wheel(self._choices(own[name]))
        if name in INVERSE:
            return wheel(list(self._inverse(kind, *INVERSE[name])))
        if name in SELECTIONS:
            return wheel(self._choices(parse_options(SELECTIONS[name])))
        return (WordChoice("", kind if name == "conj" else self.kinds[name]),)

    def _choices(self, options: list[Option]) -> list[tuple[WordChoice, int]]:
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
        for name, entry in self.entries.items():
            if governors in self.kinds[name].tags and relation in entry.selects:
                choices = self._choices(entry.selects[relation])
                share = sum(weight for choice, weight in choices if choice.kind is kind)
                if share:
                    total = sum(weight for _, weight in choices)
                    yield WordChoice("", self.kinds[name]), max(1, 60 * share // total)
