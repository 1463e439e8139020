"""Explanations, their decisions and features, and the contracts of stages that explain themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, counted
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch
from headway.data.sentence import Sentence

Floats = NDArray[np.float64]
TOP = 5
"""How many reasons of a decision are shown where nobody says."""
TOLD = "kind", "word", "what", "over", "score", "rival_score", "margin", "situation"
"""What JSON has of a decision beside its reasons."""


class Reason(NamedTuple):
    """A feature, and what it gives to the score of what was chosen and to that of the runner-up."""

    feature: str
    chosen: float
    rival: float

    @property
    def difference(self) -> float:
        """How much it speaks for what was chosen; below zero where it speaks for the runner-up."""
        return self.chosen - self.rival

    def __str__(self) -> str:
        return f"{self.difference:+8.3f}  {self.feature}"


@dataclass(frozen=True)
class FeatureNames:
    """The names of features by their numbers, in place of the model that knows them."""

    names: Mapping[int, str]

    def __call__(self, at: int) -> str:
        return self.names[at]


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
    situation: str = ""
    """What the stage saw, such as stack and queue."""
    ids: NDArray[Any] | None = None
    """What the model knows each feature by, where training sentences can be asked for it."""
    is_usual: bool = False
    """Whether text tells of it only where somebody asks for its word."""

    def __getstate__(self) -> dict[str, Any]:
        """Pickled with the names of the features that count, and without the model."""
        counting = np.flatnonzero((self.given != 0) | (self.against != 0)).tolist()
        return {**self.__dict__, "name": FeatureNames({at: self.name(at) for at in counting})}

    @property
    def margin(self) -> float | None:
        """How much better the choice is than the runner-up; None where there was no other choice."""
        return None if self.rival_score is None else self.score - self.rival_score

    def reasons(self, top: int | None = None) -> list[Reason]:
        """The features that decided, the strongest first; all of them, or the first `top`."""
        differences = self.given - self.against
        counting = np.flatnonzero((self.given != 0) | (self.against != 0))
        order = counting[np.argsort(-np.abs(differences[counting]), kind="stable")][:top]
        return [Reason(self.name(at), float(self.given[at]), float(self.against[at])) for at in order.tolist()]

    def text(self, top: int | None = TOP) -> str:
        """The decision in some lines."""
        if self.margin is None:
            beside = "nothing else was possible"
        else:
            beside = f"{self.margin:+.3f} over {self.over} ({self.rival_score:.3f})"
        lines = [f"{self.what}: score {self.score:.3f}, {beside}"]
        if self.situation:
            lines.append(f"  {self.situation}")
        reasons = self.reasons(top)
        lines += [f"  {reason}" for reason in reasons]
        left = int(np.count_nonzero((self.given != 0) | (self.against != 0))) - len(reasons)
        if left:
            rest = float((self.given - self.against).sum()) - sum(reason.difference for reason in reasons)
            lines.append(f"  {rest:+8.3f}  {counted(left, 'other feature')}")
        return "\n".join(lines)

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """The decision for JSON."""
        facts = {name: getattr(self, name) for name in TOLD}
        reasons = [{**reason._asdict(), "difference": reason.difference} for reason in self.reasons(top)]
        return {**facts, "reasons": reasons}


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

    def text(self, top: int | None = TOP, word: int | None = None) -> str:
        """The explanation as text; of one word's arc, tags or cuts where `word` is its number."""
        some = [one for one in self.decisions if not one.is_usual] if word is None else self.of(word)
        heading = [self.sentence.text if word is None else self._arc(word), *self.notes]
        if word is not None and not some and self.sentence.is_parsed:
            heading.append(f"word {word} stayed without a head and so hangs on the root; no decision gave it one")
        elif word is not None and not some:
            heading.append(f"word {word} has no end of its own in the text; ask for the first word of its token")
        usual = len(self.decisions) - len(some) if word is None else 0
        rest = [f"not shown: {counted(usual, 'usual decision')}; ask for a word to see its own"] if usual else []
        return "\n\n".join(["\n".join(heading), *(decision.text(top) for decision in some), *rest])

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
        """The wrong decisions for the one sentence of a batch, whose tree is right; runners-up are the right ones."""

    def training_sentences_with(self, batches: Sequence[Batch], ids: NDArray[Any]) -> Mapping[int, Mapping[int, int]]:
        """For each feature by its id, how often it was seen in which training sentences, counted from 0."""


def explained(stages: Sequence[Any], sentence: Sentence, name: str | None = None) -> Explanation:
    """The explanation of a stage, such as `tagger`, for a sentence that the stages before it annotate.

    Of two taggers it is the second, which has the last word. Without a name it is that of the last stage that has one.
    """
    kinds = ", ".join(stage.kind for stage in stages)
    named = [at for at, stage in enumerate(stages) if name in (None, stage.kind.rpartition(" ")[2])]
    if name is not None and not named:
        raise HeadwayError(f"the model has no {name} to explain; it has: {kinds}")
    able = [at for at in (named if name is None else named[-1:]) if isinstance(stages[at], Explains)]
    if not able and name is not None:
        what = f"a {stages[named[-1]].kind} does not explain its decisions"
        raise HeadwayError(f"{what}; taggers and parsers with weights do")
    if not able:
        what = f"{kinds}: no stage of the model explains its decisions"
        raise HeadwayError(f"{what}; take a parser with linear weights")
    batch = sentence.batch.alone(sentence.index)
    for before in stages[: able[-1]]:
        batch = before.annotate(batch)
    found: Explanation = stages[able[-1]].explain(batch)
    return found
