"""From the features that a search has chosen to the feature model that a parser uses, and to its file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from headway.discovery.successors import in_pairs, parted
from headway.features.arcs import LABEL
from headway.features.language import Feature, directed, distinct
from headway.features.registry import feature_model

if TYPE_CHECKING:
    from headway.discovery.measure import MeasureSetting

LABELS = "mst"
"""The model whose features of labels graph parsers use while those of arcs are searched."""


@cache
def label_features() -> tuple[Feature, ...]:
    """Features of labels for graph parsers."""
    return tuple(feature for feature in feature_model(LABELS) if feature.has(LABEL))


def model_of(setting: MeasureSetting, features: Sequence[Feature]) -> list[Feature]:
    """The feature model that the chosen features stand for."""
    chosen = in_pairs(features) if setting.pairs else list(features)
    if setting.family == "graph":
        return distinct([*(variant for feature in chosen for variant in directed(feature)), *label_features()])
    return chosen


def model_text(setting: MeasureSetting, features: Sequence[Feature], about: Sequence[str]) -> str:
    """The feature model as a file: comments about where it comes from, then the features by name."""
    single, several = parted(features)
    named = {"found": features, **({"single": single, "several": several} if several and setting.pairs else {})}
    given = [f"{name} = " + ",\n    ".join(map(str, some)) for name, some in named.items() if some]
    lines = [*(f"# {line}".rstrip() for line in about), "", *given, ""]
    lists = ["found"]
    if setting.pairs and len(single) > 1:
        lists.append("pairs(single)" if several else "pairs(found)")
    if setting.pairs and single and several:
        lists.append("pairs(single; several)")
    if setting.family == "graph":
        lines += [f"directed({one})" for one in lists]
        lines += ["", f"# The labels' features are those of {LABELS}.", *map(str, label_features())]
    else:
        lines += lists
    return "\n".join(lines) + "\n"
