"""A derived sentence as CoNLL-U."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from headway.data.sample.morphology import Word, word
from headway.data.sample.node import WordNode

Labelling = Callable[[WordNode], str]
VOWELS = tuple("aeiouAEIOU")
CONSONANT_SOUNDS = ("uni", "eu")
AN = word("an", "a", "DET", "DT", "Definite=Ind|PronType=Art")
END = Word("", "")
GAPPED_ROLES = ("nsubj", "obj")
"""What the two words left of a gapped clause are to the verb that is missing."""


def render(sentence: list[WordNode], name: str, label: Labelling, enhanced: bool) -> str:
    """The lines of a sentence with `# sent_id` and `# text`, and the blank line that ends it."""
    words = numbered(sentence)
    deps, empty = _enhanced(sentence, words, label) if enhanced else (["_"] * len(sentence), {})
    text, lines = [], []
    for node, this, after, later, graph in zip(sentence, words, words[1:], words[2:], deps, strict=False):
        index, misc, space = node.index, "_", " "
        if after.tight or this.tight:
            if after.tight == "joined":
                space, whole = "", f"{this.text}{after.text}"
                misc_of_whole = "SpaceAfter=No" if later.tight == "left" else "_"
                lines.append(f"{index}-{index + 1}\t{whole}\t_\t_\t_\t_\t_\t_\t_\t{misc_of_whole}\n")
            elif after.tight == "left" or this.tight == "right":
                space = ""
                misc = "_" if this.tight == "joined" else "SpaceAfter=No"
        text.append(f"{this.text}{space}")
        lines.append(f"{index}\t{this.cells}\t{node.head.index}\t{label(node)}\t{graph}\t{misc}\n")
        if index in empty:
            lines.append(empty[index])
    return f"# sent_id = {name}\n# text = {''.join(text).rstrip()}\n{''.join(lines)}\n"


def numbered(sentence: list[WordNode]) -> list[Word]:
    """Number the nodes, and choose the forms that depend on their surroundings; two empty words end the list."""
    words = []
    for index, node in enumerate(sentence, 1):
        node.index = index
        form = node.word
        if form.__class__ is dict:
            form = form[node.subject or node.head.subject]
        words.append(cast(Word, form))
    for place, this in enumerate(words):
        if this.text == "a":
            after = words[place + 1].text
            if after.startswith(VOWELS) and not after.startswith(CONSONANT_SOUNDS):
                words[place] = AN
    first = 1 if words[0].tight == "right" else 0
    start = words[first]
    words[first] = start._replace(
        text=start.text[0].upper() + start.text[1:], cells=start.cells[0].upper() + start.cells[1:]
    )
    return [*words, END, END]


def _enhanced(sentence: list[WordNode], words: list[Word], label: Labelling) -> tuple[list[str], dict[int, str]]:
    """The column DEPS, and the lines of empty nodes by the word that they follow."""
    deps = [f"{node.head.index}:{label(node)}" for node in sentence]
    empty = {}
    for node in sentence:
        if node.relation == "orphan":
            first, verb = node.head, node.head.head
            missing = f"{first.index}.1"
            graph = f"{verb.index}:{label(first)}"
            empty[first.index] = f"{missing}\t{words[verb.index - 1].cells}\t_\t_\t{graph}\tCopyOf={verb.index}\n"
            deps[first.index - 1], deps[node.index - 1] = (f"{missing}:{role}" for role in GAPPED_ROLES)
            for other in sentence:
                if other.head is first and other.relation == "cc":
                    deps[other.index - 1] = f"{missing}:{label(other)}"
    return deps, empty
