"""Options of trainings as recipes write them, checked against those that families declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from headway.base.errors import HeadwayError, known, shown
from headway.base.options import built, kinds
from headway.discovery.options import DiscoveryOptions
from headway.lab.annotating import check_strategy
from headway.lab.peers import PEERS
from headway.lab.tasks import ANNOTATE, EVIDENCE, is_of_learner, training_of
from headway.lab.variances import check_evidence
from headway.training.families import FAMILIES, PARSER
from headway.training.rows import row_from


def check_training(options: Mapping[str, Any]) -> None:
    """Refuse options that `headway.train` would refuse; a peer checks its own."""
    family = options.get("parser", PARSER)
    if not isinstance(family, str) or family not in [*FAMILIES, *PEERS]:
        raise HeadwayError(f"unknown family of parsers {shown(str(family))}; {known([*FAMILIES, *PEERS])}")
    if family in PEERS:
        return
    row_from(None, training_of(options))
    for name, check in ((ANNOTATE, check_strategy), (EVIDENCE, check_evidence)):
        if name in options:
            check(str(options[name]))


def check_axis(axis: str, trainings: Iterable[Mapping[str, Any]]) -> None:
    """Refuse an axis that is no option of a training that it is to vary, nor of its learner."""
    for options in trainings:
        family = options.get("parser", PARSER)
        if family not in PEERS and axis not in kinds(FAMILIES[family]) and not is_of_learner(axis, options):
            raise HeadwayError(f"{axis} is no option of a {FAMILIES[family].title}; {known(kinds(FAMILIES[family]))}")


def check_search(options: Mapping[str, Any]) -> None:
    """Refuse options that `headway.discover` would refuse."""
    built(DiscoveryOptions, "a search", options)
