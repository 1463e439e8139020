"""How sentences are written: what makes it hard to find words and sentences in text again, and their CoNLL-U.

Abbreviations with a period inside of sentences and at their end, initials and titles, figures with separators,
clitics, typographic quotes, and sentences that end a paragraph without a stop. All of it happens to sentences that are
derived already, with random numbers of its own, so that the trees are those of the grammar: a title is one more leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from headway.data.sample.derivation import WordNode
from headway.data.sample.lexicon import Chance
from headway.data.sample.words import VOWELS, Word

Labelling = Callable[[WordNode], str]
CONSONANT_SOUNDS = ("uni", "eu")
END = Word("", "", "", "")
GAPPED_ROLES = ("nsubj", "obj")
"""What the two words left of a gapped clause are to the verb that is missing."""
STREAM = 1 << 40
"""Added to a seed, so that writing never follows the chance that grammar and lexicon follow."""
IN_PARAGRAPH, IN_DOCUMENT = 0.25, 0.04
"""The chance that a sentence is the last one of its paragraph, and of its document."""
TITLES = ("Mr.", "Mrs.", "Dr.", "Prof.")
TOWNS = ("L.A.", "D.C.", "N.Y.", "St. Gallen", "Mt. Vernon")
GROUPED, DECIMAL = 40, 10
"""Figures go up to so many thousands, and to so many units."""
CLITICS = {"am": "'m", "are": "'re", "is": "'s", "has": "'s", "have": "'ve", "had": "'d", "will": "'ll"}
QUOTES = {"``": "“", "''": "”"}
STOP, ELLIPSIS = ".", "..."
SELDOM = 0.25
"""What is odd even in odd text has this share of the chance of all else."""


class Writing:
    """The text of one sample: sentence after sentence, with `share` of the places where text can be hard."""

    def __init__(self, share: float, seed: int) -> None:
        self.share = share
        self.random: Chance = Random(seed + STREAM).random
        self.paragraph_ends = self.document_ends = True
        self.documents = self.paragraphs = 0

    def next(self, sentence: list[WordNode]) -> tuple[list[WordNode], str]:
        """The sentence as it is written, and the comments that say where documents and paragraphs begin."""
        comments = ""
        if self.document_ends:
            self.documents += 1
            comments = f"# newdoc id = document-{self.documents}\n"
        if self.paragraph_ends:
            comments += f"# newpar id = paragraph-{self.documents}-{self._paragraph()}\n"
        drawn = self.random()
        self.document_ends, self.paragraph_ends = drawn < IN_DOCUMENT, drawn < IN_PARAGRAPH
        return (self._written(sentence) if self.share else sentence), comments

    def _paragraph(self) -> int:
        self.paragraphs = 1 if self.document_ends else self.paragraphs + 1
        return self.paragraphs

    def _written(self, sentence: list[WordNode]) -> list[WordNode]:
        written: list[WordNode] = []
        for place, node in enumerate(sentence):
            after = sentence[place + 1] if place + 1 < len(sentence) else None
            written += self._node(node, written[-1] if written else None, after)
        self._quotes(written)
        return self._end(written)

    def _draws(self, share: float = 1.0) -> bool:
        return self.random() < share * self.share

    def _node(self, node: WordNode, before: WordNode | None, after: WordNode | None) -> list[WordNode]:
        """A word as it is written, perhaps with a title before it."""
        this, kind = node.word, node.kind.name
        if kind == "name" and this.text[0].isupper():
            full = after is not None and after.relation == "flat"
            if full and self._draws():
                node.word = _proper(f"{this.text[0]}.")
            if node.relation != "flat" and self._draws(1.0 if full else SELDOM):
                return [_leaf("compound", node, _proper(self._one_of(TITLES))), node]
        elif kind == "town" and self._draws(SELDOM):
            *parts, last = self._one_of(TOWNS).split()
            node.word = _proper(last)
            return [*(_leaf("compound", node, _proper(part)) for part in parts), node]
        elif kind == "weekday" and self._draws() and this.text[0].isupper():  # Who asks for the day says "what".
            node.word = _proper(f"{this.text[:3]}.")
        elif kind == "amount" and self._draws():
            node.word = self._figure()
        elif before is not None:
            self._contract(before, node, after)
        return [node]

    def _one_of(self, names: Sequence[str]) -> str:
        return names[int(self.random() * len(names))]

    def _figure(self) -> Word:
        """A number with a separator: 12,450 or 3.5."""
        whole, rest = int(self.random() * 1000), int(self.random() * GROUPED)
        text = f"{1 + rest},{whole:03d}" if whole % 2 else f"{2 + whole % DECIMAL}.{1 + rest % 9}"
        return Word(text, text, "NUM", "CD", "NumForm=Digit|NumType=Card")

    def _contract(self, before: WordNode, node: WordNode, after: WordNode | None) -> None:
        """One token of a pronoun and an auxiliary (she's), and of can and not (cannot)."""
        first, second = before.word, node.word
        is_free = first.tight != "joined" and (after is None or after.word.tight != "joined")
        if first.text == "ca" and second.text == "n't":
            if self._draws():
                before.word, node.word = first._replace(text="can"), second._replace(text="not")
            return
        contracts = second.text in CLITICS and second.upos == "AUX" and first.feats.startswith("Case=Nom")
        if contracts and is_free and self._draws():
            node.word = second._replace(text=CLITICS[second.text], tight="joined")

    def _quotes(self, sentence: list[WordNode]) -> None:
        quotes = [node for node in sentence if node.word.text == '"']
        if quotes and self._draws():
            for node in quotes:
                mark = QUOTES[node.word.xpos]
                node.word = node.word._replace(text=mark, lemma=mark)

    def _end(self, sentence: list[WordNode]) -> list[WordNode]:
        """An abbreviation at the end has the stop in it; at the end of a paragraph there may be none at all."""
        *rest, last = sentence
        if last.word.text != STOP or not rest:
            return sentence
        if rest[-1].word.text.endswith(STOP) or (self.paragraph_ends and self._draws()):
            return rest
        if self._draws(SELDOM):
            last.word = last.word._replace(text=ELLIPSIS, lemma=ELLIPSIS)
        return sentence


def _proper(text: str) -> Word:
    """A name, or the abbreviation of one."""
    return Word(text, text, "PROPN", "NNP", "Abbr=Yes|Number=Sing" if text.endswith(STOP) else "Number=Sing")


def _leaf(relation: str, head: WordNode, form: Word) -> WordNode:
    node = WordNode(relation, head, head.kind, head.lexeme)
    node.word = form
    return node


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
    words = [node.word for node in sentence]
    for index, node in enumerate(sentence, 1):
        node.index = index
        after = sentence[index].word.text if node.word.text == "a" else ""
        if after.startswith((*VOWELS, *VOWELS.upper())) and not after.startswith(CONSONANT_SOUNDS):
            words[index - 1] = node.word._replace(text="an")
    first = 1 if words[0].tight == "right" else 0
    start = words[first].text
    words[first] = words[first]._replace(text=start[0].upper() + start[1:])
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
