"""The parts that edit scripts are made of, which scripts share: weights belong to parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from headway.text.lemmatizer.edit_scripts import REST, parsed
from headway.text.sequence.deciding import NumberLists

Part = tuple[str, str]


def numbered_parts(scripts: Iterable[str]) -> dict[Part, int]:
    """The parts of scripts by number.

    What is learned of a part holds for every script that has it: `lower|*|s>` and `capitalise|*|s>` share what they do
    at the end of a word.
    """
    number: dict[Part, int] = {}
    for script in scripts:
        for part in parts_of(script):
            number.setdefault(part, len(number))
    return number


def script_parts(scripts: Iterable[str], number: Mapping[Part, int]) -> NumberLists:
    """For each script its parts, of those that have a number."""
    return NumberLists.of(sorted(number[part] for part in parts_of(one) if part in number) for one in scripts)


def parts_of(script: str) -> list[Part]:
    """What a script is made of: its casing, what it does at each end, how much it takes away, and itself."""
    casing, _, rest = script.partition("|")
    ready, items = parsed(script), rest.split("|")
    if ready is None or ready.whole:
        return [("casing", casing), ("script", script)]
    at = items.index(REST)
    return [
        ("casing", casing),
        ("left", "|".join(items[:at])),
        ("right", "|".join(items[at + 1 :])),
        ("cut", "|".join(str(one.size) if one.old is None else one.old for one in ready.right)),
        ("added", "|".join(one.new for one in ready.right)),
        ("size", f"{ready.before}|{ready.behind}"),
        ("script", script),
    ]
