"""Clauses in brackets: S, SQ or SINV of subject and verb phrase, in SBAR or SBARQ where a word introduces them."""

from __future__ import annotations

from collections.abc import Sequence

from headway.data.sample.brackets import FRONTED, WH_NOUNS, Phrases, bracket, in_order, trace
from headway.data.sample.morphology import Word
from headway.data.sample.node import WordNode
from headway.data.sample.steps import SUBJECTS

AUXILIARIES = ("aux", "aux:pass", "cop")
LEFT_OUT = "(NP-SBJ (-NONE- *))"
"""The subject of an infinitive or a command."""
NO_WORD = "(-NONE- 0)"
"""Where a conjunction or relative pronoun is left out."""
EMBEDDED = ("ccomp", "acl:relcl")


def bracketed(sentence: Sequence[WordNode], words: Sequence[Word]) -> str:
    """The tree of a derived sentence, as a line; `words` are the forms of its nodes, which are numbered from 1."""
    phrases = Phrases(sentence, words, clause)
    return f"( {phrases.around(next(node for node in sentence if node.relation == 'root'))} )\n"


def clause(phrases: Phrases, node: WordNode, items: list[WordNode]) -> str:
    """The clause around a predicate; `items` are the predicate and its dependents."""
    place = len(items)
    while items[place - 1] is not node and _follows(phrases, items[place - 1]):
        place -= 1
    items, tail = items[:place], items[place:]
    opening = [items.pop(0)] if phrases.tags[items[0]] == "``" else []
    introduction = items.pop(0) if _introduces(phrases, items[0], node) else None
    label, parts = _sentence(phrases, node, items, introduction)
    if introduction is not None:
        is_mark = introduction.relation == "mark"
        first = phrases.leaves[introduction] if is_mark else phrases.around(introduction, "")
        label, parts = ("SBARQ" if node.relation == "root" else "SBAR"), [first, bracket(label, parts)]
    elif node.relation in EMBEDDED:
        label, parts = "SBAR", [NO_WORD, bracket(label, parts)]
    elif opening:
        parts = [phrases.leaves[opening[0]], bracket("S-TPC", parts)]
    elif any(one.relation == "conj" for one in tail):
        parts = [bracket(label, parts)]
    for one in tail:
        if one.relation == "parataxis":  # A quotation is a part of the clause that says whose it is.
            label, saying = _sentence(phrases, one, in_order([one, *phrases.dependents[one]]), None)
            parts += saying
        else:
            parts += phrases.joined(one) if one.relation == "conj" else [phrases.leaves[one]]
    return parts[0] if label == "VP" else bracket(f"{label}{phrases.indices.get(node, '')}", parts)


def _follows(phrases: Phrases, item: WordNode) -> bool:
    """Whether an item stands after a clause, not in its verb phrase: a full stop, another clause."""
    if item.relation == "conj":
        return any(one.relation in (*SUBJECTS, "orphan") for one in phrases.dependents[item])
    return item.relation in ("punct", "parataxis")


def _introduces(phrases: Phrases, item: WordNode, node: WordNode) -> bool:
    """Whether a word is the conjunction, relative pronoun or question word of a clause."""
    if item.relation == "mark":
        return phrases.tags[item] != "TO"
    return item is not node and phrases.tags[item] in (*WH_NOUNS, "WRB")


def _sentence(
    phrases: Phrases, node: WordNode, items: list[WordNode], introduction: WordNode | None
) -> tuple[str, list[str]]:
    """Label and parts of a clause without what introduces it; a verb phrase alone has its label."""
    if introduction is not None and introduction.relation in SUBJECTS:
        subject = trace("NP-SBJ", FRONTED, phrases.indices[introduction])
        return ("SQ" if node.relation == "root" else "S"), [subject, _verb_phrase(phrases, node, items)]
    place = next((place for place, one in enumerate(items) if one.relation in SUBJECTS), None)
    if place is None:
        phrase = _verb_phrase(phrases, node, items)
        participle = node.relation == "acl" and phrases.tags[node] in ("VBG", "VBN")
        return ("VP", [phrase]) if participle or node.relation == "conj" else ("S", [LEFT_OUT, phrase])
    subject, rest = phrases.around(items[place]), items[place + 1 :]
    if node in items[:place]:
        return "SINV", [_verb_phrase(phrases, node, items[:place]), subject]
    if items[0].relation in AUXILIARIES:
        first = phrases.leaves[items[0]]
        if items[0].relation == "cop":
            return "SQ", [first, subject, *_predicate(phrases, node, rest)]
        return "SQ", [first, subject, _verb_phrase(phrases, node, rest)]
    front = [phrases.around(one, "-TPC" if one.relation == "obj" else None) for one in items[:place]]
    return "S", [*front, subject, _verb_phrase(phrases, node, rest)]


def _verb_phrase(phrases: Phrases, node: WordNode, items: list[WordNode]) -> str:
    """VP: an auxiliary and the rest in a VP of its own, or the verb and what goes with it."""
    for place, one in enumerate(items):
        if one.relation in AUXILIARIES or (one.relation == "mark" and one is not node):
            parts = [phrases.around(before) for before in items[:place]] + [phrases.leaves[one]]
            rest = items[place + 1 :]
            while phrases.leaves[rest[0]] in ("(RB not)", "(RB n't)"):
                parts.append(phrases.leaves[rest.pop(0)])
            inner = _predicate(phrases, node, rest) if one.relation == "cop" else [_verb_phrase(phrases, node, rest)]
            return bracket("VP", parts + inner)
    parts = []
    for one in items:
        if one is node:
            parts += [phrases.leaves[one], *phrases.traces[one]]
        elif one.relation != "conj":
            parts.append(phrases.around(one, "-PRD" if one.relation == "nsubj" else None))
        elif one is items[-1]:
            parts = [bracket("VP", parts), *phrases.joined(one)]
        else:  # Two verbs share their object.
            parts += phrases.flat(one)
    return bracket("VP", parts)


def _predicate(phrases: Phrases, node: WordNode, items: list[WordNode]) -> list[str]:
    """The noun or adjective after `be`, and a clause that is its subject in sense."""
    dependents = [one for one in items if one is not node]
    inside = [one for one in dependents if one.relation != "csubj"]
    make = phrases.adjectival if phrases.tags[node].startswith("JJ") else phrases.nominal
    return [make(node, inside, "-PRD"), *(phrases.around(one) for one in dependents if one.relation == "csubj")]
