"""Decoders by name, ours and those of entry points in the group `headway.decoders`; other names that options know."""

from __future__ import annotations

from typing import Any, Protocol

from headway.base.registry import Registry


class Decoder(Protocol):
    """A way to find the best tree; a module will do."""

    projective: bool
    """Whether all its trees are projective."""

    def decode(self, scores: Any, *, single_root: bool) -> Any:
        """Heads of the best tree, shape (n,), for scores of shape (n + 1, n + 1); see `graph.decoders`."""


DECODERS: Registry[Decoder] = Registry(
    "decoder",
    "headway.decoders",
    {
        "eisner": "headway.parsers.graph.decoders:eisner",
        "chu-liu-edmonds": "headway.parsers.graph.decoders:chu_liu_edmonds",
    },
    needs=("decode", "projective"),
)
"""Ours have `k_best`, too, and are called by the kernels without Python.

A decoder may also have `longest`: the words of the longest sentence that it takes as a whole where nobody says.
"""
LONGEST = 1000
"""The same for decoders that have none."""
LABELS = ("after", "joint")
"""When labels are chosen: after the arcs, or together with each."""
LOSSES = ("rho", "sqrt")
RIVALS = ("best", "wrong")
