"""Writes the keywords of `headway.train`, `headway.discover` and of parsing: `python tests/train_keywords.py`."""

import json
import re
from dataclasses import fields
from pathlib import Path

from headway.base.options import KIND, kinds
from headway.discovery.options import DiscoveryOptions
from headway.learners.registry import LearnerKind
from headway.stages.parsing.options import ParseOptions, ReadOptions
from headway.training.families import EARLIER, FAMILIES
from headway.training.options import RunOptions, paragraph

PACKAGE = Path(__file__).parents[1] / "src" / "headway"
WIDTH = 120
HEAD = '''"""The options of {functions} as keywords that type checkers know.

Written by `python tests/train_keywords.py` from {source}; a test keeps it in step with them.
Names that others have registered stand in options as data: `GraphOptions(decoder="theirs")`.
"""

from __future__ import annotations

'''
AT_ONCE = {
    "collections.abc": ("Mapping", "Sequence"),
    "typing": ("TYPE_CHECKING", "Any", "Literal", "TypeAlias", "TypedDict"),
}
IN_HINTS = {
    "headway.training.keywords": ("LearnerName",),
    "headway.features.language": ("Feature",),
    "headway.learners.registry": ("Classifier", "Learner"),
    "headway.parsers.boosted.schemes": ("Scheme",),
}
"""Where the words of types come from: when the module is imported, and for type checkers only."""
CLASS = '''

class {name}({base}, total=False):
    """Options of {functions}{paragraphs}"""

'''


def names_of(kind):
    """The names that stand for the values of an option; none where there are others, such as paths."""
    if isinstance(kind, LearnerKind):
        return [name for registry in kind.registries for name in registry.own]
    return [*getattr(kind, "names", ()), *getattr(kind, "words", ())]


def types(*classes):
    """The type of each option, and its aliases; where families differ, all that one of them takes."""
    names, others, aliases = {}, {}, {}
    for options in classes:
        for one in fields(options):
            if KIND in one.metadata:
                known = names_of(one.metadata[KIND])
                named = {type(name).__name__ for name in known}
                names.setdefault(one.name, {}).update(dict.fromkeys(known))
                others.setdefault(one.name, {}).update(dict.fromkeys(set_aside(one.type.split(" | "), named)))
    for name, parts in others.items():
        every = [part for part in parts if part != "None"] + [part for part in parts if part == "None"]
        quoted = [json.dumps(value) for value in names[name]]
        literal = [f"Literal[{', '.join(quoted)}]"] if quoted else []
        alias = ""
        if len(found := f"    {name}: {' | '.join([*literal, *every])}") > WIDTH:
            called = aliases.setdefault(frozenset(quoted), f"{name.title().replace('_', '')}Name")
            alias = "".join((f"{called}: TypeAlias = Literal[\n", *(f"    {one},\n" for one in sorted(quoted)), "]\n"))
            found = f"    {name}: {' | '.join([called, *every])}"
        yield alias, found


def set_aside(parts, named):
    """The parts of a type without those that names say more exactly."""
    return [part for part in parts if part not in named]


def imports(types):
    """The imports that the text of some types needs."""
    used = {"TypedDict", *re.findall(r"\w+", types)} - {*re.findall(r"(\w+): TypeAlias", types)}
    if any(name in used for names in IN_HINTS.values() for name in names):
        used.add("TYPE_CHECKING")
    first, second = (
        [
            f"from {module} import {', '.join(own)}\n"
            for module, names in sorted(some.items())
            if (own := chosen(names, used))
        ]
        for some in (AT_ONCE, IN_HINTS)
    )
    checked = ["\nif TYPE_CHECKING:\n", *(f"    {line}" for line in second)] if second else []
    return "".join([*first, *checked])


def chosen(names, used):
    """The names that are used."""
    return [name for name in names if name in used]


def keywords(source, functions, *written):
    """A module: for each class of keywords its name, its base, the paragraphs of its options, and their types."""
    aliases = "".join(dict.fromkeys(alias for *_, found in written for alias, _ in found))
    classes, lines = [], [line for *_, found in written for _, line in found]
    for name, base, paragraphs, found in written:
        told = "\n".join([".", "", *paragraphs, "    "]) if paragraphs else " as type checkers know them."
        start = CLASS.format(name=name, base=base, functions=functions, paragraphs=told)
        classes.append(start + "\n".join(line for _, line in found) + "\n")
    head = HEAD.format(functions=functions, source=source) + imports("\n".join([aliases, *lines]))
    return "".join([head, aliases and f"\n{aliases}", *classes])


def train_text():
    """The keywords of `headway.train`."""
    every = (*map(FAMILIES.__getitem__, FAMILIES.own), RunOptions)
    names = ", ".join(json.dumps(name) for name in (*FAMILIES.own, *EARLIER.own))
    found = [("", f"    parser: Literal[{names}]"), *types(*every)]
    folds = [one for one in found if one[1].startswith("    folds:")]
    others = [one for one in found if one not in folds]
    written = (("FoldKeywords", "TypedDict", (), others), ("TrainKeywords", "FoldKeywords", (), folds))
    return keywords("the options of all families", "`headway.train`", *written)


def discover_text():
    """The keywords of `headway.discover`; names of learners are those of `headway.train`."""
    found = [("", line) for _, line in types(DiscoveryOptions)]
    written = ("DiscoverKeywords", "TypedDict", (), found)
    return keywords("the options of searches", "`headway.discover`", written)


def parse_text():
    """The keywords of all that parses."""
    read, parse = (
        ([paragraph(options, name) for name in kinds(options)], list(types(options)))
        for options in (ReadOptions, ParseOptions)
    )
    own = slice(len(read[1]), None)
    return keywords(
        "the options of parsing",
        "parsing",
        ("ReadKeywords", "TypedDict", *read),
        ("ParseKeywords", "ReadKeywords", parse[0], parse[1][own]),
    )


FILES = {
    PACKAGE / "training" / "keywords.py": train_text,
    PACKAGE / "discovery" / "keywords.py": discover_text,
    PACKAGE / "stages" / "parsing" / "keywords.py": parse_text,
}

if __name__ == "__main__":
    for path, made in FILES.items():
        path.write_text(made(), "utf-8")
