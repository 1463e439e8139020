"""A derived sentence as a tree in brackets, in the style of the Penn Treebank.

The grammar is one of dependencies: a word and what its rule puts around it make a phrase; these functions say which.
A noun and its modifiers are an NP, inside a PP where it was selected with a preposition; auxiliaries and the verb are
VPs in one another; a subject and a VP are an S, SQ or SINV, in SBAR or SBARQ where a word introduces them.

What stands away from its head leaves a trace, as in the Penn Treebank: `(WHNP-1 (WP what)) … (NP (-NONE- *T*-1))`, or
`*ICH*-1` where it was put off to the right. So there is a tree also where arcs cross. Tags are those of XPOS, but
particles are RP; brackets and quotes are spelled as their tags: `-LRB-`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from headway.data.sample.derivation import SUBJECTS, WordNode
from headway.data.sample.words import Word

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
AUXILIARIES = ("aux", "aux:pass", "cop")
LEFT_OUT = "(NP-SBJ (-NONE- *))"
"""The subject of an infinitive or a command."""
NO_WORD = "(-NONE- 0)"
"""Where a conjunction or relative pronoun is left out."""
EMBEDDED = ("ccomp", "acl:relcl")


def bracketed(sentence: Sequence[WordNode], words: Sequence[Word]) -> str:
    """The tree of a derived sentence, as a line; `words` are the forms of its nodes, which are numbered from 1."""
    phrases = Phrases(sentence, words)
    return f"( {phrases.around(next(node for node in sentence if node.relation == 'root'))} )\n"


def bracket(label: str, parts: Iterable[str]) -> str:
    """A constituent."""
    return f"({label} {' '.join(parts)})"


class Phrases:
    """The phrases of one sentence, whose nodes are numbered from 1 and have these words; `around` makes them."""

    def __init__(self, sentence: Sequence[WordNode], words: Sequence[Word]) -> None:
        from headway.data.pseudoprojective import projectivize

        self.tags: dict[WordNode, str] = {}
        self.leaves: dict[WordNode, str] = {}
        for node, word in zip(sentence, words, strict=False):
            self.tags[node] = tag = "RP" if node.relation == "compound:prt" else word.xpos
            self.leaves[node] = f"({tag} {tag if tag in AS_TAGGED else word.text})"
        self.dependents: dict[WordNode, list[WordNode]] = {node: [] for node in sentence}
        self.traces: dict[WordNode, list[str]] = {node: [] for node in sentence}
        self.indices: dict[WordNode, str] = {}
        # Where arcs cross, a word goes to the nearest ancestor from where none does.
        heads = projectivize([node.head.index for node in sentence], [""] * len(sentence), "none")[0].tolist()
        moved = {node for node, head in zip(sentence, heads, strict=True) if node.head.index != head}
        left_behind = {node.head for node in moved if node.relation == "case"}
        self.asked = {node for node in sentence if self.tags[node] in WH_NOUNS} | left_behind
        """What a question or relative clause begins with: pronouns, and nouns that left their preposition behind."""
        for node, head in zip(sentence, heads, strict=True):
            if node.relation != "root":
                self.dependents[sentence[head - 1]].append(node)
                self._leave_trace(node, node in moved)

    def _leave_trace(self, node: WordNode, moved: bool) -> None:
        """Give an index to what stands away from its place; the preposition left behind by its noun has none."""
        fronted = node.relation == "obj" and node.index < node.head.index
        if node.relation == "case" or not (moved or fronted or node in self.asked):
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
            return self._clause(node, in_order([node, *dependents]))
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
        preposition = [leaf for one in before[:cut] for leaf in self.flat(one)]
        noun = self._noun(node, before[cut:], after, "" if cut else label)
        return bracket(f"PP{label}", [*preposition, noun]) if cut else noun

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

    def _clause(self, node: WordNode, items: list[WordNode]) -> str:
        """The clause around a predicate; `items` are the predicate and its dependents."""
        place = len(items)
        while items[place - 1] is not node and self._follows(items[place - 1]):
            place -= 1
        items, tail = items[:place], items[place:]
        opening = [items.pop(0)] if self.tags[items[0]] == "``" else []
        introduction = items.pop(0) if self._introduces(items[0], node) else None
        label, parts = self._sentence(node, items, introduction)
        if introduction is not None:
            is_mark = introduction.relation == "mark"
            first = self.leaves[introduction] if is_mark else self.around(introduction, "")
            label, parts = ("SBARQ" if node.relation == "root" else "SBAR"), [first, bracket(label, parts)]
        elif node.relation in EMBEDDED:
            label, parts = "SBAR", [NO_WORD, bracket(label, parts)]
        elif opening:
            parts = [self.leaves[opening[0]], bracket("S-TPC", parts)]
        elif any(one.relation == "conj" for one in tail):
            parts = [bracket(label, parts)]
        for one in tail:
            if one.relation == "parataxis":  # A quotation is a part of the clause that says whose it is.
                label, saying = self._sentence(one, in_order([one, *self.dependents[one]]), None)
                parts += saying
            else:
                parts += self.joined(one) if one.relation == "conj" else [self.leaves[one]]
        return parts[0] if label == "VP" else bracket(f"{label}{self.indices.get(node, '')}", parts)

    def _follows(self, item: WordNode) -> bool:
        """Whether an item stands after a clause, not in its verb phrase: a full stop, another clause."""
        if item.relation == "conj":
            return any(one.relation in (*SUBJECTS, "orphan") for one in self.dependents[item])
        return item.relation in ("punct", "parataxis")

    def _introduces(self, item: WordNode, node: WordNode) -> bool:
        """Whether a word is the conjunction, relative pronoun or question word of a clause."""
        if item.relation == "mark":
            return self.tags[item] != "TO"
        return item is not node and (item in self.asked or self.tags[item] == "WRB")

    def _sentence(self, node: WordNode, items: list[WordNode], introduction: WordNode | None) -> tuple[str, list[str]]:
        """Label and parts of a clause without what introduces it; a verb phrase alone has its label."""
        if introduction is not None and introduction.relation in SUBJECTS:
            subject = trace("NP-SBJ", FRONTED, self.indices[introduction])
            return ("SQ" if node.relation == "root" else "S"), [subject, self._verb_phrase(node, items)]
        place = next((place for place, one in enumerate(items) if one.relation in SUBJECTS), None)
        if place is None:
            phrase = self._verb_phrase(node, items)
            participle = node.relation == "acl" and self.tags[node] in ("VBG", "VBN")
            return ("VP", [phrase]) if participle or node.relation == "conj" else ("S", [LEFT_OUT, phrase])
        subject, rest = self.around(items[place]), items[place + 1 :]
        if node in items[:place]:
            return "SINV", [self._verb_phrase(node, items[:place]), subject]
        if items[0].relation in AUXILIARIES:
            return "SQ", [self.leaves[items[0]], subject, *self._behind(items[0], node, rest)]
        front = [self.around(one, "-TPC" if one.relation == "obj" else None) for one in items[:place]]
        return "S", [*front, subject, self._verb_phrase(node, rest)]

    def _verb_phrase(self, node: WordNode, items: list[WordNode]) -> str:
        """VP: an auxiliary and the rest in a VP of its own, or the verb and what goes with it."""
        for place, one in enumerate(items):
            if one.relation in AUXILIARIES or (one.relation == "mark" and one is not node):
                parts = [self.around(before) for before in items[:place]] + [self.leaves[one]]
                rest = items[place + 1 :]
                while self.leaves[rest[0]] in ("(RB not)", "(RB n't)"):
                    parts.append(self.leaves[rest.pop(0)])
                return bracket("VP", parts + self._behind(one, node, rest))
        parts = []
        for one in items:
            if one is node:
                parts += [self.leaves[one], *self.traces[one]]
            elif one.relation != "conj":
                parts.append(self.around(one, "-PRD" if one.relation == "nsubj" else None))
            elif one is items[-1]:
                parts = [bracket("VP", parts), *self.joined(one)]
            else:  # Two verbs share their object.
                parts += self.flat(one)
        return bracket("VP", parts)

    def _behind(self, auxiliary: WordNode, node: WordNode, items: list[WordNode]) -> list[str]:
        """A verb phrase, or after `be` a noun or adjective and a clause that is its subject in sense."""
        if auxiliary.relation != "cop":
            return [self._verb_phrase(node, items)]
        dependents = [one for one in items if one is not node]
        inside = [one for one in dependents if one.relation != "csubj"]
        make = self.adjectival if self.tags[node].startswith("JJ") else self.nominal
        return [make(node, inside, "-PRD"), *(self.around(one) for one in dependents if one.relation == "csubj")]


def trace(category: str, kind: str, index: str) -> str:
    """The place of what stands elsewhere."""
    return bracket(category, [f"(-NONE- {kind}{index})"])


def in_order(nodes: Iterable[WordNode]) -> list[WordNode]:
    """Words as the sentence has them."""
    return sorted(nodes, key=lambda node: node.index)
