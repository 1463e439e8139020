"""Families of stages by name: for each the class of its options. Others are found by entry points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from headway.base.errors import HeadwayError
from headway.base.options import kinds, unknown_option
from headway.base.registry import Registry
from headway.base.stage_options import StageOptions

FAMILIES: Registry[type[StageOptions]] = Registry(
    "family of parsers",
    "headway.families",
    {
        "transition": "headway.parsers.transition.options:TransitionOptions",
        "graph": "headway.parsers.graph.options:GraphOptions",
        "boosted": "headway.parsers.boosted.options:BoostedOptions",
    },
)
EARLIER: Registry[type[StageOptions]] = Registry(
    "stage before the parser",
    "headway.earlier_families",
    {
        "segmenter": "headway.text.segmenter.options:SegmenterOptions",
        "pretagger": "headway.text.tagger.options:PretaggerOptions",
        "tagger": "headway.text.tagger.options:TaggerOptions",
        "lemmatizer": "headway.text.lemmatizer.options:LemmatizerOptions",
    },
)
"""The families of stages that prepare what a parser sees."""
PARSER = "transition"
"""What is learned where nothing else is asked for."""


def family_of(name: str) -> type[StageOptions]:
    """The options of a family of parsers, or of stages before them."""
    return EARLIER[name] if name in EARLIER else FAMILIES[name]


def options_from(family: str, given: Mapping[str, Any], others: Iterable[str] = ()) -> StageOptions:
    """The options of a family by their names; those of other families are refused, unknown ones with the known.

    `others` are known too: what can be said beside the options of the family.
    """
    wanted = family_of(family)
    possible = kinds(wanted)
    for name in given:
        if name in possible:
            continue
        homes = [other for other in FAMILIES if name in kinds(FAMILIES[other])]
        if homes:
            what = f"{name} belongs to {' and '.join(homes)} parsers"
            raise HeadwayError(f"{what}; leave it out, or take parser {homes[0]}")
        raise unknown_option(f"a {wanted.title}", name, {*possible, *others})
    return wanted(**given)
