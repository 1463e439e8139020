"""From the grammar to sentences: every item of a rule becomes a function that adds its words."""

from __future__ import annotations

import re
from functools import cached_property

from headway.data.sample.attachment import LEFT, RIGHT, captures, contested
from headway.data.sample.clauses import CLAUSES
from headway.data.sample.entry import LexiconEntry
from headway.data.sample.grammar import SENTENCES
from headway.data.sample.lexicon import Chance, Lexeme, SampleLexicon, WordKind, wheel
from headway.data.sample.morphology import Word
from headway.data.sample.node import WordNode
from headway.data.sample.nominals import NOMINALS
from headway.data.sample.notation import GrammarRule, Item, parse_grammar
from headway.data.sample.steps import SUBJECTS, Step, count_as_plural, discontinuous, place_head

NOT_OF_THE_NAME = re.compile("[./].*|[^a-z]")
"""What the names of function words have besides letters, which labels must not have."""
STARTS = ("PROJECTIVE", "NONPROJECTIVE", "GAPPING")
TRIES = 4
"""How often another modifier is looked for when a nearer word would take it; then there is none."""
DEEPEST = 4
"""From this depth on the first rule of a symbol, its simplest, is taken, and optional items are left out."""
Plan = tuple[Step, ...]


class Symbol(dict[WordKind, tuple[Plan, ...]]):
    """The rules of a symbol as a wheel for each kind of head, made when a kind is first met."""

    def __init__(self, name: str, rules: list[GrammarRule], grammar: Grammar) -> None:
        super().__init__()
        self.name = name
        self.rules = rules
        self.grammar = grammar

    @cached_property
    def plans(self) -> list[tuple[Plan, GrammarRule]]:
        """What realises each rule; made after all symbols are known."""
        return [(self.grammar.plan(rule), rule) for rule in self.rules]

    def __missing__(self, kind: WordKind) -> tuple[Plan, ...]:
        fitting = [(plan, rule.weight) for plan, rule in self.plans if rule.allows(kind.tags)]
        if not fitting:
            raise ValueError(f"no rule of {self.name} allows for the kind {kind.name}")
        self[kind] = made = wheel(fitting)
        return made


class Grammar:
    """The grammar compiled: `derive` makes one sentence. All chance comes from `random`."""

    def __init__(self, lexicon: SampleLexicon, random: Chance) -> None:
        self.lexicon = lexicon
        self.random = random
        self.symbols: dict[str, Symbol] = {}
        for name, rules in parse_grammar(SENTENCES + CLAUSES + NOMINALS).items():
            self.symbols[name] = Symbol(name, rules, self)
        self.starts = {name: self._splice(self.symbols[name]) for name in STARTS}
        self.top = self._closed_kind("top")
        self.nothing = Lexeme(self.top, "")

    def derive(self, start: str) -> list[WordNode]:
        """The words of one sentence in order; `start` is one of `STARTS`."""
        top = WordNode("", None, self.top, self.nothing)
        top.index = 0
        sentence: list[WordNode] = []
        self.starts[start](top, sentence, 0)
        return sentence

    def plan(self, rule: GrammarRule) -> Plan:
        """What realises a rule."""
        steps = [self._step(item) for item in rule.items]
        if any(item.anchor for item in rule.items):
            return (discontinuous(steps, [item.anchor for item in rule.items]),)
        return tuple(steps)

    def _step(self, item: Item) -> Step:
        target = item.target
        if target.startswith("*"):
            step = place_head(target[1:])
        elif target == "!plural":
            step = count_as_plural
        elif target == "PREPOSITION":
            step = self._preposition(item.relation)
        elif target == "PARTICLE":
            step = self._particle(item.relation)
        elif target not in self.symbols:
            step = self._word(item)
        elif item.relation:
            step = self._dependent(item, self.symbols[target])
        else:
            step = self._splice(self.symbols[target])
        return step if item.chance == 100 else self._optional(step, item.chance / 100)

    def _dependent(self, item: Item, symbol: Symbol) -> Step:
        random, relation, is_subject = self.random, item.relation, item.relation in SUBJECTS
        by_governor, selection = item.selection.startswith("^"), item.selection.lstrip("^")
        is_left, is_right = relation in LEFT, relation in RIGHT

        def dependent(head: WordNode, sentence: list[WordNode], depth: int) -> None:
            choices = (head.head if by_governor else head).kind.selections[selection]
            for _ in range(TRIES):
                choice = choices[int(random() * len(choices))]
                if not (
                    (is_right and contested(choice, selection, head, sentence))
                    or (is_left and captures(choice.kind, head, sentence))
                ):
                    break
            else:
                return
            preposition, kind = choice
            words = kind.words
            lexeme = words[int(random() * len(words))] or kind.invent(random)
            if lexeme is head.lexeme:  # A second draw makes `the dog and the dog` rare.
                lexeme = words[int(random() * len(words))] or kind.invent(random)
            node = WordNode(relation, head, kind, lexeme, preposition)
            plans = symbol[kind]
            for step in plans[int(random() * len(plans)) if depth < DEEPEST else 0]:
                step(node, sentence, depth + 1)
            if is_subject:
                head.subject = node.agreement

        return dependent

    def _splice(self, symbol: Symbol) -> Step:
        random = self.random

        def splice(head: WordNode, sentence: list[WordNode], depth: int) -> None:
            plans = symbol[head.kind]
            for step in plans[int(random() * len(plans)) if depth < DEEPEST else 0]:
                step(head, sentence, depth)

        return splice

    def _optional(self, step: Step, chance: float) -> Step:
        random = self.random

        def optional(head: WordNode, sentence: list[WordNode], depth: int) -> None:
            if random() < chance and depth < DEEPEST:
                step(head, sentence, depth)

        return optional

    def _word(self, item: Item) -> Step:
        word, kind = self.lexicon.closed[item.target], self._closed_kind(item.target)
        lexeme, relation = self.nothing, item.relation
        agreement = word.agreement if isinstance(word, Word) else ""
        is_subject = relation in SUBJECTS

        def function_word(head: WordNode, sentence: list[WordNode], depth: int) -> None:
            node = WordNode(relation, head, kind, lexeme)
            node.word = word
            sentence.append(node)
            if is_subject:  # A relative pronoun agrees as its antecedent does.
                head.subject = agreement or head.head.agreement

        return function_word

    def _preposition(self, relation: str) -> Step:
        made: dict[str, Plan] = {}

        def preposition(head: WordNode, sentence: list[WordNode], depth: int) -> None:
            if head.preposition not in made:
                relations = (relation, *["fixed"] * head.preposition.count("-"))
                parts = zip(relations, head.preposition.split("-"), strict=True)
                made[head.preposition] = tuple(self._word(Item(*part, "", "", 100)) for part in parts)
            first, *rest = made[head.preposition]
            first(head, sentence, depth)
            case = sentence[-1]
            for step in rest:
                step(case, sentence, depth)

        return preposition

    def _particle(self, relation: str) -> Step:
        made: dict[str, Step] = {}

        def particle(head: WordNode, sentence: list[WordNode], depth: int) -> None:
            name = head.lexeme.particle
            if name not in made:
                made[name] = self._word(Item(relation, name, "", "", 100))
            made[name](head, sentence, depth)

        return particle

    def _closed_kind(self, name: str) -> WordKind:
        return WordKind(LexiconEntry(NOT_OF_THE_NAME.sub("", name), "closed", [], [], [], {}), self.lexicon)
