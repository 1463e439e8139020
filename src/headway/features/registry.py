"""Feature models by name, and from files."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from headway.base.errors import HeadwayError, half_in, known, shown
from headway.base.registry import Registry
from headway.features.language import Feature, parse
from headway.features.pairs import WAYS

FOLDER, SUFFIX = resources.files("headway.features") / "models", ".features"
AS = " as "
OTHERS: Registry[str] = Registry("feature model", "headway.features", {})
"""Feature models of other distributions: the text of each, as a file would have it."""


def own_names() -> list[str]:
    """The feature models that come with headway."""
    return sorted(entry.name.removesuffix(SUFFIX) for entry in FOLDER.iterdir() if entry.name.endswith(SUFFIX))


def names() -> list[str]:
    """The feature models that are known by name."""
    return [*own_names(), *OTHERS]


def features_from(wanted: str | Sequence[Feature], default: str) -> Sequence[Feature]:
    """Features by the name of their model, which may be `default`, or as they are."""
    return feature_model(default if wanted == "default" else wanted) if isinstance(wanted, str) else wanted


def feature_model(name: str) -> list[Feature]:
    """The features of a named model, or of a file; `NAME as arcs` are those of a model of pairs for graph parsers."""
    model, _, way = name.rpartition(AS)
    if model and way in WAYS:
        return WAYS[way](feature_model(model))
    if name in own_names():
        return parse((FOLDER / f"{name}{SUFFIX}").read_text("utf-8"), f"{name}{SUFFIX}")
    if name in OTHERS:
        return parse(OTHERS[name], name)
    try:
        text = Path(name).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise HeadwayError(f"{name}: the file is not UTF-8; convert it, for example with iconv") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or half_in(name) or error
        what = f"{shown(name)} is neither a feature model nor a file that can be read: {reason}"
        raise HeadwayError(f"{what}; {known(names())}") from None
    return parse(text, name)
