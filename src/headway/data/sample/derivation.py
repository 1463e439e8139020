"""Derives sentences: the rules of `english.grammar`, the words of the lexicon, and chance.

Modifiers belong to the nearest word that takes their kind. What kinds a word takes is in the lexicon, so words decide
where tags leave several possibilities: in `saw the man with the telescope` a telescope is nothing that a person has,
but something to see with. The grammar never makes a dependent that a nearer word would take.
"""

from __future__ import annotations

import re
from importlib import resources
from typing import NamedTuple, cast

from headway.data.sample.lexicon import Chance, Lexeme, LexiconEntry, SampleLexicon, WordChoice, WordKind, wheel
from headway.data.sample.words import Finite, Word

ITEM = re.compile(
    r"(?:(?P<relation>[a-z:]+)(?:@(?P<anchor>[a-z:]+))?=)?"
    r"(?P<target>\*[a-z]*|!?[A-Za-z_./']+)"
    r"(?:\((?P<selection>\^?[a-z]+)\))?(?:\?(?P<chance>\d+))?"
)
RULE = re.compile(r"\s*(?P<weight>\d+)(?:\s+\[(?P<guard>[^]]*)\])?(?P<items>.*)")
NOT_OF_THE_NAME = re.compile("[./].*|[^a-z]")
"""What the names of function words have besides letters, which labels must not have."""
STARTS = ("PROJECTIVE", "NONPROJECTIVE", "GAPPING")
SUBJECTS = ("nsubj", "nsubj:pass", "expl")
NUMBERS = {"sg": "3sg", "pl": "3pl"}
"""The agreement that the form of a noun asks for."""
RIGHT = ("nmod", "obl", "acl", "acl:relcl", "advcl")
LEFT = ("compound",)
"""The relations of modifiers after and before their head for which the nearest word counts."""
TRIES = 4
"""How often another modifier is looked for when a nearer word would take it; then there is none."""
DEEPEST = 4
"""From this depth on the first rule of a symbol, its simplest, is taken, and optional items are left out."""


class Item(NamedTuple):
    """One part of a rule; what the fields mean is explained in `english.grammar`."""

    relation: str
    target: str
    anchor: str
    selection: str
    chance: float


class GrammarRule(NamedTuple):
    """One way to realise a symbol: how often, for which heads, and the parts in the order of the sentence."""

    weight: int
    guard: tuple[str, ...]
    items: tuple[Item, ...]
    is_anchored: bool = False
    """Whether an item depends on a dependent of the head."""

    def allows(self, tags: set[str]) -> bool:
        """Whether a head with these tags may be realised so."""
        return all((tag[1:] not in tags) if tag[0] == "-" else (tag in tags) for tag in self.guard)


class WordNode:
    """A word in its place in the tree; the head of the root is the sentence itself, which is its own head.

    `agreement` is the person and number of a nominal, `subject` those of a predicate's subject; `preposition` is
    the name of the one it was selected with.
    """

    __slots__ = (
        *("agreement", "form", "forms", "head", "index"),
        *("kind", "lexeme", "preposition", "relation", "subject", "word"),
    )
    index: int
    forms: Word | Finite
    """The word, or its forms for every subject."""
    word: Word

    def __init__(
        self, relation: str, head: WordNode | None, kind: WordKind, lexeme: Lexeme, preposition: str = ""
    ) -> None:
        self.relation = relation
        self.head = head or self
        self.kind = kind
        self.lexeme = lexeme
        self.preposition = preposition
        self.agreement = self.subject = self.form = ""


def parse_grammar(text: str) -> dict[str, list[GrammarRule]]:
    """The rules by symbol. A line that begins with a letter names a symbol; its rules follow, there or indented."""
    grammar: dict[str, list[GrammarRule]] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if line[:1].isalpha():
            symbol, _, line = line.partition(":")
            grammar[symbol] = []
        if line.strip():
            grammar[symbol] += map(_rule, line.split("|"))
    return grammar


def _rule(text: str) -> GrammarRule:
    rule = RULE.fullmatch(text)
    items = [ITEM.fullmatch(item) for item in rule["items"].split()] if rule else [None]
    if rule is None or not all(items):
        raise ValueError(f"this is not a rule of the grammar: {text!r}")
    guard = tuple((rule["guard"] or "").split())
    found = tuple(_item(item) for item in items if item)
    return GrammarRule(int(rule["weight"]), guard, found, any(item.anchor for item in found))


def _item(found: re.Match[str]) -> Item:
    relation = found["relation"] or ""
    chance = int(found["chance"] or 100) / 100
    return Item(relation, found["target"], found["anchor"] or "", found["selection"] or relation, chance)


class Grammar:
    """The grammar with a lexicon: `derive` makes one sentence. All chance comes from `random`."""

    def __init__(self, lexicon: SampleLexicon, random: Chance) -> None:
        self.lexicon = lexicon
        self.random = random
        text = resources.files("headway.data.sample").joinpath("english.grammar").read_text("utf-8")
        self.rules = parse_grammar(text)
        self.wheels: dict[tuple[str, WordKind], tuple[GrammarRule, ...]] = {}
        self.top = self._closed_kind("top")
        self.closed_kinds = {name: self._closed_kind(name) for name in lexicon.closed}
        self.no_lexeme = Lexeme(self.top, "")

    def derive(self, start: str) -> list[WordNode]:
        """The words of one sentence in order; `start` is one of `STARTS`."""
        top = WordNode("", None, self.top, self.no_lexeme)
        top.index = 0
        sentence: list[WordNode] = []
        self._realise(start, top, sentence, 0, False)
        for node in sentence:
            forms = node.forms
            node.word = forms[node.subject or node.head.subject] if isinstance(forms, dict) else forms
        return sentence

    def _closed_kind(self, name: str) -> WordKind:
        return WordKind(LexiconEntry(NOT_OF_THE_NAME.sub("", name), "closed", [], [], [], {}), self.lexicon)

    def _realise(self, symbol: str, head: WordNode, sentence: list[WordNode], depth: int, simply: bool) -> None:
        """Add the words of one of the symbol's rules around their head to the sentence, the first rule for `simply`."""
        rules = self.wheels.get((symbol, head.kind))
        if rules is None:
            fitting = [(rule, rule.weight) for rule in self.rules[symbol] if rule.allows(head.kind.tags)]
            rules = self.wheels[symbol, head.kind] = wheel(fitting)
        rule = rules[0 if simply else int(self.random() * len(rules))]
        items = rule.items
        if not rule.is_anchored:
            for item in items:
                self._add(item, head, sentence, depth)
            return
        # The dependents of a dependent of the head come after it, wherever they stand.
        parts: list[list[WordNode]] = [[] for _ in items]
        for item, part in zip(items, parts, strict=True):
            if not item.anchor:
                self._add(item, head, part, depth)
        placed = {node.relation: node for part in parts for node in part if node is not head and node.head is head}
        for item, part in zip(items, parts, strict=True):
            if item.anchor:
                self._add(item, placed[item.anchor], part, depth + 1)
            sentence += part

    def _add(self, item: Item, head: WordNode, sentence: list[WordNode], depth: int) -> None:
        """Add the words of an item of a rule."""
        relation, target, _, _, chance = item
        if chance < 1 and not (self.random() < chance and depth < DEEPEST):
            return
        if target[0] == "*":
            _place_head(target[1:], head, sentence)
        elif target == "!plural":
            head.agreement = NUMBERS["pl"]
        elif target == "PREPOSITION":
            first, *others = head.preposition.split("-")
            case = self._add_function_word(first, relation, head, sentence)
            for other in others:
                self._add_function_word(other, "fixed", case, sentence)
        elif target == "PARTICLE":
            self._add_function_word(head.lexeme.particle, relation, head, sentence)
        elif target not in self.rules:
            self._add_function_word(target, relation, head, sentence)
        elif relation:
            self._add_dependent(item, head, sentence, depth)
        else:
            self._realise(target, head, sentence, depth, depth >= DEEPEST)

    def _add_function_word(self, name: str, relation: str, head: WordNode, sentence: list[WordNode]) -> WordNode:
        node = WordNode(relation, head, self.closed_kinds[name], self.no_lexeme)
        node.forms = self.lexicon.closed[name]
        sentence.append(node)
        if relation in SUBJECTS:  # A relative pronoun agrees as its antecedent does.
            head.subject = cast(Word, node.forms).agreement or head.head.agreement
        return node

    def _add_dependent(self, item: Item, head: WordNode, sentence: list[WordNode], depth: int) -> None:
        relation, symbol, _, selection, _ = item
        governor = head
        if selection[0] == "^":
            governor, selection = head.head, selection[1:]
        choices, random = governor.kind.choices(selection), self.random
        for _ in range(TRIES):
            choice = choices[int(random() * len(choices))]
            if not (
                (relation in RIGHT and contested(choice, selection, head, sentence))
                or (relation in LEFT and captures(choice.kind, head, sentence))
            ):
                break
        else:
            return
        preposition, kind = choice
        lexeme = kind.lexeme(random)
        if lexeme is head.lexeme:  # A second draw makes `the dog and the dog` rare.
            lexeme = kind.lexeme(random)
        node = WordNode(relation, head, kind, lexeme, preposition)
        self._realise(symbol, node, sentence, depth + 1, depth >= DEEPEST)
        if relation in SUBJECTS:
            head.subject = node.agreement


def _place_head(form: str, head: WordNode, sentence: list[WordNode]) -> None:
    """Add the head itself, in a form of its lexeme, or in one that its surroundings decide."""
    if form == "same":
        form, head.subject = head.head.form, head.head.subject
    elif form == "case":
        form = "nom" if head.relation in SUBJECTS else "acc"
    head.forms = head.lexeme[form]
    if form in NUMBERS:
        head.agreement = NUMBERS[form]
    elif form in ("wh", "nom", "acc"):
        head.agreement = cast(Word, head.forms).agreement
    else:
        head.form = form
    sentence.append(head)


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
