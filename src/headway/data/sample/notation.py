"""The notation of the grammar: from text to rules."""

from __future__ import annotations

import re
from typing import NamedTuple

ITEM = re.compile(
    r"(?:(?P<relation>[a-z:]+)(?:@(?P<anchor>[a-z:]+))?=)?"
    r"(?P<target>\*[a-z]*|!?[A-Za-z_./']+)"
    r"(?:\((?P<selection>\^?[a-z]+)\))?(?:\?(?P<chance>\d+))?"
)
RULE = re.compile(r"\s+(?P<weight>\d+)(?:\s+\[(?P<guard>[^]]*)\])?(?P<items>.*)")


class Item(NamedTuple):
    """One part of a rule; what the fields mean is explained in `grammar.py`."""

    relation: str
    target: str
    anchor: str
    selection: str
    chance: int


class GrammarRule(NamedTuple):
    """One way to realise a symbol: how often, for which heads, and the parts in the order of the sentence."""

    weight: int
    guard: tuple[str, ...]
    items: tuple[Item, ...]

    def allows(self, tags: set[str]) -> bool:
        """Whether a head with these tags may be realised so."""
        return all((tag[1:] not in tags) if tag[0] == "-" else (tag in tags) for tag in self.guard)


def parse_grammar(text: str) -> dict[str, list[GrammarRule]]:
    """The rules by symbol. A line that begins with a letter names a symbol, the indented lines below are its rules."""
    grammar: dict[str, list[GrammarRule]] = {}
    rules: list[GrammarRule] = []
    for line in text.splitlines():
        if line[:1].isalpha():
            rules = grammar.setdefault(line.split()[0], [])
        elif line.strip() and not line.startswith("#"):
            rules.append(_rule(line))
    return grammar


def _rule(line: str) -> GrammarRule:
    found = RULE.fullmatch(line)
    if not found:
        raise ValueError(f"no rule of the grammar: {line!r}")
    guard = tuple((found["guard"] or "").split())
    return GrammarRule(int(found["weight"]), guard, tuple(map(_item, found["items"].split())))


def _item(text: str) -> Item:
    found = ITEM.fullmatch(text)
    if not found:
        raise ValueError(f"no item of a rule of the grammar: {text!r}")
    chance = int(found["chance"]) if found["chance"] else 100
    relation, anchor = found["relation"] or "", found["anchor"] or ""
    selection = found["selection"] or relation
    return Item(relation, found["target"], anchor, selection, chance)
