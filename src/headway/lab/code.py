"""Which code made a result: digests of the sources that it depends on, without comments and docstrings."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from importlib import metadata
from typing import Any

from headway.base.options import built, plain
from headway.discovery.options import DiscoveryOptions
from headway.features.registry import AS, SUFFIX, own_names
from headway.lab.closure import ROOT, essence, needed, source_of
from headway.lab.peers import PEERS
from headway.lab.tasks import ANNOTATE, EVIDENCE, training_of
from headway.training.families import FAMILIES, PARSER
from headway.training.rows import row_from

LOOP = ("headway.training.loop", "headway.training.best_passes", "headway.training.tuning")
"""What all trainings share beside what their families import."""
AROUND = {ANNOTATE: "headway.lab.annotating", EVIDENCE: "headway.lab.variances"}
"""What is done around a training, by the option that asks for it."""
FAMILY, OTHERS = "family", "training"
KINDS = {"kernels": "kernels", "features": "features", "learners": "learner"}
KINDS |= dict.fromkeys((*(place.split(".")[1] for place in FAMILIES.own.values()), "text", "discovery"), FAMILY)
"""Folders of sources, and what a journal calls them; what lies elsewhere is OTHERS."""
PACKAGES = {"udpipe": "ufal.udpipe", "udpipe-pipeline": "ufal.udpipe"}
"""The distributions of peers that have another name than the peer."""
NOT_INSTALLED = "?"
UNKNOWN = "unknown code"
Code = Mapping[str, str]
"""A digest for each kind of source; for a peer its version, and a digest of our adapter."""


def code_of(options: Mapping[str, Any]) -> Code:
    """The code behind a training with the options of a task."""
    peer = str(options.get("parser"))
    if peer in PEERS:
        return {"version": _installed(PACKAGES.get(peer, peer)), "adapter": _adapter(peer)}
    _, row = row_from(None, training_of(options))
    names = {name for stage in row for name in (stage.family, *_texts(plain(stage)))}
    around = [module for option, module in AROUND.items() if option in options]
    return _digests((*LOOP, *around, *(type(stage).__module__ for stage in row)), frozenset(names))


def code_of_search(options: Mapping[str, Any]) -> Code:
    """The code behind a search with these options."""
    names = {PARSER, *_texts(plain(built(DiscoveryOptions, "a search", options)))}
    return _digests((*LOOP, "headway.discovery.discover"), frozenset(names))


def changed(before: Code | None, now: Code) -> list[str]:
    """The kinds of code that have changed; a peer that is not installed here counts as unchanged."""
    if before is None:
        return [UNKNOWN]
    return [kind for kind in now if now[kind] not in (before.get(kind), NOT_INSTALLED)]


def _installed(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return NOT_INSTALLED


@cache
def _adapter(peer: str) -> str:
    """A digest of the class that adapts a peer, with what it needs of its module."""
    adapter: Any = PEERS[peer]
    text = inspect.getsource(inspect.getmodule(adapter) or adapter)
    own = {name: node for node in ast.parse(text).body for name in _defined(node)}
    found, todo = {}, [str(adapter.__name__)]
    while todo:
        name = todo.pop()
        if name in own and name not in found:
            found[name] = essence(ast.get_source_segment(text, own[name]) or "")
            todo += [node.id for node in ast.walk(own[name]) if isinstance(node, ast.Name)]
    return _digest(f"{name}\n{source}" for name, source in sorted(found.items()))


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return [node.name]
    return [target.id for target in getattr(node, "targets", ()) if isinstance(target, ast.Name)]


def _texts(value: Any) -> Iterator[str]:
    """All texts in options, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(one)


@cache
def _digests(roots: tuple[str, ...], names: frozenset[str]) -> Code:
    """A digest for each kind of source that is needed from these modules on, with the feature models named."""
    kinds: dict[str, list[str]] = {}
    for module in needed(roots, names):
        kinds.setdefault(KINDS.get(module.split(".")[1], OTHERS), []).append(f"{module}\n{source_of(module)}")
    models = {name.rpartition(AS)[0] or name for name in names}
    for model in own_names():
        if model in models or ("default" in models and "default" in model):
            text = (ROOT / "features" / "models" / f"{model}{SUFFIX}").read_text("utf-8")
            kinds.setdefault("features", []).append(f"{model}\n{essence(text)}")
    return {kind: _digest(kinds[kind]) for kind in sorted(kinds)}


def _digest(texts: Iterable[str]) -> str:
    digest = blake2b(digest_size=4)
    for text in texts:
        digest.update(f"{text}\n".encode())
    return digest.hexdigest()
