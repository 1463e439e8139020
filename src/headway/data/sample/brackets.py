"""A derived sentence as a tree in brackets, in the style of the Penn Treebank.

The grammar is one of dependencies: a word and what its rule puts around it make a phrase; these functions say which.
A noun and its modifiers are an NP, inside a PP where it was selected with a preposition; auxiliaries and the verb are
VPs in one another; a subject and a VP are an S (`clause_brackets.py`).

What stands away from its head leaves a trace, as in the Penn Treebank: `(WHNP-1 (WP what)) … (NP (-NONE- *T*-1))`, or
`*ICH*-1` where it was put off to the right. So there is a tree also where arcs cross. Tags are those of XPOS, but
particles are RP; brackets and quotes are spelled as their tags: `-LRB-`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from headway.data.sample.morphology import Word
from headway.data.sample.node import WordNode
from headway.data.sample.steps import SUBJECTS

Clause = Callable[["Phrases", WordNode, list[WordNode]], str]
"""The clause around a predicate; the third argument is the predicate and its dependents, in order."""
FUNCTIONS = {**dict.fromkeys(SUBJECTS, "-SBJ"), "obl:tmod": "-TMP", "vocative": "-VOC", "xcomp": "-PRD"}
"""Functions of noun phrases and adjective phrases, by relation."""
WORDS = {"RB": "ADVP", "RBR": "ADVP", "WRB": "WHADVP", "UH": "INTJ", "RP": "PRT"}
"""Phrases that are a word and perhaps others that have none around them, by its tag."""
INSIDE = ("flat", "case")
"""What follows a noun within its innermost phrase; all else stands beside that."""
WH_NOUNS = ("WP", "WDT")
AS_TAGGED = ("-LRB-", "-RRB-", "``", "''")
"""Punctuation that is spelled as its tag."""
FRONTED, PUT_OFF = "*T*", "*ICH*"


def bracket(label: str, parts: Iterable[str]) -> str:
    """A constituent."""
    return f"({label} {' '.join(parts)})"


class Phrases:
    """The phrases of one sentence, whose nodes are numbered from 1 and have these words; `around` makes them."""

    def __init__(self, sentence: Sequence[WordNode], words: Sequence[Word], clause: Clause) -> None:
        self.clause = clause
        self.tags: dict[WordNode, str] = {}
        self.leaves: dict[WordNode, str] = {}
        for node, word in zip(sentence, words, strict=False):
            form, _, _, tag, _ = word.cells.split("\t")
            self.tags[node] = tag = "RP" if node.relation == "compound:prt" else tag
            self.leaves[node] = f"({tag} {tag if tag in AS_TAGGED else form})"
        self.dependents: dict[WordNode, list[WordNode]] = {node: [] for node in sentence}
        self.traces: dict[WordNode, list[str]] = {node: [] for node in sentence}
        self.indices: dict[WordNode, str] = {}
        governors = lifted(sentence)
        for node in sentence:
            if node.relation != "root":
                self.dependents[governors[node]].append(node)
                self._leave_trace(node, governors[node] is not node.head)

    def _leave_trace(self, node: WordNode, moved: bool) -> None:
        """Give an index to what stands away from its place; the preposition left behind by its noun has none."""
        fronted = node.relation == "obj" and node.index < node.head.index
        asked = self.tags[node] in WH_NOUNS
        if node.relation == "case" or not (moved or fronted or asked):
            return
        self.indices[node] = index = f"-{len(self.indices) + 1}"
        if fronted:
            self.traces[node.head].append(trace("NP", FRONTED, index))
        elif moved:
            self.traces[node.head].append(trace("SBAR" if node.relation == "acl:relcl" else "PP", PUT_OFF, index))

    def around(self, node: WordNode, function: str | None = None) -> str:
        """The phrase of a word and all that depends on it; without the conjunction before it."""
        tag, dependents = self.tags[node], self.dependents[node][len(self._leading(node)) :]
        relations = {one.relation for one in dependents}
        function = FUNCTIONS.get(node.relation, "") if function is None else function
        if "orphan" in relations:
            first = [one for one in dependents if one.relation != "orphan"]
            return bracket("S", [self.nominal(node, first, ""), *map(self.around, dependents[len(first) :])])
        if tag.startswith("VB") or relations & {*SUBJECTS, "cop"}:
            return self.clause(self, node, in_order([node, *dependents]))
        if tag.startswith("JJ"):
            return self.adjectival(node, dependents, function)
        if tag in WORDS:
            return bracket(WORDS[tag], self.flat(node))
        if node.relation == "case":
            return bracket("PP", [*self.flat(node), trace("NP", FRONTED, self.indices[node.head])])
        return self.leaves[node] if node.relation == "punct" else self.nominal(node, dependents, function)

    def joined(self, node: WordNode) -> list[str]:
        """A phrase that is coordinated with another one: a comma, its conjunction, itself."""
        return [*(self.leaves[one] for one in self._leading(node)), self.around(node)]

    def flat(self, node: WordNode) -> list[str]:
        """A word and its dependents, none of which has any."""
        return [self.leaves[one] for one in in_order([node, *self.dependents[node]])]

    def nominal(self, node: WordNode, dependents: Sequence[WordNode], function: str) -> str:
        """NP, or PP where there is a preposition, which may have an adverb before it: `only with a hat`."""
        before = [one for one in dependents if one.index < node.index]
        after = [one for one in dependents if one.index > node.index]
        label = function + self.indices.get(node, "")
        cut = next((place for place, one in enumerate(before, 1) if one.relation == "case"), 0)
        if not cut:
            return self._noun(node, before, after, label)
        preposition = [leaf for one in before[:cut] for leaf in self.flat(one)]
        return bracket(f"PP{label}", [*preposition, self._noun(node, before[cut:], after, "")])

    def adjectival(self, node: WordNode, dependents: Sequence[WordNode], function: str) -> str:
        """ADJP."""
        parts: list[str] = []
        for one in in_order([node, *dependents]):
            if one.relation == "conj" and one is not node:
                parts += self.flat(one)
            else:
                parts.append(self.leaves[one] if one.index <= node.index else self.around(one))
        return bracket(f"ADJP{function}", parts)

    def _noun(self, node: WordNode, before: Sequence[WordNode], after: Sequence[WordNode], function: str) -> str:
        """A noun and its modifiers in up to three layers: before it, after it, what it is coordinated with."""
        category = "WHNP" if self.tags[node] in WH_NOUNS else "NP"
        cut = next((place for place, one in enumerate(before, 1) if one.relation == "cc:preconj"), 0)
        parts = [self._modifier(one) for one in before[cut:]]
        parts += [self.leaves[node], *(self.leaves[one] for one in after if one.relation in INSIDE)]
        beside = [self.around(one) for one in after if one.relation not in (*INSIDE, "conj")]
        if any(one.relation == "appos" for one in after):
            beside = [bracket("PRN", beside)]
        if beside or self.traces[node]:
            parts = [bracket(category, parts), *beside, *self.traces[node]]
        others = [part for one in after if one.relation == "conj" for part in self.joined(one)]
        if others:
            parts = [*(self.leaves[one] for one in before[:cut]), bracket(category, parts), *others]
        return bracket(f"{category}{function}", parts)

    def _modifier(self, node: WordNode) -> str:
        """What stands before a noun: a word, or a phrase where there is more than one."""
        if not self.dependents[node]:
            return self.leaves[node]
        if node.relation != "compound":
            return self.around(node)
        return bracket("NML", [*map(self._modifier, self.dependents[node]), self.leaves[node]])

    def _leading(self, node: WordNode) -> list[WordNode]:
        """Comma and conjunction before what is coordinated."""
        if node.relation != "conj":
            return []
        before = [one for one in self.dependents[node] if one.index < node.index]
        return list(takewhile(lambda one: one.relation in ("punct", "cc"), before))


def trace(category: str, kind: str, index: str) -> str:
    """The place of what stands elsewhere."""
    return bracket(category, [f"(-NONE- {kind}{index})"])


def in_order(nodes: Iterable[WordNode]) -> list[WordNode]:
    """Words as the sentence has them."""
    return sorted(nodes, key=lambda node: node.index)


def lifted(sentence: Sequence[WordNode]) -> dict[WordNode, WordNode]:
    """For each word its head, or the nearest ancestor of it from where no arc crosses; O(n²) for each arc that does."""
    governors = {node: node.head for node in sentence}

    def descends(node: WordNode, ancestor: WordNode) -> bool:
        while node is not ancestor and node in governors:
            node = governors[node]
        return node is ancestor

    def crosses(node: WordNode) -> bool:
        first, last = sorted((node.index, governors[node].index))
        return any(not descends(one, governors[node]) for one in sentence[first : last - 1])

    crossing = True
    while crossing:
        crossing = False
        for node in sentence:
            while node.relation != "root" and crosses(node):
                governors[node], crossing = governors[governors[node]], True
    return governors
