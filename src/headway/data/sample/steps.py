"""What the items of a rule do: place the head in a form, or put the items of a rule in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from headway.data.sample.morphology import NUMBERS, Word
from headway.data.sample.node import WordNode

SUBJECTS = ("nsubj", "nsubj:pass", "expl")
Step = Callable[[WordNode, "list[WordNode]", int], None]
"""Adds words for a head (first argument) to a sentence (second), at a depth (third)."""


def place_head(form: str) -> Step:
    """The head itself, in a form of its lexeme, or in one that its surroundings decide."""
    if form in NUMBERS:
        return _counted(form)
    return {"same": _same, "case": _cased, "wh": _nominal("wh")}.get(form) or _predicate(form)


def count_as_plural(head: WordNode, sentence: list[WordNode], depth: int) -> None:
    """Verbs agree with the head as with a plural."""
    head.agreement = NUMBERS["pl"]


def _counted(form: str) -> Step:
    agreement = NUMBERS[form]

    def counted(head: WordNode, sentence: list[WordNode], depth: int) -> None:
        head.word = head.lexeme.forms[form]
        head.agreement = agreement
        sentence.append(head)

    return counted


def _nominal(form: str) -> Step:
    def nominal(head: WordNode, sentence: list[WordNode], depth: int) -> None:
        head.word = head.lexeme.forms[form]
        head.agreement = cast(Word, head.word).agreement
        sentence.append(head)

    return nominal


def _predicate(form: str) -> Step:
    def predicate(head: WordNode, sentence: list[WordNode], depth: int) -> None:
        head.word = head.lexeme.forms[form]
        head.form = form
        sentence.append(head)

    return predicate


def _same(head: WordNode, sentence: list[WordNode], depth: int) -> None:
    head.subject = head.head.subject
    _predicate(head.head.form)(head, sentence, depth)


def _cased(head: WordNode, sentence: list[WordNode], depth: int) -> None:
    (NOMINATIVE if head.relation in SUBJECTS else ACCUSATIVE)(head, sentence, depth)


NOMINATIVE, ACCUSATIVE = _nominal("nom"), _nominal("acc")


def discontinuous(steps: list[Step], anchors: list[str]) -> Step:
    """A rule some of whose items depend on the dependents of the head, which have to be there before them."""

    def add_in_order(head: WordNode, sentence: list[WordNode], depth: int) -> None:
        parts: list[list[WordNode]] = [[] for _ in steps]
        for step, anchor, part in zip(steps, anchors, parts, strict=True):
            if not anchor:
                step(head, part, depth)
        placed = {node.relation: node for part in parts for node in part if node is not head and node.head is head}
        for step, anchor, part in zip(steps, anchors, parts, strict=True):
            if anchor:
                step(placed[anchor], part, depth + 1)
        for part in parts:
            sentence.extend(part)

    return add_in_order
