"""What is in a model file, for people: each thing said once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from headway.base.errors import counted
from headway.base.options import OptionKind, kinds
from headway.stages.contract import Packed, Stage
from headway.stages.needed_columns import ABOUT, record_of
from headway.stages.tree_stage import PREFIX
from headway.stages.weights import ARRAYS
from headway.training.families import EARLIER, FAMILIES, family_of

COLUMNS = ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL")
"""The order in which columns are named."""
SETTLED = ("system", "shape", "form")
"""Parts of a header that hold what options came to."""
Fact = tuple[str, str]


class StageFacts(NamedTuple):
    """Names and values of all that a stage says of itself, and of its options."""

    facts: list[Fact]
    options: list[Fact]


def facts_of(packed: Packed, stage: Stage | None) -> StageFacts:
    """What to tell people of a stage, and itself; None where it cannot be opened here."""
    about, settled = dict(packed.header.get("about", {})), _settled(packed.header)
    facts = [("kind", str(packed.header["kind"]))]
    if stage is not None:
        facts += [("needs the columns", _listed(stage.needs)), ("gives the columns", _listed(stage.gives))]
    seen = about.pop(ABOUT, {})
    for name in seen if isinstance(seen, Mapping) else ():
        filled, tags = record_of(seen, name)
        different = f", {len(tags):,} different" if len(tags) else ""
        facts.append((f"column {name}", f"filled in {100 * filled:.0f} % of the words{different}"))
    facts += [*_training(about), *_sizes(packed, about)]
    options = list(_options(about.pop("family", None), about.pop("options", {}), settled, about))
    if isinstance(calibrator := packed.header.get("calibrator"), Mapping):
        learned = calibrator["about"]
        facts.append(
            ("confidence", f"calibrated on {learned.get('source')}, {counted(learned.get('words', 0), 'word')}")
        )
    others = [(_words(name), _shown(value)) for name, value in [*settled.items(), *about.items()]]
    return StageFacts([*facts, *others], options)


def _training(about: dict[str, Any]) -> Iterator[Fact]:
    """What it was learned from, for how long, and how good it was."""
    if {"sentences", "words", "treebank_digest"} <= set(about):
        size = f"{counted(about.pop('sentences'), 'sentence')}, {counted(about.pop('words'), 'word')}"
        yield "trained on", f"{size}, with the digest {about.pop('treebank_digest')}"
    if "headway" in about:
        yield "trained by", f"headway {about.pop('headway')}"
    if "dev" in about:
        dev = dict(about.pop("dev"))
        what = ", ".join(dev.pop(name) for name in ("definition", "tags") if name in dev)
        ranked = sorted(dev, key=lambda name: (name != "LAS", name != "UAS", name))  # as people look at them
        yield "scores on dev", f"{', '.join(f'{name} {dev[name]:.2f}' for name in ranked)} ({what})"
    if "licence" in about:
        yield "licence", str(about.pop("licence"))


def _sizes(packed: Packed, about: dict[str, Any]) -> Iterator[Fact]:
    """How much is in it."""
    header = packed.header
    for name, what in (
        ("labels", "different labels"),
        ("transitions", "transitions"),
        ("features", "feature templates"),
        ("label_features", "templates for labels"),
    ):
        if name in header:
            yield what, f"{len(header[name]):,}"
    for name, what in (("features", "different features"), ("pairs", "word pairs"), ("weights", "weights")):
        if name in about:
            yield what, _shown(about.pop(name))
    sizes: dict[str, int] = {}
    for name, array in packed.arrays.items():
        group = "state of training" if name.startswith(PREFIX) else "words and other tables"
        group = "weights" if name.removeprefix("split_") in ARRAYS else group
        sizes[group] = sizes.get(group, 0) + array.nbytes
    parts = ", ".join(f"{group} {size / 2**20:.1f}" for group, size in sizes.items() if size)
    yield "size of its arrays", f"{sum(sizes.values()) / 2**20:.1f} MiB{f' ({parts})' if len(sizes) > 1 else ''}"


def _settled(header: Mapping[str, Any]) -> dict[str, Any]:
    """What options came to, where they leave a choice to the treebank or to other options."""
    found: dict[str, Any] = {}
    for part in SETTLED:
        found |= {part if name == "name" else name: value for name, value in header.get(part, {}).items()}
    return found | {name: header[name] for name in ("encoding", "two_step", "patterns") if name in header}


def _options(
    family: str | None, given: Mapping[str, Any], settled: dict[str, Any], about: dict[str, Any]
) -> Iterator[Fact]:
    """The options in the order in which their family declares them, with what they came to."""
    every: Mapping[str, OptionKind | None] = (
        kinds(family_of(str(family))) if family in FAMILIES or family in EARLIER else dict.fromkeys(given)
    )
    if "rounds" in every and "passes" in about:
        about["rounds"] = about.pop("passes")
    if "scheme" in about:
        about["boosting"] = about.pop("scheme")
    for name, kind in every.items():
        value = given.get(name)
        if name == "options" or (name not in given and name not in settled):
            continue
        if isinstance(about.get(name), Mapping):
            yield _words(name), _with_options(about.pop(name))
        elif about.get(name) is not None:
            yield _words(name), _shown(about.pop(name))
        else:
            came_to = settled.pop(name, None)
            default_text = kind.default_text if kind is not None and not (value or came_to) else ""
            yield _words(name), default_text or _shown(value if came_to is None else came_to)
        settled.pop(name, None)


def _with_options(thing: Mapping[str, Any]) -> str:
    """A learner or a scheme with its options: `mira (average yes, settle 2)`."""
    own = [f"{_words(name)} {_shown(value)}" for name, value in thing.items() if name not in ("name", "passes")]
    name = str(thing.get("name", ""))
    return f"{name} ({', '.join(own)})" if own else name


def _listed(columns: Iterable[str]) -> str:
    known = {name: place for place, name in enumerate(COLUMNS)}
    return ", ".join(sorted(columns, key=lambda name: (known.get(name, len(known)), name))) or "–"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{_words(str(name))} {_shown(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else "none" if value is None else str(value)
