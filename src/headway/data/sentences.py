"""Many sentences: those of batches as views, and those that somebody hands over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from headway.base.errors import HeadwayError, described
from headway.data.batch import Batch
from headway.data.sentence import Sentence
from headway.data.tokens import Token


def views(batches: Iterable[Batch]) -> Iterator[Sentence]:
    """The sentences of batches, one after the other; nothing is copied."""
    for batch in batches:
        for index in range(len(batch)):
            yield Sentence.view(batch, index)


def assured(sentences: Iterable[Any]) -> Iterator[Sentence]:
    """Sentences as they are, one alone too; anything else is refused."""
    if isinstance(sentences, Sentence):
        sentences = [sentences]
    if isinstance(sentences, (str, bytes)) or not isinstance(sentences, Iterable):
        remedy = "parser.parse(source)" if hasattr(sentences, "parse_batches") else "sentences, or headway.read(path)"
        raise HeadwayError(f"expected sentences, got {described(sentences)}; give {remedy}")
    for sentence in sentences:
        if not isinstance(sentence, Sentence):
            raise HeadwayError(f"expected a Sentence, got {described(sentence)}; {_remedy(sentence)}")
        yield sentence


def assure_sentence(thing: object, remedy: str) -> None:
    """Refuse what is not one sentence."""
    if not isinstance(thing, Sentence):
        raise HeadwayError(f"expected a Sentence, got {described(thing)}; {remedy}")


def _remedy(thing: object) -> str:
    """How to make a sentence of something."""
    if hasattr(thing, "serialize"):  # As a TokenList of the package conllu.
        return "make sentences with headway.from_conllu(tokens.serialize())"
    if isinstance(thing, Token):
        return "give a list of sentences, not of words"
    return "make one of words with headway.Sentence(['Dogs', 'bark'])"
