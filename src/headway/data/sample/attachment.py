"""The principle of attachment: a modifier belongs to the nearest word that takes its kind.

What kinds a word takes is in the lexicon, so words decide where tags leave several possibilities: in `saw the man
with the telescope` a telescope is nothing that a person has, but something to see with. The grammar never makes a
dependent that a nearer word would take.
"""

from __future__ import annotations

from headway.data.sample.lexicon import WordChoice, WordKind
from headway.data.sample.node import WordNode

RIGHT = ("nmod", "obl", "acl", "acl:relcl", "advcl")
LEFT = ("compound",)
"""The relations of modifiers after and before their head that the principle decides on."""


def contested(choice: WordChoice, selection: str, head: WordNode, sentence: list[WordNode]) -> bool:
    """Whether a word between the head and the end of the sentence would take what the head selects."""
    how = choice.preposition or selection
    found = False
    node = sentence[-1] if sentence else head
    while node is not head:
        if node is node.head:
            return False  # The head is still to come: nothing lies between.
        found = found or (how, choice.kind) in node.kind.takes
        node = node.head
    return found


def captures(kind: WordKind, head: WordNode, sentence: list[WordNode]) -> bool:
    """Whether a word of this kind, put before the head, would take one of the head's dependents to its left."""
    for node in reversed(sentence):
        if node.head is not head:
            return False
        if (node.relation, node.kind) in kind.takes:
            return True
    return False
