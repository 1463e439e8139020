"""A word of a sentence that is being derived."""

from __future__ import annotations

from headway.data.sample.lexicon import Lexeme, WordKind
from headway.data.sample.morphology import Finite, Word


class WordNode:
    """A word in its place in the tree; the head of the root is the sentence itself, which is its own head.

    `agreement` is the person and number of a nominal, `subject` those of a predicate's subject; `preposition` is
    the name of the one it was selected with.
    """

    __slots__ = ("agreement", "form", "head", "index", "kind", "lexeme", "preposition", "relation", "subject", "word")
    index: int
    word: Word | Finite

    def __init__(
        self, relation: str, head: WordNode | None, kind: WordKind, lexeme: Lexeme, preposition: str = ""
    ) -> None:
        self.relation = relation
        self.head = head or self
        self.kind = kind
        self.lexeme = lexeme
        self.preposition = preposition
        self.agreement = self.subject = self.form = ""
