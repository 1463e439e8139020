"""Explanations, their decisions and features, and the contracts of stages that explain themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, counted
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch
from headway.data.sentence import Sentence
from headway.features.looks import Look
from headway.stages.explanation.grouping import (
    Reason,
    ReasonGroup,
    attributes_of,
    groups_of,
    is_hardly_known,
    joined_features,
    shares_text,
)

Floats = NDArray[np.float64]
TOP = 5
"""How many reasons of a decision are shown where nobody says."""
TOLD = "kind", "word", "what", "over", "in_words", "score", "rival_score", "margin", "situation"
"""What JSON has of a decision beside its reasons."""


class Shown(NamedTuple):
    """A choice as text."""

    what: str
    about: str
    """The beginning of a sentence in words that tells of it: `*she* is`."""
    said: str
    """The rest: `nsubj of *saw*`."""
    typical: str
    """The choice without the words of the sentence."""

    def beside(self, other: Shown | None) -> dict[str, str | None]:
        """What a decision says in words of this choice and its runner-up."""
        phrase = f"{self.about} {self.said}"
        if other is None:
            return {"phrase": phrase, "rival_phrase": None, "typical": self.typical}
        rival = other.said if other.about == self.about else f"“{other.about} {other.said}”"
        alike = other.typical == self.typical
        typical = f"another {other.typical}" if alike else f"{self.typical} instead of {other.typical}"
        return {"phrase": phrase, "rival_phrase": rival, "typical": typical}


Fact = TypeVar("Fact")


@dataclass(frozen=True)
class OfFeatures(Generic[Fact]):
    """A fact about features by their numbers, in place of the model that knows it."""

    facts: Mapping[int, Fact]

    def __call__(self, at: int) -> Fact:
        return self.facts[at]


@dataclass(frozen=True, eq=False)
class Decision(ShortRepr):
    """A choice that a stage has made, with the features that decided.

    `given` holds what each feature gives to the score and `against` what it gives to the runner-up's: they add up to
    `score` and to `rival_score`. Features have their names when somebody asks for `reasons`.
    """

    kind: str
    """`transition`, `head`, `label`, `votes`, `tags`, `lemma`, `cut`."""
    word: int
    """The word that gets a head or a label, or that goes on or ends there; 0 where none does."""
    what: str
    over: str | None
    """The runner-up; None where there was no other choice."""
    score: float
    rival_score: float | None
    given: Floats
    against: Floats
    name: Callable[[int], str]
    look: Callable[[int], Look] = lambda _: Look()
    """What a feature looks at: features of the same words are shown together."""
    phrase: str = ""
    """What was chosen, in words: `*she* is nsubj of *saw*`."""
    rival_phrase: str | None = None
    """The runner-up as one says it beside that: `obj of *saw*`."""
    typical: str = ""
    """The choice without the words of the sentence, beside the runner-up: `NOUN instead of PROPN`."""
    situation: str = ""
    """What the stage saw, such as stack and queue."""
    ids: NDArray[Any] | None = None
    """What the model knows each feature by, where training sentences can be asked for it."""
    is_usual: bool = False
    """Whether text tells of it only where somebody asks for its word."""

    def __getstate__(self) -> dict[str, Any]:
        """Pickled with names and looks of the features that count, and without the model."""
        counting = np.flatnonzero((self.given != 0) | (self.against != 0)).tolist()
        facts = {name: OfFeatures({at: getattr(self, name)(at) for at in counting}) for name in ("name", "look")}
        return {**self.__dict__, **facts}

    @property
    def margin(self) -> float | None:
        """How much better the choice is than the runner-up; None where there was no other choice."""
        return None if self.rival_score is None else self.score - self.rival_score

    @property
    def in_words(self) -> str:
        """The choice and its runner-up in words."""
        alone = not self.phrase or self.rival_phrase is None
        return self.phrase if alone else f"{self.phrase} rather than {self.rival_phrase}"

    def groups(self) -> list[ReasonGroup]:
        """The features by the words they look at, the most telling first; together they are `score`."""
        return groups_of(self)

    def features(self) -> list[Reason]:
        """The features that decided, the strongest first; those that always stand together are one, their sum."""
        return [joined.reason for joined in joined_features(self)]

    def reasons(self, top: int | None = None) -> list[Reason]:
        """The features that decided, the strongest first; all of them, or the first `top`."""
        differences = self.given - self.against
        counting = np.flatnonzero((self.given != 0) | (self.against != 0))
        order = counting[np.argsort(-np.abs(differences[counting]), kind="stable")][:top]
        return [Reason(self.name(at), float(self.given[at]), float(self.against[at])) for at in order.tolist()]

    def text(self, top: int | None = TOP, *, features: bool = False) -> str:
        """The decision in some lines, with its groups of features, the first `top` of them, or with single features."""
        if self.margin is None:
            beside = "nothing else was possible"
        else:
            beside = f"{self.margin:+.3f} over {self.over} ({self.rival_score:.3f})"
        lines = [f"{self.what}: score {self.score:.3f}, {beside}"]
        lines += [f"  {line}" for line in (self.in_words, self.situation) if line]
        groups = [] if features else groups_of(self, top)
        reasons: Sequence[Reason | ReasonGroup] = self.features() if features else groups
        lines += [f"  {reason}" for reason in reasons[:top]]
        left = reasons[len(reasons) if top is None else top :]
        if left:
            rest = sum(reason.difference for reason in left)
            lines.append(f"  {rest:+8.3f}  {counted(len(left), 'other feature' if features else 'other group')}")
        if len(groups) > 1:
            lines.append(f"  in all: {shares_text(attributes_of(groups), len(groups))}")
        return "\n".join(lines)

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """The decision for JSON: all groups, and the first `top` single features."""
        facts = {name: getattr(self, name) for name in TOLD}
        reasons = [{**reason._asdict(), "difference": reason.difference} for reason in self.reasons(top)]
        return {**facts, "groups": [group.to_dict() for group in self.groups()], "reasons": reasons}


@dataclass(frozen=True, eq=False)
class Explanation(ShortRepr):
    """The decisions that led to the tree of a sentence.

    >>> import headway
    >>> from headway.data.sample import generate
    >>> parser = headway.train(generate(50), passes=2, features="malt-14")
    >>> explanation = parser.explain(next(iter(generate(1, seed=7))))
    >>> explanation.decisions[0].what, explanation.of(1)[0].kind
    ('SHIFT', 'transition')
    """

    sentence: Sentence
    """As the stage has parsed it."""
    decisions: Sequence[Decision]
    notes: Sequence[str] = ()

    def of(self, word: int) -> list[Decision]:
        """The decisions that gave a word its head and label, its tags, its lemma or its end, words counted from 1."""
        if not 1 <= word <= len(self.sentence):
            words = counted(len(self.sentence), "word")
            raise HeadwayError(f"{self.sentence.place}: there is no word {word}; the sentence has {words}")
        return [decision for decision in self.decisions if decision.word == word]

    @cached_property
    def hardly_known(self) -> list[int]:
        """The words, counted from 1, whose forms the model knows next to nothing of."""
        first, forms = {one.word: one for one in reversed(self.decisions) if one.word}, self.sentence.forms
        return [word for word in sorted(first) if is_hardly_known(first[word], forms[word - 1])]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "hardly_known": self.hardly_known}

    def text(self, top: int | None = TOP, word: int | None = None, *, features: bool = False) -> str:
        """The explanation as text; of one word's arc, tags or cuts where `word` is its number."""
        some = [one for one in self.decisions if not one.is_usual] if word is None else self.of(word)
        heading = [self.sentence.text if word is None else self._arc(word), *self.notes]
        if new := [f"*{self.sentence.forms[at - 1]}*" for at in self.hardly_known if word in (None, at)]:
            heading.append(f"new to the model, or nearly: {', '.join(new)}")
        if word is not None and not some and self.sentence.is_parsed:
            heading.append(f"word {word} stayed without a head and so hangs on the root; no decision gave it one")
        elif word is not None and not some:
            heading.append(f"word {word} has no end of its own in the text; ask for the first word of its token")
        usual = len(self.decisions) - len(some) if word is None else 0
        rest = [f"not shown: {counted(usual, 'usual decision')}; ask for a word to see its own"] if usual else []
        return "\n\n".join(["\n".join(heading), *(one.text(top, features=features) for one in some), *rest])

    def __str__(self) -> str:
        return self.text()

    def _arc(self, word: int) -> str:
        """A word with its head and label, or without where there is no tree."""
        if not self.sentence.is_parsed:
            return f"{self.sentence.forms[word - 1]} ({word})"
        forms, head = self.sentence.forms, int(self.sentence.heads[word - 1])
        above = "root" if head == 0 else f"{forms[head - 1]} ({head})"
        return f"{forms[word - 1]} ({word}) ← {above}, {self.sentence.deprels[word - 1]}"

    def to_dict(self, top: int | None = None, word: int | None = None) -> dict[str, Any]:
        """The explanation for JSON."""
        some = self.decisions if word is None else self.of(word)
        return {
            "place": self.sentence.place,
            "text": self.sentence.text,
            "forms": self.sentence.forms,
            "heads": self.sentence.heads.tolist() if self.sentence.is_parsed else None,
            "deprels": self.sentence.deprels,
            "notes": list(self.notes),
            "hardly_known": self.hardly_known,
            "decisions": [decision.to_dict(top) for decision in some],
        }


@runtime_checkable
class Explains(Protocol):
    """A stage that can say why; a capability beside the contract of stages."""

    def explain(self, batch: Batch) -> Explanation:
        """The decisions behind the annotation of the one sentence of a batch.

        What a model cannot say is a HeadwayError of one sentence.
        """


@runtime_checkable
class ExplainsText(Protocol):
    """A stage that can say why it cut text as it did."""

    def explain_text(self, text: Any, *, report: Any = None) -> Iterator[Explanation]:
        """The decisions behind each sentence of a text, a string or chunks of bytes."""


@runtime_checkable
class FindsErrors(Protocol):
    """A stage that can say which decisions were wrong, and which training sentences have a feature."""

    def wrong_decisions(self, batch: Batch) -> Sequence[Decision]:
        """The wrong decisions for the one sentence of a batch; runners-up are the right ones.

        What is right is what was read with the sentence, beneath all layers of the batch.
        """

    def training_sentences_with(self, batches: Sequence[Batch], ids: NDArray[Any]) -> Mapping[int, Mapping[int, int]]:
        """For each feature by its id, how often it was seen in which training sentences, counted from 0."""
