"""Trees of a transition parser under constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headway.data.batch import Batch, Ints
from headway.features.encode import chosen
from headway.kernels.transition.parsing import parse_within
from headway.stages.constraints import Constraints, nearest
from headway.stages.single_labels import settled_within
from headway.stages.tree_stage import Parsed

if TYPE_CHECKING:
    from headway.parsers.transition.parser import TransitionParser


def constrained(parser: TransitionParser, batch: Batch, index: int, constraints: Constraints) -> Parsed | None:
    """Parse one sentence with transitions that keep required arcs possible and make no forbidden ones.

    Where the tree that comes of it still breaks a constraint, as a span or an arc that crosses others may ask for more
    than single transitions show, the tree with most of its arcs that obeys takes its place, with labels along its own
    transitions; None where the system builds no such tree.
    """
    first, last = map(int, batch.sentence_word[index : index + 2])
    size = last - first
    encoded = chosen(parser.templates.encode(batch), np.arange(first, last, dtype=np.int32))
    number = {name: at for at, name in enumerate(parser.classes.labels)}
    wanted = np.array([number.get(constraints.labels.get(word, ""), -1) for word in range(1, size + 1)], np.int32)
    required = np.array([constraints.required.get(word, -1) for word in range(1, size + 1)], np.int32)
    heads, labels = np.empty((2, size), np.int32)
    scores = np.full((size, len(parser.classes.labels)), -np.inf, np.float32)
    allowed = np.any(list(constraints.masks(size)), axis=0).astype(np.uint8)

    # Treebanks that call a label so keep it for the root, as Universal Dependencies do.
    is_kept = constraints and parser.classes.labels[parser.root_label].lower() == "root"
    only_root = parser.root_label if is_kept else -1

    def run(tree: Ints, follow: bool, one: TransitionParser) -> None:
        ready = one.setup(encoded, max(1, size))
        rules = allowed, tree, wanted
        parse_within(ready, parser.weights, 0, parser.root_label, only_root, *rules, follow, heads, labels, scores)

    run(required, False, parser)
    if not constraints.hold(heads.tolist()):
        best = nearest(heads, constraints, parser.system.projective, parser.single_root)
        if best is None:
            return None
        run(best, True, parser.with_free_roots())
        heads[:] = best
    found = Parsed(heads, labels, parser.classes.names)
    return settled_within(found, parser.encoding, parser.single_labels, lambda _: scores, constraints)
